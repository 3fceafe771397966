"""A position drawn as SVG: position in, string out."""

from collections.abc import Collection
from math import pi, sin
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from halfmoon import card_art
from halfmoon.card_art import number
from halfmoon.cards import Card, rank_text
from halfmoon.game import Layout, Spot
from halfmoon.languages import Translator
from halfmoon.notation import Record
from halfmoon.position import Pile, Place
from halfmoon.words import alternative_text, index_letters, title

COLUMN: Final = 68
ROW: Final = 132
MARGIN: Final = 10
TOP_MARGIN: Final = 14
EDGE: Final = 1.7
"""How much of each card below the top one shows, in card units."""
LABEL: Final = 26
"""Height of the line with the place's name and count, in card units."""
LABEL_GAP: Final = 14
"""Room between a card and its label, for the edges of the cards below it."""
RISE: Final = 16
"""How much higher the middle of the arch stands than its ends."""
LIFT: Final = 7
"""How far a selected card is lifted."""

TABLE_COLOUR: Final = "#faf7ef"
LABEL_COLOUR: Final = "#39424e"
ARCH_COLOUR: Final = "#ece4cf"
SELECT_COLOUR: Final = "#0b6e6e"
PILE_COLOUR: Final = "#6d6a60"
EMPTY_COLOUR: Final = "#8a8f96"

_NIGHT: Final = """
@media (prefers-color-scheme: dark) {
.table, .veil { fill: #0e3337 } .arch { fill: #1b474a }
.card .face { fill: #f7f0de; stroke: #06191b } .edges { fill: #e2d8bf; stroke: #3d4a45 }
.moon { fill: #f7f0de } .label { fill: #d8e6e0 } .count-frame { stroke: #9fb9b1 }
.empty { stroke: #6f918b } .ring { stroke: #f4bd50 }
}
"""


class Box(NamedTuple):
    """Where a place lies in a diagram, its label included, in parts of the diagram's size."""

    left: float
    top: float
    width: float
    height: float


class Marks(NamedTuple):
    """What is marked in a diagram."""

    selected: Collection[Place] = ()
    """Lifted and ringed: the selected cards, or those of the next move."""
    dimmed: Collection[Place] = ()
    """The cards that cannot go with the selected ones."""


def draw(
    record: Record,
    translator: Translator,
    *,
    indices: str = "local",
    marks: Marks | None = None,
    standalone: bool = False,
    layout: str = "wide",
) -> str:
    """The last position of a record as one ``<svg>`` element, with its alternative text inside.

    ``standalone`` makes a file of its own, which follows the reader's light or dark setting; a
    drawing without it is for a page, which styles it by its classes.

    >>> from halfmoon.languages import translator
    >>> from halfmoon.notation import replay
    >>> svg = draw(replay("HM1-N-AAAAAAB"), translator("en"))
    >>> svg[svg.index("<title>") : svg.index("<desc>")]
    '<title>Half Moon, deal HM1-N-AAAAAAB</title>'

    Raises ``UnknownIndices``.
    """
    lay = record.game.layouts[layout]
    letters = index_letters(indices, translator)
    svg = _canvas(lay, standalone)
    SubElement(svg, "title").text = title(record, translator)
    SubElement(svg, "desc").text = alternative_text(record.game, record.position, translator)
    if standalone:
        SubElement(svg, "style").text = _NIGHT
    SubElement(
        svg,
        "rect",
        {"class": "table", "width": "100%", "height": "100%", "rx": "14", "fill": TABLE_COLOUR},
    )
    if lay.arch:
        svg.append(_arch(lay))
    for place, pile, spot in zip(record.game.places, record.position.piles, lay.spots, strict=True):
        svg.append(_place(place, pile, _corner(lay, spot), letters, marks or Marks()))
    return tostring(svg, encoding="unicode")


def size(layout: Layout) -> tuple[float, float]:
    """Width and height of a diagram with this layout, in card units."""
    width = 2 * MARGIN + COLUMN * (layout.columns - 1) + card_art.WIDTH
    rise = RISE if layout.arch else 0
    return width, TOP_MARGIN + rise + ROW * (
        layout.rows - 1
    ) + card_art.HEIGHT + LABEL_GAP + LABEL + 4


def boxes(layout: Layout) -> tuple[Box, ...]:
    """Where each place can be touched, in the game's order."""
    width, height = size(layout)
    corners = (_corner(layout, spot) for spot in layout.spots)
    return tuple(
        Box(
            x / width,
            y / height,
            card_art.WIDTH / width,
            (card_art.HEIGHT + LABEL_GAP + LABEL) / height,
        )
        for x, y in corners
    )


def _canvas(layout: Layout, standalone: bool) -> Element:
    width, height = size(layout)
    attributes = {
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "role": "img",
        "class": "board",
    }
    if standalone:
        attributes |= {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": number(width),
            "height": number(height),
        }
    return Element("svg", attributes)


