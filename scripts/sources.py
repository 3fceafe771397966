"""What there is to translate: every text of the project that a reader sees, and where it stands."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import yaml
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from jinja2 import TemplateSyntaxError

from halfmoon.languages import LANGUAGES

FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
TRANSLATED_META: Final = ("title", "label", "description")
"""The front matter that a reader sees, and that therefore goes through the catalog."""

KEYWORDS: Final = {**DEFAULT_KEYWORDS, "N_": None, "NN_": (1, 2), "_": None}
JINJA_METHOD: Final = "jinja2.ext:babel_extract"
JINJA_OPTIONS: Final = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
NOTE_TAG: Final = "NOTE:"


class CatalogMistake(ValueError):
    """Sources or catalogs that a site cannot be built from; one problem a line."""


class Found(NamedTuple):
    """A message as it stands in a source."""

    file: str
    line: int
    msgid: str | tuple[str, str]
    context: str | None = None
    notes: tuple[str, ...] = ()


def find_in_pages(root: Path) -> Iterator[Found]:
    """The prose: settings, pages, page templates, theme templates."""
    docs = root / "docs"
    yield from _settings_messages(root)
    for page in sorted(docs.rglob("*.md")):
        if page.is_relative_to(docs / "overrides") or is_of_one_language(page):
            continue
        yield from _page_messages(root, page)
    for template in sorted((docs / "_templates").rglob("*.jinja")):
        yield from _template_messages(root, template)
    for template in sorted((docs / "overrides").rglob("*.html")):
        yield from _template_messages(root, template)


def find_in_engine(root: Path) -> Iterator[Found]:
    """What the game says."""
    for module in sorted((root / "engine" / "halfmoon").rglob("*.py")):
        name = module.relative_to(root).as_posix()
        with module.open("rb") as source:
            yield from _found(name, extract("python", source, KEYWORDS, (NOTE_TAG,)), 0)


def is_of_one_language(page: Path) -> bool:
    """Whether a page's name ends in a language, as in ``codes.pl.md``."""
    return Path(page.stem).suffix.removeprefix(".") in LANGUAGES


def pages_without_all_languages(docs: Path) -> list[str]:
    """Pages that some languages have and others lack, one line each.

    A page without a language in its name serves all; ``codes.pl.md`` beside it replaces it in one.
    """
    missing = []
    for page in sorted(docs.rglob("*.md")):
        if not is_of_one_language(page):
            continue
        shared = page.parent / Path(page.stem).stem
        others = [name for name in LANGUAGES if not Path(f"{shared}.{name}.md").is_file()]
        if others and not Path(f"{shared}.md").is_file():
            name = page.relative_to(docs.parent).as_posix()
            missing.append(f"{name}:1: the page does not exist in {', '.join(others)}")
    return missing


def settings_strings(settings: Mapping[str, Any]) -> Iterator[str]:
    """The strings of ``mkdocs.yml`` that a reader sees."""
    yield settings["site_name"]
    yield settings["site_description"]
    for palette in settings["theme"]["palette"]:
        yield palette["toggle"]["name"]
    yield from _section_titles(settings["nav"])
    for extension in settings["markdown_extensions"]:
        if isinstance(extension, dict) and "toc" in extension:
            yield extension["toc"]["permalink_title"]


def _section_titles(nav: Iterable[Any]) -> Iterator[str]:
    for item in nav:
        for title, below in item.items() if isinstance(item, dict) else ():
            yield title
            if isinstance(below, list):
                yield from _section_titles(below)


class SettingsLoader(yaml.SafeLoader):
    """Reads mkdocs.yml without what its tags stand for."""


SettingsLoader.add_multi_constructor("", lambda loader, suffix, node: None)


def _settings_messages(root: Path) -> Iterator[Found]:
    file = root / "mkdocs.yml"
    text = file.read_text(encoding="utf-8")
    for string in settings_strings(yaml.load(text, SettingsLoader)):
        yield Found(file.name, _line_of(text, string), string)


def _page_messages(root: Path, page: Path) -> Iterator[Found]:
    name = page.relative_to(root).as_posix()
    text = page.read_text(encoding="utf-8")
    front = FRONT_MATTER.match(text)
    meta = front_matter(text)
    for key in TRANSLATED_META:
        if key in meta:
            yield Found(name, _line_of(text, f"{key}:"), str(meta[key]))
    body = text[front.end() :] if front else text
    offset = text.count("\n", 0, front.end()) if front else 0
    yield from _jinja_messages(name, io.BytesIO(body.encode()), offset)


def front_matter(text: str) -> dict[str, Any]:
    """The settings at the head of a page; empty where it has none."""
    front = FRONT_MATTER.match(text)
    return (yaml.safe_load(front[1]) or {}) if front else {}


def _template_messages(root: Path, template: Path) -> Iterator[Found]:
    with template.open("rb") as source:
        yield from _jinja_messages(template.relative_to(root).as_posix(), source, 0)


def _jinja_messages(name: str, source: BinaryIO, offset: int) -> Iterator[Found]:
    try:
        yield from _found(
            name, extract(JINJA_METHOD, source, KEYWORDS, (NOTE_TAG,), JINJA_OPTIONS), offset
        )
    except TemplateSyntaxError as error:
        raise CatalogMistake(f"{name}:{error.lineno + offset}: {error.message}") from error


def _found(name: str, messages: Iterable[tuple[Any, ...]], offset: int) -> Iterator[Found]:
    for line, texts, notes, context in messages:
        yield Found(name, line + offset, texts, context, tuple(notes))


def _line_of(text: str, part: str) -> int:
    return text.count("\n", 0, max(text.find(part), 0)) + 1
