"""What can be measured without a browser: random games, diagrams, building the site."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Final

from _environment import ROOT, call
from halfmoon.games import GAMES

#: Plays whole random games, shuffle included, for some seconds; a game of Crescent ends after 300
#: moves at the latest, since cards can be moved to and fro. Run on both Pythons as it stands, and
#: with a little generator of its own, since the browser's library has no ``random``.
GAMES_A_SECOND: Final = """
def games_a_second(key, seconds):
    import time
    from halfmoon import deal_code
    from halfmoon.games import GAMES

    game, number, chance = GAMES[key], 0, 1
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        number += 1
        position = game.deal(deal_code.shuffle(game.starting_order, number))
        for _ in range(300):
            moves = game.legal_moves(position)
            if not moves:
                break
            chance = (chance * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            position = game.apply(position, moves[(chance >> 33) % len(moves)])
    return number / (time.perf_counter() - start)
"""
#: So many that what is kept of the first ones is gone when they come again.
DEALS: Final = 500
#: What under docs/ is no page.
NO_PAGES: Final = {"_data", "_templates", "assets", "locale", "overrides", "404.md"}


def games_a_second(seconds: float, rounds: int) -> dict[str, float]:
    """Complete random games a second on this Python, for each game; the median of some rounds."""
    names: dict[str, Callable[[str, float], float]] = {}
    exec(GAMES_A_SECOND, names)
    play = names["games_a_second"]
    return {key: median(play(key, seconds) for _ in range(rounds)) for key in GAMES}


def diagrams_a_second(seconds: float, rounds: int) -> dict[str, float]:
    """Our diagrams of many deals and python-chess's of its first position, turn by turn.

    Each deal is another one than those before it, so that no place has been drawn already.
    """
    import chess
    import chess.svg

    from halfmoon import deal_code, diagram, notation
    from halfmoon.languages import translator

    codes = [deal_code.make(GAMES["half_moon"].deal_format, number) for number in range(DEALS)]
    records, tr = cycle([notation.deal(str(code)) for code in codes]), translator("en")
    board = chess.Board()
    drawers: dict[str, Callable[[], object]] = {
        "half_moon": lambda: diagram.draw(next(records), tr, standalone=True),
        "chess": lambda: chess.svg.board(board),
    }
    found: dict[str, list[float]] = {name: [] for name in drawers}
    for _ in range(rounds):
        for name, draw in drawers.items():
            found[name].append(_a_second(draw, seconds))
    return {name: median(rates) for name, rates in found.items()}


def build_times(multiples: tuple[int, ...]) -> Iterator[tuple[int, int, float]]:
    """How often the pages are there, how many there are then, and the seconds a build takes."""
    for multiple in multiples:
        with tempfile.TemporaryDirectory() as folder:
            pages = _multiply(Path(folder), multiple)
            start = time.perf_counter()
            _build(Path(folder))
            yield multiple, pages, time.perf_counter() - start


def _a_second(work: Callable[[], object], seconds: float) -> float:
    count, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds or not count:
        work()
        count += 1
    return count / passed


def _multiply(folder: Path, multiple: int) -> int:
    """A project with all pages several times over; how many sources of pages it has."""
    shutil.copytree(ROOT / "docs", folder / "docs")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace("scripts/hooks.py", str(ROOT / "scripts" / "hooks.py"))
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    pages = [path for path in (ROOT / "docs").iterdir() if path.name not in NO_PAGES]
    for copy in range(1, multiple):
        into = folder / "docs" / f"copy-{copy}"
        into.mkdir()
        for page in pages:
            copied = shutil.copytree if page.is_dir() else shutil.copyfile
            copied(page, into / page.name)
    sources = (folder / "docs").rglob("*.md")
    return sum(not NO_PAGES & {*path.relative_to(folder / "docs").parts} for path in sources)


def _build(folder: Path) -> None:
    """Without --strict: the pages that are there again are in no menu."""
    environment = {"HALFMOON_WITHOUT_RUNTIME": "1", "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    call(
        *(sys.executable, "-m", "mkdocs", "build", "--no-strict"),
        failure="The pages could not be built several times over.",
        environment=environment,
        directory=folder,
        log="benchmark-pages",
    )
