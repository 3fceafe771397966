"""The README's picture is what the engine draws; its example is run as a doctest of its own."""

from pathlib import Path

from halfmoon.diagram import draw
from halfmoon.languages import translator
from halfmoon.notation import replay

ROOT = Path(__file__).resolve().parent.parent


def test_the_picture_is_what_the_diagram_command_draws_today() -> None:
    picture = ROOT / "docs" / "assets" / "half-moon.svg"
    drawn = draw(replay("HM1-N-AAAAAAB"), translator("en"), standalone=True)
    assert picture.read_text(encoding="utf-8") == drawn + "\n"


def test_the_readme_opens_with_the_picture_and_names_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert "docs/assets/half-moon.svg" in lines[0]
    assert any(line.startswith("scripts/serve") for line in lines[:20])
    assert any(line.startswith("scripts/test") for line in lines[:20])
