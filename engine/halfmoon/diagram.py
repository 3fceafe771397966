"""A position drawn as SVG: position in, string out."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

from halfmoon import card_art
from halfmoon.card_art import number
from halfmoon.cards import Card, Rank, rank_text
from halfmoon.game import FAN_ROWS, Game, Kind, Layout, Spot
from halfmoon.languages import Translator
from halfmoon.notation import Record
from halfmoon.position import Pile, Place
from halfmoon.words import alternative_text, index_letters, title

COLUMN: Final = 68
ROW: Final = 132
MARGIN: Final = 10
TOP_MARGIN: Final = 14
FOOT_MARGIN: Final = 6
EDGE: Final = 1.7
"""How much of each card below the top one shows in a squared pile, in card units."""
MOST_EDGES: Final = 7
"""How many cards below the top one show in a squared pile; a higher one looks no different."""
STEP: Final = 29
"""How much of each card shows in a fan, in card units: its index, whole."""
LABEL: Final = 26
"""Height of the line with the place's name and count, in card units."""
LABEL_GAP: Final = 14
"""Room between a card and its label, for the edges of the cards below it."""
LIFT: Final = 7
"""How far a selected card is lifted."""
WIDE: Final = "wide"

TABLE_COLOUR: Final = "#faf7ef"
LABEL_COLOUR: Final = "#39424e"
ARCH_COLOUR: Final = "#ece4cf"
SELECT_COLOUR: Final = "#0b6e6e"
PILE_COLOUR: Final = "#6d6a60"
EMPTY_COLOUR: Final = "#8a8f96"

NIGHT_STYLE: Final = """
.table, .veil { fill: #0e3337 } .arch { fill: #1b474a }
.card .face { fill: #f7f0de; stroke: #06191b } .edges { fill: #e2d8bf; stroke: #3d4a45 }
.moon { fill: #f7f0de } .label { fill: #d8e6e0 } .count-frame { stroke: #9fb9b1 }
.empty { stroke: #6f918b } .ring { stroke: #f4bd50 }
"""
"""The colours of a drawing by night, for one that stands alone."""
_BY_NIGHT: Final = f"\n@media (prefers-color-scheme: dark) {{{NIGHT_STYLE}}}\n"


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


_Mark: TypeAlias = Literal["selected", "dimmed"] | None
_Letters: TypeAlias = tuple[tuple[Rank, str], ...]
"""The letters on the cards, by rank."""

_KEPT: Final = 512
"""How many drawn places are kept: those of a few tables, and of some moves in each."""


def draw(
    record: Record,
    translator: Translator,
    *,
    indices: str = "local",
    marks: Marks | None = None,
    standalone: bool = False,
    layout: str = WIDE,
) -> str:
    """The last position of a record as one ``<svg>`` element, with its alternative text inside.

    ``standalone`` makes a file of its own, which follows the reader's light or dark setting; a
    drawing without it is for a page, which styles it by its classes. A ``layout`` that the game
    does not have is drawn as its widest.

    >>> from halfmoon.languages import translator
    >>> from halfmoon.notation import replay
    >>> svg = draw(replay("HM1-N-AAAAAAB"), translator("en"))
    >>> svg[svg.index("<title>") : svg.index("<desc>")]
    '<title>Half Moon, deal HM1-N-AAAAAAB</title>'

    Raises ``UnknownIndices``.
    """
    game, position = record.game, record.position
    name, lay = chosen_layout(game, layout)
    letters, marks = tuple(index_letters(indices, translator).items()), marks or Marks()
    svg = _canvas(name, lay, standalone)
    SubElement(svg, "title").text = title(record, translator)
    SubElement(svg, "desc").text = alternative_text(game, position, translator)
    if standalone:
        SubElement(svg, "style").text = _BY_NIGHT
    SubElement(
        svg,
        "rect",
        {"class": "table", "width": "100%", "height": "100%", "rx": "14", "fill": TABLE_COLOUR},
    )
    if lay.arch:
        svg.append(_arch(lay))
    places = (
        _place(place, kind, pile, spot, letters, _mark(place, marks))
        for place, kind, pile, spot in zip(
            game.places, game.kinds, position.piles, lay.spots, strict=True
        )
    )
    end = f"</{svg.tag}>"
    return "".join((tostring(svg, encoding="unicode").removesuffix(end), *places, end))


