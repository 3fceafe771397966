"""Twins, a toy: twelve cards in four piles; two top cards of the same rank leave together.

It follows the recipe "add a game" to the letter: one file, of which nothing else knows. It is not
in the list of games; `test_third_game` puts it there.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import ClassVar, Final

from halfmoon.cards import Card, parse_cards
from halfmoon.deal_code import DealFormat
from halfmoon.game import Game, IllegalMove, Kind, Layout, Spoken, Spot, Tap, deal_in_rounds
from halfmoon.mistake import N_
from halfmoon.position import Move, Outcome, Place, Position

TURN: Final = Move("turn")
_PILES: Final = 4
_PILE: Final[tuple[Kind, ...]] = ("pile",)


class Twins(Game):
    """The toy's facts and rules."""

    key = "twins"
    name = N_("Twins")
    deal_format = DealFormat("TW", "1", ("N",))
    undo_limit = 5
    piles = _PILES
    redeals = 1
    places = tuple(str(number) for number in range(1, _PILES + 1))
    kinds = _PILE * _PILES
    starting_order = parse_cards("AS 2S 3S 4S 5S 6S AH 2H 3H 4H 5H 6H")

    hint = N_("Tap two cards of the same rank. Of {game.piles} piles, only the top cards count.")
    refusals: ClassVar[Mapping[str, str]] = {"rank": N_("The ranks must be the same")}
    verdicts: ClassVar[Mapping[Outcome, str]] = {
        "won": N_("You have won with {score} pairs."),
        "stuck": N_("Stuck: no two top cards have the same rank."),
    }
    spoken: ClassVar[Mapping[Move, Spoken]] = {
        TURN: Spoken(
            made=N_("Turned. Turns left: {redeals}."), undone=N_("Turned back: {redeals} left.")
        )
    }

    @property
    def layouts(self) -> Mapping[str, Layout]:
        """Four piles in a row: a layout by a name that no other game has."""
        return {"row": Layout(self.piles, 1, tuple(Spot(column, 0) for column in range(_PILES)))}

    def deal(self, order: tuple[Card, ...]) -> Position:
        """Three rounds over the four piles."""
        return Position(deal_in_rounds(order, self.piles), self.redeals)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Every pair, then the turn."""
        pairs = [
            Move.of(*places)
            for places in combinations(self.places, 2)
            if self._rank(position, places[0]) == self._rank(position, places[1]) is not None
        ]
        turn = [TURN] if position.redeals and any(len(pile) > 1 for pile in position.piles) else []
        return tuple(pairs + turn)

    def _rank(self, position: Position, place: Place) -> int | None:
        card = self.top(position, place)
        return card.rank if card else None

    def parse_move(self, text: str) -> Move:
        """Two places, or the word ``turn``, in any case."""
        return Move(text.strip().lower())

    def canonical(self, position: Position, move: Move) -> Move:
        """A pair in the order of the places."""
        move = Move.of(*sorted(move.places, key=self.index)) if move.places else move
        if move not in self.legal_moves(position):
            raise IllegalMove(N_("These cards do not leave together."))
        return move

    def apply(self, position: Position, move: Move) -> Position:
        """Take two cards away, or bring the bottom card of every pile to its top."""
        if move == TURN:
            return Position(tuple(pile[1:] + pile[:1] for pile in position.piles), 0)
        return position.with_piles(
            {self.index(place): position.piles[self.index(place)][:-1] for place in move.places}
        )

    def score(self, position: Position) -> int:
        """How many pairs have gone."""
        return (len(self.starting_order) - position.cards) // 2

    def is_won(self, position: Position) -> bool:
        """Whether all cards have gone."""
        return not position.cards

    def tap(self, position: Position, selection: tuple[Place, ...], place: Place) -> Tap:
        """Select, deselect, complete a pair or refuse."""
        if self.top(position, place) is None:
            return Tap(selection)
        if not selection or place in selection:
            return Tap(() if selection else (place,))
        move = Move.of(*sorted((*selection, place), key=self.index))
        if move in self.legal_moves(position):
            return Tap((), move)
        return Tap((), refusal="rank")

    def fitting(self, position: Position, selection: tuple[Place, ...]) -> frozenset[Place]:
        """The places whose top card has the rank of the selected one."""
        moves = (set(move.places) for move in self.legal_moves(position))
        return frozenset().union(*(move for move in moves if move & set(selection))) - set(
            selection
        )


TWINS: Final = Twins()
