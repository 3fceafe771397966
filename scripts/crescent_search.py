"""A beam search for won games of Crescent: it finds wins, and proves nothing where it finds none.

It goes move by move. Of all positions that the kept ones lead to, the most promising are kept for
the next move. The order of the fans makes no difference, and neither does which twin lies where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple, TypeAlias

from halfmoon.cards import ACE, RANKS, SUITS, Card
from halfmoon.deal_code import random_numbers
from halfmoon.games.crescent import CRESCENT, REDEAL
from halfmoon.position import Move, Position

Fan: TypeAlias = bytes
"""The numbers of a fan's cards, the bottom card first."""
Fans: TypeAlias = tuple[Fan, ...]
Tops: TypeAlias = tuple[int, ...]
"""The top cards of the foundations, those that build up first."""
Step: TypeAlias = tuple[int, int]
"""The indexes of the places a card goes from and to."""
Candidate: TypeAlias = tuple[int, "Node", Step, int]
"""Its worth, where it comes from and how, and its mark: what there is of a node at first."""
Wish: TypeAlias = Callable[["Node"], int]
"""Something a win should have, in points for the last step of a node."""

SUIT: Final = len(RANKS)
FANS: Final = CRESCENT.fans
FOUNDATIONS: Final = range(FANS, FANS + CRESCENT.foundations)
DOWN: Final = FOUNDATIONS[len(SUITS) :]
"""The foundations that build down; those that build up come before them."""
NUMBERS: Final = range(SUIT * len(SUITS))
"""Cards are numbers here: suit after suit, each from the ace to the king."""
THE_REDEAL: Final[Step] = (-1, -1)

PATIENCE: Final = 16
"""Moves without one more card at home after which a search gives up; wins need half as many."""
MARK_BITS: Final = 54
"""Few enough for the sum of a position's marks to be quick, enough to tell positions apart."""
BETWEEN: Final = b"\xff"


class Beam(NamedTuple):
    """How many positions are kept, and what they are judged by; a card at home is worth 20."""

    width: int
    redeal: int = 60
    """What a redeal that is left is worth."""
    pair: int = 2
    """What a card on its neighbour is worth."""
    depth: int = 2
    """What each card costs that lies on the next card of a foundation."""
    rough: int = 2
    """How many times the width gets the thorough look that ends in the choice."""
    hurries: bool = True
    """Whether a card whose twin is at home goes home without looking further."""


HOME: Final = 20
LADDER: Final = (
    Beam(150, redeal=80, depth=4),
    Beam(150, pair=1),
    Beam(300),
    Beam(1_000, pair=3),
    Beam(3_000, depth=3),
    Beam(5_000, redeal=80),
)
"""Wider and wider, and each with another judgement, since what one overlooks another may find."""


def number_of(card: Card) -> int:
    """The number a card goes by here."""
    return SUITS.index(card.suit) * SUIT + card.rank - ACE


def _neighbours(number: int) -> tuple[int, int]:
    ace = number - number % SUIT
    return ace + (number - ace + 1) % SUIT, ace + (number - ace - 1) % SUIT


NEIGHBOURS: Final = tuple(map(_neighbours, NUMBERS))
LETTERS: Final = tuple(bytes([number]) for number in NUMBERS)
NEXT_UP: Final = tuple(n + 1 if (n + 1) % SUIT else None for n in NUMBERS)
NEXT_DOWN: Final = tuple(n - 1 if n % SUIT else None for n in NUMBERS)
STARTS: Final = tuple(range(0, NUMBERS.stop, SUIT)) + tuple(range(SUIT - 1, NUMBERS.stop, SUIT))
"""The starting cards of the foundations."""


@dataclass(slots=True, eq=False)
class Node:
    """A position, and how it was reached."""

    fans: Fans
    tops: Tops
    redeals: int
    mark: int
    """The same for positions that make no difference, and in practice different for others."""
    worth: int
    parent: Node | None = None
    step: Step = THE_REDEAL
    wished: int = 0
    """The part of the worth that comes from wishes."""
    promise: int = 0
    """The worth after a thorough look."""

    left: int = 0
    """How many cards lie in the fans."""

    def path(self) -> Iterator[Node]:
        """This node and those it was reached by, the last first, the deal left out."""
        node = self
        while node.parent is not None:
            yield node
            node = node.parent


