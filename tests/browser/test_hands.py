"""Keys, focus, buttons and announcements: the same game for everybody."""

from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from browser.table import DEAL, STUCK, link_of, record_of
from halfmoon import words
from halfmoon.languages import LANGUAGES

GEOMETRY: Final = """
    1 Up 2     2 Up 3      3 Up 3      3 Right 4   4 Right 5   5 Right 6   6 Right 7   7 Right 8
    8 Right 9  9 Right 10  10 Down 11  11 Down 12  12 Down 12  12 Up 11    11 Up 10    10 Up 10
    10 Left 9  4 Left 3    3 Down 2    2 Down 1    1 Down 1    1 Left 1    12 Right 12
    R1 Right R2  R2 Right R3  R3 Right R4  R4 Left R3  R1 Down R5  R5 Up R1  R4 Down R8  R8 Up R4
    5 Down R1  6 Down R2  7 Down R3  8 Down R4  R1 Up 5  R2 Up 6  R3 Up 7  R4 Up 8
    1 Right R5  2 Right R1  12 Left R8  11 Left R4  R5 Left 1  R1 Left 2  R8 Right 12  R4 Right 11
    R5 Down R5
"""

# Arrow keys


@pytest.mark.parametrize("width", [320, 1440])
def test_arrow_keys_go_where_the_eye_expects(visitor: Visitor, width: int) -> None:
    table = visitor.table(viewport={"width": width, "height": 800}).open()
    steps = GEOMETRY.split()
    for start, arrow, goal in zip(steps[::3], steps[1::3], steps[2::3], strict=True):
        table.place(start).focus()
        table.press(f"Arrow{arrow}")
        assert table.focused() == goal, f"{start} {arrow}"


# Other keys


def test_keys_undo_and_redo(visitor: Visitor) -> None:
    table = visitor.table().open().play("1-8", "8-5-3").shows(record_of("1-8", "8-5-3"))
    table.place("2").focus()
    for undo, redo in (("u", "r"), ("U", "R"), ("Control+z", "Control+y"), ("Meta+z", "Meta+y")):
        table.press(undo).shows(record_of("1-8")).press(redo).shows(record_of("1-8", "8-5-3"))
    table.press("Control+z", "u").shows(DEAL)
    table.press("Control+Shift+Z", "r").shows(record_of("1-8", "8-5-3"))
    assert table.focused() == "2"


def test_the_theme_s_keys_do_not_take_a_player_away(visitor: Visitor) -> None:
    table = visitor.table().open().play("1-8").shows(record_of("1-8"))
    table.place("2").focus()
    for key in ("n", "p", "s", "f", ".", ",", "/", "N", "Escape", "x"):
        table.press(key)
        assert table.focused() == "2", key
    table.press("Enter").selected("2").shows(record_of("1-8"))


def test_the_keys_of_the_game_leave_a_writer_alone(visitor: Visitor) -> None:
    table = visitor.table().open().play("1-8").unfold("code")
    table.entry.press_sequentially("ur")
    table.entry.press("Control+z")
    table.entry.press("ArrowLeft")
    assert table.focused() == "code-entry"
    table.shows(record_of("1-8"))


# Controls


def test_controls_say_whether_they_can_do_something(visitor: Visitor) -> None:
    table = visitor.table().open()

    def possible(undo: bool, redo: bool) -> None:
        for name, can in (("undo", undo), ("redo", redo)):
            expected = "false" if can else "true"
            expect(table.control(name)).to_have_attribute("aria-disabled", expected)
            expect(table.control(name)).to_have_js_property("disabled", False)

    possible(False, False)
    table.play("1-8", "8-5-3").shows(record_of("1-8", "8-5-3"))
    possible(True, False)
    table.do("undo").shows(record_of("1-8"))
    possible(True, True)
    table.do("undo").shows(DEAL)
    possible(False, True)
    table.control("undo").click(force=True)
    table.do("redo").shows(record_of("1-8"))
    table.play("2-9").shows(record_of("1-8", "2-9"))
    possible(True, False)
    table.do("restart").shows(DEAL)
    possible(False, False)


