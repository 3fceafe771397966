"""A session: taps, undo, redo and restart, against the model and with a game of 150 moves."""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import model
from halfmoon import deal_code, notation
from halfmoon.cards import Card, two_packs
from halfmoon.deal_code import DealCodeMistake, DealFormat
from halfmoon.game import Game, IllegalMove, Layout, Tap, UnknownPlace
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.notation import MoveMistake, Record
from halfmoon.position import Move, Outcome, Place, Position
from halfmoon.session import Session
from strategies import actions, numbers, play_on, records

EXAMPLE = "HM1-N-AAAAAAB"


def session_of(number: int) -> Session:
    return Session.start(deal_code.make(HALF_MOON.deal_format, number))


def tapped(*places: Place) -> Session:
    """The published example after these taps."""
    session = Session.start(EXAMPLE)
    for place in places:
        session = session.tap(place)
    return session


# --- what a session says ---


def test_a_session_starts_with_the_deal_and_nothing_else() -> None:
    session = Session.start(EXAMPLE)
    assert session.position == notation.deal(EXAMPLE).position
    assert (session.selection, session.refusal, session.moves) == ((), None, ())
    assert (session.score, session.move_count, session.outcome) == (0, 0, "playing")
    assert not session.can_undo
    assert not session.can_redo


def test_a_session_starts_from_a_carelessly_written_code() -> None:
    assert Session.start(" hm1naaaaaa8") == Session.start(EXAMPLE)


def test_a_session_does_not_start_from_a_wrong_code() -> None:
    with pytest.raises(DealCodeMistake):
        Session.start("HM1-N-AAAAAA1")


def test_the_published_example_by_taps() -> None:
    pair = tapped("1", "8")
    assert (pair.moves, pair.score, pair.move_count) == (("1-8",), 10, 1)
    triple = tapped("1", "8", "3", "8", "5")
    assert (triple.moves, triple.score, triple.move_count) == (("1-8", "8-5-3"), 25, 2)
    assert triple.selection == ()


def test_the_selection_keeps_the_order_tapped() -> None:
    assert tapped("1", "8", "5", "8").selection == ("5", "8")
    assert tapped("1", "8", "8", "5").selection == ("8", "5")


def test_a_refusal_lasts_until_the_next_tap() -> None:
    refused = tapped("1", "2")
    assert (refused.refusal, refused.selection) == ("sum", ())
    assert refused.tap("1").refusal is None
    assert refused.tap("1").selection == ("1",)


def test_a_refused_tap_removes_nothing_and_is_no_move() -> None:
    refused = tapped("3", "1")
    assert refused.refusal == "triple"
    assert refused.position == Session.start(EXAMPLE).position
    assert refused.move_count == 0


def test_tapping_a_place_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(UnknownPlace, match="R9"):
        Session.start(EXAMPLE).tap("R9")


def test_a_session_is_frozen() -> None:
    session = Session.start(EXAMPLE)
    session.tap("1").tap("8").undo()
    assert session == Session.start(EXAMPLE)
    with pytest.raises(AttributeError):
        session.selection = ("1",)  # type: ignore[misc]


# --- undo, redo, restart ---


def test_undo_puts_the_cards_back_and_score_and_moves_go_down() -> None:
    before, after = tapped("1", "8"), tapped("1", "8", "8", "5", "3").undo()
    assert after.position == before.position
    assert (after.score, after.move_count, after.moves) == (10, 1, ("1-8",))


def test_undo_and_redo_drop_the_selection_and_the_refusal() -> None:
    assert tapped("1", "8", "3").undo().selection == ()
    assert tapped("1", "8", "1", "2").undo().refusal is None
    assert tapped("1", "8").undo().tap("3").redo().selection == ()


def test_there_is_nothing_to_undo_or_redo_at_the_start() -> None:
    session = Session.start(EXAMPLE)
    assert session.undo() == session
    assert session.redo() == session


def test_a_new_move_ends_what_could_be_redone() -> None:
    session = tapped("1", "8").undo().tap("2").tap("9")
    assert session.moves == ("2-9",)
    assert not session.can_redo
    assert session.redo() == session


