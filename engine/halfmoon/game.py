"""What a game is: the questions every game answers, and the rule parts games share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from math import pi, sin
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from halfmoon.cards import Card, upper
from halfmoon.deal_code import DealFormat
from halfmoon.mistake import N_, Mistake, shown
from halfmoon.position import Move, Outcome, Place, Position

Kind: TypeAlias = Literal["pile", "fan", "ace foundation", "king foundation"]
"""What a place is. Only of a fan all cards can be seen."""

FAN_ROWS: Final = 2.5
"""How many rows of the table a fan takes up, when a squared pile takes one."""


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
    """How many rows of squared piles it is high."""
    spots: tuple[Spot, ...]
    """One for each place, in the game's order."""
    arch: float = 0
    """How many rows high the pale arch is at its top; 0 where none is drawn."""


class Tap(NamedTuple):
    """What a tap leads to."""

    selection: tuple[Place, ...]
    """The selected places afterwards, in the order tapped."""
    move: Move | None = None
    """The move the tap completes."""
    refusal: str | None = None
    """Why the tap removed nothing: a key of the game's ``refusals``."""


class Spoken(NamedTuple):
    """What to say of a move that is a word: templates with ``{redeals}``, those left then."""

    made: str
    undone: str


class Search(NamedTuple):
    """How far a look ahead has come; see ``Game.look_ahead``."""

    seen: frozenset[Position] = frozenset()
    open_ends: tuple[Position, ...] = ()
    """The positions seen whose moves have not been looked at yet."""
    outcome: Outcome | None = None
    """What has been found out; None while there is more to look at."""

    @classmethod
    def start(cls, position: Position) -> "Search":
        """A search that has seen nothing but this position."""
        return cls(frozenset([position]), (position,))


class Game(ABC):
    """A patience game: facts as fields, rules as pure functions of a position."""

    key: ClassVar[str]
    """Its name in code, addresses and commands."""
    name: ClassVar[str]
    """Its name as a reader meets it, in English: a key of the catalogs."""
    deal_format: ClassVar[DealFormat]
    places: ClassVar[tuple[Place, ...]]
    kinds: ClassVar[tuple[Kind, ...]]
    """What each place is, in the order of the places."""
    redeals: ClassVar[int] = 0
    """How many redeals a game begins with."""
    drags: ClassVar[bool] = False
    """Whether a move takes a card from one place to another, so that it can be dragged."""
    undo_limit: ClassVar[int | None]
    """How many moves can be undone; None for all of them."""
    hint: ClassVar[str]
    """The rule in a line, for the screen: a template filled from the ``{game…}`` itself."""
    refusals: ClassVar[Mapping[str, str]]
    """What to say about each refused tap: templates filled from the ``{game…}`` itself."""
    verdicts: ClassVar[Mapping[Outcome, str]]
    """What to say when the game is won or stuck: templates with ``{game…}`` and ``{score}``."""

    spoken: ClassVar[Mapping[Move, Spoken]] = {}
    """What to say of each move that is a word."""

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

    def send(self, position: Position, place: Place) -> Move | None:
        """The move that tapping ``place`` twice makes, in a game where that is a move."""
        return None

    def look_ahead(self, search: Search, most: int) -> Search:
        """Search on for a proof that the game is stuck although there are moves.

        At most ``most`` positions are looked at, so that a search can be cut into short pieces.
        Whether the game is won is not asked: ``outcome`` comes first.
        """
        return Search(outcome="playing")

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


def arched(column: float, columns: float) -> float:
    """How far a column lies below the top of an arch: from 1 at its ends to 0 in its middle.

    >>> arched(0, 9), arched(4, 9)
    (1.0, 0.0)
    """
    return 1 - sin(pi * column / (columns - 1))


def deal_in_rounds(order: Iterable[Card], piles: int) -> tuple[tuple[Card, ...], ...]:
    """Deal round by round: a card on each pile in turn, until all cards are dealt.

    >>> deal_in_rounds("abcdef", 2)
    (('a', 'c', 'e'), ('b', 'd', 'f'))
    """
    cards = tuple(order)
    return tuple(cards[first::piles] for first in range(piles))
