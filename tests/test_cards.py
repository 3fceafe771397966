"""Cards, their texts and the two packs."""

from collections import Counter

import pytest
from hypothesis import given

from halfmoon.cards import Card, CardMistake, pack, parse_card, parse_cards, two_packs
from strategies import FOREIGN, cards

TEXTS = {
    f"{rank}{suit}"
    for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    for suit in "SHDC"
}


def test_a_pack_has_every_rank_of_every_suit_once() -> None:
    assert len(pack()) == 52
    assert {str(card) for card in pack()} == TEXTS


def test_a_pack_runs_through_spades_hearts_diamonds_clubs_from_ace_to_king() -> None:
    assert [str(card) for card in pack()[::13]] == ["AS", "AH", "AD", "AC"]
    assert [card.rank for card in pack()[:13]] == list(range(1, 14))


def test_two_packs_are_104_cards_every_card_twice() -> None:
    assert two_packs() == pack() + pack()
    assert set(Counter(two_packs()).values()) == {2}
    assert len(two_packs()) == 104


def test_jack_queen_and_king_are_faces() -> None:
    assert {str(card)[:-1] for card in pack() if card.is_face} == {"J", "Q", "K"}


@given(cards)
def test_parsing_undoes_printing(card: Card) -> None:
    assert parse_card(str(card)) == card


@given(cards)
def test_case_and_surrounding_space_do_not_matter(card: Card) -> None:
    assert parse_card(f" {str(card).lower()}\n") == card


@pytest.mark.parametrize(
    "text",
    ["", "A", "S", "SA", "1S", "11S", "AX", "10", "A S", "\u0663S", "A\u017f", "AS AS"],
)
def test_what_is_not_a_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(CardMistake, match="is not a card"):
        parse_card(text)


@given(FOREIGN)
def test_only_the_52_texts_are_cards(text: str) -> None:
    try:
        card = parse_card(text)
    except CardMistake:
        assert text.strip().upper() not in TEXTS
    else:
        assert str(card) == text.strip().upper()


def test_several_cards_are_read_in_order() -> None:
    assert parse_cards("5S AH 10D") == (Card(5, "S"), Card(1, "H"), Card(10, "D"))


def test_a_card_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Card(1, "S").rank = 2  # type: ignore[misc]