def test_a_selection_alone_does_not_end_what_could_be_redone() -> None:
    assert tapped("1", "8").undo().tap("2").redo().moves == ("1-8",)


def test_restart_deals_the_same_deal_again() -> None:
    assert tapped("1", "8", "8", "5").restart() == Session.start(EXAMPLE)
    assert tapped("1", "8").undo().restart() == Session.start(EXAMPLE)


@given(records())
def test_undoing_leads_back_as_far_as_the_game_allows_and_redoing_everything_to_the_end(
    record: Record,
) -> None:
    session = end = Session.resume(record)
    assert session.position == record.position
    limit = record.game.undo_limit
    first = 0 if limit is None else max(record.move_count - limit, 0)
    for position in reversed(record.positions[first:-1]):
        session = session.undo()
        assert session.position == position
    assert not session.can_undo
    for position in record.positions[first + 1 :]:
        session = session.redo()
        assert session.position == position
    assert session == end


# --- a card sent, a card dragged, a move by its name ---


@given(records(), st.data())
def test_a_move_by_its_name_does_what_replaying_it_does(
    record: Record, data: st.DataObject
) -> None:
    if record.legal_moves:
        move = data.draw(st.sampled_from(record.legal_moves))
        session = Session.resume(record).play(move.lower())
        assert session.record == record.after(move)
        assert (session.selection, session.refusal, session.undone) == ((), None, ())


def test_an_illegal_move_by_its_name_is_refused() -> None:
    with pytest.raises(MoveMistake, match="Move 1, 1-2"):
        Session.start(EXAMPLE).play("1-2")


def test_a_move_by_its_name_ends_what_could_be_redone() -> None:
    assert not tapped("1", "8").undo().play("2-9").can_redo


@given(records(), st.data())
def test_dragging_is_tapping_the_one_place_then_the_other_and_never_selects(
    record: Record, data: st.DataObject
) -> None:
    session, places = Session.resume(record), st.sampled_from(record.game.places)
    source, goal = data.draw(places), data.draw(places)
    before = data.draw(places)
    dragged, taps = session.tap(before).drag(source, goal), session.tap(source).tap(goal)
    assert dragged.record == taps.record
    assert dragged.selection == ()


@given(records(), st.data())
def test_where_a_place_tapped_twice_sends_nothing_it_is_tapped(
    record: Record, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(record.game.places))
    session = Session.resume(record)
    move = record.game.send(record.position, place)
    assert session.send(place) == (session.tap(place) if move is None else session.play(move))


# --- against the model ---


def places_of(session: Session, action: str) -> list[Place]:
    """The places to tap for the action "move 7": the seventh legal move, or nothing."""
    moves = session.record.legal_moves
    return list(moves[int(action.split()[1]) % len(moves)].places) if moves else []


def agree(session: Session, play: model.Play) -> None:
    """Everything a session says is what the model says."""
    piles = zip(HALF_MOON.places, session.position.piles, strict=True)
    assert {place: [str(card) for card in pile] for place, pile in piles} == play.table
    assert list(session.selection) == play.selection
    assert session.refusal == play.refusal
    assert (session.score, session.move_count) == (play.score, len(play.removed))
    assert session.outcome == play.outcome
    assert [set(move.places) for move in session.moves] == [
        {place for place, _ in move} for move in play.removed
    ]


@settings(max_examples=150)
@given(numbers, actions(model.PLACES))
def test_taps_undo_and_redo_do_what_the_model_does(number: int, done: list[str]) -> None:
    session, play = session_of(number), model.Play(number)
    for action in done:
        if action in ("undo", "redo", "restart"):
            session = getattr(session, action)()
            getattr(play, action)()
        else:
            places = places_of(session, action) if action.startswith("move") else [action]
            for place in places:
                session = session.tap(place)
                play.tap(place)
        agree(session, play)


@settings(max_examples=40)
@given(numbers, st.integers(0, 2**32))
def test_whole_games_by_taps_do_what_the_model_does(number: int, seed: int) -> None:
    session, play = session_of(number), model.Play(number)
    for move in play_on(session.record, seed, at_most=48).moves:
        for place in reversed(move.places):
            session = session.tap(place)
            play.tap(place)
        agree(session, play)


