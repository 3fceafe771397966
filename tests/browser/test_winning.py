"""A whole game can be won in the page: with the keyboard alone, and begun with mouse and touch."""

from collections import deque

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from browser.table import DEAL, WON, Table, center, record_of
from halfmoon import words

ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
Ways = dict[str, dict[str, str]]
"""For each place, where each arrow key leads."""

NEXT = """key => {
    document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return document.activeElement.dataset.place;
}"""


def learn_ways(table: Table) -> Ways:
    """Try every arrow key everywhere, before the game that is played with keys alone."""
    ways: Ways = {}
    for place in DEAL.game.places:
        ways[place] = {}
        for arrow in ARROWS:
            table.place(place).evaluate("button => button.focus()")
            ways[place][arrow] = table.page.evaluate(NEXT, arrow)
    table.page.evaluate("document.activeElement.blur()")
    return ways


def shortest_way(ways: Ways, start: str, goal: str) -> tuple[str, ...]:
    """The arrow keys that lead from a place to another."""
    paths: dict[str, tuple[str, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for arrow, there in ways[here].items():
            if there not in paths:
                paths[there] = (*paths[here], arrow)
                waiting.append(there)
    return paths[goal]


def walk_to_the_board(table: Table) -> None:
    """Press Tab until a place has the focus."""
    for _ in range(60):
        table.press("Tab")
        if table.focused() in DEAL.game.places:
            return
    pytest.fail("the Tab key does not reach the board")


def walk(table: Table, ways: Ways, place: str) -> None:
    """Go from place to place with the arrow keys, and tap there."""
    table.press(*shortest_way(ways, table.focused(), place), "Enter")
    assert table.focused() == place


def test_a_whole_game_is_won_in_polish_with_the_keyboard_alone(visitor: Visitor) -> None:
    table = visitor.table("pl").open()
    ways = learn_ways(table)
    walk_to_the_board(table)
    record = DEAL
    for move in WON:
        first, *others = move.split("-")
        walk(table, ways, first)
        table.selected(first)
        table.announces(words.selected(DEAL.game, record.position, (first,), table.tr))
        for place in others:
            walk(table, ways, place)
        record = record.after(move)
        table.shows(record).selected()
        if record.outcome == "playing":
            table.announces(words.move_made(record, table.tr))
    verdict = words.verdict(record, record.outcome, table.tr)
    assert str(record.score) == "520"
    assert table.show("score").inner_text() == "520"
    assert "520" in verdict
    assert table.place("1").get_attribute("aria-label") == "stos 1: pusty"
    expect(table.show("message")).to_have_text(verdict)
    expect(table.show("message")).to_be_visible()
    table.announces(f"{words.move_made(record, table.tr)} {verdict}")
    expect(table.game).to_have_attribute("data-outcome", "won")
    assert table.focused() == WON[-1].split("-")[-1]


def test_the_first_moves_are_made_with_the_mouse_in_dutch(visitor: Visitor) -> None:
    table = visitor.table("nl").open()
    for place in "-".join(WON[:5]).split("-"):
        table.page.mouse.click(*center(table.place(place)))
    table.shows(record_of(*WON[:5]))
    table.announces(words.move_made(record_of(*WON[:5]), table.tr))


def test_the_first_moves_are_made_by_touch_in_indonesian(visitor: Visitor) -> None:
    phone = {"width": 360, "height": 740}
    table = visitor.table("id", has_touch=True, is_mobile=True, viewport=phone).open()
    for place in "-".join(WON[:5]).split("-"):
        table.place(place).tap()
    table.shows(record_of(*WON[:5]))
    table.announces(words.move_made(record_of(*WON[:5]), table.tr))


def test_the_space_bar_taps_like_enter_and_does_not_scroll(visitor: Visitor) -> None:
    table = visitor.table(viewport={"width": 900, "height": 400}).open()
    table.place("1").focus()
    before = table.page.evaluate("scrollY")
    table.press("Space").selected("1")
    table.place("8").focus()
    table.press("Space").shows(record_of("1-8"))
    table.page.evaluate("scrollTo(0, 0)")
    table.press("Space").shows(record_of("1-8"))
    assert before == 0 or table.page.evaluate("scrollY") == 0


def test_a_won_game_can_be_looked_back_at(visitor: Visitor) -> None:
    table = visitor.table().open(f"{DEAL.code}/{'.'.join(WON)}")
    expect(table.game).to_have_attribute("data-outcome", "won")
    table.do("undo").shows(record_of(*WON[:-1]))
    expect(table.show("message")).to_have_text("")
    table.do("redo").shows(record_of(*WON))
    expect(table.game).to_have_attribute("data-outcome", "won")