class Search:
    """What a search with one beam knows."""

    def __init__(self, beam: Beam, wish: Wish | None = None) -> None:
        self.beam = beam
        self.wish = wish
        self.numbers = (number >> 64 - MARK_BITS for number in random_numbers(beam.width))
        self.top_marks = [[next(self.numbers) for _ in NUMBERS] for _ in FOUNDATIONS]
        self.redeal_marks = [next(self.numbers) for _ in range(CRESCENT.redeals + 1)]
        self.of_fans: dict[Fan, tuple[int, int]] = {b"": (0, 0)}
        self.takings: dict[Fan, tuple[int, int]] = {}
        self.seen: set[int] = set()

    def find(self, position: Position) -> Node | None:
        """A node in which the game is won, or None where this beam leads to none."""
        node = self._start(position)
        self.seen = {node.mark}
        kept, fewest, patience = [node], node.left, PATIENCE
        while kept and patience:
            best = min(kept, key=attrgetter("left"))
            if not best.left:
                return best
            patience = PATIENCE if best.left < fewest else patience - 1
            fewest = min(fewest, best.left)
            kept = self._chosen(kept)
        return None

    def _start(self, position: Position) -> Node:
        fans, tops = read(position)
        mark, worth = self._judged(fans, tops, position.redeals)
        return Node(fans, tops, position.redeals, mark, worth, left=sum(map(len, fans)))

    def _judged(self, fans: Fans, tops: Tops, redeals: int) -> tuple[int, int]:
        """The mark and the worth of a position, wishes left out."""
        mark = self.redeal_marks[redeals] + sum(
            marks[top] for marks, top in zip(self.top_marks, tops, strict=True)
        )
        worth = redeals * self.beam.redeal - HOME * sum(map(len, fans))
        for fan in fans:
            fan_mark, fan_worth = self._of_fan(fan)
            mark += fan_mark
            worth += fan_worth
        return mark, worth

    def _of_fan(self, fan: Fan) -> tuple[int, int]:
        """A fan's own part in a position's mark and worth."""
        known = self.of_fans.get(fan)
        if known is None:
            pairs = sum(a in NEIGHBOURS[b] for a, b in pairwise(fan))
            known = self.of_fans[fan] = next(self.numbers), pairs * self.beam.pair
        return known

    def _taking(self, fan: Fan) -> tuple[int, int]:
        """How mark and worth change when a fan's top card is taken."""
        known = self.takings.get(fan)
        if known is None:
            mark, worth = self._of_fan(fan)
            rest_mark, rest_worth = self._of_fan(fan[:-1])
            known = self.takings[fan] = rest_mark - mark, rest_worth - worth + HOME
        return known

    def _chosen(self, kept: list[Node]) -> list[Node]:
        """The most promising of the new positions that the kept ones lead to."""
        found: dict[int, Candidate] = {}
        for node in kept:
            for candidate in self._candidates(node):
                mark = candidate[3]
                if mark not in self.seen and mark not in found:
                    found[mark] = candidate
        width = self.beam.width
        candidates = sorted(found.values(), key=itemgetter(0), reverse=True)[
            : self.beam.rough * width
        ]
        nodes = [self._made(candidate) for candidate in candidates]
        if len(nodes) > width:
            nodes = sorted(nodes, key=attrgetter("promise"), reverse=True)[:width]
        self.seen.update(node.mark for node in nodes)
        return nodes

    def _candidates(self, node: Node) -> Iterator[Candidate]:
        """What can be reached from a node by one move worth trying."""
        certain = certain_step(node.fans, node.tops) if self.beam.hurries else None
        if certain:
            yield self._stepped(node, certain)
            return
        for step in steps(node.fans, node.tops):
            yield self._stepped(node, step)
        if node.redeals and any(len(fan) > 1 for fan in node.fans):
            yield self._redealt(node)

    def _stepped(self, node: Node, step: Step) -> Candidate:
        source, goal = step
        if source < FANS:
            fan = node.fans[source]
            card = fan[-1]
            taken_mark, taken_worth = self.takings.get(fan) or self._taking(fan)
        else:
            card = node.tops[source - FANS]
            taken_mark, taken_worth = self._top_mark(source, _below(source, card), card), 0
        if goal < FANS:
            fan = node.fans[goal] + LETTERS[card]
            given_mark, given_worth = self.takings.get(fan) or self._taking(fan)
        else:
            given_mark, given_worth = self._top_mark(goal, _below(goal, card), card), 0
        worth = node.worth + taken_worth - given_worth
        return worth, node, step, node.mark + taken_mark - given_mark

    def _top_mark(self, place: int, below: int, card: int) -> int:
        """How the mark changes when a foundation's top card is taken."""
        marks = self.top_marks[place - FANS]
        return marks[below] - marks[card]

    def _redealt(self, node: Node) -> Candidate:
        redealt = turned(node.fans)
        mark, worth = self._judged(redealt, node.tops, node.redeals - 1)
        return worth + node.wished, node, THE_REDEAL, mark

    def _made(self, candidate: Candidate) -> Node:
        worth, parent, step, mark = candidate
        fans, tops, redeals = parent.fans, parent.tops, parent.redeals
        if step == THE_REDEAL:
            fans, redeals = turned(fans), redeals - 1
        else:
            fans, tops = moved(fans, tops, step)
        node = Node(fans, tops, redeals, mark, worth, parent, step, parent.wished)
        if self.wish:
            wished = self.wish(node)
            node.worth += wished
            node.wished += wished
        node.left = parent.left + (step[1] < FANS) - (step[0] < FANS)
        node.promise = node.worth - self.beam.depth * depths(fans, tops)
        return node


