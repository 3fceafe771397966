"""Drawings as PNG: the same everywhere, at the width asked for, plain about what is missing."""

import struct
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from halfmoon import cli, notation, picture
from halfmoon.card_art import INDEX_LETTERS
from halfmoon.diagram import draw, size
from halfmoon.games import GAMES
from halfmoon.languages import translator

EXAMPLE: Final = "HM1-N-AAAAAAB"
DRAWINGS: Final = [
    draw(notation.deal(code), translator("en"), standalone=True)
    for code in (EXAMPLE, "CR1-N-AAAAAAB")
]


def extent(png: bytes) -> tuple[int, int]:
    """The width and height of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("svg", DRAWINGS)
def test_a_picture_has_the_width_asked_for_and_the_drawing_s_shape(svg: str) -> None:
    drawn = ElementTree.fromstring(svg)
    width, height = extent(picture.png(svg, 600))
    shape = float(drawn.attrib["height"]) / float(drawn.attrib["width"])
    assert width == 600
    assert height == pytest.approx(600 * shape, abs=1)


@pytest.mark.parametrize("svg", DRAWINGS)
def test_a_picture_asks_for_no_font(svg: str) -> None:
    written = [part.text for part in ElementTree.fromstring(svg).iter() if "text" in part.tag]
    drawn = ElementTree.fromstring(picture.without_fonts(svg))
    assert len(written) > 20
    assert [part for part in drawn.iter() if part.tag.endswith("text")] == []
    assert len([part for part in drawn.iter() if part.get("class") == "written"]) == len(written)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_name_of_a_place_can_be_drawn_without_a_font(game: object) -> None:
    places = "".join(getattr(game, "places", ()))
    assert set(places) <= INDEX_LETTERS


@pytest.mark.parametrize("width", [0, 15, 8001, -1])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(picture.PictureMistake, match=str(width)):
        picture.png(DRAWINGS[0], width)


def test_without_the_extra_a_line_says_which_one_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(picture, "RENDERER", "no_such_renderer")
    assert cli.main(["diagram", EXAMPLE, "-o", str(tmp_path / "deal.png")]) == cli.FAILED
    (line,) = capsys.readouterr().err.splitlines()
    assert "halfmoon[png]" in line
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_png_by_the_file_s_ending(tmp_path: Path) -> None:
    plain, wide = tmp_path / "deal.png", tmp_path / "wide.PNG"
    assert cli.main(["diagram", EXAMPLE, "1-8", "-o", str(plain)]) == 0
    assert cli.main(["diagram", EXAMPLE, "-o", str(wide), "--width", "333"]) == 0
    natural, _ = size(GAMES["half_moon"].layouts["wide"])
    assert extent(plain.read_bytes())[0] == cli.SHARPNESS * natural
    assert extent(wide.read_bytes())[0] == 333


def test_the_command_marks_a_move_and_picks_a_layout(tmp_path: Path) -> None:
    file = tmp_path / "deal.svg"
    options = ["--next", "3-KC", "--layout", "compact", "-o", str(file)]
    assert cli.main(["diagram", "CR1-N-AAAAAAB", *options]) == 0
    svg = file.read_text("utf-8")
    assert "layout-compact" in svg
    assert svg.count('class="selected"') == 2


@pytest.mark.parametrize(
    "options", [["--width", "300"], ["--width", "300", "-o", "deal.svg"], ["--layout", "compact"]]
)
def test_an_option_that_does_not_apply_is_refused(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["diagram", EXAMPLE, *options]) == cli.FAILED
    assert len(capsys.readouterr().err.splitlines()) == 1
