"""While the engine loads the board is there and taps count; when it fails, the page says so."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Route, expect

from browser.conftest import Visitor
from browser.network import Hold
from browser.table import CODE, DEAL, WON, Table, link_of, prose, record_of
from halfmoon import words
from halfmoon.languages import LANGUAGES

FAILED: Final = (
    "The game could not be loaded, so for now the board is only a picture."
    " Check the connection, then try again."
)
RUNTIME: Final = re.compile("/runtime/")
MEMORY: Final = "**/memory.bin"
FILES: Final = [
    "assets/worker.js*",
    "pyodide.mjs",
    "pyodide.asm.wasm",
    "memory.bin",
]
"""Everything the game needs before it can be played."""


def hold(table: Table, address: str | re.Pattern[str]) -> Hold:
    """Go to the page while the network keeps a file back, and wait until it is asked for."""
    held = Hold(table.page, address)
    with table.page.expect_request(address):
        table.page.goto(table.address())
    return held


def refuse(route: Route) -> None:
    route.abort("connectionfailed")


def not_found(route: Route) -> None:
    route.fulfill(status=404, body="<!doctype html><title>?</title>", content_type="text/html")


def rubbish(route: Route) -> None:
    route.fulfill(body="rubbish", content_type="application/octet-stream")


def says_that_it_failed(table: Table) -> None:
    """The failure is said in the page's language, over a board that is still whole."""
    expect(table.failure).to_be_visible()
    assert table.failure.get_attribute("role") == "alert"
    expect(table.failure.locator("p")).to_have_text(prose(table.language).gettext(FAILED))
    expect(table.show("loading")).to_be_hidden()
    table.pictures(DEAL)
    expect(table.page.locator(".board-drawing .card")).to_have_count(20)
    expect(table.card("1")).to_be_visible()


# The board at once


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_the_board_is_a_picture_and_says_why(
    visitor: Visitor, language: str
) -> None:
    table = visitor.table(language, java_script_enabled=False)
    table.page.goto(table.address())
    labels = [
        button.get_attribute("aria-label") for button in table.hands.get_by_role("button").all()
    ]
    assert labels == [
        words.place_in_words(DEAL.game, DEAL.position, place, table.tr)
        for place in DEAL.game.places
    ]
    expect(table.card("1")).to_be_visible()
    said = table.page.locator("noscript")
    expect(said).to_be_visible()
    need = "To play, allow JavaScript for this page. The rules can be read without it."
    assert prose(language).gettext(need) in said.inner_text()
    expect(table.show("loading")).to_be_hidden()
    expect(table.failure).to_be_hidden()


def test_the_board_is_there_before_any_script_has_run(visitor: Visitor) -> None:
    table = visitor.table("nl")
    held = Hold(table.page, "**/play.js")
    table.page.goto(table.address(), wait_until="commit")
    expect(table.card("12")).to_be_visible()
    table.pictures(DEAL)
    held.release()
    table.ready().shows(DEAL)


