"""What is done to the built site as files: search, licences, links, small repairs."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

SEARCH_INDEX: Final = "search/search_index.json"
SEARCH_FIELDS: Final = {
    "title": {"boost": 1000.0},
    "text": {"boost": 1.0},
    "tags": {"boost": 1000000.0},
    "plain": {"boost": 0.5},
}
SEARCH_SETTINGS: Final = {
    # There is no stemmer for Polish or Indonesian, and another language's breaks their words;
    # the theme completes every word of a query, which does a stemmer's work in all four.
    "lang": ["en"],
    "pipeline": [],
    "separator": r"[\s\u200b\-_,:;!?=\[\]()\"“”„‘’'`/…—–·]+|\.(?!\d)",
    "fields": SEARCH_FIELDS,
}

LICENCES: Final = "licences.txt"
SERVED_DISTRIBUTIONS: Final = ("mkdocs-material",)
"""Python packages of which the site serves files."""
BUNDLED_NOTICE: Final = re.compile(r"/\*!.*?\*/", re.DOTALL)
ICON_LICENCE: Final = "material/templates/.icons/material/LICENSE"

NOT_FOUND_SECTION: Final = re.compile(r'<section class="not-found".*?</section>', re.DOTALL)
HEADING_ANCHOR: Final = re.compile(r' id="[^"]*"|<a class="headerlink".*?</a>')
RELATIVE_LINK: Final = re.compile(r'\b(?P<name>href|src)="(?P<target>(?!/|#|[a-z]+:)[^"]*)"')
OTHER_LANGUAGES: Final = "<!-- other languages -->"

NAV_STATE: Final = re.compile(r'(<nav class="md-nav"[^>]*?) aria-expanded="(?:true|false)"')
LISTING: Final = re.compile(r"(<pre><code)(?=[ >])")
TABLE: Final = re.compile(r"<table>.*?</table>", re.DOTALL)
#: As the theme's script would put it around a table, where the page is being read already.
AROUND_TABLE: Final = (
    r'<div class="md-typeset__scrollwrap"><div class="md-typeset__table">\g<0></div></div>'
)

PLAIN_TAG: Final = re.compile(
    r"</?(?:circle|ellipse|g|line|path|polygon|rect|svg|text|button|code|div|label|li|p|span)"
    r'(?: (?!(?:id|href|src)=)[\w:-]++="[^"<>]*+")*+ ?/?>'
)
"""A tag that neither leads anywhere nor can be led to, of those that pages are full of."""


# Search


def split_search(site: Path, other_languages: Iterable[str]) -> None:
    """Give each language an index of its own, with addresses below the language's root."""
    index = json.loads((site / SEARCH_INDEX).read_text(encoding="utf-8"))
    left: list[dict[str, Any]] = index["docs"]
    for language in other_languages:
        root = f"{language}/"
        own = [entry for entry in left if entry["location"].startswith(root)]
        left = [entry for entry in left if not entry["location"].startswith(root)]
        for entry in own:
            entry["location"] = entry["location"].removeprefix(root)
        _write_index(site / language / SEARCH_INDEX, own)
    for entry in left:
        entry["location"] = entry["location"].removeprefix("./")
    _write_index(site / SEARCH_INDEX, left)


