"""Crescent's rules, one by one, and deals, moves and searches against the independent model."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crescent_model as model
from halfmoon import cli, deal_code, notation
from halfmoon.cards import Card, pack, parse_card, parse_cards, rank_text, two_packs
from halfmoon.deal_code import DEALS
from halfmoon.game import IllegalMove, Search, Tap, UnknownPlace
from halfmoon.games.crescent import CRESCENT, REDEAL, Crescent
from halfmoon.notation import MoveMistake, Record
from halfmoon.position import Move, Position
from halfmoon.session import Session
from model import Table
from strategies import numbers, records, seeds

EXAMPLE = "CR1-N-AAAAAAB"
SUITS = "SHDC"

every_suit = pytest.mark.parametrize("suit", SUITS)


def table(redeals: int = 0, /, **places: str) -> Position:
    """A position with these cards, bottom first; `_1` is fan 1.

    Other fans are empty, other foundations hold their starting cards.
    """
    piles = {place: parse_cards(place) for place in model.FOUNDATIONS}
    piles |= {name.removeprefix("_"): parse_cards(cards) for name, cards in places.items()}
    return Position(tuple(piles.get(place, ()) for place in CRESCENT.places), redeals)


def as_model(position: Position) -> Table:
    """A position in the model's terms."""
    piles = zip(CRESCENT.places, position.piles, strict=True)
    return {place: [str(card) for card in pile] for place, pile in piles}


def as_position(frozen: model.Frozen) -> Position:
    """A position without redeals from the model's terms."""
    return Position(tuple(tuple(map(parse_card, pile)) for pile in frozen))


def run_of(suit: str, first: int, last: int) -> str:
    """The cards of a suit from one rank to another, upward or downward."""
    step = 1 if first <= last else -1
    return " ".join(rank_text(rank) + suit for rank in range(first, last + step, step))


def session_at(position: Position) -> Session:
    """A game that has come to this position."""
    _, code = notation.parse_code(EXAMPLE)
    return Session(Record(CRESCENT, code, (), (position,)))


def pile(position: Position, place: str) -> str:
    return " ".join(map(str, position.piles[CRESCENT.index(place)]))


WON = table(
    **{f"A{suit}": run_of(suit, 1, 13) for suit in SUITS},
    **{f"K{suit}": run_of(suit, 13, 1) for suit in SUITS},
)


# --- setup ---


@given(numbers)
def test_two_packs_are_laid_out_every_card_twice(number: int) -> None:
    position = notation.deal(model.code_of(number)).position
    assert Counter(card for pile in position.piles for card in pile) == Counter(two_packs())


@given(numbers)
def test_sixteen_fans_of_six_around_eight_foundations_that_hold_their_starting_cards(
    number: int,
) -> None:
    position = notation.deal(model.code_of(number)).position
    assert [len(pile) for pile in position.piles] == [6] * 16 + [1] * 8
    assert [pile(position, place) for place in model.FOUNDATIONS] == model.FOUNDATIONS
    assert position.redeals == 3


def test_the_places_are_named_by_number_and_by_starting_card() -> None:
    assert CRESCENT.places == tuple(model.PLACES)
    kinds = dict(zip(CRESCENT.places, CRESCENT.kinds, strict=True))
    assert {kinds[place] for place in model.FANS} == {"fan"}
    assert {kinds[place] for place in model.UP} == {"ace foundation"}
    assert {kinds[place] for place in model.DOWN} == {"king foundation"}


def test_the_starting_order_is_two_packs_without_the_first_ace_and_king_of_each_suit() -> None:
    order = [str(card) for card in CRESCENT.starting_order]
    assert order == model.starting_order()
    assert order[:11] == "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS".split()
    assert order[44:57] == run_of("S", 1, 13).split()
    assert len(order) == 96


@given(numbers)
def test_every_deal_is_what_the_written_shuffle_says(number: int) -> None:
    code = str(deal_code.make(CRESCENT.deal_format, number))
    assert code == model.code_of(number)
    assert as_model(notation.deal(code).position) == model.dealt(number)


def test_the_numbers_the_pages_print() -> None:
    game = CRESCENT
    assert (game.packs, game.cards, game.fans, game.cards_in_a_fan) == (2, 104, 16, 6)
    assert (game.foundations, game.redeals, game.winning_score) == (8, 3, 104)
    assert (game.undo_limit, game.positions_searched) == (None, 20_000)
    assert game.cards == game.fans * game.cards_in_a_fan + game.foundations


def test_on_a_wide_screen_the_fans_are_a_crescent_around_the_foundations() -> None:
    layout = CRESCENT.layouts["wide"]
    spots = dict(zip(CRESCENT.places, layout.spots, strict=True))
    fans = [spots[fan] for fan in model.FANS]
    rows = [fan.row for fan in fans]
    assert [fan.column for fan in fans] == list(range(16))
    assert rows == pytest.approx(rows[::-1])
    assert rows[:8] == sorted(set(rows[:8]), reverse=True), "the middle is the highest"
    for place in model.FOUNDATIONS:
        assert fans[0].column < spots[place].column < fans[-1].column
        assert spots[place].row > max(rows)
    assert next(iter(CRESCENT.layouts)) == "wide"