BOXES: Final = """() => [".game-title", ".game-bar", ".game-code", ".game-board", ".board",
    ".board-hands button", ".game-controls", ".game-panel", ".play-text h2:first-of-type"]
    .flatMap((selector) => [...document.querySelectorAll(selector)].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [selector, ...[x, y, width, height].map(Math.round)].join(" ");
    }))"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_jumps_when_the_engine_arrives(visitor: Visitor, language: str) -> None:
    table = visitor.table(language)
    script, engine = Hold(table.page, "**/play.js"), Hold(table.page, RUNTIME)
    table.page.goto(table.address(), wait_until="commit")
    table.page.locator(".md-footer").wait_for()
    still = boxes(table)
    script.release()
    expect(table.show("loading")).to_be_visible()
    loading = boxes(table)
    engine.release()
    table.ready()
    ready = boxes(table)
    for width, where in still.items():
        assert loading[width] == where, width
        assert ready[width] == where, width


def boxes(table: Table) -> dict[int, list[str]]:
    """Where everything stands, on screens of several widths."""
    found = {}
    for width in (320, 360, 768, 1440):
        table.page.set_viewport_size({"width": width, "height": 900})
        found[width] = table.page.evaluate(BOXES)
    return found


# Taps meanwhile


def test_taps_made_while_it_loads_are_shown_and_answered_in_order(visitor: Visitor) -> None:
    table = visitor.table("pl")
    engine = hold(table, RUNTIME)
    table.tap("1", "8", "8")
    waiting = table.hands.locator(".is-waiting")
    assert [button.get_attribute("data-place") for button in waiting.all()] == ["1", "8"]
    ring = "button => getComputedStyle(button).boxShadow"
    assert table.place("1").evaluate(ring) != table.place("2").evaluate(ring)
    table.tap("5", "3")
    engine.release()
    table.ready().shows(record_of("1-8", "8-5-3"))
    expect(waiting).to_have_count(0)


def test_a_code_entered_while_it_loads_is_opened(visitor: Visitor) -> None:
    table = visitor.table()
    engine = hold(table, RUNTIME)
    table.tap("1", "8").enter_code("hm1naaaaaac")
    engine.release()
    table.ready().shows(record_of(code="HM1-N-AAAAAAC"))
    expect(table.entry).to_be_hidden()
    table.page.go_back()
    table.shows(record_of("1-8"))


def test_a_wrong_code_entered_while_it_loads_is_explained_under_the_field(visitor: Visitor) -> None:
    table = visitor.table("pl")
    engine = hold(table, RUNTIME)
    table.enter_code("hello")
    engine.release()
    table.ready()
    expect(table.entry).to_have_attribute("aria-invalid", "true")
    expect(table.show("code-problem")).not_to_have_text("")
    expect(table.show("problem")).to_have_text("")


def test_a_new_deal_asked_for_under_a_damaged_link_is_dealt(visitor: Visitor) -> None:
    table = visitor.table()
    held = Hold(table.page, RUNTIME)
    table.page.goto(table.address("hello"))
    table.do("new")
    held.release()
    table.ready()
    expect(table.show("code")).not_to_have_text(CODE)


def test_only_what_lets_wait_is_announced(visitor: Visitor) -> None:
    table = visitor.table("pl")
    table.stop_the_clock()
    engine = Hold(table.page, RUNTIME)
    table.page.goto(table.address())
    table.tap("1")
    expect(table.hands.locator(".is-waiting")).to_have_count(1)  # so the game has asked
    table.page.clock.run_for(390)
    expect(table.show("loading")).to_be_hidden()
    table.page.clock.run_for(20)
    expect(table.show("loading")).to_be_visible()
    engine.release()
    table.ready()
    expect(table.show("loading")).to_be_hidden()


def test_a_link_s_place_is_kept_free_until_its_cards_are_there(visitor: Visitor) -> None:
    table = visitor.table("pl")
    engine = Hold(table.page, RUNTIME)
    link = link_of(record_of(*WON[:30]))
    table.page.goto(table.address(link))
    expect(table.show("loading")).to_be_visible()
    expect(table.card("1")).to_be_hidden()
    expect(table.page.get_by_role("img", name=CODE)).to_have_count(0)
    expect(table.hands.get_by_role("button")).to_have_count(0)
    engine.release()
    table.ready().shows(record_of(*WON[:30]))
    expect(table.hands.get_by_role("button")).to_have_count(20)
    expect(table.card("1")).to_be_visible()


# Failure


def test_every_file_that_the_game_needs_is_known_to_these_tests(visitor: Visitor) -> None:
    table = visitor.table()
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.open()
    needed = {url.rpartition("/")[2] for url in asked if "/runtime/" in url}
    later = {"python_stdlib.zip"}
    assert needed - later == set(FILES) - {"assets/worker.js*"}


@pytest.mark.parametrize(
    ("number", "file"), [pytest.param(*numbered, id=numbered[1]) for numbered in enumerate(FILES)]
)
def test_a_file_that_does_not_come_is_said_and_can_be_tried_again(
    visitor: Visitor, number: int, file: str
) -> None:
    visitor.may_complain = True
    table = visitor.table(LANGUAGES[number % len(LANGUAGES)])
    table.page.route(f"**/{file}", refuse if number % 2 else not_found)
    table.page.goto(table.address())
    says_that_it_failed(table)
    table.control("retry").click()
    says_that_it_failed(table)
    table.page.unroute(f"**/{file}")
    table.tap("1", "8")
    table.control("retry").press("Enter")
    table.ready().shows(record_of("1-8"))
    expect(table.failure).to_be_hidden()


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_broken_is_said_and_can_be_tried_again(visitor: Visitor, file: str) -> None:
    visitor.may_complain = True
    table = visitor.table("id")
    table.page.clock.install()
    table.page.route(f"**/{file}", rubbish)
    with table.page.expect_response(f"**/{file}"):
        table.page.goto(table.address())
    until(table, lambda: table.failure.is_visible())
    says_that_it_failed(table)
    table.page.unroute(f"**/{file}")
    table.do("retry").ready().shows(DEAL)


def until(table: Table, happened: Callable[[], bool]) -> None:
    """Let half a minute of the page's time pass, again and again, until something has happened."""
    for _ in range(40):
        table.page.clock.fast_forward(31_000)
        if happened():
            return
        table.page.evaluate("new Promise(requestAnimationFrame)")
    pytest.fail("half a minute without a sign of life goes by, and nothing is said")