def _write_index(path: Path, entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        entry["plain"] = _plain_words(f"{entry['title']} {entry['text']}")
    text = json.dumps(
        {"config": SEARCH_SETTINGS, "docs": entries}, ensure_ascii=False, separators=(",", ":")
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _plain_words(text: str) -> str:
    """The accented words of a text without their accents, for those who type "uklad"."""
    words = dict.fromkeys(re.findall(r"\w+", text))
    return " ".join(plain for word in words if (plain := without_accents(word)) != word)


def without_accents(text: str) -> str:
    """A text with nothing but base letters.

    >>> without_accents("układ één")
    'uklad een'
    """
    letters = unicodedata.normalize("NFD", text.replace("ł", "l").replace("Ł", "L"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


# Dead addresses


def join_not_found(site: Path, page: str, other_languages: Iterable[str]) -> None:
    """Let the page for dead addresses at the root say in every language what each one's says.

    A host that knows only this one page serves it for every address below the site.
    """
    root = site / page
    if not root.is_file():
        return
    sections = []
    for language in other_languages:
        found = NOT_FOUND_SECTION.search((site / language / page).read_text(encoding="utf-8"))
        assert found, f"{language}/{page} has no section to show"
        sections.append(HEADING_ANCHOR.sub("", found[0]))
    text = root.read_text(encoding="utf-8")
    root.write_text(text.replace(OTHER_LANGUAGES, "\n".join(sections), 1), encoding="utf-8")


def with_absolute_links(page: str, address: str) -> str:
    """A page that works at any address, though its links were made for ``address``."""
    return RELATIVE_LINK.sub(
        lambda link: f'{link["name"]}="{urljoin(address, link["target"])}"', page
    )


# Licences


def write_licences(site: Path) -> None:
    """List the licences of what the site serves and others have made."""
    parts = [part for name in SERVED_DISTRIBUTIONS for part in _licences_of(name)]
    parts += _bundled_notices(site)
    (site / LICENCES).write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _licences_of(distribution: str) -> Iterator[str]:
    found = metadata.distribution(distribution)
    # Not out of found.files, which looks for each of the theme's ten thousand icons.
    icons = Path(str(found.locate_file(ICON_LICENCE)))
    if icons.is_file():
        text = icons.read_text(encoding="utf-8")
        yield _headed(f"{found.name} {found.version}: icons", text.strip())
    for name in found.metadata.get_all("License-File") or ():
        licence = found.read_text(f"licenses/{name}")
        assert licence, f"{distribution} has no {name}"
        yield _headed(f"{found.name} {found.version}: licence", licence.strip())


def _bundled_notices(site: Path) -> Iterator[str]:
    """The notices that the makers of bundled scripts keep inside them."""
    for script in sorted(site.glob("assets/javascripts/**/*.js")):
        notices = BUNDLED_NOTICE.findall(script.read_text(encoding="utf-8"))
        if notices:
            name = script.relative_to(site).as_posix()
            yield _headed(f"Bundled in {name}", "\n\n".join(notices))


def _headed(heading: str, text: str) -> str:
    return f"{heading}\n{'=' * len(heading)}\n\n{text}"


# Links


class _Document(HTMLParser):
    """The targets a page links to, and the anchors it offers."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[str] = []
        # The drawings alone have thousands of these tags, and the parser is slow.
        self.feed(PLAIN_TAG.sub(" ", text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element's id and addresses."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and (tag, name) != ("base", "href"):
                self.targets.append(value)


class Target(NamedTuple):
    """Where a link leads within the site."""

    file: str
    anchor: str


def dead_links(site: Path, base: str) -> list[str]:
    """Links of the built pages that lead nowhere within the site, one line each.

    ``base`` is the path of the site's root on its host. Links to other hosts are not followed.
    """
    documents = {
        page.relative_to(site).as_posix(): _Document(page.read_text(encoding="utf-8"))
        for page in sorted(site.rglob("*.html"))
    }
    return [
        f"{page}: dead link {link}"
        for page, document in documents.items()
        for link in document.targets
        if (target := _target(page, link, base)) and not _lives(target, site, documents)
    ]


def _target(page: str, link: str, base: str) -> Target | None:
    address, anchor = urldefrag(link)
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    if path.startswith(base) and path.startswith("/"):
        path = path.removeprefix(base)
    elif path.startswith("/"):
        return Target(path, anchor)
    elif path:
        path = _joined(PurePosixPath(page).parent, path)
    else:
        return Target(page, anchor)
    return Target(path, anchor)


def _joined(folder: PurePosixPath, path: str) -> str:
    parts = list(folder.parts)
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1] if parts else ["outside the site"]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _lives(target: Target, site: Path, documents: dict[str, _Document]) -> bool:
    file = target.file
    if file in ("", ".") or file.endswith("/") or (site / file).is_dir():
        file = f"{file.rstrip('/')}/index.html".removeprefix("/").removeprefix("./")
    if file not in documents:
        return (site / file).is_file()
    # What follows the # of a game's page is a position, which the engine has checked already.
    is_position = "-" in target.anchor and file.endswith("play/index.html")
    return not target.anchor or is_position or target.anchor in documents[file].anchors


# Repairs


def tell_worker(worker: Path, manifest: Path) -> None:
    """Write what the runtime consists of before the script that loads it, which saves it asking."""
    known = json.loads(manifest.read_text(encoding="utf-8"))
    worker.write_text(told("RUNTIME", known, worker), encoding="utf-8")


def told(name: str, known: Any, script: Path) -> str:
    """A script with something that it has to know before it, as a constant of this name."""
    listed = json.dumps(known, sort_keys=True, separators=(",", ":"))
    return f"const {name} = {listed};\n\n{script.read_text(encoding='utf-8')}"


def mended(page: str) -> str:
    """A page without the state that the theme puts on elements that cannot have one.

    And with listings that can be scrolled by keys, and tables that can be scrolled, which the
    theme's script would see to later.
    """
    scrolled = TABLE.sub(AROUND_TABLE, LISTING.sub(r'\1 tabindex="0"', page))
    return NAV_STATE.sub(r"\1", scrolled)