def test_on_a_phone_the_fans_stand_in_two_rows_of_eight() -> None:
    layout = CRESCENT.layouts["compact"]
    spots = dict(zip(CRESCENT.places, layout.spots, strict=True))
    rows = Counter(spots[fan].row for fan in model.FANS)
    assert sorted(rows.values()) == [8, 8]
    assert layout.columns == 8
    assert {spots[place].row for place in model.FOUNDATIONS} == {0}


# --- foundations ---


def goals(position: Position, source: str) -> set[str]:
    """Where the top card of a place can go."""
    moves = (move.places for move in CRESCENT.legal_moves(position) if move.places)
    return {goal for place, goal in moves if place == source}


@every_suit
@pytest.mark.parametrize("last", range(1, 14))
def test_an_ace_foundation_builds_up_in_suit_without_a_gap(suit: str, last: int) -> None:
    foundation = f"A{suit}"
    for card in pack():
        position = table(_1=str(card), **{foundation: run_of(suit, 1, last)})
        takes = foundation in goals(position, "1")
        assert takes == (card.suit == suit and card.rank == last + 1)


@every_suit
@pytest.mark.parametrize("last", range(13, 0, -1))
def test_a_king_foundation_builds_down_in_suit_without_a_gap(suit: str, last: int) -> None:
    foundation = f"K{suit}"
    for card in pack():
        position = table(_1=str(card), **{foundation: run_of(suit, 13, last)})
        takes = foundation in goals(position, "1")
        assert takes == (card.suit == suit and card.rank == last - 1)


@every_suit
def test_on_the_foundations_the_ranks_do_not_go_round(suit: str) -> None:
    up = table(_1=f"A{suit}", **{f"A{suit}": run_of(suit, 1, 13)})
    assert f"A{suit}" not in goals(up, "1")
    down = table(_1=f"K{suit}", **{f"K{suit}": run_of(suit, 13, 1)})
    assert f"K{suit}" not in goals(down, "1")
    assert f"A{suit}" not in goals(table(_1=f"K{suit}"), "1")
    assert f"K{suit}" not in goals(table(_1=f"A{suit}"), "1")


def test_one_card_at_a_time_goes_to_a_foundation() -> None:
    position = table(_1="3S 2S")
    after = CRESCENT.apply(position, Move("1-AS"))
    assert after == table(_1="3S", AS="AS 2S")
    assert goals(after, "1") == {"AS"}


def test_the_starting_cards_stay_where_they_are() -> None:
    position = table(_1="2S", _2="QS", _3="KS", _4="AS")
    for place in model.FOUNDATIONS:
        assert goals(position, place) == set()
        with pytest.raises(IllegalMove, match="A starting card stays"):
            CRESCENT.canonical(position, Move(f"{place}-1"))


@given(records(CRESCENT, at_most=150))
def test_no_foundation_is_ever_without_its_starting_card(record: Record) -> None:
    for place in model.FOUNDATIONS:
        assert pile(record.position, place).split()[0] == place


def test_the_top_card_of_a_foundation_may_go_to_the_other_one_of_its_suit() -> None:
    position = table(AS=run_of("S", 1, 6), KS=run_of("S", 13, 7))
    assert goals(position, "AS") == {"KS"}
    assert goals(position, "KS") == {"AS"}
    up = CRESCENT.apply(position, Move("AS-KS"))
    assert (pile(up, "AS"), pile(up, "KS")) == (run_of("S", 1, 5), run_of("S", 13, 6))
    assert goals(up, "KS") == {"AS"}


def test_a_card_goes_to_the_other_foundation_only_where_it_continues_it() -> None:
    apart = table(AS=run_of("S", 1, 6), KS=run_of("S", 13, 9), KH=run_of("H", 13, 7))
    assert goals(apart, "AS") == goals(apart, "KS") == set()
    crossed = table(AS=run_of("S", 1, 9), KS=run_of("S", 13, 8))
    assert goals(crossed, "AS") == goals(crossed, "KS") == set()


def test_the_top_card_of_a_foundation_may_return_to_a_fan_that_it_fits() -> None:
    position = table(_1="9H 5S", _2="7S", _3="7H", _4="6S", AS=run_of("S", 1, 6))
    assert goals(position, "AS") == {"1", "2"}
    after = CRESCENT.apply(position, Move("AS-2"))
    assert (pile(after, "AS"), pile(after, "2")) == (run_of("S", 1, 5), "7S 6S")


def test_a_return_to_a_fan_goes_round_as_in_the_fans() -> None:
    up, down = table(_1="AH", AH=run_of("H", 1, 13)), table(_1="KH", KH=run_of("H", 13, 1))
    assert goals(up, "AH") == goals(down, "KH") == {"1"}


def test_no_card_returns_to_an_empty_fan() -> None:
    assert goals(table(AS=run_of("S", 1, 6)), "AS") == set()


# --- fans ---


def test_a_card_goes_onto_a_fan_of_its_suit_one_rank_apart_in_either_direction() -> None:
    for one, other in product(pack(), repeat=2):
        position = table(_1=f"9H {one}", _2=str(other))
        apart = abs(one.rank - other.rank)
        assert ("2" in goals(position, "1")) == (one.suit == other.suit and apart in (1, 12))


