"""What the census counts: deals of each game that can be won, and how simple players fare.

A survey is worked off in small jobs, each a function of its number alone, so that an interrupted
census goes on where it was and a repeated one comes to the same figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import crescent_search as crescent
import verdicts
from halfmoon import deal_code, notation
from halfmoon.deal_code import DEALS, DealCode, random_numbers, shuffle
from halfmoon.game import Game
from halfmoon.games.crescent import CRESCENT, REDEAL
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.position import Position
from players import (
    Player,
    plays_anything,
    sends_home,
    sends_home_and_steps,
    spares_the_reserve,
)
from verdicts import FACE_RANKS, KINDS, NUMBER_RANKS

Counts: TypeAlias = dict[str, int]
"""What one job counted, as it is written into a line of JSON."""

SEED: Final = 1
SEED_BITS: Final = 40
"""Where the numbers of the deals come from: the same deals in every census."""
DIGITS: Final = 6
"""How many digits of a share are written down."""
Z: Final = 1.959964
"""The standard deviations on either side that 95 % of a normal distribution lies within."""


class Survey(NamedTuple):
    """One thing that is measured."""

    game: Game
    title: str
    """What it counts, as the progress line says it."""
    deals: int
    measure: Callable[[Game, DealCode], Counts]
    block: int = 1
    """How many deals make a job."""

    @property
    def jobs(self) -> int:
        """How many jobs there are."""
        return -(-self.deals // self.block)

    def job(self, number: int) -> Counts:
        """Count in one block of deals."""
        counts: Counter[str] = Counter()
        for index in range(number * self.block, (number + 1) * self.block):
            counts.update(deals=1, **self.measure(self.game, code_of(self.game, index)))
        return dict(counts)


def code_of(game: Game, index: int) -> DealCode:
    """The deal that stands at this place in every census."""
    # A generator of its own for each place, so that a job need not draw those before it.
    number = next(random_numbers(SEED << SEED_BITS | index))
    return deal_code.make(game.deal_format, number * DEALS >> 64)


def position_of(game: Game, code: DealCode) -> Position:
    """The position at the start of a deal."""
    return game.deal(shuffle(game.starting_order, code.number))


def half_moon_deal(game: Game, code: DealCode) -> Counts:
    """Whether a deal can be won; where not, whether faces or number cards make it so."""
    position = position_of(game, code)
    verdict = verdicts.verdict_on(position)
    counts: Counts = {verdict: 1}
    if verdict == "lost":
        without_faces = verdicts.verdict_on(verdicts.only(position, NUMBER_RANKS))
        faces_alone = verdicts.verdict_on(verdicts.only(position, FACE_RANKS))
        counts |= {f"{without_faces}_without_faces": 1, f"{faces_alone}_with_faces_alone": 1}
    return counts


def first_move(game: Game, code: DealCode) -> Counts:
    """Whether a deal of Half Moon has no move at all."""
    return {"without": int(not shows_a_move(code))}


def shows_a_move(code: DealCode) -> bool:
    """Whether there is a move, without shuffling more than what lies open.

    That is dealt last, and the shuffle settles the last cards first.
    """
    order = list(HALF_MOON.starting_order)
    shown = HALF_MOON.piles + HALF_MOON.reserve_places
    chance = random_numbers(code.number)
    for index in range(len(order) - 1, len(order) - 1 - shown, -1):
        other = next(chance) * (index + 1) >> 64
        order[index], order[other] = order[other], order[index]
    ranks = {card.rank for card in order[-shown:]}
    return any(ranks >= kind for kind in KINDS)


def crescent_deal(
    game: Game, code: DealCode, beams: Iterable[crescent.Beam] = crescent.LADDER
) -> Counts:
    """Whether a win of a deal is found, and how long it is."""
    moves = crescent.find_win(position_of(game, code), beams)
    if moves is None:
        return {"open": 1}
    if notation.replay(str(code), moves).outcome != "won":
        raise AssertionError(f"the moves found for {code} do not win")
    return {"won": 1, "moves": len(moves), "redeals": moves.count(REDEAL)}


def won_by(player: Player, game: Game, code: DealCode) -> Counts:
    """Whether a player wins a deal."""
    return {"won": int(player(position_of(game, code), code.number))}


def _player(game: Game, title: str, deals: int, player: Player) -> Survey:
    return Survey(game, title, deals, partial(won_by, player), block=100)


SURVEYS: Final = {
    "half_moon.deals": Survey(HALF_MOON, "deals searched", 2_000, half_moon_deal),
    "half_moon.first_move": Survey(
        HALF_MOON, "deals looked at for a first move", 1_000_000, first_move, block=5_000
    ),
    "half_moon.random": _player(HALF_MOON, "games played at random", 50_000, plays_anything),
    "half_moon.tallest": _player(
        HALF_MOON, "games played from the tallest piles", 20_000, spares_the_reserve
    ),
    "crescent.deals": Survey(CRESCENT, "deals searched", 200, crescent_deal),
    "crescent.home": _player(CRESCENT, "games sending cards home", 20_000, sends_home),
    "crescent.home_and_steps": _player(
        CRESCENT, "games sending cards home, with steps", 50_000, sends_home_and_steps
    ),
}
"""By name: the game's key, then what is measured."""


