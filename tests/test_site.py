"""The built site, page by page: languages, links, search, dead addresses."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import yaml
from playwright.sync_api import Browser, Page, Request

from catalogs import ROOT
from halfmoon.languages import LANGUAGES
from sources import SettingsLoader

SETTINGS = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), SettingsLoader)
SITE_URL = "https://example.org/"
PAGES = (
    "",
    "half-moon/",
    "half-moon/examples/",
    "half-moon/strategy/",
    "half-moon/questions/",
    "half-moon/play/",
    "crescent/",
    "crescent/examples/",
    "crescent/strategy/",
    "crescent/questions/",
    "crescent/play/",
    "codes/",
    "maker/",
)
PREFIXES = {language: "" if language == "en" else f"{language}/" for language in LANGUAGES}
ADDRESSES = [(language, path) for language in LANGUAGES for path in PAGES]

FETCHING = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}


class Document(HTMLParser):
    """The elements of a page, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.title = ""
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title" and not self.title:
            self.title = data.strip()

    def all(self, tag: str, **wanted: str) -> Iterator[dict[str, str]]:
        """The attributes of all elements of a kind with these attributes."""
        for name, attributes in self.elements:
            if name == tag and wanted.items() <= attributes.items():
                yield attributes

    def description(self) -> str:
        (found,) = self.all("meta", name="description")
        return found["content"]


def _read(site: Path, language: str, path: str) -> Document:
    file = site / PREFIXES[language] / path / "index.html"
    return Document(file.read_text(encoding="utf-8"))


