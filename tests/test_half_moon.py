"""Half Moon's rules, one by one, and every deal and move against the independent model."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import model
from halfmoon import deal_code, notation
from halfmoon.cards import parse_cards
from halfmoon.game import IllegalMove, Tap, UnknownPlace
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.notation import Record
from halfmoon.position import Move, Position
from strategies import numbers, records

EXAMPLE = "HM1-N-AAAAAAB"
DEAD_DEAL = "HM1-N-AAABA7T"
"""A deal without any move, found by trying deals in turn."""


def table(**places: str) -> Position:
    """A position with these cards, bottom first; `_1` is pile 1. Other places are empty."""
    piles = {name.removeprefix("_"): parse_cards(cards) for name, cards in places.items()}
    return Position(tuple(piles.get(place, ()) for place in HALF_MOON.places))


def as_model(position: Position) -> model.Table:
    """A position in the model's terms."""
    piles = zip(HALF_MOON.places, position.piles, strict=True)
    return {place: [str(card) for card in pile] for place, pile in piles}


def tops(position: Position, places: list[str]) -> list[str]:
    return [str(HALF_MOON.top(position, place)) for place in places]


# --- setup ---


def test_two_packs_are_dealt_every_card_twice() -> None:
    position = notation.deal(EXAMPLE).position
    dealt = Counter(card for pile in position.piles for card in pile)
    assert len(dealt) == 52
    assert set(dealt.values()) == {2}


def test_twelve_piles_of_eight_and_eight_reserve_cards() -> None:
    sizes = [len(pile) for pile in notation.deal(EXAMPLE).position.piles]
    assert sizes == [8] * 12 + [1] * 8
    assert HALF_MOON.places == tuple(model.PLACES)


def test_the_published_example_lies_on_the_table_of_deal_1() -> None:
    position = notation.deal(EXAMPLE).position
    assert tops(position, model.PILES) == "5S AH KH 4C QH 5H 7S 6D 10D 10C 2D KH".split()
    assert tops(position, model.RESERVE) == "10H 6S 3D 4S 7D 5S JH AC".split()
    assert str(position.piles[0][-2]) == "7H"
    assert str(position.piles[7][-2]) == "JC"


def test_the_published_first_and_second_move() -> None:
    first = notation.replay(EXAMPLE, "1-8")
    assert tops(first.position, ["1", "8"]) == ["7H", "JC"]
    assert (first.score, first.move_count, first.outcome) == (10, 1, "playing")
    assert tops(first.position, ["8", "5", "3"]) == ["JC", "QH", "KH"]
    second = first.after("8-5-3")
    assert (second.score, second.move_count, second.outcome) == (25, 2, "playing")
    assert second.position.cards == 99


def test_the_starting_order_is_the_written_one() -> None:
    assert [str(card) for card in HALF_MOON.starting_order] == model.starting_order()


@given(numbers)
def test_every_deal_is_what_the_written_shuffle_says(number: int) -> None:
    code = str(deal_code.make(HALF_MOON.deal_format, number))
    assert as_model(notation.deal(code).position) == model.dealt(number)


def test_the_piles_run_along_an_arch_with_the_reserve_inside() -> None:
    spots = dict(zip(HALF_MOON.places, HALF_MOON.layouts["wide"].spots, strict=True))
    left, top, right = ["3", "2", "1"], [str(pile) for pile in range(4, 11)], ["11", "12"]

    def lies(places: list[str]) -> list[tuple[float, int]]:
        return [(spots[place].column, round(spots[place].row)) for place in places]

    assert lies(left) == [(0, row) for row in range(3)]
    assert lies(top) == [(column, 0) for column in range(1, 8)]
    assert lies(right) == [(7, 1), (7, 2)]
    assert lies([f"R{place}" for place in range(1, 5)]) == [(column, 1) for column in range(2, 6)]
    assert lies([f"R{place}" for place in range(5, 9)]) == [(column, 2) for column in range(2, 6)]


