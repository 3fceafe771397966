"""How a card looks: suits, indices and emblems as paths, so that no font is needed.

All measures are in card units: a card is ``WIDTH`` by ``HEIGHT``.
"""

from functools import cache
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from halfmoon.cards import ACE, JACK, KING, QUEEN, Card, Rank, Suit

WIDTH: Final = 60
HEIGHT: Final = 84
CORNER: Final = 7

FACE_COLOUR: Final = "#fffdf7"
BELOW_COLOUR: Final = "#f3eee0"
EDGE_COLOUR: Final = "#2a3038"
GOLD: Final = "#d2a03c"
RED: Final = "#b01f2e"
BLACK: Final = "#1b222c"
SUIT_COLOURS: Final[dict[Suit, str]] = {"S": BLACK, "H": RED, "D": RED, "C": BLACK}
SUIT_CLASSES: Final[dict[Suit, str]] = {
    "S": "spades",
    "H": "hearts",
    "D": "diamonds",
    "C": "clubs",
}

# Suits are drawn around (0, 0), about 19 units high.
_SUITS: Final[dict[Suit, str]] = {
    "S": "M0-9.8C2.6-5.6 9-2 9 3C9 6 6.9 7.7 4.7 7.7C3.1 7.7 1.7 6.9.9 5.5C1.1 7.5 2 9 3.6 9.8H-3.6"
    "C-2 9-1.1 7.5-.9 5.5C-1.7 6.9-3.1 7.7-4.7 7.7C-6.9 7.7-9 6-9 3C-9-2-2.6-5.6 0-9.8Z",
    "H": "M0 9.6C-2.8 5.6-9.2 1.6-9.2-3.8C-9.2-7.2-6.9-9.2-4.5-9.2C-2.4-9.2-.7-8-0-6"
    "C.7-8 2.4-9.2 4.5-9.2C6.9-9.2 9.2-7.2 9.2-3.8C9.2 1.6 2.8 5.6 0 9.6Z",
    "D": "M0-10.4C2-6.4 4.6-2.9 7.8 0C4.6 2.9 2 6.4 0 10.4"
    "C-2 6.4-4.6 2.9-7.8 0C-4.6-2.9-2-6.4 0-10.4Z",
    "C": "M0-9.8A4.5 4.5 0 0 1 3.2-2.1A4.5 4.5 0 1 1 .9 4.6C1.1 7 2 9 3.6 9.8H-3.6"
    "C-2 9-1.1 7-.9 4.6A4.5 4.5 0 1 1-3.2-2.1A4.5 4.5 0 0 1 0-9.8Z",
}

