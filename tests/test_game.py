"""What holds for every game: a new one in the list is tested by this file as it stands."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import snapshot
from halfmoon import deal_code, notation
from halfmoon.cards import two_packs
from halfmoon.game import Game, IllegalMove, UnknownPlace, deal_in_rounds
from halfmoon.games import GAMES
from halfmoon.notation import Record
from halfmoon.position import Move, Place, Position
from strategies import numbers, records

PLAYTHROUGHS = sorted(snapshot.PLAYTHROUGHS.glob("*.txt"))

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


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
def test_every_layout_has_a_spot_of_its_own_for_each_place(game: Game) -> None:
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


# --- deals ---


def test_dealing_goes_round_by_round_so_the_last_round_lies_on_top() -> None:
    cards = two_packs()[:6]
    assert deal_in_rounds(cards, 2) == (cards[0::2], cards[1::2])


@every_game
@given(number=numbers)
def test_every_deal_lays_out_104_cards_every_card_twice(game: Game, number: int) -> None:
    code = str(deal_code.make(game.deal_format, number))
    assert on_the_table(notation.deal(code).position) == Counter(two_packs())


@every_game
@given(number=numbers)
def test_the_same_code_is_the_same_deal(game: Game, number: int) -> None:
    code = str(deal_code.make(game.deal_format, number))
    record = notation.deal(code)
    assert record == notation.deal(code.lower())
    assert (record.game, str(record.code)) == (game, code)
    assert (record.score, record.moves) == (0, ())


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
        assert on_the_table(after) + removed == Counter(two_packs())


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


@given(records(), st.lists(st.sampled_from(["1", "2", "8", "R1", "KS", "redeal", "", "0"])))
def test_a_move_that_is_not_listed_is_refused_by_name(record: Record, names: list[str]) -> None:
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
def test_the_score_starts_at_0_and_is_never_below(record: Record) -> None:
    assert record.game.score(record.positions[0]) == 0
    assert all(record.game.score(position) >= 0 for position in record.positions)


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
def test_every_move_between_places_can_be_tapped(record: Record) -> None:
    game, position = record.game, record.position
    for move in record.legal_moves:
        if not set(move.places) <= set(game.places):
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


# --- playthroughs ---


def played_again(path: Path) -> str:
    """The playthrough file as it should be: its first lines say which game, the rest follows."""
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    remarks = [line for line in head if line.startswith("#")]
    code, moves = (line.partition(":")[2] for line in head if line.startswith(("deal:", "moves:")))
    record = notation.replay(code, moves)
    piles = zip(record.game.places, record.positions[0].piles, strict=True)
    lines = [
        *remarks,
        f"deal: {record.code}",
        f"moves: {' '.join(record.moves)}".rstrip(),
        "",
        *facts(record.game),
        "",
        *(f"{place:>2}  {' '.join(map(str, pile))}" for place, pile in piles),
        "",
        *(step(record, number) for number in range(len(record.positions))),
    ]
    return "\n".join(lines) + "\n"


def facts(game: Game) -> list[str]:
    """Every number a game states about itself."""
    values = {name: getattr(game, name) for name in dir(game) if not name.startswith("_")}
    return [f"{name} = {value}" for name, value in values.items() if isinstance(value, int)]


def step(record: Record, number: int) -> str:
    """A line for one position: move, score, outcome, how many moves follow, what lies on top."""
    game, position = record.game, record.positions[number]
    move = record.moves[number - 1] if number else ""
    tops = " ".join(f"{pile[-1]}/{len(pile)}" if pile else "-" for pile in position.piles)
    legal = len(game.legal_moves(position))
    return (
        f"{number:>3} {move:<9} {game.score(position):>4} {game.outcome(position):<8}"
        f" {legal:>3}  {tops}"
    )


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=[path.stem for path in PLAYTHROUGHS])
def test_a_playthrough_comes_out_as_it_did(path: Path) -> None:
    snapshot.assert_unchanged(path, played_again(path))


@every_game
def test_every_game_has_a_won_playthrough(game: Game) -> None:
    path = snapshot.PLAYTHROUGHS / f"{game.key}.txt"
    *_, last = path.read_text(encoding="utf-8").splitlines()
    assert " won " in last