def chosen_layout(game: Game, name: str) -> tuple[str, Layout]:
    """The layout with this name, or the game's widest where it has none of that name."""
    name = name if name in game.layouts else next(iter(game.layouts))
    return name, game.layouts[name]


def size(layout: Layout) -> tuple[float, float]:
    """Width and height of a diagram with this layout, in card units."""
    width = 2 * MARGIN + COLUMN * (layout.columns - 1) + card_art.WIDTH
    return width, TOP_MARGIN + ROW * layout.rows - (ROW - _height("pile")) + FOOT_MARGIN


def boxes(game: Game, layout: str = WIDE) -> tuple[Box, ...]:
    """Where each place can be touched, in the game's order."""
    _, lay = chosen_layout(game, layout)
    width, height = size(lay)
    return tuple(
        Box(x / width, y / height, card_art.WIDTH / width, _height(kind) / height)
        for kind, (x, y) in zip(game.kinds, map(_corner, lay.spots), strict=True)
    )


def _height(kind: Kind) -> float:
    """How high a place is, its label included."""
    room = (FAN_ROWS - 1) * ROW if kind == "fan" else 0
    return card_art.HEIGHT + room + LABEL_GAP + LABEL


def _canvas(name: str, layout: Layout, standalone: bool) -> Element:
    width, height = map(number, size(layout))
    attributes = {
        "viewBox": f"0 0 {width} {height}",
        "role": "img",
        "class": f"board layout-{name}",
    }
    if standalone:
        attributes |= {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height}
    return Element("svg", attributes)


def _corner(spot: Spot) -> tuple[float, float]:
    """The top left corner of the first card at a spot."""
    return MARGIN + COLUMN * spot.column, TOP_MARGIN + ROW * spot.row


def _arch(layout: Layout) -> Element:
    """The moon behind the piles: two half ellipses over one foot line."""
    width, height = size(layout)
    foot, middle = height - 8, width / 2
    outer, inner = middle - 4, middle - card_art.WIDTH - 14
    high, low = foot - 4, foot - TOP_MARGIN - layout.arch * ROW + LABEL - 4
    path = (
        f"M{number(middle - outer)} {number(foot)}A{number(outer)} {number(high)} 0 0 1"
        f" {number(middle + outer)} {number(foot)}H{number(middle + inner)}"
        f"A{number(inner)} {number(low)} 0 0 0 {number(middle - inner)} {number(foot)}Z"
    )
    return Element("path", {"class": "arch", "d": path, "fill": ARCH_COLOUR})


def _mark(place: Place, marks: Marks) -> _Mark:
    if place in marks.selected:
        return "selected"
    return "dimmed" if place in marks.dimmed else None


@lru_cache(_KEPT)
def _place(place: Place, kind: Kind, pile: Pile, spot: Spot, letters: _Letters, mark: _Mark) -> str:
    """One place: its cards, or an outline where they have gone, and its label.

    From one position to the next few places change, and to draw the others anew is slow.
    """
    x, y = _corner(spot)
    group = Element(
        "g",
        {
            "class": "place",
            "data-place": place,
            "transform": f"translate({number(x)} {number(y)})",
        },
    )
    if not pile:
        group.append(_empty())
    elif kind == "fan":
        group.extend(_fan(pile, dict(letters), mark))
    else:
        if len(pile) > 1:
            group.append(_edges(min(len(pile) - 1, MOST_EDGES)))
        group.append(_marked(_face(pile[-1], dict(letters)), mark, LIFT))
    group.extend(_label(place, kind, len(pile), _drop(kind, pile)))
    return tostring(group, encoding="unicode")


def _drop(kind: Kind, pile: Pile) -> float:
    """How far the top card lies below the first one."""
    return _step(pile) * max(len(pile) - 1, 0) if kind == "fan" else 0


def _step(fan: Pile) -> float:
    """How much of each card of a fan shows: less in a long one, which must end where others do."""
    room = (FAN_ROWS - 1) * ROW
    return min(STEP, room / max(len(fan) - 1, 1))


