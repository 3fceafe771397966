"""The census: its figures, how it goes on after an interruption, its players and its searches."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import crescent_search
import players
import verdicts
import worked_examples
from _environment import ROOT
from census_run import census, kept
from crescent_search import Beam, Search, find_win, moves_of
from halfmoon import notation
from halfmoon.games import GAMES
from halfmoon.games.crescent import CRESCENT, REDEAL
from halfmoon.games.half_moon import HALF_MOON
from strategies import codes, numbers, play_on, seeds
from surveys import SURVEYS, code_of, crescent_deal, position_of, share, shows_a_move, wilson

DEALS = 20
LINE = worked_examples.load_crescent()[0]
NO_FIRST_MOVE = ["HM1-N-H47ILLH", "HM1-N-UX6BIE2", "HM1-N-QAKIZCO"]
LOST_BY_FACES = "HM1-N-OQP6DDT"
LOST_BY_BOTH = "HM1-N-EUJ35WJ"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Surveys with small jobs, and with searches that soon give up."""
    for name, survey in SURVEYS.items():
        monkeypatch.setitem(SURVEYS, name, survey._replace(block=min(survey.block, 10)))
    quick = partial(crescent_deal, beams=[Beam(10), Beam(30)])
    monkeypatch.setitem(
        SURVEYS, "crescent.deals", SURVEYS["crescent.deals"]._replace(measure=quick)
    )
    monkeypatch.setattr(verdicts, "TRIES", ())
    monkeypatch.setattr(verdicts, "SHORT", 100)
    monkeypatch.setattr(verdicts, "LONG", 100)


def figures(folder: Path) -> dict[str, Any]:
    return {key: census(key, "scripts/census", folder, deals=DEALS) for key in GAMES}


@pytest.mark.usefixtures("small")
def test_an_interrupted_census_comes_to_the_same_figures(tmp_path: Path) -> None:
    once = figures(tmp_path)
    for path in tmp_path.iterdir():
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:9])
    assert figures(tmp_path) == once
    assert figures(tmp_path) == once


