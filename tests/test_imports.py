"""Imports go one way, and the engine stands on the standard library alone."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ENGINE: Final = Path(__file__).parent.parent / "engine" / "halfmoon"

ABOVE: Final = {
    # The house as it is drawn: a room, and the rooms right below it.
    "mistake": [],
    "cards": ["mistake"],
    "position": ["cards"],
    "deal_code": ["cards"],
    "game": ["position", "deal_code"],
    "games": ["game"],
    "notation": ["games", "deal_code"],
    "session": ["notation", "games"],
    "languages": ["mistake"],
    "words": ["position", "game", "notation", "languages"],
    "card_art": ["cards"],
    "diagram": ["position", "game", "words", "card_art"],
    "maker": ["notation", "diagram"],
    "view": ["session", "words", "diagram", "maker"],
    "picture": ["card_art"],
    "fence": ["notation", "diagram"],
    "cli": ["view", "picture"],
    "__init__": [],
    "__main__": ["cli"],
}
"""`game` stands on `deal_code` because a game states how its codes begin, and because Half Moon's
starting order is defined by a shuffle; `words` stands on `notation` because it describes records.
"""

A_DAY_THAT_IS_GIVEN: Final = "datetime.date"
"""For the deal of a day that the screen or the command line names."""
ASKING_THE_CLOCK: Final = {"today", "now", "utcnow", "localtime", "monotonic"}
CHANCE_AND_CLOCK: Final = {"random", "secrets", "uuid", "time", "datetime"}
WHERE_CHANCE_IS_DRAWN: Final = "cli"
"""For `new`, which must not give the same code twice; the screen draws its own chance."""

MODULES: Final = sorted(ENGINE.rglob("*.py"))
every_module = pytest.mark.parametrize(
    "module", MODULES, ids=[str(path.relative_to(ENGINE)) for path in MODULES]
)


def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imported(module: Path) -> Iterator[str]:
    """The dotted names a module imports, wherever in the file it does so."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module.name} has a relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def room(name: str) -> str:
    """The room of a dotted name or of a module's path: `games` is one room."""
    parts = name.split(".")
    if len(parts) > 1 and parts[1] in ABOVE:
        return parts[1]
    return "__init__"


def room_of(module: Path) -> str:
    return module.relative_to(ENGINE).with_suffix("").parts[0]


def below(name: str) -> set[str]:
    """All rooms that a room stands on, near and far."""
    return {name}.union(*(below(other) for other in ABOVE[name]))


def test_every_module_has_its_room_in_the_house() -> None:
    assert {room_of(module) for module in MODULES} == set(ABOVE)


@every_module
def test_imports_go_one_way(module: Path) -> None:
    mine = room_of(module)
    ours = {room(name) for name in imported(module) if name.split(".")[0] == "halfmoon"}
    allowed = below(mine) if mine in ("games", "__init__") else below(mine) - {mine}
    assert ours <= allowed | {"__init__"}


def test_no_game_imports_another() -> None:
    for module in (ENGINE / "games").glob("*.py"):
        if module.stem != "__init__":
            assert not [name for name in imported(module) if ".games" in name]


@every_module
def test_the_engine_imports_the_standard_library_alone(module: Path) -> None:
    outside = {name.split(".")[0] for name in imported(module)} - {"halfmoon"}
    assert outside <= sys.stdlib_module_names


@every_module
def test_the_engine_knows_no_clock_and_no_chance(module: Path) -> None:
    names = {name for name in imported(module) if name.split(".")[0] in CHANCE_AND_CLOCK}
    drawn = {"secrets"} if room_of(module) == WHERE_CHANCE_IS_DRAWN else set()
    assert names - {A_DAY_THAT_IS_GIVEN} <= drawn
    asked = {node.attr for node in ast.walk(tree(module)) if isinstance(node, ast.Attribute)}
    assert not asked & ASKING_THE_CLOCK


def test_playing_loads_no_clock_and_no_chance_either() -> None:
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", "import sys, halfmoon.view; print(*sys.modules)"],
        env={"PYTHONPATH": str(ENGINE.parent)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "halfmoon.view" in loaded
    assert not {"random", "secrets", "argparse"} & set(loaded)


def test_only_the_list_of_games_names_a_game() -> None:
    games = {path.stem for path in (ENGINE / "games").glob("*.py")} - {"__init__"}
    for module in MODULES:
        if module.parent != ENGINE / "games":
            named = {part for name in imported(module) for part in name.split(".")}
            assert not named & games, module.name


def test_the_distribution_depends_on_nothing_and_brings_its_command() -> None:
    project = tomllib.loads((ENGINE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dependencies"] == []
    assert list(project["optional-dependencies"]) == ["png"]
    assert project["requires-python"] == ">=3.11"
    assert project["scripts"] == {"halfmoon": "halfmoon.cli:main"}