def test_the_arch_is_bent_a_little_and_higher_in_its_middle() -> None:
    spots = dict(zip(HALF_MOON.places, HALF_MOON.layouts["wide"].spots, strict=True))
    rows = [spots[str(pile)].row for pile in range(3, 11)]
    assert rows == pytest.approx(rows[::-1])
    assert rows[:4] == sorted(set(rows[:4]), reverse=True)
    assert max(rows) - min(rows) < 0.2


def test_the_arch_is_8_columns_wide_and_3_rows_high_and_nothing_overlaps() -> None:
    layout = HALF_MOON.layouts["wide"]
    assert (layout.columns, round(layout.rows)) == (8, 3)
    assert layout.arch
    assert len(set(layout.spots)) == len(HALF_MOON.places)


# --- what may be done ---


@pytest.mark.parametrize("pair", ["AS 10H", "2S 9S", "3D 8C", "4H 7H", "5C 6C"])
def test_two_number_cards_that_add_up_to_11_are_a_pair_whatever_their_suits(pair: str) -> None:
    one, other = pair.split()
    position = table(_1=one, R8=other)
    assert HALF_MOON.legal_moves(position) == (Move("1-R8"),)
    assert HALF_MOON.outcome(position) == "playing"


def test_no_other_two_ranks_are_a_pair() -> None:
    for one, other in combinations(range(1, 14), 2):
        ones, others = parse_cards(f"{model.RANKS[one - 1]}S {model.RANKS[other - 1]}H")
        moves = HALF_MOON.legal_moves(table(_1=str(ones), _2=str(others)))
        assert bool(moves) == (one + other == 11)


@pytest.mark.parametrize("triple", list(permutations(["JS", "QH", "KD"])))
def test_a_jack_a_queen_and_a_king_are_a_triple_whatever_their_suits(
    triple: tuple[str, ...],
) -> None:
    position = table(_1=triple[0], _2=triple[1], _3=triple[2])
    (move,) = HALF_MOON.legal_moves(position)
    assert tops(position, list(move.places)) == ["JS", "QH", "KD"]
    assert HALF_MOON.outcome(position) == "playing"


@pytest.mark.parametrize("faces", ["JS QS", "JS JH", "QS KS", "JS JH KS", "JS JH JD", "QS QH KS"])
def test_face_cards_never_pair_and_never_leave_but_as_a_triple(faces: str) -> None:
    cards = faces.split()
    position = table(**dict(zip(["_1", "_2", "R1"], cards, strict=False)))
    assert HALF_MOON.legal_moves(position) == ()
    with pytest.raises(IllegalMove):
        HALF_MOON.canonical(position, Move.of(*["1", "2", "R1"][: len(cards)]))


def test_only_top_cards_are_playable() -> None:
    position = table(_1="5S 2S", _2="6S 3S")
    assert HALF_MOON.legal_moves(position) == ()
    with pytest.raises(IllegalMove):
        HALF_MOON.canonical(position, Move("1-2"))


def test_the_next_card_appears_when_the_top_one_is_removed() -> None:
    position = table(_1="KS 5S", _2="6H")
    assert HALF_MOON.apply(position, Move("1-2")) == table(_1="KS")


def test_two_cards_of_one_pile_never_leave_together() -> None:
    position = table(_1="5S 6S")
    assert HALF_MOON.legal_moves(position) == ()
    with pytest.raises(IllegalMove, match="only once"):
        HALF_MOON.canonical(position, Move("1-1"))


def test_pile_and_reserve_are_free_to_combine() -> None:
    position = table(_1="5S", _2="JS", R1="6S", R2="6H", R3="QH", R4="KD", R5="5D")
    assert {frozenset(move.places) for move in HALF_MOON.legal_moves(position)} == {
        frozenset(places.split()) for places in ["1 R1", "1 R2", "R1 R5", "R2 R5", "2 R3 R4"]
    }


