"""A depth-first search for won games of Half Moon that also proves positions lost.

Suits never matter, so cards are ranks here. What leads nowhere new is not tried: a card that is
alone in its place is as free as any other such card of its rank, and taking one while a taller
pile shows that rank gains nothing. So a search that runs to its end without a win is a proof.
"""

from collections.abc import Callable, Iterator
from itertools import product
from operator import sub
from typing import Final, NamedTuple, TypeAlias

from halfmoon.cards import FACES, KING, RANKS
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.position import Move, Place, Position

ENOUGH: Final = 200_000
"""Positions after which a search gives up, unless it is told otherwise: some five seconds."""

Source: TypeAlias = int
"""Where a card comes from: a pile's index, or minus the rank of a card alone in its place."""
Step: TypeAlias = tuple[Source, ...]
Ranks: TypeAlias = tuple[int, ...]
"""For each rank, how many cards of it."""
Tries: TypeAlias = Callable[["Table"], float]
"""How promising a table is; of the steps that can be taken, the most promising is tried first."""

NONE: Final[Ranks] = (0,) * (KING + 1)


class GaveUp(Exception):
    """The search reached its bound: nothing is known."""


class Table(NamedTuple):
    """A position without what makes no difference: equal tables are won or lost alike."""

    piles: tuple[tuple[int, ...], ...]
    """The ranks in each pile that holds more than one card, the bottom card first; else nothing."""
    free: Ranks
    """The cards that are alone in their places."""

    @property
    def shown(self) -> int:
        """The ranks that can be played, as bits."""
        ranks = _bits(self.free)
        for pile in self.piles:
            if pile:
                ranks |= 1 << pile[-1]
        return ranks


def _bits(ranks: Ranks) -> int:
    return sum(1 << rank for rank, count in enumerate(ranks) if count)


def _leaves_with(rank: int) -> set[int]:
    return set(FACES) - {rank} if rank in FACES else {HALF_MOON.pair_sum - rank}


NEEDS: Final = {rank: sum(1 << other for other in _leaves_with(rank)) for rank in RANKS}
"""For each rank, the ranks it leaves with, as bits."""


def table_of(position: Position) -> Table:
    """What matters of a Half Moon position."""
    free = [0] * (KING + 1)
    for pile in position.piles:
        if len(pile) == 1:
            free[pile[0].rank] += 1
    ranks = (tuple(card.rank for card in pile) for pile in position.piles[: HALF_MOON.piles])
    return Table(tuple(pile if len(pile) > 1 else () for pile in ranks), tuple(free))


def steps(table: Table) -> Iterator[Step]:
    """The steps worth trying."""
    at: list[list[Source]] = [[] for _ in range(KING + 1)]
    for index, pile in enumerate(table.piles):
        if pile:
            at[pile[-1]].append(index)
    for rank in RANKS:
        if table.free[rank] and not at[rank]:
            at[rank].append(-rank)
    for rank in range(1, HALF_MOON.pair_sum // 2 + 1):
        yield from product(at[rank], at[HALF_MOON.pair_sum - rank])
    yield from product(*(at[rank] for rank in FACES))


def after(table: Table, step: Step) -> Table:
    """The table after a step."""
    piles, free = list(table.piles), list(table.free)
    for source in step:
        if source < 0:
            free[-source] -= 1
        elif len(pile := piles[source][:-1]) > 1:
            piles[source] = pile
        else:
            piles[source] = ()
            free[pile[0]] += 1
    return Table(tuple(piles), tuple(free))


def is_blocked(table: Table, seen: int = 0) -> bool:
    """Whether some card could not go even if cards that have been seen could be used for ever."""
    seen |= table.shown
    waiting = [list(pile) for pile in table.piles if pile]
    moved = True
    while moved:
        moved = False
        for pile in waiting:
            while pile and NEEDS[pile[-1]] & ~seen == 0:
                pile.pop()
                moved = True
                if pile:
                    seen |= 1 << pile[-1]
        waiting = [pile for pile in waiting if pile]
    return bool(waiting)


def promise(table: Table) -> float:
    """Many ranks to choose from, low piles, and cards kept free."""
    heights = sum(len(pile) ** 2 for pile in table.piles)
    return 12 * table.shown.bit_count() - 2 * heights + 10 * sum(table.free)


def find_steps(
    table: Table, tries: Tries = promise, enough: int = ENOUGH, kept: Ranks = NONE
) -> list[Step] | None:
    """The steps of a win, or None where there is provably none. Raises ``GaveUp``.

    Cards in ``kept`` are used only when nothing else can be done and all piles are down.
    """
    lost: set[Table] = set()
    in_reach = _bits(kept)

    def search(table: Table) -> list[Step] | None:
        if len(lost) > enough:
            raise GaveUp
        options = {step: after(table, step) for step in steps(table)}
        if not options and not any(table.piles):
            return _last_steps(table, kept)
        for step in sorted(options, key=lambda step: -tries(options[step])):
            following = options[step]
            if following in lost:
                continue
            rest = None if is_blocked(following, in_reach) else search(following)
            if rest is not None:
                return [step, *rest]
            lost.add(following)
        return None

    return None if is_blocked(table, in_reach) else search(table)


def _last_steps(table: Table, kept: Ranks) -> list[Step] | None:
    if any(kept):
        return find_steps(table._replace(free=tuple(map(sum, zip(table.free, kept, strict=True)))))
    return None if any(table.free) else []


def find_win(
    position: Position,
    tries: Tries = promise,
    enough: int = ENOUGH,
    *,
    keep_reserve: bool = False,
) -> tuple[Move, ...] | None:
    """The moves of a win, or None where there is provably none. Raises ``GaveUp``.

    With ``keep_reserve``, only wins that touch the reserve when all piles are down.
    """
    table, kept = table_of(position), NONE
    if keep_reserve:
        kept = table_of(Position(position.piles[HALF_MOON.piles :])).free
        table = table._replace(free=tuple(map(sub, table.free, kept)))
    found = find_steps(table, tries, enough, kept)
    return None if found is None else tuple(_moves(position, found))


def _moves(position: Position, found: list[Step]) -> Iterator[Move]:
    for step in found:
        places = (_place(position, source) for source in step)
        move = HALF_MOON.canonical(position, Move.of(*places))
        yield move
        position = HALF_MOON.apply(position, move)


def _place(position: Position, source: Source) -> Place:
    """Of the free cards of a rank, the last card of a pile rather than a reserve card."""
    if source >= 0:
        return HALF_MOON.places[source]
    return next(
        place
        for place, pile in zip(HALF_MOON.places, position.piles, strict=True)
        if len(pile) == 1 and pile[0].rank == -source
    )
