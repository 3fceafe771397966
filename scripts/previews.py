"""The pictures that a link to a page is shown with elsewhere: its main diagram by night, as PNG.

They hold no text: what a page is called stands beside its picture. A picture that was made before
is taken from a folder, where it lies under a name made from what it shows.
"""

import hashlib
import shutil
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
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


def write(previews: Mapping[str, str], cache: Path, folder: Path) -> None:
    """Put the pictures, given by name as SVG, into a folder; those in the cache are only copied."""
    folder.mkdir(parents=True, exist_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    for name, svg in previews.items():
        kept = cache / name
        if not kept.is_file():
            fresh = kept.with_suffix(".new")
            fresh.write_bytes(picture.png(svg, WIDTH))
            fresh.replace(kept)
        shutil.copyfile(kept, folder / name)
    for old in {path.name for path in cache.glob("*.png")}.difference(previews):
        (cache / old).unlink()
