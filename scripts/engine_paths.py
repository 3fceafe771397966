"""Goes every way through the engine: each message, game and language, and what is refused.

The standard library for the browser is trimmed to what this needs, and tried with this in the end.
So that it runs there too, it needs nothing but the engine. As a program, it is given the folder
the engine lies in, and prints the name of every module that has been imported on the way.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

#: So many moves of a game that everything in it has been seen: pairs, triples, redeals.
MOVES = 12
#: How many moves are made by taps, which is slow: of a deal of Half Moon all of them.
TAPPED_MOVES = 48
#: How far apart two places are that are tapped one after the other.
APART = (0, 1, 7)
REFUSED: tuple[object, ...] = (
    {"open": "HM1-N-AAAAAA1"},
    {"open": "HM1-N"},
    {"open": "ZZ9-N-AAAAAAB"},
    {"open": "HM1-N-AAAAAAB/1-2"},
    {"open": "CR1-N-AAAAAAB/x"},
    {"open": "x" * 30_000},
    {"day": {"game": "half_moon", "date": "yesterday"}},
    {"new": {"game": "chess", "chance": "ff"}},
    {"new": {"game": "half_moon", "chance": "much"}},
    {"settings": {"indices": "runes"}},
    {"tap": "99"},
    {"drag": "1"},
    {"play": "1-1-1-1"},
    {"go": 10_000},
    {"diagram": {"text": "HM1-N-AAAAAAB 1-2"}},
    {"diagram": "HM1-N-AAAAAAB"},
    {"no such verb": True},
    "not an object",
)


def source() -> str:
    """The text of this module but for its being a program, to be run in the browser's Python."""
    from pathlib import Path  # which the browser's library does not have

    return Path(__file__).read_text(encoding="utf-8").partition("\nif __name__")[0]


def go_every_way() -> set[str]:
    """Play every game in every language. Returns every verb that was sent."""
    from halfmoon.games import GAMES
    from halfmoon.languages import LANGUAGES

    verbs = {_verb(message) for game in GAMES.values() for message in _say(_taps(game), "en")[0]}
    for language in LANGUAGES:
        for game in GAMES.values():
            said, table = _say(messages(game), language)
            verbs |= {_verb(message) for message in said}
            _draw(game, table)
    _leave_behind()
    gc.collect()
    return verbs


def _leave_behind() -> None:
    """Leave behind a name made just now, and things that hold themselves, one of each kind.

    An error holds what went before it in such a loop. Python takes it apart in the middle of
    anything, and which thing it begins with is chance.
    """
    sys.intern("".join(("left", "behind")))
    listed: list[object] = []
    named: dict[str, object] = {}
    unordered: set[object] = set()
    listed.append(listed)
    named["self"] = named

    class Holder:
        everything: object

        def __init__(self) -> None:
            self.everything = (self, unordered, lambda: self)

    unordered.add(Holder())


def _say(said: Iterable[Any], language: str) -> tuple[list[Any], Any]:
    """Messages to one table, answered one by one: what was said in the end, and the table."""
    from halfmoon import view

    table, given = view.new_table(language), []
    for message in said:
        given.append(message(table) if callable(message) else message)
        table, _ = view.answer(table, json.dumps(given[-1]))
    return given, table


def _code(game: Any) -> str:
    from halfmoon import deal_code

    return str(deal_code.make(game.deal_format, 1))


def messages(game: Any) -> Iterator[Any]:
    """Every kind of message; one that depends on those before it is a function of the table."""
    code = _code(game)
    yield {"tap": game.places[0]}
    yield {"open": code}
    for move_errors in (False, True):
        yield {"settings": {"move_errors": move_errors, "matching_help": move_errors}}
        for place in game.places:
            yield {"tap": place}
    for place in game.places:
        yield {"send": place}
    yield {"drag": [game.places[0], game.places[1]]}
    for _ in range(MOVES):
        yield lambda table: {"preview": _first_move(table)}
        yield lambda table: {"play": _first_move(table)}
        yield {"look_ahead": True}
    yield from ({"play": word} for word in game.spoken)
    for verb in ("moves", "undo", "undo", "redo", "moves", "restart", "undo", "redo"):
        yield {verb: True}
    yield from ({"go": count} for count in (5, 4, 5, 0))
    yield lambda table: {"open": _whole_game(table)}
    yield {"new": {"game": game.key, "chance": "123456789abcdef0"}}
    yield {"day": {"game": game.key, "date": "2027-01-01"}}
    yield from REFUSED
    for layout in game.layouts:
        for indices in ("international", "french", "local"):
            looks = {"layout": layout, "indices": indices}
            yield {"settings": looks}
            yield {"diagram": {"text": code, "next": "1-8", **looks}}


def _taps(game: Any) -> Iterator[Any]:
    """Pairs of places that fit, that are refused, that are the same; then a deal, tap by tap."""
    yield {"open": _code(game)}
    places = game.places
    for move_errors in (False, True):
        yield {"settings": {"move_errors": move_errors, "matching_help": move_errors}}
        for apart in APART:
            for at, place in enumerate(places):
                yield {"tap": place}
                yield {"tap": places[(at + apart) % len(places)]}
    yield {"open": _code(game)}
    yield from TAPPED_MOVES * 3 * [_tap_of_a_move]
    for verb in ("undo", "undo", "redo", "moves", "look_ahead"):
        yield {verb: True}


def _tap_of_a_move(table: Any) -> Any:
    """The tap on one place of the last legal move; something harmless where there is none."""
    if table.session is None or not table.session.record.legal_moves:
        return {"look_ahead": True}
    selected = len(table.session.selection)
    *_, move = table.session.record.legal_moves
    if move in table.session.game.spoken:
        return {"play": move}
    return {"tap": move.places[selected]} if selected < len(move.places) else {"moves": True}


def _first_move(table: Any) -> str:
    return str(next(iter(table.session.record.legal_moves), "1"))


def _whole_game(table: Any) -> str:
    from halfmoon import notation

    return notation.print_link(table.session.code, table.session.moves)


def _verb(message: object) -> str:
    return next(iter(message)) if isinstance(message, dict) else ""


def _draw(game: Any, table: Any) -> None:
    """Diagrams as files of their own, and where their places lie."""
    from halfmoon import diagram
    from halfmoon.languages import translator

    for layout in game.layouts:
        record, tr = table.session.record, translator(table.language)
        diagram.draw(record, tr, standalone=True, layout=layout)
        diagram.boxes(game, layout)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    go_every_way()
    print("\n".join(sorted(sys.modules)))
