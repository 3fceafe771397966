"""Deals and games to check another program against, as a file that the build makes."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from halfmoon import deal_code, notation
from halfmoon.cards import Card
from halfmoon.deal_code import DEALS
from halfmoon.game import Game
from halfmoon.games import GAMES
from halfmoon.notation import Record

FILE: Final = "codes/test-vectors.json"
NUMBERS: Final = (
    0, 1, 2, 31, 32, 1023, 1024, 5_000_000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 12_345_678_901,
    DEALS // 2, DEALS - 2, DEALS - 1,
)  # fmt: skip
"""Where another program is most likely to differ: both ends, and the edges of machine words."""
DAYS: Final = (date(2027, 1, 1), date(2027, 12, 31), date(2028, 2, 29))


def write(examples: Mapping[str, Any], site: Path) -> None:
    """Write the file of a built site; ``examples`` has a whole game for each game's key."""
    path = site / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_text(all_vectors(examples)), encoding="utf-8")


def as_text(vectors: Mapping[str, Any]) -> str:
    """The file's text: one deal or game a line, so that it can be read and compared."""
    lines = []
    for key, parts in vectors.items():
        inner = ",\n".join(f'"{name}": {_listed(part)}' for name, part in parts.items())
        lines.append(f'"{key}": {{\n{inner}\n}}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _listed(part: list[Any]) -> str:
    if not isinstance(part[0], dict):
        return json.dumps(part)
    return "[\n" + ",\n".join(json.dumps(entry) for entry in part) + "\n]"


def all_vectors(examples: Mapping[str, Any]) -> dict[str, dict[str, list[Any]]]:
    """For each game its starting order, deals, deals of a day, and a game on its way."""
    return {key: _vectors(game, examples[key]) for key, game in GAMES.items()}


def _vectors(game: Game, example: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {
        "starting_order": [str(card) for card in game.starting_order],
        "deals": [_deal(game, number) for number in NUMBERS],
        "days": [_day(game, day) for day in DAYS],
        "games": _games(notation.replay(example["code"], example["moves"])),
    }


def _deal(game: Game, number: int) -> dict[str, Any]:
    record = notation.deal(str(deal_code.make(game.deal_format, number)))
    order = deal_code.shuffle(game.starting_order, number)
    return {
        "code": str(record.code),
        "number": number,
        "order": [str(card) for card in order],
        "piles": _piles(record),
    }


def _piles(record: Record) -> dict[str, list[str]]:
    """The cards of every place, the bottom card first."""
    places = zip(record.game.places, record.position.piles, strict=True)
    return {place: [str(card) for card in pile] for place, pile in places}


def _day(game: Game, day: date) -> dict[str, Any]:
    number = deal_code.number_of_day(day)
    code = deal_code.make(game.deal_format, number)
    return {"date": day.isoformat(), "code": str(code), "number": number}


class Draw(NamedTuple):
    """One step of a shuffle as somebody works it out by hand."""

    state: int
    first: int
    """z after the first multiplication."""
    second: int
    """z after the second multiplication."""
    x: int
    """The random number."""
    i: int
    """The position that is dealt with."""
    j: int
    """The number drawn below i + 1."""
    there: Card
    """The card that stood at i before the swap."""
    taken: Card
    """The card that stood at j, and now stands at i for good."""


def by_hand(game: Game, number: int, count: int) -> list[Draw]:
    """The first steps of the shuffle of a deal, with everything in between.

    >>> from halfmoon.games.half_moon import HALF_MOON
    >>> [(draw.i, draw.j, str(draw.taken)) for draw in by_hand(HALF_MOON, 1, 2)]
    [(103, 58, 'AC'), (102, 76, 'JH')]
    """
    order, draws = list(game.starting_order), []
    numbers = deal_code.random_numbers(number)
    for step in range(1, count + 1):
        i = len(order) - step
        state, first, second = _mixing(number, step)
        x = next(numbers)
        assert x == second ^ second >> 31, "the page would explain another generator"
        j = x * (i + 1) >> 64
        draws.append(Draw(state, first, second, x, i, j, order[i], order[j]))
        order[i], order[j] = order[j], order[i]
    return draws


def _mixing(number: int, step: int) -> tuple[int, int, int]:
    """The state and both products of a step, as the page about codes writes them down."""
    word = 2**64
    state = (number + step * 0x9E3779B97F4A7C15) % word
    first = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % word
    second = (first ^ first >> 27) * 0x94D049BB133111EB % word
    return state, first, second


def _games(whole: Record) -> list[Any]:
    """A game after its first move, in its middle and at its end."""
    counts = (1, whole.move_count // 2, whole.move_count)
    records = [notation.replay(str(whole.code), whole.moves[:count]) for count in counts]
    return [
        {
            "code": str(record.code),
            "moves": list(record.moves),
            "score": record.score,
            "outcome": record.outcome,
            "piles": _piles(record),
        }
        for record in records
    ]
