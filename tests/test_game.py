"""What holds for every game: a new one in the list is tested by this file as it stands."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import playthrough
import snapshot
from halfmoon import deal_code, notation
from halfmoon.cards import pack
from halfmoon.game import Game, IllegalMove, Search, UnknownPlace, deal_in_rounds
from halfmoon.games import GAMES
from halfmoon.notation import Record
from halfmoon.position import Move, Place, Position
from strategies import numbers, records

PLAYTHROUGHS = sorted(snapshot.PLAYTHROUGHS.glob("*.txt"))

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def dealt(game: Game, number: int) -> Record:
    return notation.deal(str(deal_code.make(game.deal_format, number)))


def on_the_table(position: Position) -> Counter[object]:
    return Counter(card for pile in position.piles for card in pile)


# --- facts ---


def test_the_list_of_games_is_by_key() -> None:
    assert {key: game.key for key, game in GAMES.items()} == {key: key for key in GAMES}


def test_no_two_games_share_the_letters_of_their_codes() -> None:
    prefixes = [game.deal_format.prefix for game in GAMES.values()]
    assert len(set(prefixes)) == len(prefixes)


@every_game
def test_the_places_of_a_game_have_names_of_their_own(game: Game) -> None:
    assert len(set(game.places)) == len(game.places)
    assert [game.index(place) for place in game.places] == list(range(len(game.places)))


@every_game
def test_every_place_is_of_a_kind(game: Game) -> None:
    assert len(game.kinds) == len(game.places)


@every_game
def test_every_layout_has_a_spot_of_its_own_for_each_place(game: Game) -> None:
    assert game.layouts
    for layout in game.layouts.values():
        assert len(layout.spots) == len(set(layout.spots)) == len(game.places)
        for column, row in layout.spots:
            assert 0 <= column <= layout.columns - 1
            assert 0 <= row <= layout.rows - 1


@every_game
@pytest.mark.parametrize("place", ["", "nowhere", "99", "R0", "-1"])
def test_a_place_that_is_not_there_is_refused_by_name(game: Game, place: Place) -> None:
    with pytest.raises(UnknownPlace, match=f"“{place}”"):
        game.index(place)


@every_game
def test_every_way_a_game_ends_has_its_words(game: Game) -> None:
    assert set(game.verdicts) == {"won", "stuck"}


@every_game
def test_every_move_that_is_a_word_has_its_words_and_no_place_is_called_so(game: Game) -> None:
    for move, spoken in game.spoken.items():
        assert not move.places
        assert move not in game.places
        assert spoken.made.format(redeals=0)
        assert spoken.undone.format(redeals=0)


# --- deals ---


def test_dealing_goes_round_by_round_so_the_last_round_lies_on_top() -> None:
    cards = pack()[:6]
    assert deal_in_rounds(cards, 2) == (cards[0::2], cards[1::2])


@every_game
@given(number=numbers)
def test_every_deal_lays_out_the_same_cards_all_of_the_starting_order(
    game: Game, number: int
) -> None:
    cards = on_the_table(dealt(game, number).position)
    assert cards == on_the_table(dealt(game, 0).position)
    assert cards >= Counter(game.starting_order)


@every_game
@given(number=numbers)
def test_the_same_code_is_the_same_deal(game: Game, number: int) -> None:
    code = str(deal_code.make(game.deal_format, number))
    record = notation.deal(code)
    assert record == notation.deal(code.lower())
    assert (record.game, str(record.code)) == (game, code)
    assert (record.moves, record.position.redeals) == ((), game.redeals)


def test_different_numbers_are_different_deals() -> None:
    for game in GAMES.values():
        deals = {game.deal(deal_code.shuffle(game.starting_order, number)) for number in range(500)}
        assert len(deals) == 500


# --- moves ---


@given(records())
def test_no_card_is_ever_made(record: Record) -> None:
    for before, after in zip(record.positions, record.positions[1:], strict=False):
        assert on_the_table(after) <= on_the_table(before)
        assert len(after.piles) == len(record.game.places)


@given(records())
def test_the_cards_on_the_table_and_those_removed_are_always_all_of_them(record: Record) -> None:
    removed: Counter[object] = Counter()
    for before, after in zip(record.positions, record.positions[1:], strict=False):
        removed += on_the_table(before) - on_the_table(after)
        assert on_the_table(after) + removed == on_the_table(record.positions[0])


@given(records())
def test_a_move_of_a_game_that_is_dragged_takes_one_card_from_one_place_to_another(
    record: Record,
) -> None:
    game, position = record.game, record.position
    for move in record.legal_moves:
        if game.drags and move not in game.spoken:
            source, goal = (game.index(place) for place in move.places)
            after = game.apply(position, move).piles
            assert after[goal] == (*position.piles[goal], position.piles[source][-1])
            assert after[source] == position.piles[source][:-1]


@given(records())
def test_redeals_are_never_won_back_and_never_below_0(record: Record) -> None:
    left = [position.redeals for position in record.positions]
    assert left == sorted(left, reverse=True)
    assert left[-1] >= 0


@given(records())
def test_every_legal_move_is_listed_once_in_its_canonical_form(record: Record) -> None:
    moves = record.legal_moves
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert record.game.canonical(record.position, move) == move


@given(records())
def test_every_legal_move_changes_the_position_and_leaves_the_old_one_alone(
    record: Record,
) -> None:
    before = Position(tuple(record.position.piles), record.position.redeals)
    for move in record.legal_moves:
        assert record.game.apply(record.position, move) != before
    assert record.position == before


PARTS = st.lists(st.sampled_from(["1", "2", "8", "R1", "KS", "redeal", "", "0"]), max_size=4)


@given(records(), PARTS)
def test_a_move_that_is_not_listed_is_refused(record: Record, names: list[str]) -> None:
    try:
        move = record.game.canonical(record.position, Move("-".join(names)))
    except (IllegalMove, UnknownPlace):
        return
    assert move in record.legal_moves


# --- the end ---


@given(records())
def test_a_game_goes_on_exactly_while_it_is_neither_won_nor_stuck(record: Record) -> None:
    game, position = record.game, record.position
    assert game.has_move(position) == bool(record.legal_moves)
    if game.is_won(position):
        assert record.outcome == "won"
    elif not record.legal_moves:
        assert record.outcome == "stuck"
    else:
        assert record.outcome in ("playing", "stuck")


@given(records())
def test_the_score_starts_alike_in_every_deal_and_is_never_below_0(record: Record) -> None:
    assert record.game.score(record.positions[0]) == dealt(record.game, 0).score
    assert all(record.game.score(position) >= 0 for position in record.positions)


@settings(max_examples=40)
@given(records(), st.integers(1, 50))
def test_a_look_ahead_in_any_pieces_finds_no_win_and_leaves_no_question(
    record: Record, most: int
) -> None:
    game, search = record.game, Search.start(record.position)
    while search.outcome is None:
        search = game.look_ahead(search, most)
    assert search.outcome in ("playing", "stuck")


# --- taps ---


@given(records(), st.data())
def test_a_tap_selects_places_with_cards_or_makes_a_legal_move(
    record: Record, data: st.DataObject
) -> None:
    game, position = record.game, record.position
    selection: tuple[Place, ...] = ()
    for place in data.draw(st.lists(st.sampled_from(game.places), max_size=8)):
        selection, move, refusal = game.tap(position, selection, place)
        assert all(game.top(position, selected) for selected in selection)
        assert len(set(selection)) == len(selection)
        assert refusal is None or refusal in game.refusals
        if move is not None:
            assert move in record.legal_moves
            assert (selection, refusal) == ((), None)


@given(records())
def test_every_move_is_tapped_place_by_place_or_is_a_word(record: Record) -> None:
    game, position = record.game, record.position
    for move in record.legal_moves:
        if not move.places:
            assert move in game.spoken
            continue
        *first, last = move.places
        selection: tuple[Place, ...] = ()
        for place in first:
            selection = game.tap(position, selection, place).selection
        assert game.tap(position, selection, last).move == move


@given(records(), st.data())
def test_matching_help_names_other_places_with_cards(record: Record, data: st.DataObject) -> None:
    game, position = record.game, record.position
    full = [place for place in game.places if game.top(position, place)]
    if full:
        selected = data.draw(st.sampled_from(full))
        fitting = game.fitting(position, (selected,))
        assert fitting <= set(full) - {selected}


@given(records())
def test_sending_a_card_is_a_legal_move_from_its_place(record: Record) -> None:
    game, position = record.game, record.position
    for place in game.places:
        move = game.send(position, place)
        if move is not None:
            assert move in record.legal_moves
            assert move.places[0] == place


# --- notation ---


@given(records(), st.data())
def test_a_move_is_read_in_any_case_and_with_space_around_it(
    record: Record, data: st.DataObject
) -> None:
    for move in record.legal_moves:
        written = data.draw(st.sampled_from([move.lower(), move.upper(), f" {move}\t"]))
        assert record.game.parse_move(written) == move


# --- playthroughs ---


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=[path.stem for path in PLAYTHROUGHS])
def test_a_playthrough_comes_out_as_it_did(path: Path) -> None:
    snapshot.assert_unchanged(path, playthrough.played_again(path))


@every_game
def test_every_game_has_a_won_playthrough(game: Game) -> None:
    path = snapshot.PLAYTHROUGHS / f"{game.key}.txt"
    *_, last = path.read_text(encoding="utf-8").splitlines()
    assert " won " in last
