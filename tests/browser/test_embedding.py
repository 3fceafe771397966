"""Diagrams in pages of other sites: the frame, and the element, which one script brings."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    FrameLocator,
    Page,
    expect,
)

from _server import SiteServer
from browser.table import CODE, PREFIXES, ROOT
from halfmoon import notation, words
from halfmoon.languages import LANGUAGES, translator

CRESCENT: Final = "CR1-N-AAAAAAB"
AXE: Final = ROOT / "node_modules" / "axe-core" / "axe.min.js"
every_language = pytest.mark.parametrize("language", LANGUAGES)


class Host:
    """A site of somebody else, on a port of its own."""

    def __init__(self, context: BrowserContext, folder: Path, address: str, site: str) -> None:
        self.context = context
        self.folder = folder
        self.address = address
        self.site = site
        self.complaints: list[str] = []
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("console", self._listen)
        self.page = context.new_page()

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def open(self, body: str, language: str = "en") -> Page:
        """A page of that site, which loads the script and holds this."""
        script = f'<script src="{self.site}assets/deal-diagram.js" defer></script>'
        (self.folder / "index.html").write_text(
            f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
            f'<title>Elsewhere</title><link rel="icon" href="data:,">{script}</head>'
            f"<body><main><h1>Elsewhere</h1>{body}</main></body></html>",
            encoding="utf-8",
        )
        self.page.goto(self.address)
        return self.page

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe")


@pytest.fixture
def host(server: str, chromium: Browser, tmp_path: Path) -> Iterator[Host]:
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    with SiteServer(tmp_path) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        host = Host(context, tmp_path, running.address, server)
        assert host.address != server
        yield host
        context.close()
        running.shutdown()
    assert host.complaints == []


def expect_position(host: Host, code: str, moves: str, language: str) -> None:
    """The frame shows this position in this language."""
    record, tr = notation.replay(code, moves), translator(language)
    said = words.alternative_text(record.game, record.position, tr)
    expect(host.frame.locator("desc").first).to_have_text(said)
    link = host.frame.locator("figcaption a")
    expect(link).to_have_text(words.title(record, tr))
    folder = record.game.key.replace("_", "-")
    link_to = notation.print_link(record.code, record.moves)
    address = link.evaluate("link => link.href")
    assert address == f"{host.site}{PREFIXES[language]}{folder}/play/#{link_to}"


# The element


@every_language
def test_the_element_shows_a_position_from_another_origin(host: Host, language: str) -> None:
    host.open(f'<deal-diagram code="{CODE}" moves="1-8 8-5-3" lang="{language}"></deal-diagram>')
    expect_position(host, CODE, "1-8 8-5-3", language)


def test_the_language_is_that_of_the_page_around_it_where_none_is_said(host: Host) -> None:
    host.open(f'<deal-diagram code="{CODE}"></deal-diagram>', language="pl-PL")
    expect_position(host, CODE, "", "pl")


def test_a_language_that_is_not_there_gets_the_first(host: Host) -> None:
    host.open(f'<deal-diagram code="{CODE}" lang="de"></deal-diagram>')
    expect_position(host, CODE, "", "en")


def test_the_frame_is_as_high_as_what_is_in_it_and_says_what_it_shows(host: Host) -> None:
    page = host.open(f'<deal-diagram code="{CODE}" moves="1-8"></deal-diagram>')
    expect_position(host, CODE, "1-8", "en")
    frame = page.locator("iframe")
    title = words.title(notation.replay(CODE, "1-8"), translator("en"))
    expect(frame).to_have_attribute("title", title)
    for width in (1000, 400):
        page.set_viewport_size({"width": width, "height": 900})
        inside = host.frame.locator("figure")
        page.wait_for_function(
            """() => {
                const frame = document.querySelector("deal-diagram").shadowRoot
                    .querySelector("iframe");
                return Math.abs(frame.clientWidth - document.body.clientWidth) < 2;
            }"""
        )
        expect(frame).to_have_css("height", f"{inside.evaluate(HEIGHT)}px")
        assert inside.evaluate(HEIGHT) > width / 2


HEIGHT: Final = "figure => Math.ceil(figure.getBoundingClientRect().height)"


def test_a_changed_attribute_changes_the_diagram_and_adds_no_step_to_the_history(
    host: Host,
) -> None:
    page = host.open(f'<deal-diagram code="{CODE}"></deal-diagram>')
    expect_position(host, CODE, "", "en")
    steps = page.evaluate("history.length")
    element = page.locator("deal-diagram")
    element.evaluate("element => element.setAttribute('moves', '1-8 8-5-3')")
    expect_position(host, CODE, "1-8 8-5-3", "en")
    element.evaluate("element => element.setAttribute('lang', 'nl')")
    expect_position(host, CODE, "1-8 8-5-3", "nl")
    element.evaluate(f"element => element.setAttribute('code', '{CRESCENT}')")
    element.evaluate("element => element.setAttribute('moves', '3-KC')")
    expect_position(host, CRESCENT, "3-KC", "nl")
    assert page.evaluate("history.length") == steps


def test_letters_layout_and_the_next_move_can_be_chosen(host: Host) -> None:
    choices = 'indices="french" layout="compact" next="3-KC"'
    host.open(f'<deal-diagram code="{CRESCENT}" {choices}></deal-diagram>')
    expect(host.frame.locator(".layout-compact")).to_be_visible()
    expect(host.frame.locator(".layout-wide")).to_have_count(0)
    expect(host.frame.locator(".selected")).to_have_count(2)
    expect(host.frame.locator("[data-index=R]").first).to_be_visible()


def test_the_layout_is_the_one_that_there_is_room_for(host: Host) -> None:
    page = host.open(f'<deal-diagram code="{CRESCENT}"></deal-diagram>')
    page.set_viewport_size({"width": 1000, "height": 800})
    expect(host.frame.locator(".layout-wide")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 800})
    expect(host.frame.locator(".layout-compact")).to_be_visible()
    expect(host.frame.locator(".layout-wide")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_wrong_move_is_explained_beside_the_position_before_it(host: Host, language: str) -> None:
    host.open(f'<deal-diagram code="{CODE}" moves="1-8 1-2" lang="{language}"></deal-diagram>')
    with pytest.raises(notation.MoveMistake) as wrong:
        notation.replay(CODE, "1-8 1-2")
    said = words.explain(wrong.value, translator(language))
    expect(host.frame.locator("[data-show=problem]")).to_have_text(said)
    expect_position(host, CODE, "1-8", language)


def test_what_is_inside_the_element_is_shown_until_the_diagram_is(host: Host) -> None:
    link = f'<a href="{host.site}half-moon/play/#{CODE}">{CODE}</a>'
    host.context.route("**/embed/**", lambda route: route.abort())
    page = host.open(f'<deal-diagram code="{CODE}">{link}</deal-diagram>')
    expect(page.locator("iframe")).to_be_attached()
    expect(page.get_by_role("link", name=CODE)).to_be_visible()
    host.context.unroute("**/embed/**")
    page.reload()
    expect_position(host, CODE, "", "en")
    expect(page.locator("deal-diagram > a")).to_be_hidden()
    host.complaints.clear()  # of the request that was refused on purpose


def test_without_scripts_the_link_is_left(chromium: Browser, host: Host) -> None:
    host.open(f'<deal-diagram code="{CODE}"><a href="/there">{CODE}</a></deal-diagram>')
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(host.address)
    expect(page.get_by_role("link", name=CODE)).to_be_visible()
    context.close()


def test_a_diagram_far_below_is_not_loaded_before_somebody_comes_near(host: Host) -> None:
    asked: list[str] = []
    host.context.on("request", lambda request: asked.append(request.url))
    page = host.open(f'<div style="height: 20000px"></div><deal-diagram code="{CODE}">')
    expect(page.locator("iframe")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "/embed/" in url] == []
    page.locator("deal-diagram").scroll_into_view_if_needed()
    expect_position(host, CODE, "", "en")


def test_several_diagrams_live_on_one_page(host: Host) -> None:
    codes = [CODE, CRESCENT, "HM1-N-7777777"]
    page = host.open("".join(f'<deal-diagram code="{code}"></deal-diagram>' for code in codes))
    for index, code in enumerate(codes):
        frame = page.locator("iframe").nth(index)
        frame.scroll_into_view_if_needed()
        title = words.title(notation.deal(code), translator("en"))
        expect(frame).to_have_attribute("title", title, timeout=20_000)


def test_axe_finds_no_fault_around_or_inside_it(host: Host) -> None:
    page = host.open(f'<deal-diagram code="{CODE}" lang="nl"></deal-diagram>', language="nl")
    expect_position(host, CODE, "", "nl")
    inside = next(frame for frame in page.frames if "/embed/" in frame.url)
    # A frame is a part of a page, whose heading stands outside it.
    part = {"iframes": False, "rules": {"page-has-heading-one": {"enabled": False}}}
    for where in (page, inside):
        where.add_script_tag(path=AXE)
        found = where.evaluate("how => axe.run(how).then(({ violations }) => violations)", part)
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


# The frame


def test_the_snippets_of_the_maker_work_as_they_are(host: Host) -> None:
    maker = host.context.new_page()
    maker.goto(f"{host.site}pl/maker/#{CODE}/1-8")
    expect(maker.locator("[data-show=loading]")).to_be_hidden()
    expect(maker.locator("[data-show=link]")).to_contain_text("/1-8")
    for name in ("frame", "element"):
        host.open(maker.locator(f"[data-show={name}]").text_content() or "")
        expect_position(host, CODE, "1-8", "pl")
    height = host.page.locator("iframe").evaluate("frame => frame.clientHeight")
    host.open(maker.locator("[data-show=frame]").text_content() or "")
    expect_position(host, CODE, "1-8", "pl")
    inside = host.frame.locator("figure").evaluate(HEIGHT)
    assert inside <= host.page.locator("iframe").evaluate("frame => frame.clientHeight")
    assert height > 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_frame_follows_the_reader_s_colours(server: str, chromium: Browser, scheme: Any) -> None:
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{server}embed/#{CODE}")
    colour = page.locator("figure").evaluate("figure => getComputedStyle(figure).backgroundColor")
    (red, *_) = [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
    assert (red < 100) == (scheme == "dark")
    body = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert body == "rgba(0, 0, 0, 0)"
    context.close()


def test_an_address_without_a_code_says_what_is_missing(host: Host) -> None:
    host.page.goto(f"{host.site}embed/")
    expect(host.page.locator("[data-show=problem]")).not_to_be_empty()
    host.page.goto(f"{host.site}embed/#{CODE}")
    expect(host.page.locator("svg.board").first).to_be_visible()
    expect(host.page.locator("[data-show=problem]")).to_be_hidden()