@every_suit
def test_in_the_fans_king_and_ace_of_a_suit_are_neighbours(suit: str) -> None:
    position = table(_1=f"K{suit}", _2=f"A{suit}")
    assert goals(position, "1") == {"2"}
    assert goals(position, "2") == {"1"}


def test_only_the_top_card_of_a_fan_moves() -> None:
    position = table(_1="2S 9H", _2="3S JD", _3="8C 4S")
    assert CRESCENT.legal_moves(position) == ()
    with pytest.raises(IllegalMove):
        CRESCENT.canonical(position, Move("1-AS"))


def test_one_card_moves_and_not_the_run_that_it_lies_on() -> None:
    position = table(_1="9H 5S 6S", _2="7S")
    assert CRESCENT.apply(position, Move("1-2")) == table(_1="9H 5S", _2="7S 6S")


def test_an_empty_fan_is_never_refilled() -> None:
    position = table(_1="9H 5S", AS=run_of("S", 1, 3))
    assert CRESCENT.legal_moves(position) == ()
    for source, goal in product(["1", "AS"], model.FANS[1:]):
        with pytest.raises(IllegalMove, match="An empty fan stays empty"):
            CRESCENT.canonical(position, Move.of(source, goal))


@given(records(CRESCENT, at_most=150))
def test_once_empty_always_empty(record: Record) -> None:
    for before, after in zip(record.positions, record.positions[1:], strict=False):
        both = zip(before.piles, after.piles, strict=True)
        assert not any(later for now, later in both if not now)


def test_the_last_card_of_a_fan_may_leave_it() -> None:
    assert goals(table(_1="2S", _2="3S"), "1") == {"AS", "2"}


# --- redeals ---


def test_a_redeal_brings_the_bottom_card_of_every_fan_to_its_top_at_once() -> None:
    before = notation.deal(EXAMPLE).position
    after = CRESCENT.apply(before, REDEAL)
    for fan in model.FANS:
        bottom, *rest = pile(before, fan).split()
        assert pile(after, fan).split() == [*rest, bottom], "the rest of the order stays"
    assert after.piles[16:] == before.piles[16:]
    assert after.redeals == 2


def test_a_redeal_leaves_empty_fans_empty_and_single_cards_alone() -> None:
    position = table(1, _1="2S", _3="2S 9H 4D", KH="KH QH")
    assert CRESCENT.apply(position, REDEAL) == table(0, _1="2S", _3="9H 4D 2S", KH="KH QH")


def test_a_redeal_mixes_nothing_six_would_bring_every_fan_of_six_back() -> None:
    start = position = notation.deal(EXAMPLE).position
    for _ in range(6):
        position = CRESCENT.apply(position._replace(redeals=3), REDEAL)
    assert position.piles == start.piles


def test_there_are_three_redeals_and_no_fourth() -> None:
    record = notation.replay(EXAMPLE, "redeal redeal redeal")
    assert [position.redeals for position in record.positions] == [3, 2, 1, 0]
    assert "redeal" not in record.legal_moves
    with pytest.raises(MoveMistake, match="Move 4, redeal, cannot be made"):
        record.after("redeal")


def test_a_redeal_needs_a_fan_of_two_cards() -> None:
    with_two, with_one = table(1, _1="2S", _2="2S 9H"), table(1, _1="2S", _2="9H")
    assert REDEAL in CRESCENT.legal_moves(with_two)
    assert REDEAL not in CRESCENT.legal_moves(with_one)
    with pytest.raises(IllegalMove, match="a fan with at least two cards"):
        CRESCENT.canonical(with_one, REDEAL)


@given(records(CRESCENT, at_most=150))
def test_a_redeal_is_allowed_whenever_the_player_likes(record: Record) -> None:
    position = record.position
    tall = any(len(fan) > 1 for fan in position.piles[:16])
    assert (REDEAL in record.legal_moves) == (position.redeals > 0 and tall)
    assert position.redeals == 3 - record.moves.count(REDEAL)


@given(records(CRESCENT, at_most=40), st.integers(1, 3))
def test_undo_gives_a_used_redeal_back(record: Record, used: int) -> None:
    session = before = Session.resume(record)
    used = min(used, session.position.redeals)
    for _ in range(used):
        session = session.play("redeal")
    assert session.position.redeals == before.position.redeals - used
    for _ in range(used):
        session = session.undo()
    assert session.position == before.position
    assert session._replace(undone=()) == before


@settings(max_examples=10)
@given(numbers, seeds)
def test_every_move_of_a_long_game_can_be_undone(number: int, seed: int) -> None:
    play, chance = model.Play(number), random.Random(seed)
    session = Session.start(model.code_of(number))
    start = session.position
    for _ in range(250):
        move = chosen(sorted(session.record.legal_moves), chance)
        if move is None:
            break
        session = session.play(move)
        play.make(move)
    for _ in range(session.move_count):
        session = session.undo()
        play.undo()
        assert as_model(session.position) == play.table
        assert session.position.redeals == play.redeals
    assert session.position == start
    assert not session.can_undo


# --- moves in writing ---


