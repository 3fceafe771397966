"""Settings help a learner, are off until asked for, and last."""

import json
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import Visitor
from browser.table import CODE, DEAL, Table, record_of
from halfmoon import words
from halfmoon.cards import JACK

KEY: Final = "half-moon.settings"
NUMBERS: Final = {str(rank) for rank in range(2, JACK)}
CHOICES: Final = ("move_errors", "matching_help", "four_colours")


def choice(table: Table, name: str) -> Locator:
    return table.page.locator(f"[data-do=settings] [name={name}]")


def choose(table: Table, *names: str) -> Table:
    table.unfold("settings")
    for name in names:
        choice(table, name).check()
    return table


def refusal(table: Table, key: str) -> str:
    return words.refusal(DEAL.game, key, table.tr)


def drawn(table: Table, kind: str) -> set[str]:
    """The places whose card is drawn in a certain way."""
    found: list[str] = table.page.locator(f".board-drawing .place:has(.{kind})").evaluate_all(
        "places => places.map(({ dataset }) => dataset.place)"
    )
    return set(found)


def fills(table: Table) -> dict[str, str]:
    """The colour of each suit."""
    colours: dict[str, str] = table.page.evaluate(
        """suits => Object.fromEntries(suits.map((suit) => {
            const path = document.querySelector(`.board-drawing .${suit} .suit`);
            return [suit, getComputedStyle(path).fill];
        }))""",
        ["spades", "hearts", "diamonds", "clubs"],
    )
    return colours


def test_everything_is_off_until_it_is_asked_for(visitor: Visitor) -> None:
    table = visitor.table().open().unfold("settings")
    for name in CHOICES:
        expect(choice(table, name)).not_to_be_checked()
    expect(choice(table, "indices")).to_have_value("local")
    table.tap("1", "2").selected()
    expect(table.show("message")).to_have_text("")
    table.tap("1").selected("1")
    assert drawn(table, "dimmed") == set()


def test_move_errors_say_why_a_tap_removes_nothing(visitor: Visitor) -> None:
    table = choose(visitor.table("nl").open(), "move_errors")
    message = table.show("message")
    table.tap("1", "2").selected()
    expect(message).to_have_text(refusal(table, "sum"))
    expect(message).to_be_visible()
    assert "11" in message.inner_text()
    expect(table.show("announce")).to_contain_text(refusal(table, "sum"))
    table.tap("3").selected("3")
    expect(message).to_have_text("")
    table.tap("1").selected()
    expect(message).to_have_text(refusal(table, "triple"))
    choice(table, "move_errors").uncheck()
    table.tap("1", "2").selected()
    expect(message).to_have_text("")


def test_matching_help_dims_the_cards_that_cannot_go_along(visitor: Visitor) -> None:
    table = choose(visitor.table().open(), "matching_help")
    assert drawn(table, "dimmed") == set()
    for selection in (("1",), ("3",), ("3", "5")):
        table.tap(selection[-1]).selected(*selection)
        fitting = DEAL.game.fitting(DEAL.position, selection)
        assert drawn(table, "dimmed") == set(DEAL.game.places) - fitting - set(selection)
        assert drawn(table, "selected") == set(selection)
        if selection == ("1",):
            table.tap("1").selected()
    table.tap("3", "5").selected()
    assert drawn(table, "dimmed") == set()


def test_a_setting_changed_with_a_card_selected_shows_at_once(visitor: Visitor) -> None:
    table = visitor.table().open().tap("1").selected("1")
    choose(table, "matching_help")
    expect(table.page.locator(".board-drawing .dimmed").first).to_be_visible()
    table.selected("1").shows(DEAL)


@pytest.mark.parametrize("language", ["pl", "nl"])
def test_the_choice_of_letters_changes_the_letters_and_nothing_else(
    visitor: Visitor, language: str
) -> None:
    table = visitor.table(language).open().unfold("settings")
    own = letters(table)
    assert set(own) - NUMBERS == set(words.index_letters("local", table.tr).values())
    shapes = set()
    for indices in ("french", "international", "local"):
        choice(table, "indices").select_option(indices)
        jack = words.index_letters(indices, table.tr)[JACK]
        drawn_jack = table.card("R7").locator(".index")
        expect(drawn_jack).to_have_attribute("data-index", jack)
        assert set(letters(table)) - NUMBERS == set(words.index_letters(indices, table.tr).values())
        shapes.add(drawn_jack.inner_html())
        table.shows(DEAL)
    assert letters(table) == own
    assert len(shapes) == len({words.index_letters(name, table.tr)[JACK] for name in words.INDICES})


def letters(table: Table) -> list[str]:
    """The ranks drawn on the cards, place by place."""
    found: list[str] = table.page.locator(".board-drawing .index").evaluate_all(
        "groups => groups.map(({ dataset }) => dataset.index)"
    )
    return found


def test_four_colours_tell_every_suit_from_the_others(visitor: Visitor) -> None:
    table = visitor.table().open()
    two = fills(table)
    assert two["spades"] == two["clubs"] != two["hearts"] == two["diamonds"]
    choose(table, "four_colours")
    four = fills(table)
    assert len(set(four.values())) == 4
    assert (four["spades"], four["hearts"]) == (two["spades"], two["hearts"])
    choice(table, "four_colours").uncheck()
    assert fills(table) == two


def test_what_is_chosen_lasts_and_holds_in_every_language(visitor: Visitor) -> None:
    table = choose(visitor.table("pl").open(), *CHOICES)
    choice(table, "indices").select_option("french")
    assert_all_chosen(table.reload())
    there = Table(table.page, table.root, "id").open()
    assert_all_chosen(there)
    there.tap("1", "2")
    expect(there.show("message")).to_have_text(refusal(there, "sum"))


def assert_all_chosen(table: Table) -> None:
    table.unfold("settings")
    for name in CHOICES:
        expect(choice(table, name)).to_be_checked()
    expect(choice(table, "indices")).to_have_value("french")
    assert len(set(fills(table).values())) == 4


RUBBISH: Final = [
    "{",
    "null",
    "5",
    '"move_errors"',
    '["move_errors"]',
    json.dumps(
        {"move_errors": "true", "matching_help": 1, "four_colours": {}, "indices": "klingon"}
    ),
    json.dumps({"indices": None, "unheard": ["of"], "code": CODE}),
]


def test_rubbish_in_the_storage_is_harmless(visitor: Visitor) -> None:
    table = visitor.table()
    table.page.goto(table.root)
    for stored in RUBBISH:
        table.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, stored])
        table.open().unfold("settings")
        states = [choice(table, name).is_checked() for name in CHOICES]
        assert not any(states), stored
        assert choice(table, "indices").input_value() == "local", stored
        table.tap("1", "8").shows(record_of("1-8"))


def test_a_browser_that_stores_nothing_still_plays(visitor: Visitor) -> None:
    table = visitor.table()
    table.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
    )
    # The theme keeps its own choice of colours there, and complains.
    visitor.may_complain = True
    choose(table.open(), "move_errors").tap("1", "2")
    expect(table.show("message")).to_have_text(refusal(table, "sum"))


def test_the_enter_key_in_the_settings_does_not_leave_the_game(visitor: Visitor) -> None:
    table = visitor.table().open().play("1-8").unfold("settings")
    for name in (*CHOICES, "indices"):
        choice(table, name).press("Enter")
    choose(table, "matching_help").tap("2").selected("2").shows(record_of("1-8"))