def _fan(fan: Pile, letters: dict[Rank, str], mark: _Mark) -> list[Element]:
    """The cards of a fan; the top one is not lifted, for it would hide the next."""
    step, faces = _step(fan), [_face(card, letters) for card in fan]
    cards = [*faces[:-1], _marked(faces[-1], mark, lift=0)]
    return [_lowered(card, step * number) for number, card in enumerate(cards)]


def _lowered(card: Element, by: float) -> Element:
    if not by:
        return card
    group = Element("g", {"transform": f"translate(0 {number(by)})"})
    group.append(card)
    return group


def _face(card: Card, letters: dict[Rank, str]) -> Element:
    return card_art.card_face(card, letters.get(card.rank, rank_text(card.rank)))


def _marked(face: Element, mark: _Mark, lift: float) -> Element:
    if mark == "selected":
        return _selected(face, lift)
    return _dimmed(face) if mark else face


def _selected(face: Element, lift: float) -> Element:
    group = Element("g", {"class": "selected", "transform": f"translate(0 {number(-lift)})"})
    group.append(face)
    ring = _card_sized(2) | {"rx": "9", "fill": "none", "stroke": SELECT_COLOUR}
    SubElement(group, "rect", {"class": "ring", **ring, "stroke-width": "4.5"})
    return group


def _dimmed(face: Element) -> Element:
    group = Element("g", {"class": "dimmed"})
    group.append(face)
    veil = _card_sized(1) | {"rx": str(card_art.CORNER), "fill": TABLE_COLOUR}
    SubElement(group, "rect", {"class": "veil", **veil, "opacity": "0.66"})
    return group


def _card_sized(beyond: int) -> dict[str, str]:
    """The place and size of a rectangle as large as a card and a little more on each side."""
    return {
        "x": str(-beyond),
        "y": str(-beyond),
        "width": str(card_art.WIDTH + 2 * beyond),
        "height": str(card_art.HEIGHT + 2 * beyond),
    }


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
            "fill": card_art.BELOW_COLOUR,
            "stroke": PILE_COLOUR,
            "stroke-width": "0.8",
        },
    )


def _empty() -> Element:
    outline = _card_sized(-3) | {"rx": str(card_art.CORNER), "fill": "none"}
    stroke = {"stroke": EMPTY_COLOUR, "stroke-width": "1.5", "stroke-dasharray": "5 5"}
    return Element("rect", {"class": "empty", **outline, **stroke})


def _label(place: Place, kind: Kind, count: int, drop: float) -> list[Element]:
    """The name of the place, and how many cards it holds in a frame shaped like a card.

    Between them a foundation says with an arrow whether its ranks go up or down.
    """
    line = card_art.HEIGHT + LABEL_GAP + 19 + drop
    name, cards = _text("place-name", 16, line, place), _text("count", 47, line, str(count))
    name.set("font-weight", "700")
    if kind in _ARROWS:
        name.set("x", "12")
        name.set("font-size", "17")
        arrow = f"M29 {number(line - 6)}{_ARROWS[kind]}"
        direction = Element("path", {"class": "label direction", "d": arrow, "fill": LABEL_COLOUR})
        return [name, direction, _count_frame(line), cards]
    return [name, _count_frame(line), cards]


_ARROWS: Final = {"ace foundation": "m-4 3l4-7l4 7z", "king foundation": "m-4-3l4 7l4-7z"}


def _text(kind: str, x: float, y: float, text: str) -> Element:
    attributes = {
        "class": f"label {kind}",
        "x": number(x),
        "y": number(y),
        "fill": LABEL_COLOUR,
        "font-family": "system-ui, sans-serif",
        "font-size": "20" if kind == "place-name" else "17",
        "text-anchor": "middle",
    }
    element = Element("text", attributes)
    element.text = text
    return element


def _count_frame(line: float) -> Element:
    place = {"x": "35.5", "y": number(line - 17), "width": "23", "height": "21", "rx": "4"}
    stroke = {"fill": "none", "stroke": LABEL_COLOUR, "stroke-width": "1.2"}
    return Element("rect", {"class": "count-frame", **place, **stroke})