@pytest.mark.parametrize("written", ["redeal", "Redeal", "REDEAL", "rEdEaL"])
def test_the_word_redeal_is_read_in_any_case_and_written_in_small_letters(written: str) -> None:
    assert notation.replay(EXAMPLE, written).moves == ("redeal",)
    assert notation.parse_link(f"{EXAMPLE}/{written}.5-8").moves == ("redeal", "5-8")


def test_a_link_holds_redeals_and_foundations() -> None:
    record = notation.replay(EXAMPLE, ["3-kc", "Redeal", "5-8"])
    assert notation.print_link(record.code, record.moves) == f"{EXAMPLE}/3-KC.redeal.5-8"


def test_a_move_is_from_and_to_in_this_order() -> None:
    assert notation.replay(EXAMPLE, "3-KC").moves == ("3-KC",)
    with pytest.raises(MoveMistake):
        notation.replay(EXAMPLE, "KC-3")
    there, back = notation.replay(EXAMPLE, "2-6"), notation.replay(EXAMPLE, "6-2")
    assert there.moves != back.moves
    assert there.position != back.position


MIXED = table(
    1, _1="9H 5S", _2="7S", _3="9D 6H", _4="AC", AS=run_of("S", 1, 6), KH=run_of("H", 13, 9)
)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("1-3", "The suits must be the same"),
        ("1-AH", "The suits must be the same"),
        ("AS-3", "The suits must be the same"),
        ("1-2", "The ranks must be neighbours"),
        ("KH-3", "The ranks must be neighbours"),
        ("1-AS", "another rank next"),
        ("1-KS", "another rank next"),
        ("3-KH", "another rank next"),
        ("AS-KS", "another rank next"),
        ("1-5", "An empty fan stays empty"),
        ("AS-16", "An empty fan stays empty"),
        ("AC-4", "A starting card stays"),
        ("KS-AS", "A starting card stays"),
        ("AD-5", "A starting card stays"),
        ("5-1", "There is no card to move"),
        ("5-6", "There is no card to move"),
        ("1-1", "the place it lies on"),
        ("AS-AS", "the place it lies on"),
        ("5-5", "the place it lies on"),
        ("1", "two places, from and to, or is the word redeal"),
        ("1-2-AS", "two places, from and to, or is the word redeal"),
        ("", "two places, from and to, or is the word redeal"),
        ("redeals", "two places, from and to, or is the word redeal"),
        ("deal", "two places, from and to, or is the word redeal"),
        ("1-17", "no place “17”"),
        ("0-1", "no place “0”"),
        ("1-2S", "no place “2S”"),
        ("1-R1", "no place “R1”"),
        ("1-01", "no place “01”"),
        ("-1", "no place “”"),
        ("1-redeal", "no place “REDEAL”"),
    ],
)
def test_an_illegal_move_says_what_is_wrong_with_it(move: str, reason: str) -> None:
    with pytest.raises((IllegalMove, UnknownPlace), match=reason):
        CRESCENT.canonical(MIXED, CRESCENT.parse_move(move))


# --- score and end ---


def test_the_score_is_the_number_of_cards_on_the_foundations() -> None:
    assert notation.deal(EXAMPLE).score == 8
    assert notation.replay(EXAMPLE, "3-KC").score == 9
    assert CRESCENT.score(table(AS=run_of("S", 1, 6))) == 13
    assert CRESCENT.score(CRESCENT.apply(MIXED, Move("AS-1"))) == CRESCENT.score(MIXED) - 1
    assert CRESCENT.score(WON) == 104


def test_a_game_is_won_when_all_104_cards_are_on_the_foundations() -> None:
    assert CRESCENT.is_won(WON)
    assert CRESCENT.outcome(WON) == "won"
    last = WON.with_piles({0: parse_cards("KS"), 16: WON.piles[16][:-1]})
    assert CRESCENT.outcome(last) == "playing"
    assert CRESCENT.outcome(CRESCENT.apply(last, Move("1-AS"))) == "won"


def test_the_win_is_checked_before_being_stuck() -> None:
    assert not CRESCENT.has_move(WON)
    assert CRESCENT.outcome(WON) == "won"


def test_without_a_redeal_and_a_move_a_game_is_stuck() -> None:
    dead = table(0, _1="9H 5S", _2="7S", _3="9D 6H")
    assert CRESCENT.outcome(dead) == "stuck"
    assert CRESCENT.outcome(dead._replace(redeals=1)) == "playing"
    singles = table(3, _1="5S", _2="7S")
    assert CRESCENT.outcome(singles) == "stuck", "a redeal would need a fan of two cards"


# --- every two places ---


def legal_by_trying(position: Position) -> set[str]:
    """The moves that are accepted, of all pairs of places and the word."""
    legal = set()
    for move in ["redeal", *map("-".join, product(model.PLACES, repeat=2))]:
        try:
            legal.add(str(CRESCENT.canonical(position, Move(move))))
        except IllegalMove:
            continue
    return legal


def test_moves_are_listed_place_by_place_home_then_down_then_up_then_the_redeal() -> None:
    position = table(1, _1="9H 3S", _2="4S", _3="5S", _4="KH AS", AS="AS 2S", KS="KS QS JS")
    listed = "1-AS 1-2 2-3 2-1 3-2 AS-1 AS-4 redeal"
    assert CRESCENT.legal_moves(position) == tuple(listed.split())