def figures(game: Game, counts: Mapping[str, Counts], command: str) -> dict[str, Any]:
    """What pages print of a game, from the counts of its surveys by their names."""
    return {"command": command, **_FIGURES[game.key](counts)}


def _half_moon_figures(counts: Mapping[str, Counts]) -> dict[str, Any]:
    deals, first = counts["half_moon.deals"], counts["half_moon.first_move"]
    lost = deals.get("lost", 0)
    return {
        "deals": deals["deals"],
        **{found: share(deals.get(found, 0), deals["deals"]) for found in ("won", "lost", "open")},
        "lost_deals": {
            "deals": lost,
            "can_be_won_without_faces": share(deals.get("won_without_faces", 0), lost),
            "lost_with_faces_alone": share(deals.get("lost_with_faces_alone", 0), lost),
        },
        "no_first_move": {"deals": first["deals"], **share(first["without"], first["deals"])},
        "players": _players(counts, {"random": "half_moon.random", "tallest": "half_moon.tallest"}),
    }


def _crescent_figures(counts: Mapping[str, Counts]) -> dict[str, Any]:
    deals = counts["crescent.deals"]
    won = deals.get("won", 0)
    return {
        "deals": deals["deals"],
        **{found: share(deals.get(found, 0), deals["deals"]) for found in ("won", "open")},
        "mean_moves": round(deals["moves"] / won, 1) if won else None,
        "mean_redeals": round(deals["redeals"] / won, 2) if won else None,
        "players": _players(
            counts, {"home": "crescent.home", "home_and_steps": "crescent.home_and_steps"}
        ),
    }


_FIGURES: Final = {HALF_MOON.key: _half_moon_figures, CRESCENT.key: _crescent_figures}


def _players(counts: Mapping[str, Counts], surveys: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {
            "deals": counts[survey]["deals"],
            "won": share(counts[survey]["won"], counts[survey]["deals"]),
        }
        for name, survey in surveys.items()
    }


def share(count: int, of: int) -> dict[str, float]:
    """A count and its share, with the ends of its 95 % interval."""
    low, high = wilson(count, of)
    rounded = {"share": count / of if of else 0, "low": low, "high": high}
    return {"count": count, **{key: round(value, DIGITS) for key, value in rounded.items()}}


def wilson(count: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score; everything where nothing was counted.

    Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference"
    (1927).
    """
    if not of:
        return 0.0, 1.0
    observed, spread = count / of, Z * Z / of
    middle = (observed + spread / 2) / (1 + spread)
    half = Z * sqrt(observed * (1 - observed) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