@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_download_that_stalls_is_said_and_can_be_tried_again(
    visitor: Visitor, language: str
) -> None:
    visitor.may_complain = True
    table = visitor.table(language)
    table.page.clock.install()
    held = hold(table, MEMORY)
    expect(table.show("loading")).to_be_visible()
    progress = table.page.locator("progress")
    expect(progress).not_to_have_js_property("value", 0)
    assert 0 < progress.evaluate("bar => bar.value") < 0.9
    table.page.clock.fast_forward(20_000)
    expect(table.failure).to_be_hidden()
    table.page.clock.fast_forward(31_000)
    says_that_it_failed(table)
    held.release()
    table.do("retry").ready().shows(DEAL)


def test_a_failure_under_a_link_shows_no_other_deal_and_retrying_opens_the_link(
    visitor: Visitor,
) -> None:
    visitor.may_complain = True
    table = visitor.table("nl")
    table.page.route(MEMORY, refuse)
    link = link_of(record_of(*WON[:30]))
    table.page.goto(table.address(link))
    expect(table.failure).to_be_visible()
    expect(table.card("1")).to_be_hidden()
    expect(table.page).to_have_url(table.address(link))
    table.page.unroute(MEMORY)
    table.do("retry").ready().shows(record_of(*WON[:30]))


CRASHES: Final = {
    "an error": "() => { setTimeout(() => { throw new Error('a crash'); }); }",
    "a silent end": "() => { setTimeout(() => self.close()); }",
    "an endless loop": "() => { setTimeout(() => { for (;;); }); }",
}


@pytest.mark.parametrize("crash", CRASHES)
def test_an_engine_that_dies_is_said_and_trying_again_restores_the_position(
    visitor: Visitor, crash: str
) -> None:
    visitor.may_complain = True
    table = visitor.table("pl")
    table.page.clock.install()
    table.open().play(*WON[:5]).shows(record_of(*WON[:5]))
    table.page.clock.fast_forward(65_000)
    table.engine().evaluate(CRASHES[crash])
    if crash != "an error":  # nobody can know before something is asked
        table.tap("1")
    until(table, lambda: table.failure.is_visible())
    expect(table.failure.locator("p")).to_have_text(prose("pl").gettext(FAILED))
    table.pictures(record_of(*WON[:5]))
    time = table.time()
    table.do("retry")
    expect(table.failure).to_be_hidden()
    expect(table.show("loading")).to_be_hidden()
    table.shows(record_of(*WON[:5]))
    assert table.time() == time
    table.play(WON[5]).shows(record_of(*WON[:6]))


def test_trying_again_keeps_the_focus_in_the_game(visitor: Visitor) -> None:
    visitor.may_complain = True
    table = visitor.table()
    table.page.route(MEMORY, refuse)
    table.page.goto(table.address())
    expect(table.failure).to_be_visible()
    table.page.unroute(MEMORY)
    table.control("retry").press("Enter")
    assert table.page.evaluate("document.activeElement.closest('.game') !== null")
    table.ready()
    assert table.page.evaluate("document.activeElement.closest('.game') !== null")


def test_an_engine_that_rests_is_not_taken_for_dead(visitor: Visitor) -> None:
    table = visitor.table()
    table.page.clock.install()
    table.open().play("1-8").shows(record_of("1-8"))
    table.page.clock.fast_forward(600_000)
    expect(table.failure).to_be_hidden()
    table.play("8-5-3").shows(record_of("1-8", "8-5-3"))