@settings(max_examples=40)
@given(records(CRESCENT, at_most=150))
def test_the_moves_listed_are_all_there_are_of_every_two_places(record: Record) -> None:
    listed = record.legal_moves
    assert len(set(listed)) == len(listed)
    there = as_model(record.position)
    redeal = {"redeal"} if model.can_redeal(there, record.position.redeals) else set()
    assert set(listed) == legal_by_trying(record.position) == model.card_moves(there) | redeal


# --- thousands of games against the model ---


def chosen(legal: list[str], chance: random.Random) -> str | None:
    """A move of a player who likes foundations, so that games run deep, and spares redeals."""
    cards = [move for move in legal if move != "redeal"]
    home = [move for move in cards if move.split("-")[1] in model.FOUNDATIONS]
    if "redeal" in legal and (not cards or chance.random() < 0.03):
        return "redeal"
    if home and chance.random() < 0.6:
        return chance.choice(home)
    return chance.choice(cards) if cards else None


def tried(chance: random.Random) -> str:
    """A move that is seldom legal."""
    source, goal = chance.choices(model.PLACES, k=2)
    return chance.choice([f"{source}-{goal}"] * 8 + ["redeal", f"{source}-17", source])


def accepted(position: Position, move: str) -> bool:
    try:
        CRESCENT.canonical(position, Move(move))
    except (IllegalMove, UnknownPlace):
        return False
    return True


def games(first: int, last: int) -> Iterator[tuple[model.Play, Position, random.Random]]:
    """Deals from everywhere, each with its own chance."""
    for seed in range(first, last):
        chance = random.Random(seed)
        play = model.Play(chance.randrange(DEALS))
        yield play, notation.deal(model.code_of(play.number)).position, chance


def agree(position: Position, play: model.Play) -> None:
    assert as_model(position) == play.table
    assert (position.redeals, CRESCENT.score(position)) == (play.redeals, play.score)
    won = model.is_won(play.table)
    assert CRESCENT.outcome(position) == ("won" if won else "playing" if play.legal else "stuck")
    assert set(CRESCENT.legal_moves(position)) == play.legal


@pytest.mark.parametrize("first", range(0, 2400, 300))
def test_thousands_of_random_games_with_legal_and_illegal_moves_go_as_in_the_model(
    first: int,
) -> None:
    for play, start, chance in games(first, first + 300):
        position = start
        for _ in range(chance.randrange(120)):
            attempt = tried(chance)
            assert accepted(position, attempt) == play.allows(attempt)
            move = chosen(list(CRESCENT.legal_moves(position)), chance)
            if move is None:
                break
            assert play.allows(move)
            position = CRESCENT.apply(position, CRESCENT.canonical(position, Move(move)))
            play.make(move)
        agree(position, play)


@settings(max_examples=20)
@given(numbers, seeds)
def test_each_step_of_a_game_goes_as_in_the_model(number: int, seed: int) -> None:
    play, chance = model.Play(number), random.Random(seed)
    position = notation.deal(model.code_of(number)).position
    for _ in range(60):
        agree(position, play)
        move = chosen(sorted(play.legal), chance)
        if move is None:
            break
        position = CRESCENT.apply(position, CRESCENT.canonical(position, Move(move)))
        play.make(move)


# --- tapping ---


TAPPING = table(
    1,
    _1="9H 5S",
    _2="7S",
    _3="9D 6H",
    _4="9C 4S",
    _5="JD 3C",
    _6="8D QD",
    AS=run_of("S", 1, 6),
    KH=run_of("H", 13, 8),
)


def taps(*places: str) -> Tap:
    """What the last of these taps leads to, none of the earlier ones making a move."""
    result = Tap(())
    for place in places:
        assert result.move is None
        result = CRESCENT.tap(TAPPING, result.selection, place)
    return result


@pytest.mark.parametrize("place", ["1", "2", "5", "AS", "KH"])
def test_the_first_tap_selects_the_top_card_of_a_fan_or_of_a_foundation(place: str) -> None:
    assert taps(place) == Tap((place,))


@pytest.mark.parametrize("move", ["1-4", "4-1", "6-KD", "AS-1", "AS-2", "2-AS"])
def test_the_second_tap_names_where_the_card_goes(move: str) -> None:
    assert taps(*move.split("-")) == Tap((), Move(move))


@pytest.mark.parametrize("place", ["1", "5", "AS"])
def test_tapping_the_selected_card_deselects_it(place: str) -> None:
    assert taps(place, place) == Tap(())


def test_tapping_an_empty_fan_with_nothing_selected_does_nothing() -> None:
    assert taps("16") == Tap(())


def test_tapping_a_starting_card_with_nothing_selected_says_that_it_stays() -> None:
    assert taps("AD") == Tap((), refusal="start")
    assert taps("KC") == Tap((), refusal="start")


