"""“Play from here” turns a diagram into a board in its place, and one engine serves them all."""

import re
from collections import Counter
from typing import Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from browser.conftest import Visitor
from browser.players import FOLDERS, Figure, Player, reading
from browser.table import ROOT, WON, link_of, prose, record_of
from browser.test_replay import NAMELESS
from halfmoon import notation, words

RUNTIME: Final = re.compile("/runtime/")
ENGINE: Final = re.compile(r"/(worker\.js|runtime/.+)")
FAILED: Final = (
    "The game could not be loaded, so for now the board is only a picture."
    " Check the connection, then try again."
)
AXE: Final = ROOT / "node_modules" / "axe-core" / "axe.min.js"
DEAL: Final = record_of()
SECOND: Final = record_of(WON[0])
"""What the first two diagrams of the rules of Half Moon show."""


def refuse(route: Route) -> None:
    route.abort("connectionfailed")


def rules(
    visitor: Visitor, language: str = "en", game: str = "half_moon", **options: object
) -> Page:
    """The rules of a game, marked so that leaving the page would show."""
    page = reading(visitor, FOLDERS[game], language, **options)
    page.evaluate("window.stays = true")
    return page


def stayed(page: Page, address: str) -> None:
    assert page.evaluate("window.stays") is True
    assert page.url == address


@pytest.mark.parametrize("language", ["pl", "id"])
def test_a_diagram_is_played_in_its_place_and_put_back(visitor: Visitor, language: str) -> None:
    page = rules(visitor, language)
    address, figure = page.url, Figure.of(page, SECOND, language)
    figure.play()
    assert page.locator(".inline-game").count() == 1
    expect(figure.still).to_be_hidden()
    expect(figure.links).to_be_hidden()
    expect(figure.root.locator(".diagram-caption")).to_be_visible()
    expect(figure.game.locator(".replay")).to_be_hidden()
    expect(figure.control("play")).to_be_hidden()  # there are no redeals in Half Moon
    expect(figure.place(SECOND.game.places[0])).to_be_focused()
    record = SECOND
    for move in WON[1:4]:
        record = record.after(move)
        figure.tap(*move.split("-")).shows(record)
        expect(figure.game.locator("[data-show=announce]")).to_have_text(
            words.move_made(record, figure.tr)
        )
    figure.control("undo").click()
    figure.shows(record_of(*WON[:3])).control("redo").click()
    figure.shows(record_of(*WON[:4]))
    say = prose(language).gettext
    back = figure.game.get_by_role("button", name=say("Back to this diagram"), exact=True)
    back.click()
    figure.shows(SECOND)
    assert figure.game.evaluate(NAMELESS) == []
    figure.game.get_by_role("button", name=say("Close the board"), exact=True).click()
    figure.rests()
    expect(figure.link).to_be_focused()
    stayed(page, address)
    figure.play()  # and once more
    expect(figure.place(SECOND.game.places[0])).to_be_focused()


