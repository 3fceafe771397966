"""Crescent a second time, from the published rules alone; it imports nothing of the engine.

Plain on purpose, like `model`, whose shuffle it shares: cards are texts, the table is a dictionary,
legal moves are found by trying every two places. Where the engine and this model differ, one of
them misreads a rule.
"""

from dataclasses import dataclass, field

from model import PACK, RANKS, Table, digits_of, shuffled

FANS = [str(number) for number in range(1, 17)]
UP = ["AS", "AH", "AD", "AC"]
DOWN = ["KS", "KH", "KD", "KC"]
FOUNDATIONS = UP + DOWN
PLACES = FANS + FOUNDATIONS
REDEALS = 3


def code_of(number: int) -> str:
    """The canonical deal code of a number."""
    return "CR1-N-" + digits_of(number)


def starting_order() -> list[str]:
    """Two packs without the first ace and the first king of each suit."""
    cards = PACK + PACK
    for card in FOUNDATIONS:
        cards.remove(card)
    return cards


def dealt(number: int) -> Table:
    """Every place with its cards, the bottom card first."""
    cards = shuffled(starting_order(), number)
    table: Table = {place: [] for place in FANS} | {place: [place] for place in FOUNDATIONS}
    for _ in range(6):
        for fan in FANS:
            table[fan].append(cards.pop(0))
    return table


def value(card: str) -> int:
    """1 for an ace to 13 for a king."""
    return RANKS.index(card[:-1]) + 1


def fits_fan(card: str, onto: str) -> bool:
    """Whether a card goes on another in the fans: same suit, one rank apart, king next to ace."""
    return card[-1] == onto[-1] and abs(value(card) - value(onto)) in (1, 12)


def why_not(table: Table, source: str, goal: str) -> str | None:
    """What forbids to move a top card from one place to another; None where nothing does."""
    if source not in PLACES or goal not in PLACES:
        return "no such place"
    if source == goal:
        return "same place"
    if not table[source]:
        return "no card"
    card = table[source][-1]
    if source in FOUNDATIONS and len(table[source]) == 1:
        return "start"
    if not table[goal]:
        return "empty"
    onto = table[goal][-1]
    if card[-1] != onto[-1]:
        return "suit"
    if goal in FANS:
        return None if fits_fan(card, onto) else "neighbour"
    step = 1 if goal in UP else -1
    return None if value(card) == value(onto) + step else "order"


def card_moves(table: Table) -> set[str]:
    """Every move of a card, by trying every two places."""
    return {
        f"{source}-{goal}"
        for source in PLACES
        for goal in PLACES
        if why_not(table, source, goal) is None
    }


def can_redeal(table: Table, redeals: int) -> bool:
    """A redeal is left, and it would change something."""
    return redeals > 0 and max(len(table[fan]) for fan in FANS) >= 2


def moved(table: Table, move: str) -> Table:
    """The table after a legal move of a card."""
    source, goal = move.split("-")
    after = {place: list(cards) for place, cards in table.items()}
    after[goal].append(after[source].pop())
    return after


def is_won(table: Table) -> bool:
    """All 104 cards on the foundations."""
    return sum(len(table[place]) for place in FOUNDATIONS) == 104


@dataclass
class Play:
    """A game in the hands of a player."""

    number: int
    redeals: int = REDEALS
    made: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table = dealt(self.number)

    @property
    def score(self) -> int:
        """The cards on the foundations, their starting cards too."""
        return sum(len(self.table[place]) for place in FOUNDATIONS)

    @property
    def legal(self) -> set[str]:
        """Every legal move."""
        redeal = {"redeal"} if can_redeal(self.table, self.redeals) else set()
        return card_moves(self.table) | redeal

    def allows(self, move: str) -> bool:
        """Whether a move is legal, looked at alone."""
        if move == "redeal":
            return can_redeal(self.table, self.redeals)
        places = move.split("-")
        return len(places) == 2 and why_not(self.table, *places) is None

    def make(self, move: str) -> None:
        """Make a legal move."""
        if move == "redeal":
            for fan in FANS:
                if self.table[fan]:
                    self.table[fan].append(self.table[fan].pop(0))
            self.redeals -= 1
        else:
            source, goal = move.split("-")
            self.table[goal].append(self.table[source].pop())
        self.made.append(move)

    def undo(self) -> None:
        """Take the last move back, whatever it was."""
        move = self.made.pop()
        if move == "redeal":
            for fan in FANS:
                if self.table[fan]:
                    self.table[fan].insert(0, self.table[fan].pop())
            self.redeals += 1
        else:
            source, goal = move.split("-")
            self.table[source].append(self.table[goal].pop())


Frozen = tuple[tuple[str, ...], ...]


def frozen(table: Table) -> Frozen:
    """A table as a value that can be remembered; copying it is left to `thawed`."""
    return tuple(tuple(table[place]) for place in PLACES)


def thawed(position: Frozen) -> Table:
    """The table that was frozen."""
    return {place: list(cards) for place, cards in zip(PLACES, position, strict=True)}


def reachable(table: Table, at_most: int) -> dict[Frozen, set[Frozen]] | None:
    """Every position that moves of cards lead to, and where each leads; None if too many.

    Without redeals: it is for tables where none is left.
    """
    leads: dict[Frozen, set[Frozen]] = {}
    waiting = [frozen(table)]
    while waiting:
        here = waiting.pop()
        if here in leads:
            continue
        if len(leads) == at_most:
            return None
        now = thawed(here)
        leads[here] = {frozen(moved(now, move)) for move in card_moves(now)}
        waiting.extend(leads[here])
    return leads


def only_to_and_fro(leads: dict[Frozen, set[Frozen]]) -> bool:
    """Whether each step can be taken back by one step, and nowhere the game is won."""
    return not any(is_won(thawed(here)) for here in leads) and all(
        here in leads[there] for here, goals in leads.items() for there in goals
    )