@pytest.mark.parametrize(
    ("places", "selection", "refusal"),
    [
        (("1", "3"), "1", "suit"),  # the 6 of hearts can go nowhere
        (("3", "1"), "1", "suit"),  # the 5 of spades can go to the 4
        (("1", "2"), "2", "neighbour"),  # the 7 of spades can go to a foundation
        (("5", "AS"), "AS", "suit"),  # the 6 of spades can return to a fan
        (("1", "AS"), "AS", "order"),
        (("3", "KH"), "3", "order"),  # the 8 of hearts can go nowhere
        (("1", "KS"), "1", "order"),  # a starting card cannot be selected
        (("1", "AH"), "1", "suit"),
        (("1", "16"), "1", "empty"),
        (("AS", "16"), "AS", "empty"),
        (("AS", "KS"), "AS", "order"),
        (("5", "6"), "6", "suit"),
    ],
)
def test_a_second_tap_that_does_not_fit_says_why_and_selects_what_can_move(
    places: tuple[str, ...], selection: str, refusal: str
) -> None:
    assert taps(*places) == Tap((selection,), refusal=refusal)


def test_after_a_refused_tap_the_card_then_selected_goes_on() -> None:
    assert taps("3", "1", "4") == Tap((), Move("1-4"))
    assert taps("1", "16", "4") == Tap((), Move("1-4"))


@pytest.mark.parametrize("place", ["", "17", "0", "R1", "2S", "redeal", "as"])
def test_tapping_a_place_that_is_not_there_is_refused_by_name(place: str) -> None:
    with pytest.raises(UnknownPlace):
        CRESCENT.tap(TAPPING, (), place)


@settings(max_examples=60)
@given(records(CRESCENT, at_most=120))
def test_taps_on_every_two_places_do_what_the_rules_say(record: Record) -> None:
    position = record.position
    there = as_model(position)
    movable = {move.split("-")[0] for move in model.card_moves(there)}
    for source in model.PLACES:
        first = CRESCENT.tap(position, (), source)
        free = len(there[source]) > (source in model.FOUNDATIONS)
        starting = source in model.FOUNDATIONS and not free
        assert first == Tap((source,) if free else (), None, "start" if starting else None)
        for goal in model.PLACES if free else []:
            tap = CRESCENT.tap(position, (source,), goal)
            reason = model.why_not(there, source, goal)
            if reason is None:
                assert tap == Tap((), Move.of(source, goal))
            elif goal == source:
                assert tap == Tap(())
            else:
                assert tap == Tap((goal if goal in movable else source,), None, reason)


def test_what_a_refused_tap_is_told() -> None:
    said = {key: template.format(game=CRESCENT) for key, template in CRESCENT.refusals.items()}
    assert said == {
        "suit": "The suits must be the same",
        "neighbour": "The ranks must be neighbours",
        "order": "This foundation needs another rank next",
        "empty": "An empty fan stays empty",
        "start": "A starting card stays where it is",
    }


# --- sending, dragging, matching help ---


def test_a_card_tapped_twice_goes_to_a_foundation_that_takes_it() -> None:
    session = session_at(TAPPING)
    assert session.send("2").moves == ("2-AS",)
    assert session.tap("2").send("2").moves == ("2-AS",)
    assert session.send("6").moves == ("6-KD",)
    assert session.tap("3").send("6").moves == ("6-KD",)


def test_a_card_that_both_foundations_take_goes_to_the_ace_foundation() -> None:
    position = table(_1="7S", AS=run_of("S", 1, 6), KS=run_of("S", 13, 8))
    assert CRESCENT.send(position, "1") == "1-AS"


def test_where_no_foundation_takes_the_card_a_second_tap_deselects_it() -> None:
    session = session_at(TAPPING)
    assert CRESCENT.send(TAPPING, "1") is None
    assert session.send("1") == session.tap("1")
    assert session.tap("1").send("1").selection == ()
    assert session.tap("1").send("1").move_count == 0


@pytest.mark.parametrize("place", ["AS", "KH", "AD", "16"])
def test_nothing_but_a_fans_card_is_sent(place: str) -> None:
    both = TAPPING.with_piles({20: parse_cards(run_of("S", 13, 7))})
    assert CRESCENT.send(both, place) is None
    with pytest.raises(UnknownPlace):
        CRESCENT.send(both, "17")


@given(records(CRESCENT, at_most=150))
def test_a_card_is_sent_exactly_when_a_foundation_takes_it(record: Record) -> None:
    for fan in model.FANS:
        home = {f"{fan}-{place}" for place in goals(record.position, fan) & set(model.FOUNDATIONS)}
        sent = CRESCENT.send(record.position, fan)
        assert (sent in home) if home else (sent is None)


def test_dragging_a_card_onto_its_goal_makes_the_move() -> None:
    assert session_at(TAPPING).drag("1", "4").moves == ("1-4",)
    assert session_at(TAPPING).drag("AS", "2").moves == ("AS-2",)
    assert session_at(TAPPING).tap("5").drag("1", "4").moves == ("1-4",)


@pytest.mark.parametrize(
    ("source", "goal", "refusal"),
    [
        ("1", "3", "suit"),
        ("1", "2", "neighbour"),
        ("1", "AS", "order"),
        ("1", "16", "empty"),
        ("AD", "6", "start"),
    ],
)
def test_a_card_dragged_where_it_does_not_fit_goes_back_and_it_is_said_why(
    source: str, goal: str, refusal: str
) -> None:
    after = session_at(TAPPING).drag(source, goal)
    assert (after.moves, after.selection, after.refusal) == ((), (), refusal)