@pytest.mark.usefixtures("small")
def test_nothing_is_counted_twice(tmp_path: Path) -> None:
    figures(tmp_path)
    lines = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    figures(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == lines
    assert set(kept(tmp_path / "half_moon.deals.jsonl")) == set(range(DEALS))


@pytest.mark.usefixtures("small")
def test_the_figures_add_up(tmp_path: Path) -> None:
    of = figures(tmp_path)
    half_moon, crescent = of["half_moon"], of["crescent"]
    outcomes = [half_moon[outcome]["count"] for outcome in ("won", "lost", "open")]
    assert sum(outcomes) == half_moon["deals"] == DEALS
    assert crescent["won"]["count"] + crescent["open"]["count"] == crescent["deals"] == DEALS
    assert half_moon["lost_deals"]["deals"] == half_moon["lost"]["count"]
    assert crescent["mean_moves"] > 96
    assert 0 <= crescent["mean_redeals"] <= CRESCENT.redeals
    assert half_moon["players"]["tallest"]["won"]["low"] > 0


def test_the_command_works_on_several_cores_and_keeps_other_games(tmp_path: Path) -> None:
    data = tmp_path / "census.json"
    data.write_text('{"other": {}}', encoding="utf-8")
    options = ["--deals", "2", "--jobs", "2", "--data", str(data), "--kept", str(tmp_path)]
    command = [sys.executable, str(ROOT / "scripts" / "census"), "half_moon", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    of = json.loads(data.read_text(encoding="utf-8"))
    assert set(of) == {"other", "half_moon"}
    assert of["half_moon"]["command"] == "scripts/census half_moon --deals 2"
    assert "Half Moon, deals searched: [####################] 100%" in done.stdout


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_an_interval_is_wilsons(count: int, of: int, low: float, high: float) -> None:
    # The first four: R. G. Newcombe, "Two-sided confidence intervals for the single proportion".
    assert wilson(count, of) == pytest.approx((low, high), abs=0.00005)


def test_a_share_of_nothing_says_so() -> None:
    assert share(0, 0) == {"count": 0, "share": 0, "low": 0, "high": 1}


def test_every_census_looks_at_the_same_deals() -> None:
    assert [str(code_of(HALF_MOON, index)) for index in (0, 1)] == [
        "HM1-N-D7OXCKH",
        "HM1-N-NVSQE5T",
    ]
    assert len({code_of(CRESCENT, index) for index in range(1_000)}) == 1_000


@given(codes(HALF_MOON))
def test_a_first_move_is_seen_without_a_whole_shuffle(code: Any) -> None:
    assert shows_a_move(code) == HALF_MOON.has_move(position_of(HALF_MOON, code))


@pytest.mark.parametrize("code", NO_FIRST_MOVE)
def test_a_deal_without_a_first_move_is_seen(code: str) -> None:
    record = notation.deal(code)
    assert not record.legal_moves
    assert not shows_a_move(record.code)


def test_a_deal_can_be_lost_by_its_faces_alone() -> None:
    position = notation.deal(LOST_BY_FACES).position
    assert verdicts.verdict_on(position) == "lost"
    assert verdicts.refuted(position, [1], verdicts.QUICK) == "lost"
    without = verdicts.only(position, verdicts.NUMBER_RANKS)
    assert without.cards == 2 * HALF_MOON.pairs_to_win
    assert verdicts.verdict_on(without) == "won"


def test_a_deal_can_be_lost_by_several_kinds_of_cards_together() -> None:
    position = notation.deal(LOST_BY_BOTH).position
    assert verdicts.refuted(position, [1], verdicts.SHORT) == "open"
    assert verdicts.refuted(position, [2, 3], verdicts.SHORT) == "lost"


@given(numbers, seeds)
def test_the_beam_knows_the_moves_of_the_engine(number: int, seed: int) -> None:
    record = play_on(notation.deal(str(code_of(CRESCENT, number))), seed, 40)
    fans, tops = crescent_search.read(record.position)
    steps = {
        "-".join(CRESCENT.places[index] for index in step)
        for step in crescent_search.steps(fans, tops)
    }
    assert steps == set(record.legal_moves) - {REDEAL}


def test_the_beam_finds_a_game_that_the_engine_calls_won() -> None:
    moves = find_win(LINE.positions[0], [Beam(100)])
    assert moves is not None
    assert notation.replay(str(LINE.code), moves).outcome == "won"


def test_a_beam_that_is_too_narrow_finds_nothing() -> None:
    assert find_win(LINE.positions[0], [Beam(1)]) is None


def test_a_beam_knows_what_its_positions_are_worth() -> None:
    beam = Search(Beam(20))
    node = beam.find(LINE.positions[90])
    assert node is not None
    for step in node.path():
        mark, worth = beam._judged(step.fans, step.tops, step.redeals)
        assert (step.mark, step.worth) == (mark, worth)
        assert step.left == sum(map(len, step.fans))
    assert len(list(node.path())) == len(moves_of(node))


def test_a_card_whose_twin_is_at_home_goes_home() -> None:
    fans, tops = crescent_search.read(LINE.positions[127])
    source, goal = crescent_search.certain_step(fans, tops) or (None, None)
    assert (source, goal) == (CRESCENT.index("15"), CRESCENT.index("KD"))
    assert crescent_search.certain_step(*crescent_search.read(LINE.positions[0])) is None


def test_players_play_to_the_end() -> None:
    deals = [position_of(HALF_MOON, code_of(HALF_MOON, index)) for index in range(40)]
    thrifty = sum(players.spares_the_reserve(deal, 0) for deal in deals)
    assert sum(players.plays_anything(deal, 0) for deal in deals) < thrifty < len(deals)


def test_a_player_sends_every_card_home_at_once() -> None:
    late = LINE.positions[-4]
    assert players.sends_home(late, 0)
    assert not players.sends_home(LINE.positions[0], 0)


def test_a_player_steps_where_that_lets_a_card_go_home() -> None:
    fans, tops = crescent_search.read(LINE.positions[0])
    step = players._step_that_frees(fans, tops)
    assert step is not None
    record = LINE.game.apply(LINE.positions[0], crescent_search._move(step))
    source = CRESCENT.places[step[0]]
    assert any(
        move.startswith(f"{source}-") and CRESCENT.index(move.places[1]) >= CRESCENT.fans
        for move in CRESCENT.legal_moves(record)
        if move != REDEAL
    )