# --- the limit of undo ---


class Countdown(Game):
    """A game without rules: every card of its one pile may go, one at a time."""

    key = "countdown"
    name = "Countdown"
    deal_format = DealFormat("XX", "1", ("N",))
    places = ("1",)
    layouts: ClassVar[Mapping[str, Layout]] = {}
    refusals: ClassVar[Mapping[str, str]] = {}
    verdicts: ClassVar[Mapping[Outcome, str]] = {}
    starting_order = two_packs() + two_packs()[:46]

    def deal(self, order: tuple[Card, ...]) -> Position:
        return Position((order,))

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        return (Move("1"),) if position.cards else ()

    def canonical(self, position: Position, move: Move) -> Move:
        if move not in self.legal_moves(position):
            raise IllegalMove("No.")
        return move

    def apply(self, position: Position, move: Move) -> Position:
        return Position((position.piles[0][:-1],))

    def score(self, position: Position) -> int:
        return len(self.starting_order) - position.cards

    def is_won(self, position: Position) -> bool:
        return not position.cards

    def tap(self, position: Position, selection: tuple[Place, ...], place: Place) -> Tap:
        return Tap((), Move("1"))

    def fitting(self, position: Position, selection: tuple[Place, ...]) -> frozenset[Place]:
        return frozenset()


@cache
def countdown(limit: int | None) -> Session:
    """Before the first of 150 moves."""

    class Limited(Countdown):
        undo_limit = limit

    game = Limited()
    code = deal_code.make(game.deal_format, 0)
    return Session(Record(game, code, (), (game.deal(game.starting_order),)))


def after(session: Session, moves: int) -> Session:
    for _ in range(moves):
        session = session.tap("1")
    return session


def undone(session: Session, times: int) -> Session:
    for _ in range(times):
        session = session.undo()
    return session


@pytest.mark.parametrize("limit", [1, 3, HALF_MOON.undo_limit])
def test_only_the_last_moves_can_be_undone(limit: int) -> None:
    session = after(countdown(limit), 150)
    assert undone(session, limit).move_count == 150 - limit
    assert not undone(session, limit).can_undo
    assert undone(session, limit + 5).move_count == 150 - limit


@pytest.mark.parametrize("limit", [3, HALF_MOON.undo_limit])
def test_fewer_moves_than_the_limit_can_all_be_undone(limit: int) -> None:
    assert undone(after(countdown(limit), limit), limit).position == countdown(limit).position


def test_undoing_and_playing_on_does_not_reach_further_back() -> None:
    session = after(undone(after(countdown(3), 10), 3), 1)
    assert session.move_count == 8
    assert undone(session, 5).move_count == 7


def test_what_was_undone_up_to_the_limit_can_all_be_redone() -> None:
    session = end = after(countdown(3), 10)
    session = undone(session, 3)
    for _ in range(3):
        session = session.redo()
    assert session == end
    assert undone(session, 9).move_count == 7


def test_without_a_limit_every_move_can_be_undone() -> None:
    assert undone(after(countdown(None), 150), 150).position == countdown(None).position


def test_a_resumed_game_has_the_same_limit() -> None:
    session = Session.resume(after(countdown(3), 10).record)
    assert undone(session, 9).move_count == 7


@given(st.lists(st.sampled_from(["tap", "tap", "undo", "redo"]), max_size=60))
def test_the_limit_holds_in_any_mixture_of_undo_and_redo(done: list[str]) -> None:
    limit, session = 4, countdown(4)
    undoable: list[int] = []
    redoable = 0
    for action in done:
        if action == "tap":
            session, redoable = session.tap("1"), 0
            undoable = [*undoable, 1][-limit:]
        elif action == "undo":
            session = session.undo()
            redoable += len(undoable) > 0
            undoable = undoable[:-1]
        else:
            session = session.redo()
            undoable = [*undoable, *[1] * (redoable > 0)][-limit:]
            redoable -= redoable > 0
        assert session.can_undo == bool(undoable)
        assert session.can_redo == bool(redoable)