LETTER_HEIGHT: Final = 20
# Letters and digits are strokes in a box LETTER_HEIGHT high; the number is their width.
_GLYPHS: Final[dict[str, tuple[float, str]]] = {
    "0": (11, "M5.5 0C2 0 0 4 0 10S2 20 5.5 20S11 16 11 10S9 0 5.5 0Z"),
    "1": (5, "M0 4L5 0V20"),
    "2": (12, "M.6 5.6C.6 2.2 3 0 6.2 0S11.8 2.2 11.8 5.3C11.8 8 10.2 9.8 7.8 12L0 20H12"),
    "3": (12, "M.8 0H11L5.4 8C9.4 8 12 10.4 12 14S9.4 20 5.9 20C3 20 .9 18.6 0 16.2"),
    "4": (12.5, "M9 20V0L0 14H12.5"),
    "5": (
        12,
        "M10.8 0H2L1 9.2C2.3 7.9 4 7.3 5.9 7.3C9.5 7.3 12 9.8 12 13.6S9.5 20 5.8 20"
        "C3 20 1 18.7 0 16.5",
    ),
    "6": (
        12,
        "M9.8 0C3.8 2.6 0 7.6 0 13.7C0 17.4 2.6 20 6 20S12 17.4 12 13.8S9.6 7.9 6.3 7.9"
        "S.9 10 .2 12.6",
    ),
    "7": (12, "M0 0H12L4.4 20"),
    "8": (
        12,
        "M6 9.2C3 9.2 .9 7.2 .9 4.6S3 0 6 0S11.1 1.9 11.1 4.6S9 9.2 6 9.2C2.5 9.2 0 11.5 0 14.6"
        "S2.5 20 6 20S12 17.8 12 14.6S9.5 9.2 6 9.2Z",
    ),
    "9": (
        12,
        "M2.2 20C8.2 17.4 12 12.4 12 6.3C12 2.6 9.4 0 6 0S0 2.6 0 6.2S2.4 12.1 5.7 12.1"
        "S11.1 10 11.8 7.4",
    ),
    "A": (14.6, "M0 20L7.3 0L14.6 20M2.5 13.4H12.1"),
    "B": (
        12,
        "M0 9.5H6C9.3 9.5 11.2 7.5 11.2 4.7S9.3 0 6 0H0V20H6.2"
        "C9.9 20 12 17.9 12 14.8S9.9 9.5 6.2 9.5",
    ),
    "C": (13.4, "M13.4 4C11.8 1.4 9.6 0 7 0C3 0 0 4 0 10S3 20 7 20C9.6 20 11.8 18.6 13.4 16"),
    "D": (13, "M0 0H4.2C10 0 13 3.9 13 10S10 20 4.2 20H0Z"),
    "H": (12.4, "M0 0V20M12.4 0V20M0 9.8H12.4"),
    "J": (9.6, "M9.6 0V14C9.6 17.8 7.7 20 4.9 20C2.3 20 .5 18.4 0 15.4"),
    "K": (12.6, "M0 0V20M12 0L0 12.6M4.3 8.4L12.6 20"),
    "Q": (15, "M7.5 0C3 0 0 4 0 10S3 20 7.5 20S15 16 15 10S12 0 7.5 0ZM9.4 14.4L15.2 21.2"),
    "R": (12.4, "M0 20V0H6.4C10 0 12 2.2 12 5.4S10 10.8 6.4 10.8H0M6.2 10.8L12.4 20"),
    "S": (
        12,
        "M11.4 4C10.4 1.4 8.6 0 6 0C3 0 .8 1.9 .8 4.8C.8 7.6 2.6 8.8 6 9.8C9.6 10.8 12 12 12 15"
        "S9.4 20 6.2 20C3 20 .8 18.4 0 15.6",
    ),
    "V": (14, "M0 0L7 20L14 0"),
    "W": (19, "M0 0L4.7 20L9.5 4.4L14.3 20L19 0"),
}
INDEX_LETTERS: Final = frozenset(_GLYPHS)
LETTER_GAP: Final = 4.6

# Emblems are drawn around (0, 0), about 40 wide: solid shapes, then lines in gold.
_EMBLEMS: Final[dict[Rank, tuple[str, str]]] = {
    JACK: (
        "M-19 14C-21 14-21 8.5-19 8.5H-16C-15-1-8-7 1-7C10-7 16-1 17 8.5H19C21 8.5 21 14 19 14Z"
        "M3-8C4-16 11-22 20-21C20-13 14-8 6-6.5Z",
        "M-16 8.5H17M6-9C10-11 14-15 16.5-18",
    ),
    QUEEN: (
        "M-15 14C-15 6-17 0-19-5L-10 1.5L-6.5-9L0 0L6.5-9L10 1.5L19-5C17 0 15 6 15 14Z"
        "M-19-11.2a3 3 0 1 0 .1 0ZM-6.5-15.6a3 3 0 1 0 .1 0ZM6.4-15.6a3 3 0 1 0 .1 0Z"
        "M18.9-11.2a3 3 0 1 0 .1 0Z",
        "M-15.4 8H15.4",
    ),
    KING: (
        "M-18 14V-7L-9.5 2L0-11L9.5 2L18-7V14Z"
        "M-1.8-21H1.8V-17.8H5V-14.2H1.8V-10H-1.8V-14.2H-5V-17.8H-1.8Z",
        "M-18 7.5H18M0-.5L3 3L0 6.5L-3 3Z",
    ),
}


