"""A third game is one file and a line in the list: a toy is added, and everything plays it.

The file is `third_game/twins.py`. First it is put in the list of this process; then the recipe of
CONTRIBUTING is followed on a copy of the engine, where the tests that hold for every game run too.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import playthrough
import snapshot
from halfmoon import cli, deal_code, diagram, notation, words
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES, translator
from halfmoon.notation import MoveMistake
from halfmoon.session import Session
from halfmoon.view import answer, new_table
from third_game.twins import TWINS

HERE = Path(__file__).parent
ENGINE = HERE.parent / "engine" / "halfmoon"
DEAL = "TW1-N-AAAAAAX"
WIN = "2-3 turn 1-2 1-4 3-4 1-3 2-4"

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, TWINS.key, TWINS)


listed = pytest.mark.usefixtures("_listed")


# --- nothing else knows a game ---


def strings(module: Path) -> str:
    """The texts in a module's code: those of docstrings and of their examples left out."""
    nodes = list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in alone]
    return "\n".join(str(text.value) for text in texts).replace(EXAMPLE, "").lower()


def names(module: Path) -> set[str]:
    """The names that a module uses or imports."""
    nodes = list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))
    imported = {alias.name for node in nodes for alias in getattr(node, "names", ()) if alias}
    return imported.union(
        *({node.id} for node in nodes if isinstance(node, ast.Name)),
        *({node.attr} for node in nodes if isinstance(node, ast.Attribute)),
    )


EXAMPLE = "HM1-N-AAAAAAB"
"""In the help of the command a code stands for all codes."""
OUTSIDE = [path for path in sorted(ENGINE.rglob("*.py")) if path.parent.name != "games"]


@pytest.mark.parametrize("module", OUTSIDE, ids=[path.name for path in OUTSIDE])
def test_outside_its_own_file_no_game_is_named(module: Path) -> None:
    for game in GAMES.values():
        assert not names(module) & {type(game).__name__, game.key.upper()}
        for name in (game.key, game.name, game.deal_format.prefix + game.deal_format.version):
            assert name.lower() not in strings(module)


def test_the_search_for_names_does_find_one() -> None:
    for game in GAMES.values():
        module = ENGINE / "games" / f"{game.key}.py"
        assert game.name.lower() in strings(module)
        assert names(module) & {type(game).__name__}
        assert str(game.__doc__).lower() not in strings(module)


def test_no_game_names_another() -> None:
    for game in GAMES.values():
        module = ENGINE / "games" / f"{game.key}.py"
        for other in GAMES.values():
            if other is not game:
                assert other.key not in strings(module)
                assert not names(module) & {type(other).__name__, other.key.upper()}


def test_a_game_that_is_not_in_the_list_is_not_there() -> None:
    assert TWINS.key not in GAMES
    with pytest.raises(ValueError, match="HM1, CR1"):
        notation.deal(DEAL)


# --- in the list, it is there ---


@listed
def test_its_code_deals_it() -> None:
    game, code = notation.parse_code("tw1 n aaaaaax")
    assert game is TWINS
    assert str(code) == DEAL
    order = deal_code.shuffle(TWINS.starting_order, code.number)
    assert notation.deal(DEAL).position == TWINS.deal(order)
    assert notation.deal(DEAL).position.cards == 12


@listed
def test_its_games_are_replayed_and_linked() -> None:
    record = notation.replay(DEAL, WIN)
    assert (record.outcome, record.score, record.position.redeals) == ("won", 6, 0)
    link = notation.print_link(record.code, record.moves)
    assert link == f"{DEAL}/{WIN.replace(' ', '.')}"
    assert notation.parse_link(link) == record
    assert notation.replay(DEAL, "3-2 TURN").moves == ("2-3", "turn")
    with pytest.raises(MoveMistake, match="Move 2, 1-2, cannot be made"):
        notation.replay(DEAL, "2-3 1-2")


@listed
def test_its_undo_limit_and_its_taps_are_its_own() -> None:
    session = Session.start(DEAL)
    for move in WIN.split():
        session = session.play(move) if move == "turn" else session.drag(*move.split("-"))
    assert (session.outcome, session.move_count) == ("won", 7)
    while session.can_undo:
        session = session.undo()
    assert session.move_count == 7 - TWINS.undo_limit
    assert session.redo().redo().restart().tap("1").tap("2").refusal == "rank"


@listed
@every_language
def test_it_is_told_and_drawn_in_every_language(language: str) -> None:
    tr, record = translator(language), notation.replay(DEAL, "2-3")
    said = words.alternative_text(TWINS, record.position, tr)
    assert len(said.split("; ")) == 4
    assert words.title(record, tr).startswith("Twins")
    assert words.hint(TWINS, tr).startswith("Tap two cards of the same rank. Of 4 piles")
    assert words.verdict(notation.replay(DEAL, WIN), "won", tr) == "You have won with 6 pairs."
    svg = ElementTree.fromstring(diagram.draw(record, tr))
    assert svg.findtext("desc") == said
    assert "layout-row" in str(svg.get("class"))
    assert len(diagram.boxes(TWINS)) == 4