@pytest.fixture(params=ADDRESSES, ids=lambda value: "/".join(value).strip("/"))
def address(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A language and a page below its root."""
    language, path = request.param
    return language, path


def test_every_page_is_built_in_every_language_and_no_other(site: Path) -> None:
    built = {page.relative_to(site).parent.as_posix() for page in site.rglob("index.html")}
    listed = {(PREFIXES[language] + path).strip("/") or "." for language, path in ADDRESSES}
    assert built == listed | {f"{prefix}embed" for prefix in PREFIXES.values()}


def test_a_page_says_which_language_it_is_in(site: Path, address: tuple[str, str]) -> None:
    language, path = address
    (html,) = _read(site, language, path).all("html")
    assert html["lang"] == language


def test_a_page_names_itself_and_its_other_languages(site: Path, address: tuple[str, str]) -> None:
    language, path = address
    document = _read(site, language, path)
    (canonical,) = document.all("link", rel="canonical")
    assert canonical["href"] == SITE_URL + PREFIXES[language] + path
    alternates = {link["hreflang"]: link["href"] for link in document.all("link", rel="alternate")}
    expected = {name: SITE_URL + prefix + path for name, prefix in PREFIXES.items()}
    assert alternates == {**expected, "x-default": SITE_URL + path}


def test_the_switcher_leads_to_the_same_page(site: Path, address: tuple[str, str]) -> None:
    language, path = address
    here = SITE_URL + PREFIXES[language] + path
    links = list(_read(site, language, path).all("a"))
    switcher = [link for link in links if "md-select__link" in link.get("class", "")]
    found = {link["hreflang"]: urljoin(here, link["href"]) for link in switcher}
    assert found == {name: SITE_URL + prefix + path for name, prefix in PREFIXES.items()}


@pytest.mark.parametrize("path", PAGES)
def test_titles_and_descriptions_are_translated(site: Path, path: str) -> None:
    documents = [_read(site, language, path) for language in LANGUAGES]
    assert len({document.description() for document in documents}) == len(LANGUAGES)
    if path:  # the game's name, which is the home page's, is the same everywhere
        assert len({document.title for document in documents}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_pages_share_a_title_or_a_description(site: Path, language: str) -> None:
    documents = [_read(site, language, path) for path in PAGES]
    assert len({document.title for document in documents}) == len(PAGES)
    assert len({document.description() for document in documents}) == len(PAGES)


def test_no_id_stands_twice_on_a_page(site: Path) -> None:
    for page in site.rglob("*.html"):
        document = Document(page.read_text(encoding="utf-8"))
        ids = Counter(attributes["id"] for _, attributes in document.elements if "id" in attributes)
        assert [name for name, times in ids.items() if times > 1] == [], page


def test_no_page_fetches_from_another_origin(site: Path) -> None:
    for page in site.rglob("*.html"):
        for tag, attributes in Document(page.read_text(encoding="utf-8")).elements:
            target = attributes.get(FETCHING.get(tag, ""), "")
            if attributes.get("rel") not in ("canonical", "alternate"):
                assert not urlsplit(target).netloc, f"{page}: {target}"
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", text), sheet


def test_a_diagram_links_to_its_position_in_the_page_language(
    site: Path, address: tuple[str, str]
) -> None:
    language, path = address
    here = SITE_URL + PREFIXES[language] + path
    links = [
        link for link in _read(site, language, path).all("a") if link.get("class") == "diagram-code"
    ]
    root = SITE_URL + PREFIXES[language]
    play = (f"{root}half-moon/play/#HM1-N-", f"{root}crescent/play/#CR1-N-")
    assert all(urljoin(here, link["href"]).startswith(play) for link in links)


def test_nothing_that_builds_the_site_is_published(site: Path) -> None:
    for name in ("_templates", "_data", "overrides", "locale"):
        assert not (site / name).exists()
    assert not [path for path in site.rglob("*") if path.suffix in (".po", ".jinja", ".md")]
    assert not any((site / prefix / "assets").exists() for prefix in PREFIXES.values() if prefix)


def test_the_sitemap_lists_every_page_once(site: Path) -> None:
    found = re.findall(r"<loc>(.*?)</loc>", (site / "sitemap.xml").read_text(encoding="utf-8"))
    assert sorted(found) == sorted(
        SITE_URL + PREFIXES[language] + path for language, path in ADDRESSES
    )


def test_the_licences_of_what_is_served_are_listed(site: Path) -> None:
    text = (site / "licences.txt").read_text(encoding="utf-8")
    assert "mkdocs-material" in text
    assert "Permission is hereby granted" in text
    assert "Pictogrammers" in text


# Search


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_index_holds_the_pages_of_its_language_alone(site: Path, language: str) -> None:
    file = site / PREFIXES[language] / "search" / "search_index.json"
    entries = json.loads(file.read_text(encoding="utf-8"))["docs"]
    assert {entry["location"].partition("#")[0] for entry in entries} == set(PAGES)
    assert not [entry for entry in entries if "<svg" in entry["text"]]


def _search(page: Page, words: str) -> list[str]:
    """The addresses that a search finds, once the theme has finished searching."""
    query = page.locator("[data-md-component=search-query]")
    query.fill("")
    query.click()
    query.press_sequentially(words)
    # The theme searches once at the end of typing, and says then how much it has found.
    page.wait_for_timeout(600)
    page.locator(".md-search-result__meta").wait_for()
    links = page.locator(".md-search-result__link")
    return [link.evaluate("link => link.href") for link in links.all()]


WORDS = {"en": "removed", "pl": "stos", "id": "tumpukan", "nl": "stapel"}
"""A word that each language's pages are full of, and no other's have."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_search_finds_the_pages_of_its_language(
    server: str, chromium: Browser, language: str
) -> None:
    page = chromium.new_page()
    page.goto(f"{server}{PREFIXES[language]}half-moon/questions/")
    found = _search(page, WORDS[language])
    root = server + PREFIXES[language]
    assert found
    assert all(link.startswith(root) for link in found)
    if language == "en":
        others = tuple(server + prefix for prefix in PREFIXES.values() if prefix)
        assert not [link for link in found if link.startswith(others)]
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_search_finds_nothing_of_another_language(
    server: str, chromium: Browser, language: str
) -> None:
    page = chromium.new_page()
    page.goto(f"{server}{PREFIXES[language]}codes/")
    for other, word in WORDS.items():
        if other != language:
            assert _search(page, word) == [], word
    page.close()


