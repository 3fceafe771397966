"""Simple players, to see how far a rule of thumb goes; each plays a deal to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import crescent_search as crescent
from halfmoon.deal_code import random_numbers
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.position import Move, Position

Player: TypeAlias = Callable[[Position, int], bool]
"""Plays from a position, with a seed for its chance, and says whether it won."""

RESERVE: Final = frozenset(HALF_MOON.places[HALF_MOON.piles :])


def plays_anything(start: Position, seed: int) -> bool:
    """Half Moon: any of the moves, each as likely as the others."""
    chance = random_numbers(seed)
    return _play_half_moon(start, lambda _, moves: moves[next(chance) * len(moves) >> 64])


def spares_the_reserve(start: Position, seed: int) -> bool:
    """Half Moon: as few reserve cards as possible, then the tallest piles."""
    return _play_half_moon(start, lambda position, moves: max(moves, key=_thrift(position)))


def _play_half_moon(
    position: Position, choose: Callable[[Position, tuple[Move, ...]], Move]
) -> bool:
    while moves := HALF_MOON.legal_moves(position):
        position = HALF_MOON.apply(position, choose(position, moves))
    return HALF_MOON.is_won(position)


def _thrift(position: Position) -> Callable[[Move], tuple[int, int]]:
    height = {
        place: len(pile) for place, pile in zip(HALF_MOON.places, position.piles, strict=True)
    }

    def thrift(move: Move) -> tuple[int, int]:
        return -len(RESERVE.intersection(move.places)), sum(height[at] for at in move.places)

    return thrift


def sends_home(start: Position, seed: int) -> bool:
    """Crescent: every card home at once; a redeal when none can go; nothing else."""
    return _play_crescent(start, lambda fans, tops: None)


def sends_home_and_steps(start: Position, seed: int) -> bool:
    """Crescent: every card home at once; else a step that lets the next card go; else a redeal."""
    return _play_crescent(start, _step_that_frees)


def _play_crescent(
    start: Position,
    otherwise: Callable[[crescent.Fans, crescent.Tops], crescent.Step | None],
) -> bool:
    fans, tops = crescent.read(start)
    redeals = start.redeals
    while any(fans):
        step = next(_home(fans, tops), None) or otherwise(fans, tops)
        if step is not None:
            fans, tops = crescent.moved(fans, tops, step)
        elif redeals:
            fans, redeals = crescent.turned(fans), redeals - 1
        else:
            return False
    return True


def _home(fans: crescent.Fans, tops: crescent.Tops) -> Iterator[crescent.Step]:
    """The steps from a fan to a foundation."""
    for source, goal in crescent.steps(fans, tops):
        if source < crescent.FANS <= goal:
            yield source, goal


def _step_that_frees(fans: crescent.Fans, tops: crescent.Tops) -> crescent.Step | None:
    """A step between fans after which the card it bares can go home."""
    for step in crescent.steps(fans, tops):
        if max(step) < crescent.FANS:
            after = crescent.moved(fans, tops, step)
            if any(source == step[0] for source, _ in _home(*after)):
                return step
    return None