def test_the_focus_is_never_lost(visitor: Visitor) -> None:
    table = visitor.table().open()
    table.place("1").press("Enter")
    table.place("8").press("Enter")
    table.shows(record_of("1-8"))
    assert table.focused() == "8"
    for name, record in (("undo", DEAL), ("redo", record_of("1-8")), ("restart", DEAL)):
        table.control(name).press("Enter")
        table.shows(record)
        assert table.focused() == name
    table.control("undo").press("Enter")
    assert table.focused() == "undo"
    table.control("new").press("Enter")
    expect(table.show("code")).not_to_have_text(str(DEAL.code))
    assert table.focused() == "new"


def test_an_emptied_place_keeps_its_button_and_the_focus(visitor: Visitor) -> None:
    table = visitor.table("nl").open()
    table.place("R1").press("Enter")
    table.place("R8").press("Enter")
    table.shows(record_of("R1-R8"))
    assert table.focused() == "R8"
    assert table.place("R8").get_attribute("aria-disabled") == "true"
    table.press("Enter").selected().shows(record_of("R1-R8"))
    assert table.focused() == "R8"


# Labels and announcements


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_are_named_like_their_places(visitor: Visitor, language: str) -> None:
    table = visitor.table(language).open().shows(DEAL).play("1-8").shows(record_of("1-8"))
    after = record_of("1-8")
    for place in ("1", "8", "R8"):
        name = words.place_in_words(after.game, after.position, place, table.tr)
        expect(table.hands.get_by_role("button", name=name, exact=True)).to_have_count(1)
    named = table.hands.get_by_role("button").evaluate_all(
        "buttons => buttons.map(button => button.dataset.place)"
    )
    assert tuple(named) == after.game.places


def test_pressed_buttons_follow_the_selection(visitor: Visitor) -> None:
    table = visitor.table().open()
    table.tap("3").selected("3").tap("12").selected("12")  # a king takes its twin's place
    table.tap("5").selected("12", "5").tap("12").selected("5")
    table.tap("R7").selected("5", "R7").tap("1").selected()
    table.tap("1").selected("1").tap("1").selected()
    table.tap("1", "2").selected()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_happens_is_announced(visitor: Visitor, language: str) -> None:
    table = visitor.table(language).open()
    region = table.show("announce")
    assert region.get_attribute("aria-live") == "polite"
    assert region.evaluate("element => element.closest('[hidden], [aria-hidden=true]')") is None
    game, tr = DEAL.game, table.tr
    table.tap("1").announces(words.selected(game, DEAL.position, ("1",), tr))
    table.tap("2").announces(words.selected(game, DEAL.position, (), tr))
    table.play("1-8").announces(words.move_made(record_of("1-8"), tr))
    table.do("undo").announces(words.move_undone(record_of("1-8"), tr))
    table.do("redo").announces(words.move_made(record_of("1-8"), tr))
    table.do("restart").announces(f"{words.title(DEAL, tr)}.")


# Stuck


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stuck_game_says_so_and_offers_a_way_on(visitor: Visitor, language: str) -> None:
    table = visitor.table(language).open(link_of(record_of(*STUCK[:-1])))
    message, stuck = table.show("message"), record_of(*STUCK)
    expect(message).to_have_text("")
    table.play(STUCK[-1]).shows(stuck)
    verdict = words.verdict(stuck, stuck.outcome, table.tr)
    expect(message).to_have_text(verdict)
    expect(message).to_be_visible()
    expect(table.show("announce")).to_contain_text(verdict)
    expect(table.game).to_have_attribute("data-outcome", "stuck")
    offered = "button => getComputedStyle(button).boxShadow"
    for name, stands_out in (("undo", True), ("new", True), ("restart", False)):
        assert (table.control(name).evaluate(offered) != "none") is stands_out
    table.do("undo").shows(record_of(*STUCK[:-1]))
    expect(message).to_have_text("")
    expect(table.game).to_have_attribute("data-outcome", "playing")
    table.do("redo").shows(stuck).do("new")
    expect(message).not_to_have_text(verdict)
    expect(table.show("moves")).to_have_text("0")


def test_a_link_to_a_stuck_position_says_so_too(visitor: Visitor) -> None:
    table = visitor.table("pl").open(link_of(record_of(*STUCK))).shows(record_of(*STUCK))
    expect(table.show("message")).to_have_text(
        words.verdict(record_of(*STUCK), record_of(*STUCK).outcome, table.tr)
    )
