"""The ``halfmoon`` command: deals, games, alternative texts and diagrams from a terminal."""

import argparse
import io
import json
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NoReturn

from halfmoon import deal_code, notation, picture, words
from halfmoon.diagram import Marks, draw, size
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES, SOURCE_LANGUAGE, translator
from halfmoon.mistake import Mistake, shown
from halfmoon.notation import Record

FAILED = 2
LONGEST_COMPLAINT = 1000
"""In characters."""
FROM_STANDARD_INPUT = "-"
PNG = ".png"
SHARPNESS = 2
"""Pixels of a PNG for each unit of the drawing, so that it is sharp on every screen."""


class CommandMistake(Mistake):
    """A command that cannot be carried out as it was given."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one plain line."""

    def error(self, message: str) -> NoReturn:
        _complain(f"{message} (see {self.prog} --help)")
        raise SystemExit(FAILED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status: 0, or 2 where the input was bad."""
    try:
        if sys.stdout is None:
            raise CommandMistake("Standard output is closed.")
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Polish fits in no terminal's own encoding but this one.
            sys.stdout.reconfigure(encoding="utf-8", errors="replace")
        options = _parse(arguments)
        options.run(options)
        sys.stdout.flush()
    except Mistake as mistake:
        _complain(str(mistake))
        return FAILED
    except BrokenPipeError:
        _give_up_output()  # whoever was reading has had enough
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _give_up_output()
        _complain(str(error))
        return FAILED
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; moves may stand behind an option, where argparse would not look for them."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    stray = [text for text in rest if text.startswith("-") or not options.takes_moves]
    if stray:
        parser.error(f"unrecognized arguments: {' '.join(stray)}")
    options.moves += rest
    return options


def _give_up_output() -> None:
    """Let what is left unwritten vanish, so that it does not raise once more at exit."""
    with suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> None:
    print(f"halfmoon: {shown(message, LONGEST_COMPLAINT)}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="halfmoon", description="Patience games by deal code.")
    parser.set_defaults(moves=[], takes_moves=False)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    deal = commands.add_parser("deal", help="show a deal")
    deal.set_defaults(run=_deal)

    play = commands.add_parser("play", help="make moves in a deal; with - read games from stdin")
    play.set_defaults(run=_play)

    describe = commands.add_parser("describe", help="say a position in words")
    describe.set_defaults(run=_describe)

    drawing = commands.add_parser("diagram", help="draw a position as SVG or PNG")
    drawing.set_defaults(run=_diagram)
    drawing.add_argument("--indices", default="local", metavar="|".join(words.INDICES))
    drawing.add_argument("--layout", metavar="LAYOUT", help="another layout that the game has")
    drawing.add_argument("--next", metavar="MOVE", help="mark the cards of the move to come")
    drawing.add_argument(
        "-o", dest="file", metavar="FILE", help="deal.svg, or deal.png (default: SVG to stdout)"
    )
    drawing.add_argument(
        "--width", type=int, metavar="PIXELS", help="how wide the PNG is (default: twice the SVG)"
    )

    for command in (deal, play, describe, drawing):
        command.add_argument("code", metavar="CODE", help="a deal code, such as HM1-N-AAAAAAB")
    for command in (play, describe, drawing):
        command.set_defaults(takes_moves=True)
        command.add_argument("moves", metavar="MOVE", nargs="*", help="a move, such as 1-8")
    for command in (describe, drawing):
        command.add_argument("--lang", default=SOURCE_LANGUAGE, metavar="|".join(LANGUAGES))
    for command in (deal, play):
        command.add_argument("--json", action="store_true", help="write JSON")

    new = commands.add_parser("new", help="print the code of a deal picked by chance")
    new.add_argument("game", metavar="GAME", help="one of: " + ", ".join(GAMES))
    new.add_argument("--day", metavar="YYYY-MM-DD", help="the deal of that day instead")
    new.set_defaults(run=_new)

    commands.add_parser("games", help="list the games").set_defaults(run=_games)
    return parser


def _deal(options: argparse.Namespace) -> None:
    _show(notation.deal(options.code), options.json)


def _play(options: argparse.Namespace) -> None:
    if options.code == FROM_STANDARD_INPUT:
        _play_all(options.moves)
    else:
        _show(notation.replay(options.code, options.moves), options.json)


def _describe(options: argparse.Namespace) -> None:
    record = notation.replay(options.code, options.moves)
    print(words.alternative_text(record.game, record.position, translator(options.lang)))


def _diagram(options: argparse.Namespace) -> None:
    record = notation.replay(options.code, options.moves)
    layout = _layout(record, options.layout)
    marked = record.after(options.next).moves[-1].places if options.next else ()
    svg = draw(
        record,
        translator(options.lang),
        indices=options.indices,
        layout=layout,
        marks=Marks(selected=marked),
        standalone=True,
    )
    if (options.file or "").lower().endswith(PNG):
        width, _ = size(record.game.layouts[layout])
        chosen = round(SHARPNESS * width) if options.width is None else options.width
        Path(options.file).write_bytes(picture.png(svg, chosen))
    elif options.width is not None:
        raise CommandMistake("--width is for a PNG: add -o with a name that ends in .png.")
    else:
        _write(svg + "\n", options.file)


def _layout(record: Record, name: str | None) -> str:
    layouts = record.game.layouts
    if name is None:
        return next(iter(layouts))
    if name not in layouts:
        raise CommandMistake(
            "{game} has no layout “{name}”. Its layouts are: {names}.",
            game=record.game.name,
            name=shown(name),
            names=", ".join(layouts),
        )
    return name


def _write(text: str, file: str | None) -> None:
    if file is None:
        sys.stdout.write(text)
    else:
        Path(file).write_text(text, encoding="utf-8")


def _new(options: argparse.Namespace) -> None:
    game = notation.game_named(options.game)
    if options.day is None:
        number = secrets.randbelow(deal_code.DEALS)
    else:
        number = deal_code.number_of_day(_day(options.day))
    print(deal_code.make(game.deal_format, number))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise CommandMistake(
            "“{text}” is not a day. A day looks like 2027-01-01.", text=shown(text)
        ) from None


def _games(_: argparse.Namespace) -> None:
    for key in GAMES:
        print(key)


def _play_all(moves: Sequence[str]) -> None:
    if moves:
        raise CommandMistake("With - the moves come from standard input, not from the command.")
    if sys.stdin is None:
        raise CommandMistake("Standard input is closed.")
    sys.stdout.writelines(_play_lines(sys.stdin.buffer))


def _play_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """One line of JSON for each line, which is a code and moves; a bad line says what is wrong."""
    for number, line in enumerate(lines, 1):
        try:
            code, *moves = line.decode("utf-8", "replace").split() or [""]
            answer = as_json(notation.replay(code, moves))
        except Mistake as mistake:
            answer = {"line": number, "error": str(mistake)}
        yield json.dumps(answer, ensure_ascii=False) + "\n"


def _show(record: Record, as_data: bool) -> None:
    print(json.dumps(as_json(record)) if as_data else as_text(record))


def as_json(record: Record) -> dict[str, object]:
    """A record as plain data: cards as ``10H``, each pile from the bottom card up."""
    redeals = {"redeals": record.position.redeals} if record.game.redeals else {}
    return {
        "code": str(record.code),
        "game": record.game.key,
        "moves": list(record.moves),
        "piles": {
            place: [str(card) for card in pile]
            for place, pile in zip(record.game.places, record.position.piles, strict=True)
        },
        "score": record.score,
        "move_count": record.move_count,
        "outcome": record.outcome,
        "legal": list(record.legal_moves),
        **redeals,
    }


def _redeals(record: Record) -> str:
    return f", redeals left {record.position.redeals}" if record.game.redeals else ""


def as_text(record: Record) -> str:
    """A record for a terminal: what lies where, each pile from the bottom card up."""
    places = record.game.places
    width = max(map(len, places))
    piles = zip(places, record.position.piles, strict=True)
    table = [f"{place:>{width}}  {' '.join(map(str, pile)) or '-'}" for place, pile in piles]
    facts = [
        f"{record.game.name}, {record.code}",
        f"score {record.score}, moves {record.move_count}, {record.outcome}" + _redeals(record),
        "legal: " + (" ".join(record.legal_moves) or "-"),
    ]
    return "\n".join([facts[0], *table, *facts[1:]])
