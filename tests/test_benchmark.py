"""The benchmark runs and says what it found; how fast anything is, no test asserts."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

import _benchmark_python as measured
from _benchmark_server import SLOW_RATE, MeasuringServer
from _environment import ROOT
from halfmoon.games import GAMES


def benchmark(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "benchmark"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_prints_each_figure_and_whether_a_goal_is_met(tmp_path: Path) -> None:
    into = tmp_path / "figures.json"
    said = benchmark("--quick", "--only", "games", "--only", "diagrams", "--into", str(into))
    assert said.returncode == 0, said.stderr
    written = json.loads(into.read_text(encoding="utf-8"))
    assert {f"{key} games a second, CPython" for key in GAMES} <= written["figures"].keys()
    assert all(value > 0 for value in written["figures"].values())
    assert all(f"  {figure}: " in said.stdout for figure in written["figures"])
    for goal, met in written["goals"].items():
        assert f"{'met' if met else 'not met'}: {goal} is " in said.stdout
    assert written["quick"] is True
    assert {"processor", "cores", "python"} <= written["machine"].keys()


def test_an_unknown_measurement_is_refused() -> None:
    said = benchmark("--only", "luck")
    assert said.returncode == 2
    assert "luck" in said.stderr
    assert "Traceback" not in said.stderr


def test_games_are_counted_for_every_game() -> None:
    assert measured.games_a_second(0.01, 1).keys() == GAMES.keys()


def test_diagrams_are_drawn_in_turn_with_python_chess() -> None:
    rates = measured.diagrams_a_second(0.01, 1)
    assert rates.keys() == {"half_moon", "chess"}
    assert min(rates.values()) > 0


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:
        content: bytes = answer.read()
        return content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        (tmp_path / f"{name}.bin").write_bytes(name.encode() * 100_000)
    return tmp_path


def test_what_is_sent_is_counted_by_path(folder: Path) -> None:
    with MeasuringServer(folder) as server:
        assert fetch(f"{server.address}a.bin") == b"a" * 100_000
        fetch(f"{server.address}b.bin")
    assert (server.bytes_of("a.bin"), server.bytes_of("")) == (100_000, 200_000)


def test_a_slow_line_is_shared_by_all_connections(folder: Path) -> None:
    """Never faster than the line; how much slower depends on the machine."""
    with MeasuringServer(folder, slow=True) as server:
        start = time.monotonic()
        both = [
            threading.Thread(target=fetch, args=(f"{server.address}{name}.bin",)) for name in "ab"
        ]
        for one in both:
            one.start()
        for one in both:
            one.join()
    assert time.monotonic() - start >= 200_000 / SLOW_RATE