def test_an_emptied_pile_and_an_emptied_reserve_place_stay_empty() -> None:
    position = table(_1="5S", _2="2S AS", R1="6S", R2="10S")
    after = HALF_MOON.apply(HALF_MOON.apply(position, Move("1-R1")), Move("2-R2"))
    assert after == table(_2="2S")


@given(records(HALF_MOON))
def test_once_empty_always_empty(record: Record) -> None:
    for before, after in zip(record.positions, record.positions[1:], strict=False):
        both = zip(before.piles, after.piles, strict=True)
        assert not any(later for now, later in both if not now)


@given(records(HALF_MOON))
def test_the_moves_listed_are_all_the_removals_there_are(record: Record) -> None:
    listed = record.legal_moves
    assert {frozenset(move.places) for move in listed} == model.legal(as_model(record.position))
    assert len(set(listed)) == len(listed)


def test_pairs_are_listed_from_the_ace_upward_then_triples_in_order_of_places() -> None:
    position = table(
        _1="KS", _2="6S", _3="10S", _4="AS", _5="5S", _6="AH", _7="QS", _8="10H", R1="JS", R2="JH"
    )
    listed = "3-4 4-8 3-6 6-8 2-5 R1-7-1 R2-7-1"
    assert HALF_MOON.legal_moves(position) == tuple(listed.split())


@given(records(HALF_MOON), st.lists(st.sampled_from(model.PLACES), max_size=5))
def test_a_removal_is_accepted_exactly_when_it_is_listed(record: Record, places: list[str]) -> None:
    legal = len(places) == len(set(places)) and set(places) in model.legal(
        as_model(record.position)
    )
    try:
        move = HALF_MOON.canonical(record.position, Move.of(*places))
    except (IllegalMove, UnknownPlace):
        assert not legal
    else:
        assert legal
        assert move in record.legal_moves


@pytest.mark.parametrize("written", list(permutations(["8", "5", "3"])))
def test_the_places_of_a_removal_may_come_in_any_order(written: tuple[str, ...]) -> None:
    record = notation.replay(EXAMPLE, ["8-1", "-".join(written)])
    assert record.moves == ("1-8", "8-5-3")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("1-2", "add up to 6. The sum must be 11"),
        ("1-3", "Face cards never leave as a pair"),
        ("3-5", "Face cards never leave as a pair"),
        ("1-R7", "Face cards never leave as a pair"),
        ("1-2-4", "only as a jack, a queen and a king"),
        ("1", "two places for a pair or three for a triple"),
        ("1-2-3-4", "two places for a pair or three for a triple"),
        ("8-8", "only once"),
        ("1-13", "no place “13”"),
        ("1-R9", "no place “R9”"),
        ("0-1", "no place “0”"),
        ("1-01", "no place “01”"),
        ("1-", "no place “”"),
        ("redeal", "two places for a pair or three for a triple"),
        ("redeal-1", "no place “redeal”"),
    ],
)
def test_an_illegal_move_says_what_is_wrong_with_it(move: str, reason: str) -> None:
    position = notation.deal(EXAMPLE).position
    with pytest.raises((IllegalMove, UnknownPlace), match=reason):
        HALF_MOON.canonical(position, Move(move))


def test_a_move_from_an_empty_place_says_so() -> None:
    with pytest.raises(IllegalMove, match="Place R1 is empty"):
        HALF_MOON.canonical(table(_1="5S"), Move("1-R1"))


def test_there_is_no_redeal_and_no_card_is_dragged_or_sent() -> None:
    position = notation.deal(EXAMPLE).position
    assert (HALF_MOON.redeals, position.redeals, HALF_MOON.spoken) == (0, 0, {})
    assert not HALF_MOON.drags
    assert not any(HALF_MOON.send(position, place) for place in HALF_MOON.places)


# --- score ---


def test_a_pair_earns_10_and_a_triple_15() -> None:
    assert HALF_MOON.pair_score == 10
    assert HALF_MOON.triple_score == 15
    start, first, second = notation.replay(EXAMPLE, "1-8 8-5-3").positions
    assert [HALF_MOON.score(position) for position in (start, first, second)] == [0, 10, 25]