def read(position: Position) -> tuple[Fans, Tops]:
    """The fans of a position, and the top cards of its foundations."""
    fans = tuple(bytes(map(number_of, pile)) for pile in position.piles[:FANS])
    return fans, tuple(number_of(pile[-1]) for pile in position.piles[FANS:])


def steps(fans: Fans, tops: Tops) -> Iterator[Step]:
    """Every way to move a card."""
    takers = _takers(fans, tops)
    for index, fan in enumerate(fans):
        if fan:
            for goal in takers.get(fan[-1], ()):
                yield index, goal
    for place, top, start in zip(FOUNDATIONS, tops, STARTS, strict=True):
        if top != start:
            for goal in takers.get(top, ()):
                yield place, goal


def certain_step(fans: Fans, tops: Tops) -> Step | None:
    """A step home for a card whose twin is at home: there is no other foundation it could go to."""
    at: dict[int, int] = {fan[-1]: index for index, fan in enumerate(fans) if fan}
    half = len(SUITS)
    for index, wanted in enumerate(_wanted(tops)):
        if wanted is not None and wanted in at:
            other = tops[index - half]
            if other <= wanted if index < half else other >= wanted:
                return at[wanted], FOUNDATIONS[index]
    return None


def _takers(fans: Fans, tops: Tops) -> dict[int, list[int]]:
    """For each card that has somewhere to go, the indexes of the places."""
    takers: dict[int, list[int]] = {}
    for index, fan in enumerate(fans):
        if fan:
            for neighbour in NEIGHBOURS[fan[-1]]:
                takers.setdefault(neighbour, []).append(index)
    for place, wanted in zip(FOUNDATIONS, _wanted(tops), strict=True):
        if wanted is not None:
            takers.setdefault(wanted, []).append(place)
    return takers


def _wanted(tops: Tops) -> list[int | None]:
    """The next card of each foundation."""
    half = len(SUITS)
    return [NEXT_UP[top] for top in tops[:half]] + [NEXT_DOWN[top] for top in tops[half:]]


def depths(fans: Fans, tops: Tops) -> int:
    """How many cards lie on the next cards of the foundations, on the freer one of two twins."""
    line = BETWEEN.join(fans) + BETWEEN
    cards = 0
    for wanted in _wanted(tops):
        if wanted is not None and (at := line.find(wanted)) >= 0:
            deep = line.index(BETWEEN, at) - at - 1
            if (twin := line.find(wanted, at + 1)) >= 0:
                deep = min(deep, line.index(BETWEEN, twin) - twin - 1)
            cards += deep
    return cards


def _below(foundation: int, card: int) -> int:
    """The card under a card of a foundation."""
    return card - 1 if foundation < DOWN[0] else card + 1


def turned(fans: Fans) -> Fans:
    """The fans after a redeal."""
    return tuple([fan[1:] + fan[:1] for fan in fans])


def moved(fans: Fans, tops: Tops, step: Step) -> tuple[Fans, Tops]:
    """The fans and the tops of the foundations after a step."""
    source, goal = step
    new_fans, new_tops = list(fans), list(tops)
    if source < FANS:
        card = fans[source][-1]
        new_fans[source] = fans[source][:-1]
    else:
        card = tops[source - FANS]
        new_tops[source - FANS] = _below(source, card)
    if goal < FANS:
        new_fans[goal] += LETTERS[card]
    else:
        new_tops[goal - FANS] = card
    return tuple(new_fans), tuple(new_tops)


def find_win(position: Position, beams: Iterable[Beam] = LADDER) -> tuple[Move, ...] | None:
    """The moves of a win, found by the first beam that finds one; None proves nothing."""
    for beam in beams:
        won = Search(beam).find(position)
        if won is not None:
            return moves_of(won)
    return None


def moves_of(node: Node) -> tuple[Move, ...]:
    """The moves from the deal to a node."""
    return tuple(map(_move, [node.step for node in node.path()][::-1]))


def _move(step: Step) -> Move:
    return REDEAL if step == THE_REDEAL else Move.of(*(CRESCENT.places[index] for index in step))