def _corner(layout: Layout, spot: Spot) -> tuple[float, float]:
    """The top left corner of the card at a spot."""
    sag = RISE * (1 - sin(pi * spot.column / (layout.columns - 1))) if layout.arch else 0
    on_the_arch = spot.row == 0 or spot.column in (0, layout.columns - 1)
    inside = RISE / 2 if layout.arch else 0
    return (
        MARGIN + COLUMN * spot.column,
        TOP_MARGIN + ROW * spot.row + (sag if on_the_arch else inside),
    )


def _arch(layout: Layout) -> Element:
    """The moon behind the piles: two half ellipses over one foot line."""
    width, height = size(layout)
    foot, middle = height - 8, width / 2
    outer, inner = middle - 4, middle - card_art.WIDTH - 14
    high, low = foot - 4, foot - card_art.HEIGHT - 40
    path = (
        f"M{number(middle - outer)} {number(foot)}A{number(outer)} {number(high)} 0 0 1"
        f" {number(middle + outer)} {number(foot)}H{number(middle + inner)}"
        f"A{number(inner)} {number(low)} 0 0 0 {number(middle - inner)} {number(foot)}Z"
    )
    return Element("path", {"class": "arch", "d": path, "fill": ARCH_COLOUR})


def _place(
    place: Place,
    pile: Pile,
    corner: tuple[float, float],
    letters: dict[int, str],
    marks: Marks,
) -> Element:
    """One place: its cards, or an outline where they have gone, and its label."""
    x, y = corner
    group = Element(
        "g",
        {"class": "place", "data-place": place, "transform": f"translate({number(x)} {number(y)})"},
    )
    if pile:
        if len(pile) > 1:
            group.append(_edges(len(pile) - 1))
        group.append(_top_card(pile[-1], letters, place in marks.selected, place in marks.dimmed))
    else:
        group.append(_empty())
    group.extend(_label(place, len(pile)))
    return group


def _top_card(card: Card, letters: dict[int, str], selected: bool, dimmed: bool) -> Element:
    index = letters.get(card.rank, rank_text(card.rank))
    face = card_art.card_face(card, index)
    if not (selected or dimmed):
        return face
    group = Element("g", {"class": "selected" if selected else "dimmed"})
    group.append(face)
    if selected:
        group.set("transform", f"translate(0 {-LIFT})")
        SubElement(
            group,
            "rect",
            {
                "class": "ring",
                "x": "-2",
                "y": "-2",
                "width": str(card_art.WIDTH + 4),
                "height": str(card_art.HEIGHT + 4),
                "rx": "9",
                "fill": "none",
                "stroke": SELECT_COLOUR,
                "stroke-width": "4.5",
            },
        )
    else:
        SubElement(
            group,
            "rect",
            {
                "class": "veil",
                "x": "-1",
                "y": "-1",
                "width": str(card_art.WIDTH + 2),
                "height": str(card_art.HEIGHT + 2),
                "rx": str(card_art.CORNER),
                "fill": TABLE_COLOUR,
                "opacity": "0.66",
            },
        )
    return group


def _edges(cards: int) -> Element:
    """The lower edges of the cards below the top one."""
    width, height, corner = card_art.WIDTH, card_art.HEIGHT, card_art.CORNER
    side = height - corner
    path = "".join(
        f"M0 {number(side + EDGE * card)}a{corner} {corner} 0 0 0 {corner} {corner}"
        f"H{width - corner}a{corner} {corner} 0 0 0 {corner}-{corner}"
        for card in range(cards, 0, -1)
    )
    return Element(
        "path",
        {
            "class": "edges",
            "d": path,
            "fill": "#f3eee0",
            "stroke": PILE_COLOUR,
            "stroke-width": "0.8",
        },
    )


def _empty() -> Element:
    return Element(
        "rect",
        {
            "class": "empty",
            "x": "3",
            "y": "3",
            "width": str(card_art.WIDTH - 6),
            "height": str(card_art.HEIGHT - 6),
            "rx": str(card_art.CORNER),
            "fill": "none",
            "stroke": EMPTY_COLOUR,
            "stroke-width": "1.5",
            "stroke-dasharray": "5 5",
        },
    )


def _label(place: Place, count: int) -> list[Element]:
    """The name of the place, and how many cards it holds in a frame shaped like a card."""
    line = card_art.HEIGHT + LABEL_GAP + 19
    text = {
        "class": "label",
        "y": str(line),
        "fill": LABEL_COLOUR,
        "font-family": "system-ui, sans-serif",
        "font-size": "20",
    }
    name = Element(
        "text",
        {
            **text,
            "class": "label place-name",
            "x": "17",
            "text-anchor": "middle",
            "font-weight": "700",
        },
    )
    name.text = place
    frame = Element(
        "rect",
        {
            "class": "count-frame",
            "x": "36",
            "y": str(line - 17),
            "width": "20",
            "height": "21",
            "rx": "4",
            "fill": "none",
            "stroke": LABEL_COLOUR,
            "stroke-width": "1.2",
        },
    )
    cards = Element(
        "text",
        {**text, "class": "label count", "x": "46", "text-anchor": "middle", "font-size": "18"},
    )
    cards.text = str(count)
    return [name, frame, cards]