@given(numbers)
def test_the_score_starts_at_0(number: int) -> None:
    assert notation.deal(model.code_of(number)).score == 0


@given(records(HALF_MOON))
def test_the_score_is_the_sum_of_the_moves_and_never_below_zero(record: Record) -> None:
    earned = [10 if len(move.places) == 2 else 15 for move in record.moves]
    for made, position in enumerate(record.positions):
        assert HALF_MOON.score(position) == sum(earned[:made]) >= 0


def test_a_won_game_is_40_pairs_and_8_triples_in_48_moves_for_520_points() -> None:
    game = HALF_MOON
    assert (game.pairs_to_win, game.triples_to_win) == (40, 8)
    assert (game.moves_to_win, game.winning_score) == (48, 520)
    assert game.score(table()) == 520


def test_the_numbers_the_pages_print() -> None:
    game = HALF_MOON
    assert (game.packs, game.cards, game.piles, game.cards_in_a_pile) == (2, 104, 12, 8)
    assert (game.reserve_places, game.pair_sum, game.undo_limit) == (8, 11, 100)
    assert (game.arch_columns, game.arch_rows) == (8, 3)
    assert (game.reserve_columns, game.reserve_rows) == (4, 2)
    assert game.cards == game.piles * game.cards_in_a_pile + game.reserve_places


# --- the end ---


def test_a_game_is_won_when_all_cards_are_removed() -> None:
    assert HALF_MOON.outcome(table()) == "won"
    assert HALF_MOON.outcome(HALF_MOON.apply(table(_1="5S", R1="6S"), Move("1-R1"))) == "won"


def test_the_win_is_checked_before_being_stuck() -> None:
    assert not HALF_MOON.has_move(table())
    assert HALF_MOON.outcome(table()) == "won"


@pytest.mark.parametrize("cards", ["5S", "5S 6S", "JS QS", "JS JH QS QH", "AS 2S 3S 4S 5S KS"])
def test_without_pair_and_triple_among_the_playable_cards_a_game_is_stuck(cards: str) -> None:
    faces_and_numbers = cards.split()
    if cards == "5S 6S":
        position = table(_1=cards)
    else:
        names = [f"_{at}" for at in range(1, len(faces_and_numbers) + 1)]
        position = table(**dict(zip(names, faces_and_numbers, strict=True)))
    assert HALF_MOON.outcome(position) == "stuck"


def test_a_deal_without_any_move_is_stuck_at_once() -> None:
    record = notation.deal(DEAD_DEAL)
    assert model.legal(as_model(record.position)) == set()
    assert record.outcome == "stuck"


@settings(max_examples=60)
@given(records(HALF_MOON))
def test_stuck_means_that_no_removal_is_left(record: Record) -> None:
    stuck = record.outcome == "stuck"
    assert stuck == (record.position.cards > 0 and not model.legal(as_model(record.position)))


# --- tapping ---


TAPPING = table(
    _1="2S 5S", _2="6H", _3="9C", _4="JS", _5="JH", _6="QS", _7="QD", _8="KC", R1="AC", R2="5D"
)


def taps(*places: str) -> Tap:
    """What the last of these taps leads to, none of the earlier ones removing anything."""
    result = Tap(())
    for place in places:
        assert result.move is None
        result = HALF_MOON.tap(TAPPING, result.selection, place)
    return result


def test_the_first_tap_selects_a_card() -> None:
    assert taps("1") == Tap(("1",))
    assert taps("4") == Tap(("4",))


@pytest.mark.parametrize("order", [("1", "2"), ("2", "1")])
def test_a_second_tap_on_a_card_that_makes_11_removes_the_pair(order: tuple[str, ...]) -> None:
    assert taps(*order) == Tap((), Move("1-2"))


def test_a_triple_is_tapped_card_by_card() -> None:
    assert taps("4", "6") == Tap(("4", "6"))
    assert taps("6", "4") == Tap(("6", "4"))


