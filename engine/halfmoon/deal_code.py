"""Deal codes, and the shuffle that turns a code into an order of the cards.

The whole of it is specified on the site's page about deal codes, so that it can be written again in
another language. A dealing rule that is published never changes; a new one gets a new version.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from itertools import chain, count
from struct import Struct
from typing import Final, NamedTuple, TypeVar

from halfmoon.cards import two_packs, upper
from halfmoon.mistake import N_, Mistake, shown

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
"""RFC 4648 base 32: the letter at index 0 stands for 0."""
CODE_LETTERS: Final = 7
BITS_PER_LETTER: Final = 5
DEALS: Final = 1 << (BITS_PER_LETTER * CODE_LETTERS)
"""How many deals a variant has: numbers 0 to ``DEALS`` - 1."""
FORGIVEN: Final = {"0": "O", "8": "B"}

_WORD: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
_MIX_1: Final = 0xBF58476D1CE4E5B9
_MIX_2: Final = 0x94D049BB133111EB

_BLOCK: Final = len(two_packs())
"""How many random numbers are made at a time: enough to shuffle two packs."""
_LANE: Final = 128
"""How many bits each of them has to itself meanwhile: room for the product of two words."""
_ONES: Final = sum(1 << _LANE * lane for lane in range(_BLOCK))
"""A 1 in every lane."""
_WORDS: Final = _WORD * _ONES
"""The bits of the word in every lane."""
_STEPS: Final = sum((lane + 1) * _GAMMA << _LANE * lane for lane in range(_BLOCK))
"""How far the state has gone on in each lane."""
_LOW_HALVES: Final = Struct("<" + "Q8x" * _BLOCK)

Item = TypeVar("Item")


class DealCodeMistake(Mistake):
    """A text that is not a deal code; says which part is wrong and what is expected."""


class DealFormat(NamedTuple):
    """What a game's deal codes start with."""

    prefix: str
    """Two letters that name the game."""
    version: str
    """The version of its dealing rule, one character."""
    variants: tuple[str, ...]
    """Its variants, one letter each."""


class DealCode(NamedTuple):
    """A deal by name; the same code is the same deal for ever.

    >>> str(DealCode("HM", "1", "N", 1))
    'HM1-N-AAAAAAB'
    """

    prefix: str
    version: str
    variant: str
    number: int

    def __str__(self) -> str:
        return f"{self.prefix}{self.version}-{self.variant}-{_letters_of(self.number)}"


def make(deal_format: DealFormat, number: int) -> DealCode:
    """The code of deal ``number`` (0 to ``DEALS`` - 1) in the game's first variant.

    Raises ``DealCodeMistake`` for a number outside that range.
    """
    if not 0 <= number < DEALS:
        raise DealCodeMistake(
            N_("There is no deal {number}. Deals are numbered from 0 to {last}."),
            number=number,
            last=DEALS - 1,
        )
    return DealCode(deal_format.prefix, deal_format.version, deal_format.variants[0], number)


def number_of_day(day: date) -> int:
    """The number of the deal of the day: the same for everyone, from the date alone.

    >>> str(make(DealFormat("HM", "1", ("N",)), number_of_day(date(2026, 11, 30))))
    'HM1-N-ZODOANM'
    """
    seed = day.year * 10_000 + day.month * 100 + day.day
    return next(random_numbers(seed)) * DEALS >> 64


def parse(text: str, formats: Collection[DealFormat]) -> DealCode:
    """Read a deal code of any of these formats; undoes ``str(code)``, and forgives the usual slips.

    Case, surrounding space, missing or repeated hyphens and spaces do not matter; among the seven
    letters 0 is read as O and 8 as B.

    >>> hm = DealFormat("HM", "1", ("N",))
    >>> str(parse(" hm1 n aaaaaab", [hm]))
    'HM1-N-AAAAAAB'
    >>> parse("HM1-N-AAAAAA1", [hm])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    halfmoon.deal_code.DealCodeMistake: “1” cannot stand in a deal code. ...

    Raises ``DealCodeMistake``, which names the part that is wrong.
    """
    packed = upper("".join(c for c in text if c != "-" and not c.isspace()))
    if not packed:
        raise DealCodeMistake(
            N_("There is no deal code here. A deal code looks like {example}."),
            example=make(next(iter(formats)), 1),
        )
    known = _format_of(packed, formats, text)
    head = len(known.prefix) + len(known.version)
    variant, letters = packed[head : head + 1], packed[head + 1 :]
    if variant and variant not in known.variants:
        raise DealCodeMistake(
            N_(
                "“{variant}” is not a variant of this game. After {start} a deal code goes on"
                " with one of: {variants}."
            ),
            variant=shown(variant) or "?",
            start=packed[:head],
            variants=", ".join(known.variants),
        )
    if not letters:
        raise DealCodeMistake(
            N_("The deal code stops after {start}. A whole one looks like {example}."),
            start=packed,
            example=make(known, 1),
        )
    return DealCode(known.prefix, known.version, variant, _number_of(letters))


