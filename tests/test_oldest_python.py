"""The oldest Python that the engine promises, and any hash seed, gives the very same results."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import _environment
from halfmoon import cli, deal_code, notation
from halfmoon.deal_code import DEALS
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES
from strategies import EDGES, play_on

ENGINE: Final = Path(__file__).parent.parent / "engine"
GAMES_TO_PLAY: Final = 300


@pytest.fixture(scope="module")
def oldest_python() -> str:
    """A Python of the oldest supported version; a missing one fails, it does not skip."""
    version = _environment.OLDEST_PYTHON
    found = _environment.find_python(version)
    assert found, f"Python {version} is needed to test that the engine runs on it"
    return found


def run(python: str, *arguments: str, typed: str = "", seed: str = "0") -> str:
    """What the command prints under another Python."""
    return subprocess.run(
        [python, "-W", "error", "-m", "halfmoon", *arguments],
        input=typed,
        env={"PYTHONPATH": str(ENGINE), "PYTHONHASHSEED": seed},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout


def games_in_progress() -> Iterator[notation.Record]:
    """The same few hundred games at every run, from all deals and of all lengths."""
    chance = random.Random("the oldest Python")
    for at in range(GAMES_TO_PLAY):
        for game in GAMES.values():
            number = EDGES[at] if at < len(EDGES) else chance.randrange(DEALS)
            start = notation.deal(str(deal_code.make(game.deal_format, number)))
            yield play_on(start, at, at_most=chance.randrange(60))


@pytest.mark.parametrize("seed", ["0", "1"])
def test_hundreds_of_games_come_out_the_same(oldest_python: str, seed: str) -> None:
    records = list(games_in_progress())
    typed = "".join(f"{record.code} {' '.join(record.moves)}\n" for record in records)
    printed = run(oldest_python, "play", "-", typed=typed, seed=seed).splitlines()
    assert [json.loads(line) for line in printed] == [cli.as_json(record) for record in records]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_and_diagrams_come_out_the_same(
    oldest_python: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in GAMES.values():
        record = play_on(notation.deal(str(deal_code.make(game.deal_format, 1))), 1, at_most=20)
        for command in ("describe", "diagram"):
            arguments = [command, str(record.code), *record.moves, "--lang", language]
            assert cli.main(arguments) == 0
            assert run(oldest_python, *arguments) == capsys.readouterr().out