@listed
def test_its_playthrough_comes_out_as_it_did() -> None:
    path = HERE / "third_game" / "twins.txt"
    snapshot.assert_unchanged(path, playthrough.played_again(path))


def send(*messages: object) -> Iterator[dict[str, Any]]:
    table = new_table("en")
    for message in messages:
        table, reply = answer(table, json.dumps(message))
        yield json.loads(reply)


@listed
def test_it_is_played_on_the_screen() -> None:
    *_, opened, paired, turned, undone = send(
        {"settings": {"move_errors": True, "matching_help": True}},
        {"open": DEAL},
        {"drag": ["2", "3"]},
        {"play": "turn"},
        {"undo": True},
    )
    assert (opened["can_play"], opened["redeals"], opened["outcome"]) == (["turn"], 1, "playing")
    assert (paired["link"], paired["taken"], paired["moved"]) == (f"{DEAL}/2-3", ["2", "3"], [])
    assert (turned["can_play"], turned["redeals"]) == ([], 0)
    assert turned["announce"].startswith("Turned. Turns left: 0. Now on top: ")
    assert undone["announce"] == "Turned back: 1 left."
    *_, refused = send(
        {"settings": {"move_errors": True}}, {"open": DEAL}, {"tap": "1"}, {"tap": "2"}
    )
    assert refused["message"] == "The ranks must be the same"
    *_, drawn, won = send(
        {"new": {"game": "twins", "chance": "17"}}, {"open": f"{DEAL}/{WIN.replace(' ', '.')}"}
    )
    assert drawn["code"] == DEAL
    assert (won["outcome"], won["message"]) == ("won", "You have won with 6 pairs.")
    *_, searched = send({"open": DEAL}, {"look_ahead": True})
    assert not searched["searching"]


@listed
def test_it_is_played_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*arguments: str) -> str:
        assert cli.main(arguments) == 0
        return capsys.readouterr().out

    assert "twins" in printed("games").split()
    assert printed("new", "twins").startswith("TW1-N-")
    data = json.loads(printed("play", DEAL, "3-2", "--json"))
    assert (data["game"], data["moves"], data["redeals"]) == ("twins", ["2-3"], 1)
    assert (data["score"], data["outcome"], data["legal"][-1]) == (1, "playing", "turn")
    assert sum(map(len, data["piles"].values())) == 10
    assert printed("deal", DEAL).startswith(f"Twins, {DEAL}\n")
    assert printed("diagram", DEAL, "2-3", "--lang", "nl").startswith("<svg ")
    assert printed("describe", DEAL, "--lang", "pl").startswith("stos 1: liczba kart — 3, ")


# --- the recipe, on a copy of the engine ---


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the engine and of its tests with the toy added, as CONTRIBUTING says."""
    root = tmp_path_factory.mktemp("third_game")
    leave = shutil.ignore_patterns("__pycache__", "browser", "conftest.py", "test_third_game.py")
    shutil.copytree(HERE, root / "tests", ignore=leave)
    package = root / "engine" / "halfmoon"
    shutil.copytree(ENGINE, package, ignore=leave)
    shutil.copy(ENGINE.parent / "pyproject.toml", package.parent)
    shutil.copy(HERE / "third_game" / "twins.py", package / "games")
    shutil.copy(HERE / "third_game" / "twins.txt", root / "tests" / "playthroughs")
    lines = "from halfmoon.games.twins import TWINS\nGAMES[TWINS.key] = TWINS\n"
    with (package / "games" / "__init__.py").open("a", encoding="utf-8") as listing:
        listing.write(lines)
    few = "from hypothesis import settings\n"
    few += "settings.register_profile('few', max_examples=8, deadline=None, derandomize=True)\n"
    few += "settings.load_profile('few')\n"
    (root / "tests" / "conftest.py").write_text(few, encoding="utf-8")
    return root


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module beside the copy, which comes before the engine that is installed."""
    path = os.pathsep.join([str(copy / "engine"), str(copy / "tests")])
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", *arguments],
        env=os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=copy,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_one_file_and_a_line_are_all_that_the_recipe_asks_for(copy: Path) -> None:
    assert run(copy, "halfmoon", "games").stdout.split() == [*GAMES, "twins"]
    data = json.loads(run(copy, "halfmoon", "play", DEAL, *WIN.split(), "--json").stdout)
    assert (data["game"], data["outcome"], data["score"]) == ("twins", "won", 6)


@pytest.mark.parametrize("module", ["game", "imports", "notation", "session", "diagram"])
def test_the_tests_of_every_game_hold_for_it_as_they_stand(copy: Path, module: str) -> None:
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-x"]
    others = " and ".join(f"not {key}" for key in GAMES)
    ran = run(copy, "pytest", *options, "-k", others, f"tests/test_{module}.py")
    assert ran.returncode == 0, ran.stdout