def _format_of(packed: str, formats: Collection[DealFormat], text: str) -> DealFormat:
    """The format the code starts with, told apart by game first, then by version."""
    for known in formats:
        if packed.startswith(known.prefix):
            rest = packed[len(known.prefix) :]
            if not rest or rest.startswith(known.version):
                return known
            raise DealCodeMistake(
                N_(
                    "“{version}” is not a version this site can deal. After {prefix} a deal code"
                    " goes on with {expected}."
                ),
                version=shown(rest[:1]) or "?",
                prefix=known.prefix,
                expected=known.version,
            )
    raise DealCodeMistake(
        N_(
            "“{text}” does not start with the letters of a game. A deal code starts with: {starts}."
        ),
        text=shown(text),
        starts=", ".join(known.prefix + known.version for known in formats),
    )


def _letters_of(number: int) -> str:
    shifts = range(BITS_PER_LETTER * (CODE_LETTERS - 1), -1, -BITS_PER_LETTER)
    return "".join(LETTERS[number >> shift & 31] for shift in shifts)


def _number_of(letters: str) -> int:
    number = 0
    for character in letters:
        value = LETTERS.find(FORGIVEN.get(character, character))
        if value < 0:
            raise DealCodeMistake(
                N_(
                    "“{character}” cannot stand in a deal code. Its last part has only the letters"
                    " A to Z and the digits 2 to 7."
                ),
                character=shown(character) or "?",
            )
        number = number << BITS_PER_LETTER | value
    if len(letters) != CODE_LETTERS:
        raise DealCodeMistake(
            N_(
                "The last part of a deal code has {expected} letters or digits; here it has"
                " {found}."
            ),
            expected=CODE_LETTERS,
            found=len(letters),
        )
    return number


def random_numbers(seed: int) -> Iterator[int]:
    """Random 64-bit numbers: SplitMix64 started from a 64-bit state.

    >>> hex(next(random_numbers(0)))
    '0xe220a8397b1dcdaf'

    Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
    """
    return chain.from_iterable(map(_random_block, count(seed, _BLOCK * _GAMMA)))


def _random_block(state: int) -> tuple[int, ...]:
    """The next random numbers after a state, as many as are made at a time.

    They are mixed all at once, in lanes of one long integer, since a step of Python costs far more
    than the arithmetic in it. A shift carries bits of each lane into the upper half of the lane
    below; they are cleared before a product, and left behind at the end.
    """
    states = (state & _WORD) * _ONES + _STEPS & _WORDS
    mixed = ((states ^ states >> 30) & _WORDS) * _MIX_1 & _WORDS
    mixed = ((mixed ^ mixed >> 27) & _WORDS) * _MIX_2 & _WORDS
    return _LOW_HALVES.unpack((mixed ^ mixed >> 31).to_bytes(_LOW_HALVES.size, "little"))


def shuffle(items: Sequence[Item], number: int) -> tuple[Item, ...]:
    """The items in the order of deal ``number``: Fisher-Yates from the end, fed by SplitMix64.

    A number below n is the high half of the 128-bit product of a random number and n.

    >>> shuffle("abcde", 1)
    ('b', 'a', 'd', 'e', 'c')
    """
    order = list(items)
    last = len(order) - 1
    for i, random in zip(range(last, 0, -1), random_numbers(number), strict=False):
        j = random * (i + 1) >> 64
        order[i], order[j] = order[j], order[i]
    return tuple(order)
