"""What a game is: the questions every game answers, and the rule parts games share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple

from halfmoon.cards import Card, upper
from halfmoon.deal_code import DealFormat
from halfmoon.mistake import N_, Mistake, shown
from halfmoon.position import Move, Outcome, Place, Position


class IllegalMove(Mistake):
    """A move that the rules do not allow here; says why."""


class UnknownPlace(Mistake):
    """A place that this game does not have."""


class Spot(NamedTuple):
    """Where a place lies: its column and row on the table, the first of each being 0."""

    column: float
    row: float


class Layout(NamedTuple):
    """How the places of a game lie on the table."""

    columns: float
    rows: float
    spots: tuple[Spot, ...]
    """One for each place, in the game's order."""
    arch: bool = False
    """Whether the pale arch is drawn behind the outermost places."""


class Tap(NamedTuple):
    """What a tap leads to."""

    selection: tuple[Place, ...]
    """The selected places afterwards, in the order tapped."""
    move: Move | None = None
    """The move the tap completes."""
    refusal: str | None = None
    """Why the tap removed nothing: a key of the game's ``refusals``."""


class Game(ABC):
    """A patience game: facts as fields, rules as pure functions of a position."""

    key: ClassVar[str]
    """Its name in code, addresses and commands."""
    name: ClassVar[str]
    """Its name as a reader meets it, in English: a key of the catalogs."""
    deal_format: ClassVar[DealFormat]
    places: ClassVar[tuple[Place, ...]]
    undo_limit: ClassVar[int | None]
    """How many moves can be undone; None for all of them."""
    hint: ClassVar[str]
    """The rule in a line, for the screen: a template filled from the ``{game…}`` itself."""
    refusals: ClassVar[Mapping[str, str]]
    """What to say about each refused tap: templates filled from the ``{game…}`` itself."""
    verdicts: ClassVar[Mapping[Outcome, str]]
    """What to say when the game is won or stuck: templates with ``{game…}`` and ``{score}``."""

    @property
    @abstractmethod
    def starting_order(self) -> tuple[Card, ...]:
        """The cards in the order the shuffle starts from."""

    @property
    @abstractmethod
    def layouts(self) -> Mapping[str, Layout]:
        """The ways to lay it out, the widest first."""

    @abstractmethod
    def deal(self, order: tuple[Card, ...]) -> Position:
        """Lay shuffled cards out."""

    @abstractmethod
    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Every legal move, each once, in its canonical form."""

    def parse_move(self, text: str) -> Move:
        """A move as somebody may write it, in any case; whether it is legal is not looked at."""
        return Move(upper(text.strip()))

    @abstractmethod
    def canonical(self, position: Position, move: Move) -> Move:
        """The form in which a legal move is kept, shown and shared.

        Raises ``UnknownPlace`` or ``IllegalMove``, which says what is wrong with it.
        """

    @abstractmethod
    def apply(self, position: Position, move: Move) -> Position:
        """The position after a legal move in canonical form."""

    @abstractmethod
    def score(self, position: Position) -> int:
        """The points earned on the way to this position."""

    @abstractmethod
    def is_won(self, position: Position) -> bool:
        """Whether the game is won."""

    @abstractmethod
    def tap(self, position: Position, selection: tuple[Place, ...], place: Place) -> Tap:
        """What a tap on ``place`` does while ``selection`` is selected."""

    @abstractmethod
    def fitting(self, position: Position, selection: tuple[Place, ...]) -> frozenset[Place]:
        """The places that can go with the selection, for the setting "Matching help"."""

    def outcome(self, position: Position) -> Outcome:
        """Whether the game is won, stuck or still going on; the win is looked at first."""
        if self.is_won(position):
            return "won"
        return "playing" if self.has_move(position) else "stuck"

    def has_move(self, position: Position) -> bool:
        """Whether any move is legal."""
        return bool(self.legal_moves(position))

    def index(self, place: Place) -> int:
        """Where the place's pile stands in ``Position.piles``. Raises ``UnknownPlace``."""
        try:
            return self._indexes[place]
        except KeyError:
            raise UnknownPlace(
                N_("There is no place “{place}”. The places are {first} to {last}."),
                place=shown(place),
                first=self.places[0],
                last=self.places[-1],
            ) from None

    def top(self, position: Position, place: Place) -> Card | None:
        """The top card of a place, or None where it is empty. Raises ``UnknownPlace``."""
        pile = position.piles[self.index(place)]
        return pile[-1] if pile else None

    @cached_property
    def _indexes(self) -> dict[Place, int]:
        return {place: index for index, place in enumerate(self.places)}


def deal_in_rounds(order: Iterable[Card], piles: int) -> tuple[tuple[Card, ...], ...]:
    """Deal round by round: a card on each pile in turn, until all cards are dealt.

    >>> deal_in_rounds("abcdef", 2)
    (('a', 'c', 'e'), ('b', 'd', 'f'))
    """
    cards = tuple(order)
    return tuple(cards[first::piles] for first in range(piles))
