"""The whole game and the lessons that pages show hold what they claim, and so does the search."""

import json
from pathlib import Path
from typing import Any

import pytest

import crescent_examples
import worked_examples
from halfmoon import notation
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.position import Position
from strategies import play_on
from win_search import GaveUp, find_win, is_blocked, table_of
from worked_examples import FIRST_MOVES, Lesson

LINE, LESSONS = worked_examples.load()
CRESCENT_LINE, CRESCENT_LESSONS = worked_examples.load_crescent()


def changed(tmp_path: Path, **entries: Any) -> Path:
    """A copy of the kept examples in which some entries are different."""
    path = tmp_path / "examples.json"
    data = json.loads(worked_examples.DATA.read_text(encoding="utf-8"))
    path.write_text(json.dumps(data | entries), encoding="utf-8")
    return path


def can_be_won(position: Position, lost: set[Position]) -> bool:
    """The plainest search there is: every move, no shortcut."""
    if HALF_MOON.is_won(position):
        return True
    if position in lost:
        return False
    following = (HALF_MOON.apply(position, move) for move in HALF_MOON.legal_moves(position))
    won = any(can_be_won(after, lost) for after in following)
    if not won:
        lost.add(position)
    return won


def test_the_whole_game_is_won_and_begins_as_published() -> None:
    assert not list(worked_examples.line_problems(LINE))
    assert LINE.moves[: len(FIRST_MOVES)] == FIRST_MOVES
    assert LINE.move_count == HALF_MOON.moves_to_win
    assert LINE.score == HALF_MOON.winning_score


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_proved(name: str) -> None:
    assert not list(worked_examples.lesson_problems(LESSONS[name]))


def test_a_game_that_is_not_won_is_reported(tmp_path: Path) -> None:
    path = changed(tmp_path, half_moon={"code": str(LINE.code), "moves": "1-8"})
    assert list(worked_examples.problems(path)) == [
        "the whole game: after the last move the outcome is playing, not won",
        "the whole game: it does not begin with 1-8 8-5-3",
    ]


def test_an_illegal_move_is_reported(tmp_path: Path) -> None:
    path = changed(tmp_path, half_moon={"code": str(LINE.code), "moves": "1-8 1-8"})
    (problem,) = worked_examples.problems(path)
    assert problem.startswith("Move 2, 1-8, cannot be made.")


def test_a_false_claim_is_reported() -> None:
    true = LESSONS["spare_reserve"]
    false = true._replace(next=true.tempting[0], tempting=(true.next,))
    assert list(worked_examples.lesson_problems(false)) == [
        f"{false.next} does not win",
        f"{true.next} does not lose",
    ]


def test_taking_back_more_than_needed_is_reported() -> None:
    stuck = LESSONS["stuck"]
    lesson = Lesson(stuck.code, stuck.moves, stuck.undo + 1, "2-7", ())
    assert list(worked_examples.lesson_problems(lesson)) == [
        "it can be won with 1 moves taken back"
    ]


@pytest.mark.parametrize("seed", range(40))
def test_the_search_agrees_with_trying_every_move(seed: int) -> None:
    late = LINE._replace(moves=LINE.moves[:36], positions=LINE.positions[:37])
    position = play_on(late, seed, 3).position
    assert (find_win(position) is not None) == can_be_won(position, set())


def test_the_search_finds_moves_that_win() -> None:
    moves = find_win(LINE.positions[len(FIRST_MOVES)])
    assert moves is not None
    assert notation.replay(str(LINE.code), [*FIRST_MOVES, *moves]).outcome == "won"


def test_the_search_gives_up_at_its_bound() -> None:
    with pytest.raises(GaveUp):
        find_win(LINE.positions[0], tries=lambda table: -table.shown, enough=5)


def test_a_pile_whose_only_partners_lie_below_is_blocked() -> None:
    trap = LESSONS["trapped_partner"]
    record = notation.replay(trap.code, trap.moves)
    assert not is_blocked(table_of(record.position))
    assert is_blocked(table_of(record.after(trap.tempting[0]).position))


def test_kept_lessons_stay_when_a_line_is_kept(tmp_path: Path) -> None:
    path = changed(tmp_path, half_moon={})
    worked_examples.keep(LINE, path)
    assert path.read_bytes() == worked_examples.DATA.read_bytes()


def test_the_whole_game_of_crescent_shows_what_it_is_there_for() -> None:
    assert not list(crescent_examples.line_problems(CRESCENT_LINE))
    assert CRESCENT_LINE.move_count <= 150


def test_the_whole_game_of_crescent_is_found_again() -> None:
    found = crescent_examples.find_line()
    assert found is not None
    assert found.moves == CRESCENT_LINE.moves


@pytest.mark.parametrize("name", CRESCENT_LESSONS)
def test_a_lesson_of_crescent_is_proved(name: str) -> None:
    assert not list(crescent_examples.lesson_problems(name, CRESCENT_LESSONS[name]))


def test_every_claim_has_its_lesson() -> None:
    assert set(CRESCENT_LESSONS) == set(crescent_examples.CLAIMS)


@pytest.mark.parametrize("name", CRESCENT_LESSONS)
def test_a_lesson_of_crescent_does_not_fit_another_claim(name: str) -> None:
    other = "stuck" if name != "stuck" else "to_and_fro"
    problems = crescent_examples.lesson_problems(other, CRESCENT_LESSONS[name])
    assert "it does not show what it is there for" in problems


def test_a_tempting_move_that_spoils_nothing_is_reported() -> None:
    lesson = CRESCENT_LESSONS["king_and_ace"]
    lesson = lesson._replace(next="2-14", then=lesson.next, tempting=("2-14",))
    problems = crescent_examples.lesson_problems("king_and_ace", lesson)
    assert "11-7 can be made after 2-14 too" in problems


def test_a_needless_move_is_reported() -> None:
    moves = [*CRESCENT_LINE.moves[:39], "AC-KC", "KC-AC", *CRESCENT_LINE.moves[39:]]
    line = notation.replay(str(CRESCENT_LINE.code), moves)
    problems = list(crescent_examples.line_problems(line))
    assert "it is won without move 40 too, a transfer" in problems


def test_a_game_of_crescent_that_is_cut_short_is_reported(tmp_path: Path) -> None:
    moves = " ".join(CRESCENT_LINE.moves[:38])
    path = changed(tmp_path, crescent={"code": str(CRESCENT_LINE.code), "moves": moves})
    assert list(worked_examples.problems(path)) == [
        "Crescent, the whole game: after the last move the outcome is playing, not won",
        "Crescent, the whole game: it does not show more than one redeal",
        "Crescent, the whole game: it does not show a transfer",
        "Crescent, the whole game: it does not show a return",
    ]


def test_an_illegal_move_of_crescent_is_reported(tmp_path: Path) -> None:
    path = changed(tmp_path, crescent={"code": str(CRESCENT_LINE.code), "moves": "1-2"})
    (problem,) = worked_examples.problems(path)
    assert problem.startswith("Crescent: Move 1, 1-2, cannot be made.")
