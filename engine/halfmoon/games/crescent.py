"""Crescent: two packs in sixteen open fans around eight foundations."""

from collections.abc import Mapping
from functools import cache, cached_property
from itertools import pairwise
from typing import ClassVar, Final

from halfmoon.cards import ACE, KING, SUITS, Card, pack, rank_text
from halfmoon.deal_code import DealFormat
from halfmoon.game import (
    FAN_ROWS,
    Game,
    IllegalMove,
    Kind,
    Layout,
    Search,
    Spoken,
    Spot,
    Tap,
    arched,
    deal_in_rounds,
)
from halfmoon.mistake import N_
from halfmoon.position import Move, Outcome, Pile, Place, Position

REDEAL: Final = Move("redeal")
_FANS: Final = 16
_FAN_KINDS: Final[tuple[Kind, ...]] = ("fan",) * _FANS
_BASES: Final = tuple(Card(rank, suit) for rank in (ACE, KING) for suit in SUITS)


def _kind_of(base: Card) -> Kind:
    return "ace foundation" if base.rank == ACE else "king foundation"


class Crescent(Game):
    """Crescent's facts and rules."""

    key = "crescent"
    name = N_("Crescent")
    deal_format = DealFormat("CR", "1", ("N",))
    undo_limit = None
    drags = True

    packs = 2
    fans = _FANS
    cards_in_a_fan = 6
    foundations = len(_BASES)
    redeals = 3
    positions_searched = 20_000

    places = tuple([str(number) for number in range(1, _FANS + 1)] + [str(card) for card in _BASES])
    kinds: ClassVar[tuple[Kind, ...]] = _FAN_KINDS + tuple(map(_kind_of, _BASES))

    hint = N_(
        "Tap a card, then where it goes: a foundation, or a fan whose top card is its neighbour"
        " in suit. Tap a card twice to send it to a foundation."
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "suit": N_("The suits must be the same"),
        "neighbour": N_("The ranks must be neighbours"),
        "order": N_("This foundation needs another rank next"),
        "empty": N_("An empty fan stays empty"),
        "start": N_("A starting card stays where it is"),
    }
    verdicts: ClassVar[Mapping[Outcome, str]] = {
        "won": N_("You have won: all {game.cards} cards are on the foundations."),
        "stuck": N_("Stuck: no move leads any further. You can undo moves or start a new deal."),
    }
    spoken: ClassVar[Mapping[Move, Spoken]] = {
        REDEAL: Spoken(
            made=N_("Redeal. Redeals left: {redeals}."),
            undone=N_("The redeal is undone. Redeals left: {redeals}."),
        )
    }

    @property
    def cards(self) -> int:
        """How many cards the game is played with."""
        return self.packs * len(pack())

    @property
    def winning_score(self) -> int:
        """The score of a won game: every card on a foundation."""
        return self.cards

    @cached_property
    def starting_order(self) -> tuple[Card, ...]:
        """Pack after pack, without the aces and kings that start the foundations."""
        first = tuple(card for card in pack() if card not in _BASES)
        return first + pack() * (self.packs - 1)

    @cached_property
    def layouts(self) -> Mapping[str, Layout]:
        """The crescent where there is room for it; two rows of fans where there is not."""
        return {"wide": self._crescent(), "compact": self._rows()}

    def _crescent(self) -> Layout:
        depth, columns = 1.3, self.fans
        fans = [Spot(column, depth * arched(column, columns)) for column in range(columns)]
        first = (columns - self.foundations) / 2
        foundations = [Spot(first + at, FAN_ROWS + 0.3) for at in range(self.foundations)]
        return Layout(columns, depth + FAN_ROWS, (*fans, *foundations), arch=FAN_ROWS)

    def _rows(self) -> Layout:
        columns = self.foundations
        fans = [
            Spot(number % columns, 1 + number // columns * FAN_ROWS) for number in range(self.fans)
        ]
        foundations = [Spot(at, 0) for at in range(self.foundations)]
        rows = 1 + self.fans / columns * FAN_ROWS
        return Layout(columns, rows, (*fans, *foundations))

    def deal(self, order: tuple[Card, ...]) -> Position:
        """Six rounds over the sixteen fans, around foundations that hold their starting cards."""
        return Position(
            deal_in_rounds(order, self.fans) + tuple((card,) for card in _BASES), self.redeals
        )

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """To the foundations, between the fans, back from the foundations; then the redeal."""
        moves = [_MOVES[source][goal] for source, goal in self._steps(position)]
        if self._can_redeal(position):
            moves.append(REDEAL)
        return tuple(moves)

    def has_move(self, position: Position) -> bool:
        """Whether a card can move, or a redeal is left."""
        return self._can_redeal(position) or bool(self._steps(position))

    def _steps(self, position: Position) -> list[tuple[int, int]]:
        """Every way to move a card, as the indexes of its places."""
        takers = self._takers(position.piles)
        return [
            (source, goal)
            for source, pile in enumerate(position.piles)
            if len(pile) > (source >= self.fans)
            for goal in takers[pile[-1]]
        ]

    def _takers(self, piles: tuple[Pile, ...]) -> dict[Card, list[int]]:
        """For each top card, the indexes of the places that it can go to."""
        takers: dict[Card, list[int]] = {pile[-1]: [] for pile in piles if pile}
        for goal, takes in _TAKES:
            pile = piles[goal]
            card = takes.get(pile[-1]) if pile else None
            if card in takers:
                takers[card].append(goal)
        return takers

    def _continues(self, foundation: Pile, index: int, card: Card) -> bool:
        """Whether a card is the next one on a foundation."""
        return card == _NEXT[index].get(foundation[-1])

    def _can_redeal(self, position: Position) -> bool:
        return position.redeals > 0 and any(len(fan) > 1 for fan in position.piles[: self.fans])

    def parse_move(self, text: str) -> Move:
        """Two places, or the word ``redeal``, in any case."""
        return REDEAL if text.strip().lower() == REDEAL else super().parse_move(text)

    def canonical(self, position: Position, move: Move) -> Move:
        """A move as it is written: from, to."""
        if move == REDEAL:
            self._check_redeal(position)
        elif len(move.places) != 2:
            raise IllegalMove(N_("A move names two places, from and to, or is the word redeal."))
        else:
            refusal = self._refusal(position, *move.places)
            if refusal:
                raise IllegalMove(_REASONS.get(refusal) or self.refusals[refusal])
        return move

    def _check_redeal(self, position: Position) -> None:
        if not position.redeals:
            raise IllegalMove(N_("There is no redeal left."))
        if not self._can_redeal(position):
            raise IllegalMove(N_("A redeal needs a fan with at least two cards."))

    def _refusal(self, position: Position, source: Place, goal: Place) -> str | None:
        """Why the top card of one place cannot go to another; None where it can."""
        card, onto = self.top(position, source), self.top(position, goal)
        if source == goal:
            return "same"
        if card is None:
            return "nothing"
        if not self._is_free(position, source):
            return "start"
        if onto is None:
            return "empty"
        if card.suit != onto.suit:
            return "suit"
        index = self.index(goal)
        if index >= self.fans:
            return None if self._continues(position.piles[index], index, card) else "order"
        return None if onto in _NEIGHBOURS[card] else "neighbour"

    def _is_free(self, position: Position, place: Place) -> bool:
        """Whether the place's top card is not a starting card in its place."""
        index = self.index(place)
        return index < self.fans or len(position.piles[index]) > 1

    def apply(self, position: Position, move: Move) -> Position:
        """Move one card, or bring the bottom card of every fan to its top."""
        if move == REDEAL:
            fans = tuple(fan[1:] + fan[:1] for fan in position.piles[: self.fans])
            return Position(fans + position.piles[self.fans :], position.redeals - 1)
        source, goal = _indexes(move)
        piles = list(position.piles)
        piles[goal] = (*piles[goal], piles[source][-1])
        piles[source] = piles[source][:-1]
        return Position(tuple(piles), position.redeals)

    def score(self, position: Position) -> int:
        """How many cards lie on the foundations, the starting cards included."""
        return sum(map(len, position.piles[self.fans :]))

    def is_won(self, position: Position) -> bool:
        """Whether every card lies on a foundation."""
        return not any(position.piles[: self.fans])

    def tap(self, position: Position, selection: tuple[Place, ...], place: Place) -> Tap:
        """Select a card, then say where it goes; a tap that does not fit may select another."""
        tapped = self.top(position, place)
        if not selection:
            return self._first_tap(position, place, tapped)
        (source,) = selection
        if place == source:
            return Tap(())
        refusal = self._refusal(position, source, place)
        if refusal is None:
            return Tap((), Move.of(source, place))
        return Tap((place,) if self._can_go(position, place) else selection, refusal=refusal)

    def _first_tap(self, position: Position, place: Place, tapped: Card | None) -> Tap:
        if tapped is None:
            return Tap(())
        if not self._is_free(position, place):
            return Tap((), refusal="start")
        return Tap((place,))

    def _can_go(self, position: Position, place: Place) -> bool:
        """Whether the place's top card can go anywhere."""
        index = self.index(place)
        return any(source == index for source, _ in self._steps(position))

    def send(self, position: Position, place: Place) -> Move | None:
        """The move that takes a fan's top card to a foundation, the ace foundation first."""
        index, card = self.index(place), self.top(position, place)
        if card is None or index >= self.fans:
            return None
        for goal in _FOUNDATIONS[card.suit]:
            if self._continues(position.piles[goal], goal, card):
                return _MOVES[index][goal]
        return None

    def fitting(self, position: Position, selection: tuple[Place, ...]) -> frozenset[Place]:
        """The places that can take the selected card."""
        return frozenset(
            self.places[goal]
            for source, goal in self._steps(position)
            if self.places[source] in selection
        )

    def look_ahead(self, search: Search, most: int) -> Search:
        """Look at up to ``most`` more positions for a move that leads on.

        A move leads on where it cannot be taken back by moving the card back: it uncovers a card
        that the moved card does not fit, or empties a fan. While no reachable position has such a
        move, and no redeal is left, the cards can only go to and fro.
        """
        seen, open_ends = set(search.seen), list(search.open_ends)
        for _ in range(most):
            if not open_ends:
                return Search(frozenset(seen), (), "stuck")
            position = open_ends.pop()
            if self._can_redeal(position):
                return Search(outcome="playing")
            for source, goal in self._steps(position):
                if not self._can_come_back(position, source):
                    return Search(outcome="playing")
                reached = self.apply(position, _MOVES[source][goal])
                if reached not in seen:
                    seen.add(reached)
                    open_ends.append(reached)
            if len(seen) > self.positions_searched:
                return Search(outcome="playing")
        return Search(frozenset(seen), tuple(open_ends))

    def _can_come_back(self, position: Position, source: int) -> bool:
        """Whether a card that leaves a place could return to it at once."""
        pile = position.piles[source]
        return source >= self.fans or (len(pile) > 1 and pile[-2] in _NEIGHBOURS[pile[-1]])


CRESCENT: Final = Crescent()

_SUITS: Final = {suit: [card for card in pack() if card.suit == suit] for suit in SUITS}
"""The cards of each suit, from the ace to the king."""
_ABOVE: Final = {
    card: above for cards in _SUITS.values() for card, above in pairwise([*cards, cards[0]])
}
"""In the fans the ranks go round: above the king comes the ace."""
_BELOW: Final = {above: card for card, above in _ABOVE.items()}
_NEIGHBOURS: Final = {card: (_ABOVE[card], _BELOW[card]) for card in pack()}
"""The cards a card fits in the fans."""


def _built_on(base: Card) -> dict[Card, Card]:
    """What goes on each card of a foundation; nothing goes on its last."""
    up = _SUITS[base.suit]
    return dict(pairwise(up if base.rank == ACE else reversed(up)))


_NEXT: Final = {CRESCENT.index(str(base)): _built_on(base) for base in _BASES}
"""By a foundation's index: the card that it takes next, by its top card."""
_TAKES: Final = [
    *_NEXT.items(),
    *((fan, side) for side in (_BELOW, _ABOVE) for fan in range(CRESCENT.fans)),
]
"""The index of a place, and a card that it takes, by its top card.

The order is that of the listed moves: to foundations, then down on a fan, then up on one.
"""
_FOUNDATIONS: Final = {
    suit: tuple(CRESCENT.index(rank_text(rank) + suit) for rank in (ACE, KING)) for suit in SUITS
}
"""The indexes of a suit's two foundations, the ace foundation first."""
_MOVES: Final = [[Move.of(source, goal) for goal in CRESCENT.places] for source in CRESCENT.places]
"""Every move of a card, by the indexes of its places, since building text is slow."""
_REASONS: Final = {
    "same": N_("A card cannot move to the place it lies on."),
    "nothing": N_("There is no card to move."),
}


@cache
def _indexes(move: Move) -> tuple[int, ...]:
    """The indexes of the places of a move, since reading text is slow too."""
    return tuple(CRESCENT.index(place) for place in move.places)