@pytest.mark.parametrize("order", list(permutations(["4", "7", "8"])))
def test_a_triple_goes_on_the_third_tap_in_any_order(order: tuple[str, ...]) -> None:
    assert taps(*order) == Tap((), Move("4-7-8"))


def test_the_game_never_picks_the_third_card() -> None:
    only_one_king = taps("4", "6")
    assert only_one_king.move is None
    assert only_one_king.selection == ("4", "6")


@pytest.mark.parametrize("place", ["1", "4", "R1"])
def test_tapping_a_selected_card_deselects_it(place: str) -> None:
    assert taps(place, place) == Tap(())


def test_with_two_faces_selected_only_the_tapped_one_is_deselected() -> None:
    assert taps("4", "6", "4") == Tap(("6",))
    assert taps("4", "6", "6") == Tap(("4",))


def test_two_number_cards_that_do_not_make_11_clear_the_selection() -> None:
    assert taps("1", "3") == Tap((), None, "sum")
    assert taps("1", "R2") == Tap((), None, "sum")


def test_a_number_card_and_a_face_card_clear_the_selection() -> None:
    assert taps("1", "4") == Tap((), None, "sum")
    assert taps("4", "1") == Tap((), None, "triple")


def test_a_number_card_after_two_faces_clears_the_selection() -> None:
    assert taps("4", "6", "1") == Tap((), None, "triple")


def test_a_face_of_the_same_rank_takes_the_place_of_its_twin() -> None:
    assert taps("4", "5") == Tap(("5",), None, "triple")


def test_with_two_faces_selected_a_third_replaces_its_twin_and_leaves_the_other() -> None:
    assert taps("4", "6", "5") == Tap(("5", "6"), None, "triple")
    assert taps("4", "6", "7") == Tap(("4", "7"), None, "triple")


def test_after_replacing_its_twin_a_face_goes_on_to_a_triple() -> None:
    assert taps("4", "6", "5", "8") == Tap((), Move("5-6-8"))


@pytest.mark.parametrize("selected", [(), ("1",), ("4",), ("4", "6")])
def test_tapping_an_empty_place_does_nothing(selected: tuple[str, ...]) -> None:
    assert HALF_MOON.tap(TAPPING, selected, "R8") == Tap(selected)


@pytest.mark.parametrize("place", ["", "13", "R0", "R9", "r1", "AS", "1 "])
def test_tapping_a_place_that_is_not_there_is_refused_by_name(place: str) -> None:
    with pytest.raises(UnknownPlace):
        HALF_MOON.tap(TAPPING, (), place)


def test_what_a_refused_tap_is_told() -> None:
    said = {key: template.format(game=HALF_MOON) for key, template in HALF_MOON.refusals.items()}
    assert said == {
        "sum": "The sum must be 11",
        "triple": "A jack, a queen and a king are needed",
    }


# --- matching help ---


def test_matching_help_leaves_the_partners_of_a_number_card() -> None:
    assert HALF_MOON.fitting(TAPPING, ("1",)) == {"2"}
    assert HALF_MOON.fitting(TAPPING, ("2",)) == {"1", "R2"}
    assert HALF_MOON.fitting(TAPPING, ("R1",)) == frozenset()


def test_matching_help_leaves_the_other_faces_of_a_face_card() -> None:
    assert HALF_MOON.fitting(TAPPING, ("4",)) == {"6", "7", "8"}
    assert HALF_MOON.fitting(TAPPING, ("4", "6")) == {"8"}


@given(records(HALF_MOON), st.data())
def test_matching_help_dims_no_card_that_can_go_with_the_selected_one(
    record: Record, data: st.DataObject
) -> None:
    full = [place for place in HALF_MOON.places if HALF_MOON.top(record.position, place)]
    if not full:
        return
    selected = data.draw(st.sampled_from(full))
    partners = {
        place
        for move in record.legal_moves
        if selected in move.places
        for place in move.places
        if place != selected
    }
    assert partners <= HALF_MOON.fitting(record.position, (selected,))
