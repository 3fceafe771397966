"""Whether a position of Half Moon can be won: found, refuted, or left open by bounded searches.

A game with only some kinds of cards left is easier than the whole: the moves of a win, without
those of the other kinds, win there too. So where it is lost, the whole game is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import Final, Literal, TypeAlias

from halfmoon.cards import FACES
from halfmoon.deal_code import random_numbers
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.position import Position
from win_search import GaveUp, Table, Tries, find_steps, promise, table_of

Verdict: TypeAlias = Literal["won", "lost", "open"]
Ranks: TypeAlias = frozenset[int]

FACE_RANKS: Final[Ranks] = frozenset(FACES)
PAIR_RANKS: Final = tuple(
    frozenset({rank, HALF_MOON.pair_sum - rank}) for rank in range(1, HALF_MOON.pair_sum // 2 + 1)
)
NUMBER_RANKS: Final[Ranks] = frozenset().union(*PAIR_RANKS)
KINDS: Final[tuple[Ranks, ...]] = (FACE_RANKS, *PAIR_RANKS)
"""The ranks that leave together: the faces, aces and tens, twos and nines …"""

QUICK: Final = 1_000
"""Positions after which a search for a win gives up: those that succeed are quick."""
SHORT: Final = 20_000
LONG: Final = 200_000
TRIES: Final = (
    *((40, QUICK),) * 20,
    *((100, QUICK),) * 20,
    *((100, 5 * QUICK),) * 30,
    *((200, 5 * QUICK),) * 20,
)
"""For each search for a win: how far chance may change a table's promise, so that the searches
differ, and the positions after which it gives up."""


def verdict_on(position: Position) -> Verdict:
    """Whether the game can be won from here."""
    return next((found for found in _searches(position) if found != "open"), "open")


def _searches(position: Position) -> Iterator[Verdict]:
    """What one search after the other says, the quicker ones first."""
    yield searched(position, QUICK)
    yield refuted(position, range(1, 4), SHORT)
    for seed, (noise, enough) in enumerate(TRIES):
        yield searched(position, enough, partial(_with_noise, random_numbers(seed), noise))
    yield refuted(position, [3], LONG)
    yield searched(position, LONG)


def searched(position: Position, enough: int, tries: Tries = promise) -> Verdict:
    """What one search finds out."""
    try:
        found = find_steps(table_of(position), tries, enough)
    except GaveUp:
        return "open"
    return "lost" if found is None else "won"


def refuted(position: Position, sizes: Iterable[int], enough: int) -> Verdict:
    """Lost, where it is lost with only so many kinds of cards; else open."""
    for size in sizes:
        for kinds in combinations(KINDS, size):
            if searched(only(position, frozenset().union(*kinds)), enough) == "lost":
                return "lost"
    return "open"


def only(position: Position, ranks: Ranks) -> Position:
    """The position with all cards of other ranks taken out."""
    return Position(
        tuple(tuple(card for card in pile if card.rank in ranks) for pile in position.piles)
    )


def _with_noise(chance: Iterator[int], noise: int, table: Table) -> float:
    return promise(table) + next(chance) % noise