def test_letters_may_be_typed_without_their_accents(server: str, chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto(f"{server}pl/codes/")
    assert _search(page, "wartosc") != []
    page.close()


# Dead addresses


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("depth", ["nope", "no/such/page/"])
def test_a_dead_address_is_answered_in_its_language(
    server: str, chromium: Browser, language: str, depth: str
) -> None:
    page = chromium.new_page()
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    answer = page.goto(f"{server}{PREFIXES[language]}{depth}")
    assert answer
    assert answer.status == 404
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("section.not-found:visible").get_attribute("lang") == language
    assert failed == []
    page.locator("section.not-found:visible a:not(.headerlink)").first.click()
    assert page.url.startswith(server + PREFIXES[language])
    assert page.locator("section.not-found").count() == 0
    page.close()


def _served_everywhere(site: Path, page: Page, server: str, path: str) -> None:
    """Open an address on a host that knows the root's page for dead addresses alone."""
    body = (site / "404.html").read_text(encoding="utf-8")
    page.route(server + path, lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(server + path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_at_the_root_finds_the_reader_s_language(
    site: Path, server: str, chromium: Browser, language: str
) -> None:
    page = chromium.new_page()
    _served_everywhere(site, page, server, f"{PREFIXES[language]}no/such/page")
    shown = page.locator("section.not-found:visible")
    assert shown.count() == 1
    assert shown.get_attribute("lang") == language
    assert page.locator("html").get_attribute("lang") == language
    page.close()


def test_the_page_at_the_root_can_be_read_without_scripts(
    site: Path, server: str, chromium: Browser
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    _served_everywhere(site, page, server, "pl/no/such/page")
    shown = page.locator("section.not-found:visible")
    assert [one.get_attribute("lang") for one in shown.all()] == list(LANGUAGES)
    context.close()


# In a browser


@pytest.mark.parametrize("path", ["", "half-moon/", "crescent/", "codes/"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_fits_a_small_screen_and_asks_its_own_host_alone(
    server: str, chromium: Browser, language: str, path: str
) -> None:
    page = chromium.new_page(viewport={"width": 320, "height": 640})
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    page.goto(f"{server}{PREFIXES[language]}{path}", wait_until="networkidle")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 320
    assert {urlsplit(request.url).netloc for request in asked} == {urlsplit(server).netloc}
    assert page.locator("link[rel=alternate]").count() == len(LANGUAGES) + 1
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("path", ["", "half-moon/", "crescent/", "codes/", "404.html"])
def test_a_page_has_no_accessibility_faults_that_axe_knows(
    server: str, chromium: Browser, path: str, width: int, scheme: str
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(f"{server}pl/{path}", wait_until="networkidle")
    page.add_script_tag(path=ROOT / "node_modules" / "axe-core" / "axe.min.js")
    found = page.evaluate("axe.run().then(({violations}) => violations)")
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    context.close()


def test_copying_a_link_says_so_in_the_page_language(server: str, chromium: Browser) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{server}pl/half-moon/")
    button = page.locator("[data-copy]").first
    said = button.locator("template").evaluate("template => template.content.textContent")
    button.click()
    assert button.locator("[role=status]").text_content() == said
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{server}pl/half-moon/play/#HM1-N-")
    context.close()


def test_the_choice_of_day_or_night_is_offered_in_words(server: str, chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto(f"{server}nl/")
    names = [one.get_attribute("aria-label") for one in page.locator("[name=__palette]").all()]
    english = [option["toggle"]["name"] for option in SETTINGS["theme"]["palette"]]
    assert len(names) == len(english)
    assert not set(names) & set(english)
    page.close()
