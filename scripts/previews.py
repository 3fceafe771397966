"""The pictures that a link to a page is shown with elsewhere: its main diagram by night, as PNG.

They hold no text: what a page is called stands beside its picture. A picture that was made before
is taken from a folder, where it lies under a name made from what it shows.
"""

import hashlib
import shutil
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from halfmoon import deal_code, diagram, picture, words
from halfmoon.card_art import number
from halfmoon.diagram import Marks
from halfmoon.game import Game
from halfmoon.languages import Translator
from halfmoon.notation import Record, replay
from halfmoon.picture import SVG

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 26
PUBLISHED_DEAL: Final = 1
"""The number of the deal that stands for a game."""

TABLE_COLOUR: Final = "#0f343a"
ARCH_COLOUR: Final = "#184247"
WRITING: Final = ".written { stroke: #c3d2cc } .direction { fill: #c3d2cc }"


class Preview(NamedTuple):
    """A picture to be made, and what to say about it."""

    name: str
    """Its file name, made from what it shows."""
    svg: str
    title: str
    """What it shows, in the page's language."""


def preview(record: Record, translator: Translator, marks: Marks | None = None) -> Preview:
    """The picture of a position, in the letters of a language."""
    svg = compose(record, translator, marks)
    content = f"{metadata.version('resvg-py')}\0{svg}".encode()
    name = f"{hashlib.sha256(content).hexdigest()[:16]}.png"
    return Preview(name, svg, words.title(record, translator))


def published(game: Game) -> Record:
    """The deal that stands for a game."""
    return replay(str(deal_code.make(game.deal_format, PUBLISHED_DEAL)))


def compose(record: Record, translator: Translator, marks: Marks | None = None) -> str:
    """The whole picture as SVG: the table, an arch over all of it, the cards in the middle."""
    drawing = diagram.draw(record, translator, marks=marks, standalone=True)
    _, layout = diagram.chosen_layout(record.game, diagram.WIDE)
    svg = Element("svg", {"xmlns": SVG, "viewBox": f"0 0 {WIDTH} {HEIGHT}"})
    SubElement(svg, "style").text = diagram.NIGHT_STYLE + WRITING
    SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": TABLE_COLOUR})
    svg.append(_arch())
    svg.append(_cards(drawing, diagram.size(layout)))
    return tostring(svg, encoding="unicode")


def _arch() -> Element:
    """The half moon of the site's mark, as large as the picture."""
    path = "M-20 650A620 640 0 0 1 1220 650H930A330 340 0 0 0 270 650Z"
    return Element("path", {"d": path, "fill": ARCH_COLOUR})


def _cards(drawing: str, size: tuple[float, float]) -> Element:
    """The places of a drawing, as large as there is room for, in the middle."""
    width, height = size
    scale = min((WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height)
    left, top = (WIDTH - scale * width) / 2, (HEIGHT - scale * height) / 2
    at = f"translate({number(left)} {number(top)}) scale({scale:.4f})"
    group = Element("g", {"transform": at})
    places = fromstring(drawing.replace(f' xmlns="{SVG}"', ""))
    group.extend(place for place in places if place.get("class") == "place")
    return group


class PaintingMistake(RuntimeError):
    """Pictures that could not be drawn."""


class Painter:
    """Makes the pictures of a build: this module, run beside it while pages are still made.

    The other process learns by a pipe what to draw, so it ends with this one, however that ends.
    """

    def __init__(self) -> None:
        self._process: Popen[str] | None = None
        self._ordered: set[str] = set()

    def order(self, made: Preview, cache: Path) -> None:
        """Have a picture in the cache, sooner or later."""
        kept = cache / made.name
        is_new = made.name not in self._ordered and not kept.is_file()
        self._ordered.add(made.name)
        if is_new:
            drawing = kept.with_suffix(".svg")
            drawing.parent.mkdir(parents=True, exist_ok=True)
            drawing.write_text(made.svg, encoding="utf-8")
            self._draw(drawing)

    def _draw(self, drawing: Path) -> None:
        if not self._process:
            self._process = Popen([sys.executable, __file__], stdin=PIPE, text=True)
        with suppress(BrokenPipeError):  # the status will say that the process has failed
            print(drawing, file=self._process.stdin, flush=True)

    def write(self, cache: Path, folder: Path) -> None:
        """Put all pictures into a folder, and leave no others in the cache.

        Raises ``PaintingMistake``; why, the other process has said.
        """
        if self._process:
            self._process.communicate()
            if self._process.returncode:
                raise PaintingMistake("the pictures for links could not be drawn, as said above")
            self._process = None
        folder.mkdir(parents=True, exist_ok=True)
        for name in self._ordered:
            shutil.copyfile(cache / name, folder / name)
        for kept in cache.glob("*"):
            if kept.name not in self._ordered:
                kept.unlink()

    def stop(self) -> None:
        """Leave what is not drawn yet."""
        if self._process:
            self._process.kill()
            self._process.communicate()


def draw(drawing: Path) -> None:
    """Replace a drawing by its picture, which is whole as soon as it is there."""
    fresh = drawing.with_suffix(".new")
    fresh.write_bytes(picture.png(drawing.read_text(encoding="utf-8"), WIDTH))
    fresh.replace(drawing.with_suffix(".png"))
    drawing.unlink()


if __name__ == "__main__":
    for line in sys.stdin:
        draw(Path(line.rstrip("\n")))
