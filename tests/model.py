"""Half Moon a second time, from the published rules alone; it imports nothing of the engine.

Slow and plain on purpose: cards are texts, the table is a dictionary, legal moves are found by
trying every group of places. Where the engine and this model differ, one of them misreads a rule.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

PILES = [str(number) for number in range(1, 13)]
RESERVE = [f"R{number}" for number in range(1, 9)]
PLACES = PILES + RESERVE
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [rank + suit for suit in "SHDC" for rank in RANKS]
FACES = {"J", "Q", "K"}

EXAMPLE_TOPS = "5S AH KH 4C QH 5H 7S 6D 10D 10C 2D KH".split()
EXAMPLE_RESERVE = "10H 6S 3D 4S 7D 5S JH AC".split()

Table = dict[str, list[str]]


def digits_of(number: int) -> str:
    """A deal's number as its code writes it: seven digits to the base of 32."""
    digits = []
    for _ in range(7):
        number, digit = divmod(number, 32)
        digits.append(LETTERS[digit])
    return "".join(reversed(digits))


def code_of(number: int) -> str:
    """The canonical deal code of a number."""
    return "HM1-N-" + digits_of(number)


def split_mix(state: int) -> Iterator[int]:
    """SplitMix64, step by step."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        yield z ^ (z >> 31)


def shuffled[T](cards: list[T], number: int) -> list[T]:
    """Fisher-Yates from the end; a number below n is the high half of a 128-bit product."""
    cards = list(cards)
    outputs = split_mix(number)
    i = len(cards) - 1
    while i >= 1:
        j = (next(outputs) * (i + 1)) // 2**64
        cards[i], cards[j] = cards[j], cards[i]
        i -= 1
    return cards


def starting_order() -> list[str]:
    """The order of the 104 cards that makes deal 1 the published example."""
    dealt = dict(zip(range(84, 96), EXAMPLE_TOPS, strict=True))
    dealt |= dict(zip(range(96, 104), EXAMPLE_RESERVE, strict=True))
    dealt[72] = "7H"
    dealt[79] = "JC"
    others = PACK + PACK
    for card in dealt.values():
        others.remove(card)
    source = shuffled(list(range(104)), 1)
    order = [""] * 104
    for at, card in dealt.items():
        order[source[at]] = card
    return [card or others.pop(0) for card in order]


def dealt(number: int) -> Table:
    """Every place with its cards, the bottom card first."""
    cards = shuffled(starting_order(), number)
    table: Table = {place: [] for place in PLACES}
    for _ in range(8):
        for pile in PILES:
            table[pile].append(cards.pop(0))
    for place in RESERVE:
        table[place].append(cards.pop(0))
    return table


def rank(card: str) -> str:
    """The rank of a card's text."""
    return card[:-1]


def value(card: str) -> int:
    """What a number card counts; 0 for a face card."""
    return 0 if rank(card) in FACES else RANKS.index(rank(card)) + 1


def leave_together(cards: list[str]) -> bool:
    """Whether cards are a pair or a triple."""
    if len(cards) == 2:
        return all(value(card) for card in cards) and sum(map(value, cards)) == 11
    return len(cards) == 3 and {rank(card) for card in cards} == FACES


def legal(table: Table) -> set[frozenset[str]]:
    """Every group of places whose top cards leave together, by trying them all."""
    full = [place for place in PLACES if table[place]]
    groups = [*combinations(full, 2), *combinations(full, 3)]
    return {frozenset(group) for group in groups if leave_together([table[p][-1] for p in group])}


@dataclass
class Play:
    """A game in the hands of a player who taps."""

    number: int
    removed: list[list[tuple[str, str]]] = field(default_factory=list)
    undone: list[list[str]] = field(default_factory=list)
    selection: list[str] = field(default_factory=list)
    refusal: str | None = None

    def __post_init__(self) -> None:
        self.table = dealt(self.number)

    @property
    def score(self) -> int:
        """10 a pair, 15 a triple."""
        return sum(10 if len(move) == 2 else 15 for move in self.removed)

    @property
    def outcome(self) -> str:
        """The win is checked first."""
        if not any(self.table.values()):
            return "won"
        return "playing" if legal(self.table) else "stuck"

    def remove(self, places: list[str]) -> None:
        """Take the top cards away."""
        self.removed.append([(place, self.table[place].pop()) for place in places])
        self.selection, self.refusal = [], None

    def undo(self) -> None:
        """Put the last cards back. (No game is long enough for the limit of 100 moves.)"""
        if self.removed:
            move = self.removed.pop()
            for place, card in move:
                self.table[place].append(card)
            self.undone.append([place for place, _ in move])
            self.selection, self.refusal = [], None

    def redo(self) -> None:
        """Take them away again."""
        if self.undone:
            self.remove(self.undone.pop())

    def restart(self) -> None:
        """The same deal from the beginning."""
        vars(self).update(vars(Play(self.number)))

    def tap(self, place: str) -> None:
        """A tap, case by case as the rules list them."""
        self.refusal = None
        if not self.table[place]:
            return
        if place in self.selection:
            self.selection.remove(place)
        elif not self.selection:
            self.selection = [place]
        else:
            self._second_or_third(place)

    def _second_or_third(self, place: str) -> None:
        tapped = self.table[place][-1]
        selected = {other: self.table[other][-1] for other in self.selection}
        together = [*self.selection, place]
        if leave_together([*selected.values(), tapped]):
            self.remove(together)
            self.undone = []
        elif any(map(value, selected.values())):
            self.selection, self.refusal = [], "sum"
        elif value(tapped):
            self.selection, self.refusal = [], "triple"
        elif rank(tapped) in map(rank, selected.values()):
            twin = next(other for other in selected if rank(selected[other]) == rank(tapped))
            self.selection[self.selection.index(twin)] = place
            self.refusal = "triple"
        else:
            self.selection = together