def test_a_card_dragged_onto_its_own_place_stays_and_is_no_mistake() -> None:
    after = session_at(TAPPING).drag("1", "1")
    assert (after.moves, after.selection, after.refusal) == ((), (), None)


@pytest.mark.parametrize(
    ("place", "fitting"),
    [
        ("1", {"4"}),
        ("2", {"AS"}),
        ("3", set()),
        ("4", {"1"}),
        ("6", {"KD"}),
        ("AS", {"1", "2"}),
        ("KH", set()),
    ],
)
def test_matching_help_leaves_the_places_that_can_take_the_card(
    place: str, fitting: set[str]
) -> None:
    assert CRESCENT.fitting(TAPPING, (place,)) == fitting


@given(records(CRESCENT, at_most=150))
def test_matching_help_names_exactly_the_places_a_card_can_go_to(record: Record) -> None:
    for place in model.PLACES:
        assert CRESCENT.fitting(record.position, (place,)) == goals(record.position, place)


# --- looking ahead ---


EVER = 10**9


def look_ahead(position: Position, most: int = EVER, game: Crescent = CRESCENT) -> Search:
    """The search from a position, in pieces, when it has ended."""
    search = Search.start(position)
    while search.outcome is None:
        search = game.look_ahead(search, most)
    return search


@cache
def worn_out() -> tuple[Position, ...]:
    """Positions with the redeals used up, in which no move leads on at once: from real deals.

    The player, who knows the model alone, makes moves that cannot be taken back while it can.
    """
    found = []
    for play, _, chance in games(0, 70):
        for _ in range(3):
            wander(play, chance, chance.randrange(12), [])
            if "redeal" in play.legal:
                play.make("redeal")
        on_the_way: list[Position] = []
        wander(play, chance, 60, on_the_way)
        found += on_the_way[:2] + on_the_way[-1:]
    return tuple(found)


def wander(play: model.Play, chance: random.Random, steps: int, on_the_way: list[Position]) -> None:
    """Play on without redeals, and note where only moves to and fro can be made next."""
    for _ in range(steps):
        moves = sorted(model.card_moves(play.table))
        onward = [move for move in moves if leads_on(play.table, move)]
        if not onward:
            on_the_way.append(as_position(model.frozen(play.table)))
        if not moves:
            return
        play.make(chance.choice(onward or moves))


def leads_on(there: Table, move: str) -> bool:
    source, goal = move.split("-")
    return model.why_not(model.moved(there, move), goal, source) is not None


def proved_stuck(position: Position, at_most: int = 40) -> bool | None:
    """By the model's complete search; None where there are too many positions."""
    leads = model.reachable(as_model(position), at_most)
    return None if leads is None else model.only_to_and_fro(leads)


def test_a_look_ahead_says_stuck_exactly_where_only_moves_to_and_fro_remain() -> None:
    counts: Counter[object] = Counter()
    for position in worn_out():
        proved, said = proved_stuck(position), look_ahead(position).outcome
        counts[said, CRESCENT.has_move(position)] += 1
        if proved is not None:
            assert (said == "stuck") == proved
        elif said == "stuck":
            assert proved_stuck(position, len(look_ahead(position).seen))
    assert counts["stuck", True] > 30, "moves to and fro alone are common enough to be met"
    assert counts["stuck", False] > 10
    assert counts["playing", True] > 10, "a move that leads on often lies behind a move to and fro"


@settings(max_examples=60)
@given(records(CRESCENT, at_most=150))
def test_a_look_ahead_is_never_a_false_alarm_whatever_is_played(record: Record) -> None:
    position = record.position._replace(redeals=0)
    if look_ahead(position).outcome == "stuck":
        assert proved_stuck(position, 20_000)


def test_where_there_is_no_move_at_all_a_look_ahead_says_so_too() -> None:
    for position in worn_out():
        if not CRESCENT.has_move(position):
            assert CRESCENT.outcome(position) == look_ahead(position).outcome == "stuck"


def test_while_a_redeal_is_left_nothing_is_stuck() -> None:
    for position in worn_out():
        if any(len(fan) > 1 for fan in position.piles[:16]):
            assert look_ahead(position._replace(redeals=1)).outcome == "playing"


@pytest.mark.parametrize("most", [1, 2, 7, 50, 300])
def test_a_look_ahead_in_pieces_finds_what_it_finds_in_one(most: int) -> None:
    for position in worn_out()[::4]:
        pieces, whole = look_ahead(position, most), look_ahead(position)
        assert (pieces.outcome, pieces.seen) == (whole.outcome, whole.seen)


def test_a_piece_of_a_look_ahead_looks_at_no_more_than_it_may() -> None:
    for position in worn_out():
        search = CRESCENT.look_ahead(Search.start(position), 3)
        if search.outcome is None:
            assert len(search.seen) - len(search.open_ends) == 3


def test_a_look_ahead_sees_just_the_positions_that_can_be_reached() -> None:
    for position in worn_out()[::4]:
        search = look_ahead(position)
        if search.outcome == "stuck" and len(search.seen) < 100:
            reached = model.reachable(as_model(position), 100)
            assert reached is not None
            assert {model.frozen(as_model(seen)) for seen in search.seen} == set(reached)


