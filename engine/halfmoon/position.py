"""What lies on the table, and what may be done with it."""

from typing import Literal, NamedTuple, TypeAlias

from halfmoon.cards import Card

Place: TypeAlias = str
"""The name of a place on the table: ``"1"``, ``"R1"``, ``"AS"``."""

Pile: TypeAlias = tuple[Card, ...]
"""The cards of one place, the bottom card first."""

Outcome: TypeAlias = Literal["playing", "won", "stuck"]


class Move(str):
    """A move, which is its written form: places joined by hyphens, or a word.

    >>> Move("8-5-3").places
    ('8', '5', '3')
    """

    __slots__ = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The places the move touches, in the order written; none where it is a word."""
        return tuple(self.split("-")) if "-" in self else ()

    @classmethod
    def of(cls, *places: Place) -> "Move":
        """The move that touches these places.

        >>> Move.of("1", "8")
        '1-8'
        """
        return cls("-".join(places))


class Position(NamedTuple):
    """All that is on the table: one pile for each of the game's places, in the game's order."""

    piles: tuple[Pile, ...]
    redeals: int = 0
    """Redeals still to be had, in a game that has them."""

    @property
    def cards(self) -> int:
        """How many cards are on the table."""
        return sum(map(len, self.piles))

    def with_piles(self, changed: dict[int, Pile]) -> "Position":
        """This position with some piles replaced, each named by its index."""
        piles = list(self.piles)
        for index, pile in changed.items():
            piles[index] = pile
        return self._replace(piles=tuple(piles))
