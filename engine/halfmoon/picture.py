"""A drawing as a PNG picture, through the renderer that the extra ``halfmoon[png]`` brings.

Fonts differ from machine to machine, and some have none; so all that is written in a drawing is
drawn here with the strokes of the cards, and the same drawing is the same picture everywhere.
"""

import re
from importlib import import_module
from typing import Final
from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

from halfmoon import card_art
from halfmoon.card_art import number
from halfmoon.mistake import Mistake

SVG: Final = "http://www.w3.org/2000/svg"
WIDTHS: Final = range(16, 8001)
"""How wide a picture can be, in pixels."""
RENDERER: Final = "resvg_py"
LETTER_SIZE: Final = 0.7
"""The height of a capital letter, in parts of the size that a font is asked for."""
WEIGHTS: Final = {"700": 3.1}
"""The strokes of bold letters, in units of ``card_art.LETTER_HEIGHT``."""
WEIGHT: Final = 2.1

_UNPREFIXED: Final = re.compile(rf' xmlns="{SVG}"')


class PictureMistake(Mistake):
    """A picture that cannot be made."""


def png(svg: str, width: int) -> bytes:
    """A drawing that stands alone as a PNG, ``width`` pixels wide, in its colours by day.

    Raises ``PictureMistake`` where the renderer is not installed, or for a width out of ``WIDTHS``.
    """
    if width not in WIDTHS:
        raise PictureMistake(
            "A picture can be {least} to {most} pixels wide, not {width}.",
            least=WIDTHS[0],
            most=WIDTHS[-1],
            width=width,
        )
    try:
        render = import_module(RENDERER).svg_to_bytes
    except ImportError:
        raise PictureMistake(
            'PNG needs the extra halfmoon[png]; install it with: pip install "halfmoon[png]"'
        ) from None
    return bytes(render(svg_string=without_fonts(svg), width=width, skip_system_fonts=True))


def without_fonts(svg: str) -> str:
    """A drawing in which what is written is drawn, and no font is asked for."""
    register_namespace("", SVG)
    root = fromstring(svg)
    for parent in list(root.iter()):
        for index, child in enumerate(parent):
            if child.tag == f"{{{SVG}}}text":
                parent[index] = _drawn(child)
    return tostring(root, encoding="unicode")


def _drawn(text: Element) -> Element:
    """A text, which stands centred on its line, as strokes."""
    scale = float(text.attrib["font-size"]) * LETTER_SIZE / card_art.LETTER_HEIGHT
    strokes, width = card_art.lettering(text.text or "")
    left = float(text.attrib["x"]) - width * scale / 2
    top = float(text.attrib["y"]) - card_art.LETTER_HEIGHT * scale
    weight = WEIGHTS.get(text.attrib.get("font-weight", ""), WEIGHT)
    lines = Element(
        f"{{{SVG}}}g",
        {
            "class": "written",
            "transform": f"translate({number(left)} {number(top)}) scale({number(scale)})",
            "fill": "none",
            "stroke": text.attrib["fill"],
            "stroke-width": str(weight),
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    for stroke in strokes:
        stroke.tag = f"{{{SVG}}}{stroke.tag}"
        lines.append(stroke)
    return lines