def test_beyond_its_bound_a_look_ahead_says_nothing() -> None:
    record = notation.replay("CR1-N-AAAAAJG", TO_AND_FRO)
    assert record.outcome == "playing"
    assert look_ahead(record.position).outcome == "stuck"
    reached = model.reachable(as_model(record.position), 1000)
    assert reached is not None
    assert len(reached) == len(look_ahead(record.position).seen) == 216

    class Bounded(Crescent):
        positions_searched = 216

    class Narrower(Crescent):
        positions_searched = 215

    for most in (1, 50, EVER):
        assert look_ahead(record.position, most, Bounded()).outcome == "stuck"
        assert look_ahead(record.position, most, Narrower()).outcome == "playing"


TO_AND_FRO = (
    "3-10 redeal 4-16 2-KS 4-KD redeal 10-AC 12-KH 16-7 12-16 8-5 redeal 9-3 6-8 9-1 7-2 16-AD"
    " 15-16 15-9 15-10 15-16 13-10"
)


def test_a_move_that_leads_on_behind_a_move_to_and_fro_is_seen() -> None:
    position = table(_1="KC 6S 7S", _2="5D 9S 8S", AS=run_of("S", 1, 6), KS=run_of("S", 13, 10))
    there = as_model(position)
    assert not any(leads_on(there, move) for move in model.card_moves(there))
    assert look_ahead(position).outcome == "playing"
    assert leads_on(model.moved(there, "2-1"), "2-KS")


def test_a_card_that_fits_what_it_leaves_and_its_goal_goes_to_and_fro() -> None:
    position = table(_1="KC 6S 7S", _2="5D 8C", AS=run_of("S", 1, 6))
    assert set(CRESCENT.legal_moves(position)) == {"1-AS", "AS-1"}
    assert look_ahead(position).outcome == "stuck"
    uncovers = position.with_piles({0: parse_cards("KC 6S 4H 7S")})
    assert set(CRESCENT.legal_moves(uncovers)) == {"1-AS", "AS-1"}
    assert look_ahead(uncovers).outcome == "playing"
    empties = position.with_piles({0: parse_cards("7S")})
    assert set(CRESCENT.legal_moves(empties)) == {"1-AS", "AS-1"}
    assert look_ahead(empties).outcome == "playing"


def test_a_win_behind_moves_to_and_fro_is_no_stuck_game() -> None:
    almost = table(
        _1="KC QC",
        AC=run_of("C", 1, 11),
        KC=run_of("C", 13, 1),
        **{f"A{suit}": run_of(suit, 1, 13) for suit in "SHD"},
        **{f"K{suit}": run_of(suit, 13, 1) for suit in "SHD"},
    )
    assert look_ahead(almost).outcome == "playing"
    before = CRESCENT.apply(almost, Move("1-AC"))
    assert look_ahead(before).outcome == "playing"
    assert CRESCENT.outcome(CRESCENT.apply(before, Move("1-AC"))) == "won"


# --- the command ---


SHAPE = {
    "redeals", "code", "game", "moves", "piles", "score", "move_count", "outcome", "legal",
}  # fmt: skip


def test_the_command_says_the_redeals_left_and_lists_a_redeal_while_it_is_allowed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for used in range(4):
        assert cli.main(["play", EXAMPLE, *["Redeal"] * used, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert set(data) == SHAPE
        assert data["moves"] == ["redeal"] * used
        assert data["redeals"] == 3 - used
        assert ("redeal" in data["legal"]) == (used < 3)
        assert (data["game"], data["score"], data["outcome"]) == ("crescent", 8, "playing")


def test_hundreds_of_games_a_line_each_come_out_as_in_the_model() -> None:
    plays = []
    for play, _, chance in games(5000, 5150):
        for _ in range(chance.randrange(80)):
            move = chosen(sorted(play.legal), chance)
            if move is None:
                break
            play.make(move)
        plays.append(play)
    lines = [f"{model.code_of(play.number)} {' '.join(play.made)}\n".encode() for play in plays]
    for play, line in zip(plays, cli._play_lines(lines), strict=True):
        answer = json.loads(line)
        assert set(answer) == SHAPE
        assert answer["code"] == model.code_of(play.number)
        assert answer["moves"] == play.made
        assert answer["piles"] == play.table
        assert (answer["score"], answer["redeals"]) == (play.score, play.redeals)
        assert answer["move_count"] == len(play.made)
        assert set(answer["legal"]) == play.legal
        assert len(answer["legal"]) == len(play.legal)


def test_a_bad_line_names_its_illegal_move_by_number() -> None:
    lines = [
        f"{EXAMPLE} 3-KC KC-3".encode(),
        f"{EXAMPLE} redeal redeal redeal redeal".encode(),
        f"{EXAMPLE} 3-KC".encode(),
    ]
    first, second, third = map(json.loads, cli._play_lines(lines))
    assert first["line"] == 1
    assert first["error"].startswith("Move 2, KC-3, cannot be made.")
    assert second["error"].startswith("Move 4, redeal, cannot be made.")
    assert third["score"] == 9


@given(records(CRESCENT, at_most=150))
def test_every_card_is_somewhere_always(record: Record) -> None:
    cards: Counter[Card] = Counter(card for pile in record.position.piles for card in pile)
    assert cards == Counter(two_packs())