def test_the_keyboard_opens_plays_and_closes_a_board(visitor: Visitor) -> None:
    page = rules(visitor)
    address, figure = page.url, Figure.of(page, DEAL, "en")
    figure.link.focus()
    page.keyboard.press("Enter")
    figure.shows(DEAL)
    expect(figure.place("1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(figure.place("1")).to_have_attribute("aria-pressed", "true")
    figure.place("8").focus()
    page.keyboard.press("Enter")
    figure.shows(record_of("1-8"))
    page.keyboard.press("u")
    figure.shows(DEAL)
    figure.control("close").focus()
    page.keyboard.press("Enter")
    figure.rests()
    expect(figure.link).to_be_focused()
    stayed(page, address)


def test_all_boards_of_a_page_share_one_engine(visitor: Visitor) -> None:
    page = visitor.page()
    asked: Counter[str] = Counter()

    def note(request: Request) -> None:
        if found := ENGINE.search(request.url):
            asked[found[0]] += 1

    page.add_init_script("delete Navigator.prototype.serviceWorker;")
    page.on("request", note)
    page.goto(f"{visitor.server}{FOLDERS['half_moon']}")
    first, second = Figure.of(page, DEAL, "en"), Figure.of(page, SECOND, "en")
    assert not asked, "nothing is loaded before somebody wants to play"
    first.link.click()
    second.link.click()  # while the engine is still loading
    first.shows(DEAL)
    second.shows(SECOND)
    first.tap("1", "8").shows(SECOND)
    second.tap(*WON[1].split("-")).shows(record_of(*WON[:2]))
    first.control("undo").click()
    first.shows(DEAL)
    second.shows(record_of(*WON[:2])).control("close").click()
    second.rests().play()
    first.shows(DEAL)
    third = Figure(page, page.locator("figure.diagram").last, "en")  # now that it has loaded
    third.play()
    engines = [worker for worker in page.workers if "/worker.js" in worker.url]
    assert len(engines) == 1
    assert set(asked.values()) == {1}
    assert any(name.endswith(".wasm") for name in asked)


def test_with_the_control_key_the_link_is_a_link(visitor: Visitor) -> None:
    page = rules(visitor)
    address, figure = page.url, Figure.of(page, SECOND, "en")
    with page.context.expect_page() as opened:
        figure.link.click(modifiers=["ControlOrMeta"])
    expect(opened.value).to_have_url(f"{address}play/#{link_of(SECOND)}")
    opened.value.locator(".game[data-outcome]").wait_for()
    figure.rests()
    stayed(page, address)


def says_that_it_failed(figure: Figure) -> None:
    expect(figure.failure).to_be_visible()
    assert figure.failure.get_attribute("role") == "alert"
    expect(figure.failure.locator("p")).to_have_text(prose(figure.language).gettext(FAILED))
    expect(figure.game.locator("[data-show=loading]")).to_be_hidden()
    expect(figure.game.locator(".board-drawing svg").locator("visible=true")).to_have_count(1)


def test_where_the_engine_cannot_be_loaded_the_board_says_so(visitor: Visitor) -> None:
    visitor.may_complain = True
    page = rules(visitor, "nl")
    page.route(RUNTIME, refuse)
    first, second = Figure.of(page, SECOND, "nl"), Figure.of(page, DEAL, "nl")
    first.link.click()
    says_that_it_failed(first)
    first.control("retry").click()
    says_that_it_failed(first)
    first.control("close").click()
    first.rests()
    first.link.click()
    says_that_it_failed(first)
    second.link.click()
    says_that_it_failed(second)
    page.unroute(RUNTIME)
    first.control("retry").click()
    first.shows(SECOND)
    second.shows(DEAL)  # the engine is there for both
    expect(first.failure).to_be_hidden()
    expect(second.failure).to_be_hidden()
    first.tap(*WON[1].split("-")).shows(record_of(*WON[:2]))


def test_a_replay_that_failed_to_load_begins_at_the_beginning_too(visitor: Visitor) -> None:
    visitor.may_complain = True
    page = reading(visitor, f"{FOLDERS['half_moon']}examples/", "id")
    page.route(RUNTIME, refuse)
    figure = Figure(page, page.locator("figure[data-replay]"), "id")
    player: Player = figure.step()
    says_that_it_failed(figure)
    page.unroute(RUNTIME)
    figure.control("retry").click()
    player.listed().at(0).press("forward").at(1)


def test_where_not_even_the_script_comes_the_link_is_followed(visitor: Visitor) -> None:
    visitor.may_complain = True
    page = rules(visitor)
    address, figure = page.url, Figure.of(page, SECOND, "en")
    page.route("**/inline.js", refuse)
    figure.link.click()
    expect(page).to_have_url(f"{address}play/#{link_of(SECOND)}")
    page.locator(".game[data-outcome]").wait_for()


def test_crescent_is_redealt_in_its_place(visitor: Visitor) -> None:
    page = rules(visitor, "nl", "crescent")
    record = notation.deal("CR1-N-AAAAAAB")
    address, figure = page.url, Figure.of(page, record, "nl")
    figure.play()
    redeal = figure.game.get_by_role("button", name=prose("nl").gettext("Redeal"), exact=True)
    expect(redeal).to_be_visible()
    for _ in range(record.position.redeals):
        expect(redeal).to_have_attribute("aria-disabled", "false")
        redeal.click()
        record = record.after("redeal")
        figure.shows(record)
    expect(redeal).to_have_attribute("aria-disabled", "true")
    move = next(move for move in record.legal_moves if "-" in move)
    record = record.after(move)
    source, goal = move.split("-")
    figure.place(source).drag_to(figure.place(goal))
    figure.shows(record).control("restart").click()
    figure.shows(figure.record)
    expect(redeal).to_have_attribute("aria-disabled", "false")
    stayed(page, address)


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_no_fault_in_a_board_and_a_replay(visitor: Visitor, width: int) -> None:
    page = reading(
        visitor, f"{FOLDERS['half_moon']}examples/", viewport={"width": width, "height": 800}
    )
    figure = Figure(page, page.locator("figure[data-replay]"), "en")
    figure.step().listed().at(0).press("forward").at(1)
    Figure.of(page, SECOND, "en").play()
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run('.inline-game').then(({ violations }) => violations)")
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found] == []
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
