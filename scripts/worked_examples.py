"""The whole games and the lessons that pages show: finding the ones, proving what both claim."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import crescent_examples
from halfmoon import notation
from halfmoon.deal_code import random_numbers
from halfmoon.game import Game
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.mistake import Mistake
from halfmoon.notation import Record
from halfmoon.position import Move, Position
from win_search import GaveUp, Table, find_win, promise

DATA: Final = Path(__file__).parent.parent / "docs" / "_data" / "examples.json"
CODE: Final = "HM1-N-AAAAAAB"
FIRST_MOVES: Final = ("1-8", "8-5-3")
"""The moves that are published with the deal."""

SEARCHES: Final = 200
"""How many wins are looked for, to choose the best of those found: some five seconds."""
ENOUGH: Final = 1_000
"""Positions after which one of them is given up: those that succeed are quick."""
NOISE: Final = 40
"""How far chance may change a table's promise, so that each search goes its own way."""


class Lesson(NamedTuple):
    """A position that shows one thing, and what is claimed about it."""

    code: str
    moves: str
    undo: int
    """The least number of moves to take back before the game can be won again: it is stuck."""
    next: str
    """A move that wins then."""
    tempting: tuple[str, ...]
    """Moves that lose then."""


def find_line(code: str, first: tuple[str, ...], say: Callable[[str], None]) -> Record | None:
    """A won game that begins with ``first``, or None where there is provably none.

    Of many, the one that is best to learn from; where no search succeeds that keeps the reserve
    for the end, any. The same arguments give the same game. Raises ``GaveUp``.
    """
    start = notation.replay(code, first)
    best: Record | None = None
    for seed in range(SEARCHES):
        tries = partial(_promise_with_noise, random_numbers(seed))
        try:
            moves = find_win(start.position, tries, ENOUGH, keep_reserve=True)
        except GaveUp:
            continue
        if moves is None:
            break
        found = notation.replay(code, start.moves + moves)
        if best is None or _worth(found) > _worth(best):
            best = found
            say(f"Search {seed + 1} of {SEARCHES}: {_describe(found)}")
    if best is None:
        say("No win found that keeps the reserve; looking for any.")
        rest = find_win(start.position)
        best = None if rest is None else notation.replay(code, start.moves + rest)
    return best


def _promise_with_noise(noise: Iterator[int], table: Table) -> float:
    return promise(table) + next(noise) % NOISE


def _worth(won: Record) -> tuple[int, ...]:
    """Late use of the reserve, then how much there is to choose from until then."""
    touched = _reserve_touched(won)
    choices = [len(won.game.legal_moves(position)) for position in won.positions]
    return touched, sum(choices[:touched])


def _reserve_touched(won: Record) -> int:
    """The number of the first move that takes a card from the reserve."""
    reserve = set(won.game.places[HALF_MOON.piles :])
    return next(number for number, move in enumerate(won.moves, 1) if reserve & set(move.places))


def _describe(won: Record) -> str:
    return f"won, the reserve first touched by move {_reserve_touched(won)}"


def load(path: Path = DATA) -> tuple[Record, dict[str, Lesson]]:
    """The kept whole game and the lessons. Raises ``Mistake`` where a move is illegal."""
    data = json.loads(path.read_text(encoding="utf-8"))
    line = notation.replay(data["half_moon"]["code"], data["half_moon"]["moves"])
    lessons = {
        name: Lesson(**{"undo": 0, **lesson, "tempting": tuple(lesson["tempting"])})
        for name, lesson in data["lessons"].items()
    }
    return line, lessons


def load_crescent(path: Path = DATA) -> tuple[Record, dict[str, crescent_examples.Lesson]]:
    """The kept whole game of Crescent and its lessons. Raises ``Mistake``."""
    data = json.loads(path.read_text(encoding="utf-8"))
    line = notation.replay(data["crescent"]["code"], data["crescent"]["moves"])
    lessons = {
        name: crescent_examples.Lesson(**lesson | {"tempting": tuple(lesson.get("tempting", ()))})
        for name, lesson in data["crescent_lessons"].items()
    }
    return line, lessons


def keep(line: Record, path: Path = DATA) -> None:
    """Write a whole game down; the lessons, which are chosen by hand, stay."""
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    data[line.game.key] = {
        "code": str(line.code),
        "command": "scripts/examples",
        "moves": " ".join(line.moves),
    }
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def line_problems(line: Record) -> Iterator[str]:
    """What is wrong with the whole game."""
    if line.outcome != "won":
        yield f"after the last move the outcome is {line.outcome}, not won"
    if line.moves[: len(FIRST_MOVES)] != FIRST_MOVES:
        yield f"it does not begin with {' '.join(FIRST_MOVES)}"


def lesson_problems(lesson: Lesson) -> Iterator[str]:
    """What is not as the lesson claims. Raises ``Mistake`` where a move is illegal."""
    record = notation.replay(lesson.code, lesson.moves)
    if lesson.undo and record.outcome != "stuck":
        yield f"the outcome is {record.outcome}, not stuck"
    for taken_back in range(lesson.undo):
        if can_be_won(record.game, record.positions[-1 - taken_back]):
            yield f"it can be won with {taken_back} moves taken back"
    back_then = notation.replay(lesson.code, record.moves[: record.move_count - lesson.undo])
    if not can_be_won(record.game, back_then.after(lesson.next).position):
        yield f"{lesson.next} does not win"
    for move in lesson.tempting:
        if can_be_won(record.game, back_then.after(move).position):
            yield f"{move} does not lose"


def can_be_won(game: Game, position: Position) -> bool:
    """Whether the game can be won from here: the engine sees the win, or the search proves there
    is none. Raises ``GaveUp``."""
    moves = find_win(position)
    for move in moves or ():
        position = game.apply(position, game.canonical(position, Move(move)))
    return moves is not None and game.is_won(position)


def problems(path: Path = DATA) -> Iterator[str]:
    """Everything in the kept examples that is not as claimed, one line each."""
    yield from _half_moon_problems(path)
    yield from _crescent_problems(path)


def _half_moon_problems(path: Path) -> Iterator[str]:
    try:
        line, lessons = load(path)
        yield from (f"the whole game: {problem}" for problem in line_problems(line))
        for name, lesson in lessons.items():
            yield from (f"{name}: {problem}" for problem in lesson_problems(lesson))
    except Mistake as mistake:
        yield str(mistake)
    except GaveUp:
        yield f"{name}: neither proved nor refuted within the search's bound"


def _crescent_problems(path: Path) -> Iterator[str]:
    try:
        line, lessons = load_crescent(path)
        found = crescent_examples.line_problems(line)
        yield from (f"Crescent, the whole game: {problem}" for problem in found)
        for name, lesson in lessons.items():
            found = crescent_examples.lesson_problems(name, lesson)
            yield from (f"Crescent, {name}: {problem}" for problem in found)
    except Mistake as mistake:
        yield f"Crescent: {mistake}"
