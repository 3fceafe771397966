"""Cards and packs."""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from halfmoon.mistake import N_, Mistake, shown

Suit: TypeAlias = Literal["S", "H", "D", "C"]
Rank: TypeAlias = int
"""1 for the ace, 2 to 10, then ``JACK``, ``QUEEN`` and ``KING``."""

SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
ACE: Final = 1
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
RANKS: Final = range(ACE, KING + 1)
FACES: Final = (JACK, QUEEN, KING)

RANK_LETTERS: Final = {ACE: "A", JACK: "J", QUEEN: "Q", KING: "K"}


def rank_text(rank: Rank) -> str:
    """A rank as codes, moves and commands write it: ``A``, ``2`` … ``10``, ``J``, ``Q``, ``K``."""
    return RANK_LETTERS.get(rank) or str(rank)


class Card(NamedTuple):
    """One card; its twin from the other pack is equal to it.

    >>> str(Card(10, "H"))
    '10H'
    """

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return rank_text(self.rank) + self.suit

    @property
    def is_face(self) -> bool:
        """True for a jack, a queen or a king."""
        return self.rank >= JACK


def upper(text: str) -> str:
    """The text in upper case, for ASCII alone: elsewhere a letter may become a different one.

    >>> upper("aſ")
    'Aſ'
    """
    return "".join(c.upper() if c.isascii() else c for c in text)


class CardMistake(Mistake):
    """A text that is not a card."""


def pack() -> tuple[Card, ...]:
    """One pack of 52: spades, hearts, diamonds, clubs, each from the ace to the king."""
    return _PACK


def two_packs() -> tuple[Card, ...]:
    """The 104 cards both games are played with, pack after pack."""
    return _PACK * 2


_PACK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_BY_TEXT: Final = {str(card): card for card in _PACK}


def parse_card(text: str) -> Card:
    """The card that ``text`` names, in any case; undoes ``str(card)``.

    >>> parse_card("qh")
    Card(rank=12, suit='H')

    Raises ``CardMistake`` for anything else.
    """
    card = _BY_TEXT.get(upper(text.strip()))
    if card is None:
        raise CardMistake(
            N_(
                "“{text}” is not a card. A card is a rank (A, 2 to 10, J, Q, K)"
                " and a suit (S, H, D, C)."
            ),
            text=shown(text),
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards named in ``text``, separated by spaces.

    >>> [str(card) for card in parse_cards("5S AH 10D")]
    ['5S', 'AH', '10D']
    """
    return tuple(parse_card(word) for word in text.split())