@cache
def card_face(card: Card, index: str) -> Element:
    """The face of a card, its top left corner at (0, 0), with ``index`` for its rank.

    The element is shared between diagrams: put it into a group, never change it.
    """
    colour = SUIT_COLOURS[card.suit]
    face = Element("g", {"class": f"card {SUIT_CLASSES[card.suit]}", "data-card": str(card)})
    SubElement(face, "rect", {"class": "face", **_outline(), "fill": FACE_COLOUR})
    face.append(_index(index, colour))
    face.append(_suit(card.suit, 47, 18, 0.84))
    if card.is_face:
        face.extend(_emblem(card.rank, colour))
    else:
        face.append(_suit(card.suit, WIDTH / 2, 57.5, 1.95))
    if card.rank == ACE:
        face.append(_moon())
    return face


def _outline() -> dict[str, str]:
    return {
        "width": str(WIDTH),
        "height": str(HEIGHT),
        "rx": str(CORNER),
        "stroke": EDGE_COLOUR,
    }


def _index(index: str, colour: str) -> Element:
    """The letters or digits in the corner, drawn tighter where there are two."""
    lines = Element(
        "g",
        {
            "class": "index",
            "data-index": index,
            "transform": "translate(8.5 7.5)" + (" scale(1.02)" if len(index) == 1 else ""),
            "fill": "none",
            "stroke": colour,
            "stroke-width": "3.5",
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    lines.extend(lettering(index)[0])
    return lines


def lettering(text: str) -> tuple[list[Element], float]:
    """A text as strokes from (0, 0) on, ``LETTER_HEIGHT`` high, and its width.

    Raises ``KeyError`` for a letter that is not in ``INDEX_LETTERS``.
    """
    strokes, left = [], 0.0
    for character in text:
        width, path = _GLYPHS[character]
        attributes = {"transform": f"translate({number(left)})"} if left else {}
        strokes.append(Element("path", {"d": path, **attributes}))
        left += width + LETTER_GAP
    return strokes, left - LETTER_GAP


def _suit(suit: Suit, x: float, y: float, scale: float) -> Element:
    return Element(
        "path",
        {
            "class": "suit",
            "d": _SUITS[suit],
            "fill": SUIT_COLOURS[suit],
            "transform": f"translate({number(x)} {number(y)}) scale({scale})",
        },
    )


def _emblem(rank: Rank, colour: str) -> list[Element]:
    solid, lines = _EMBLEMS[rank]
    at = f"translate({number(WIDTH / 2)} 60)"
    panel = {"x": "6", "y": "34.5", "width": "48", "height": "43.5", "rx": "4"}
    return [
        Element("rect", {"class": "panel", **panel, "fill": colour, "opacity": "0.09"}),
        Element("path", {"class": "emblem", "d": solid, "fill": colour, "transform": at}),
        Element(
            "path",
            {
                "class": "emblem-lines",
                "d": lines,
                "fill": "none",
                "stroke": GOLD,
                "stroke-width": "2.4",
                "transform": at,
            },
        ),
    ]


def _moon() -> Element:
    """The house's crescent, which tells an ace from the other cards at a glance."""
    crescent = "M2.4-5.6A5.8 5.8 0 1 0 5.6 2.4A4.8 4.8 0 0 1 2.4-5.6Z"
    at = f"translate({number(WIDTH / 2)} 58)"
    return Element("path", {"class": "moon", "d": crescent, "fill": FACE_COLOUR, "transform": at})


def number(value: float) -> str:
    """A coordinate as short as it can be written.

    >>> number(12.0), number(0.25)
    ('12', '0.25')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")
