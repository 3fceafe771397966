"""Positions and moves as plain, frozen values."""

import pytest

from halfmoon.cards import parse_cards
from halfmoon.position import Move, Position

POSITION = Position((parse_cards("AS 2S"), (), parse_cards("KH")))


def test_a_move_is_its_written_form() -> None:
    assert Move("8-5-3") == "8-5-3"
    assert Move("8-5-3").places == ("8", "5", "3")
    assert Move.of("8", "5", "3") == Move("8-5-3")


def test_a_word_is_a_move_without_places() -> None:
    assert Move("redeal").places == ()


def test_a_position_counts_its_cards() -> None:
    assert POSITION.cards == 3


def test_replacing_piles_leaves_the_old_position_alone() -> None:
    after = POSITION.with_piles({0: parse_cards("AS"), 2: ()})
    assert after.piles == (parse_cards("AS"), (), ())
    assert POSITION.piles == (parse_cards("AS 2S"), (), parse_cards("KH"))


def test_redeals_left_are_part_of_a_position() -> None:
    fewer = POSITION._replace(redeals=2)
    assert fewer != POSITION._replace(redeals=3)
    assert fewer.with_piles({0: ()}).redeals == 2


def test_a_position_is_frozen_and_comparable() -> None:
    assert hash(POSITION) == hash(Position(POSITION.piles))
    with pytest.raises(AttributeError):
        POSITION.piles = ()  # type: ignore[misc]
