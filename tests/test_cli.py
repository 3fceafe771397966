"""The `halfmoon` command: what it prints, and how plainly it says what is wrong."""

import io
import json
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest import mock
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import model
from halfmoon import cli, notation, words
from halfmoon.games import GAMES
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.languages import LANGUAGES, translator
from halfmoon.notation import Record
from halfmoon.words import INDICES
from strategies import FOREIGN, numbers, records

EXAMPLE: Final = "HM1-N-AAAAAAB"
ENGINE: Final = Path(__file__).parent.parent / "engine"
SHAPE: Final = ["code", "game", "moves", "piles", "score", "move_count", "outcome", "legal"]


class Ran(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        return dict(json.loads(self.out))

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: str, typed: bytes = b"") -> Ran:
    """Run the command in this process, as `python -m halfmoon` would."""
    out, err = io.BytesIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="ascii")
    stdout = io.TextIOWrapper(out, encoding="ascii")
    with redirect_stdout(stdout), redirect_stderr(err), mock.patch.object(sys, "stdin", stdin):
        try:
            status = cli.main(arguments)
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        stdout.flush()
    return Ran(status, out.getvalue().decode(), err.getvalue())


def shell(command: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell, where `halfmoon` is the command."""
    script = f'halfmoon() {{ "{sys.executable}" -m halfmoon "$@"; }}; {command}'
    environment = {"PYTHONPATH": str(ENGINE), "PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    return subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, encoding="utf-8",
        timeout=60, check=False, **more,
    )  # fmt: skip


def assert_refused(ran: Ran, *named: str) -> None:
    """Nothing printed, one plain line of complaint, status 2."""
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("halfmoon: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert ran.err[:-1].isprintable()
    for part in named:
        assert part in ran.err


# --- deal and play ---


def test_deal_as_json_has_just_the_promised_shape() -> None:
    data = run("deal", EXAMPLE, "--json").data
    assert list(data) == SHAPE
    assert (data["code"], data["game"], data["moves"]) == (EXAMPLE, "half_moon", [])
    assert (data["score"], data["move_count"], data["outcome"]) == (0, 0, "playing")
    assert list(data["piles"]) == list(HALF_MOON.places)
    assert data["piles"] == model.dealt(1)
    assert {frozenset(move.split("-")) for move in data["legal"]} == model.legal(model.dealt(1))


def test_play_as_json_after_the_published_moves() -> None:
    data = run("play", EXAMPLE, "8-1", "3-8-5", "--json").data
    assert list(data) == SHAPE
    assert data["moves"] == ["1-8", "8-5-3"]
    assert (data["score"], data["move_count"], data["outcome"]) == (25, 2, "playing")
    assert data["piles"]["1"][-1] == "7H"


def test_every_place_is_present_and_an_emptied_one_is_an_empty_list() -> None:
    piles = run("play", EXAMPLE, "2-R1", "--json").data["piles"]
    assert list(piles) == list(HALF_MOON.places)
    assert piles["R1"] == []


def test_a_carelessly_written_code_comes_back_canonical() -> None:
    assert run("deal", "hm1 n aaaaaa8", "--json").data["code"] == EXAMPLE


@given(numbers)
def test_any_deal_is_what_the_written_shuffle_says(number: int) -> None:
    data = run("deal", model.code_of(number), "--json").data
    assert data["piles"] == model.dealt(number)


@given(records())
def test_any_game_comes_out_as_it_was_played(record: Record) -> None:
    data = run("play", str(record.code), *record.moves, "--json").data
    left = {"redeals": record.position.redeals} if record.game.redeals else {}
    assert set(data) == {*SHAPE, *left}
    assert {name: data[name] for name in left} == left
    assert data["moves"] == list(record.moves)
    assert data["score"] == record.score
    assert data["legal"] == list(record.legal_moves)
    assert data["outcome"] == record.outcome


@given(records())
def test_for_people_every_place_has_its_line(record: Record) -> None:
    game, code = record.game, str(record.code)
    ran = run("play", code, *record.moves)
    rows = [line.split() for line in ran.out.splitlines()]
    assert [row[0] for row in rows[1 : 1 + len(game.places)]] == list(game.places)
    assert rows[0][-1] == code
    assert record.moves or ran == run("deal", code)
    assert "legal: " in ran.out
    assert ran.status == 0


# --- play - ---


def test_play_reads_a_game_a_line_and_answers_a_line_each() -> None:
    ran = run("play", "-", typed=b"HM1-N-AAAAAAB 1-8 8-5-3\nhm1naaaaaac\n")
    assert ran.status == 0
    assert [line["code"] for line in ran.lines] == [EXAMPLE, "HM1-N-AAAAAAC"]
    assert ran.lines[0] == run("play", EXAMPLE, "1-8", "8-5-3", "--json").data


def test_a_bad_line_says_which_and_why_and_the_rest_goes_on() -> None:
    typed = b"HM1-N-AAAAAA1\nHM1-N-AAAAAAB 1-8 1-8\n\nHM1-N-AAAAAAB \xff\nHM1-N-AAAAAAB 1-8\n"
    ran = run("play", "-", typed=typed)
    assert (ran.status, ran.err) == (0, "")
    *bad, good = ran.lines
    assert [list(line) for line in bad] == [["line", "error"]] * 4
    assert [line["line"] for line in bad] == [1, 2, 3, 4]
    assert "“1”" in bad[0]["error"]
    assert bad[1]["error"].startswith("Move 2, 1-8, ")
    assert "no deal code" in bad[2]["error"]
    assert bad[3]["error"].startswith("Move 1")
    assert good["score"] == 10


def test_the_last_line_needs_no_end_and_windows_ends_do_no_harm() -> None:
    ran = run("play", "-", typed=b"HM1-N-AAAAAAB 1-8\r\nHM1-N-AAAAAAB 1-8")
    assert [line["score"] for line in ran.lines] == [10, 10]


def test_no_line_gives_no_line() -> None:
    assert run("play", "-") == (0, "", "")


games_typed = st.lists(
    st.binary(max_size=30)
    | st.binary(max_size=12).map(b"HM1-N-AAAAAAB ".__add__)
    | st.sampled_from([b"HM1-N-AAAAAAB 1-8", b"HM1-N-AAAAAAB 1-8 8-5-3 r1-2", b"\xf0\x9f HM"]),
    max_size=8,
).map(lambda lines: [line.replace(b"\n", b" ") for line in lines])


@given(games_typed)
def test_whatever_is_typed_each_line_is_answered_by_one_json_object(lines: list[bytes]) -> None:
    ran = run("play", "-", typed=b"".join(line + b"\n" for line in lines))
    assert (ran.status, ran.err) == (0, "")
    answers = [json.loads(line) for line in ran.out.removesuffix("\n").split("\n") if line]
    assert len(answers) == len(lines)
    for number, answer in enumerate(answers, 1):
        assert list(answer) == SHAPE or (list(answer) == ["line", "error"] == [*answer])
        assert answer.get("line", number) == number


def test_thousands_of_games_a_minute() -> None:
    typed = f"{EXAMPLE} 1-8 8-5-3 5-9 5-6 6-5-12 2-10 7-10 8-12 1-10 3-12\n" * 500
    began = time.monotonic()
    ran = shell("halfmoon play -", input=typed)
    assert len(ran.stdout.splitlines()) == 500
    assert time.monotonic() - began < 15


# --- describe and diagram ---


@pytest.mark.parametrize("link", [f"{EXAMPLE}/1-8", "CR1-N-AAAAAAB/3-KC.redeal"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_describe_prints_the_alternative_text(language: str, link: str) -> None:
    record = notation.parse_link(link)
    ran = run("describe", str(record.code), *record.moves, "--lang", language)
    text = words.alternative_text(record.game, record.position, translator(language))
    assert ran == (0, f"{text}\n", "")


def test_describe_speaks_english_unless_told_otherwise() -> None:
    assert run("describe", EXAMPLE) == run("describe", EXAMPLE, "--lang", "en")


@pytest.mark.parametrize("indices", INDICES)
def test_diagram_writes_a_picture_to_a_file(indices: str, tmp_path: Path) -> None:
    file = tmp_path / "deal.svg"
    ran = run("diagram", EXAMPLE, "1-8", "--lang", "nl", "--indices", indices, "-o", str(file))
    assert ran == (0, "", "")
    svg = ElementTree.fromstring(file.read_bytes())
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    letter = {"local": "B", "international": "J", "french": "V"}[indices]
    assert f'data-index="{letter}"' in file.read_text(encoding="utf-8")


def test_diagram_prints_the_picture_where_no_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "deal.svg"
    run("diagram", EXAMPLE, "--lang", "pl", "-o", str(file))
    assert run("diagram", EXAMPLE, "--lang", "pl").out == file.read_text(encoding="utf-8")


# --- new and games ---


@pytest.mark.parametrize("key", GAMES)
def test_new_prints_a_fresh_code(key: str) -> None:
    codes = [run("new", key).out.rstrip("\n") for _ in range(3)]
    assert len(set(codes)) == 3
    for code in codes:
        game, read = notation.parse_code(code)
        assert (game.key, str(read)) == (key, code)


def test_games_lists_them() -> None:
    assert run("games") == (0, "".join(f"{key}\n" for key in GAMES), "")


# --- what is wrong ---


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "COMMAND"),
        (["dance"], "dance"),
        (["deal"], "CODE"),
        (["deal", ""], "no deal code"),
        (["deal", "-"], "no deal code"),
        (["deal", "HM1-N-AAAAAA1"], "“1”"),
        (["deal", "HM1-N-AAAAAAB", "1-8"], "1-8"),
        (["deal", "HM1-N-AAAAAAB", "--yaml"], "--yaml"),
        (["play", "HM1-N-AAAAAAB", "1-8", "1-8"], "Move 2, 1-8"),
        (["play", "HM1-N-AAAAAAB", "1-8 8-5-3"], "Move 1"),
        (["play", "HM1-N-AAAAAAB", ""], "Move 1"),
        (["play", "HM1-N-AAAAAAB", "one\ntwo"], "one"),
        (["describe", "HM1-N-AAAAAAB", "--lang", "de"], "“de”"),
        (["describe", "HM1-N-AAAAAAB", "--lang", "../pl"], "“../pl”"),
        (["describe", "HM1-N-AAAAAAB", "--lang"], "--lang"),
        (["diagram", "HM1-N-AAAAAAB", "--indices", "german"], "“german”"),
        (["diagram", "HM1-N-AAAAAAB", "--indices", "a\nb\x1b[1m"], "indices"),
        (["diagram", "HM1-N-AAAAAAB", "-o", ""], "directory"),
        (["new"], "GAME"),
        (["new", "chess"], "“chess”"),
        (["games", "half_moon"], "half_moon"),
        (["play", "HM1-N-\udcff"], "cannot stand"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_status_2(arguments: list[str], named: str) -> None:
    assert_refused(run(*arguments), named)


def test_a_file_that_cannot_be_written_is_said_by_name(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "deal.svg")
    assert_refused(run("diagram", EXAMPLE, "-o", nowhere), nowhere)
    assert_refused(run("diagram", EXAMPLE, "-o", str(tmp_path)), str(tmp_path))


def test_a_bad_code_leaves_no_file_behind(tmp_path: Path) -> None:
    file = tmp_path / "deal.svg"
    assert_refused(run("diagram", "HM1-N-AAAAAA1", "-o", str(file)))
    assert not file.exists()


words_typed = st.sampled_from(
    ["", *"deal play describe diagram new games - -- -h --json --j --lang --indices pl".split()]
) | st.sampled_from("french half_moon HM1-N-AAAAAAB HM1-N-AAAAAA1 1-8 8-5-3 -1".split(" "))
foreign_words = FOREIGN.filter(lambda text: "\0" not in text and "-o" not in text)


@settings(max_examples=200)
@given(st.lists(words_typed | words_typed | foreign_words, max_size=6))
def test_nothing_a_person_can_type_ends_in_a_traceback(arguments: list[str]) -> None:
    ran = run(*arguments)
    if ran.status:
        assert_refused(ran)
    else:
        assert ran.err == ""


@pytest.mark.parametrize("command", ["deal", "play", "describe", "diagram", "new", "games"])
def test_every_command_has_help(command: str) -> None:
    assert run(command, "--help").status == 0
    assert command in run("--help").out


# --- as a process ---


def test_it_runs_as_a_module_whatever_the_terminals_encoding() -> None:
    ran = shell(f"halfmoon describe {EXAMPLE} 1-8 --lang pl")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "król kier" in ran.stdout


def test_errors_go_to_standard_error_with_status_2() -> None:
    ran = shell("halfmoon deal HM1-N-AAAAAA1")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("halfmoon: “1” cannot stand")
    assert ran.stderr.count("\n") == 1


def test_a_reader_who_has_had_enough_is_no_error() -> None:
    many = f"yes {EXAMPLE} | head -n 2000"
    ran = shell(f"{many} | halfmoon play - | head -n 1; echo ${{PIPESTATUS[2]}}")
    first, status = ran.stdout.splitlines()
    assert json.loads(first)["code"] == EXAMPLE
    assert (status, ran.stderr) == ("0", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_said_in_one_line() -> None:
    ran = shell(f"halfmoon deal {EXAMPLE} > /dev/full")
    assert ran.returncode == 2
    assert ran.stderr.startswith("halfmoon: ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["halfmoon games >&-", "halfmoon play - <&-"])
def test_a_closed_stream_is_no_traceback(command: str) -> None:
    ran = shell(command)
    assert "Traceback" not in ran.stderr
    assert ran.stderr.count("\n") <= 1
