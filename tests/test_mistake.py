"""A mistake is a sentence in English that can be said again in another language."""

import pickle

import pytest
from hypothesis import given

from halfmoon.cards import CardMistake
from halfmoon.deal_code import DealCodeMistake
from halfmoon.game import IllegalMove, UnknownPlace
from halfmoon.mistake import Mistake, shown
from halfmoon.notation import MoveMistake, UnknownGame
from strategies import FOREIGN


def test_a_mistake_says_itself_in_english() -> None:
    assert str(Mistake("There is no game called {name}.", name="chess")) == (
        "There is no game called chess."
    )


def test_a_mistake_keeps_what_a_translation_needs() -> None:
    mistake = Mistake("{here} of {there}", here=1, there="R8")
    assert mistake.template == "{here} of {there}"
    assert mistake.values == {"here": 1, "there": "R8"}


def test_braces_in_the_input_are_not_placeholders() -> None:
    assert str(Mistake("“{text}” is wrong.", text="{text} {0} {}")) == ("“{text} {0} {}” is wrong.")


@pytest.mark.parametrize(
    "kind", [CardMistake, DealCodeMistake, IllegalMove, UnknownPlace, MoveMistake, UnknownGame]
)
def test_every_named_error_is_a_mistake_and_a_value_error(kind: type[Mistake]) -> None:
    assert issubclass(kind, Mistake)
    assert issubclass(kind, ValueError)


def test_a_mistake_survives_being_pickled() -> None:
    mistake = DealCodeMistake("{found} letters", found=3)
    again = pickle.loads(pickle.dumps(mistake))
    assert type(again) is DealCodeMistake
    assert (again.template, again.values, str(again)) == (
        mistake.template,
        mistake.values,
        str(mistake),
    )


@given(FOREIGN)
def test_somebodys_input_is_shown_on_one_printable_line(text: str) -> None:
    assert shown(text).isprintable()
    assert len(shown(text)) <= 40


def test_a_long_input_is_shown_cut_off() -> None:
    assert shown("x" * 41) == "x" * 39 + "…"
    assert shown("x" * 40) == "x" * 40
