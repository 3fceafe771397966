"""Half Moon: two packs in an arch of twelve piles around an open reserve."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import product, starmap
from typing import ClassVar, Final

from halfmoon.cards import FACES, JACK, KING, QUEEN, Card, pack, parse_cards, two_packs
from halfmoon.deal_code import DealFormat, shuffle
from halfmoon.game import Game, IllegalMove, Kind, Layout, Spot, Tap, arched, deal_in_rounds
from halfmoon.mistake import N_
from halfmoon.position import Move, Outcome, Place, Position

_TOPS_OF_DEAL_1: Final = "5S AH KH 4C QH 5H 7S 6D 10D 10C 2D KH"
_RESERVE_OF_DEAL_1: Final = "10H 6S 3D 4S 7D 5S JH AC"
_UNDER_TOPS_OF_DEAL_1: Final = {0: "7H", 7: "JC"}
"""By the pile's index: the two cards that the published example uncovers first."""

_PILE: Final[tuple[Kind, ...]] = ("pile",)


class HalfMoon(Game):
    """Half Moon's facts and rules."""

    key = "half_moon"
    name = N_("Half Moon")
    deal_format = DealFormat("HM", "1", ("N",))
    undo_limit = 100

    packs = 2
    piles = 12
    cards_in_a_pile = 8
    reserve_places = 8
    pair_sum = 11
    pair_score = 10
    triple_score = 15

    arch_columns = 8
    arch_rows = 3
    reserve_columns = 4
    reserve_rows = 2

    hint = N_(
        "Tap two cards that add up to {game.pair_sum}, or a jack, a queen and a king"
        " one after another."
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "sum": N_("The sum must be {game.pair_sum}"),
        "triple": N_("A jack, a queen and a king are needed"),
    }
    verdicts: ClassVar[Mapping[Outcome, str]] = {
        "won": N_("You have won: all {game.cards} cards have left the table. Score: {score}."),
        "stuck": N_(
            "Stuck: there is no pair and no triple among the playable cards."
            " You can undo moves or start a new deal."
        ),
    }
    places = tuple(
        [str(number) for number in range(1, piles + 1)]
        + [f"R{number}" for number in range(1, reserve_places + 1)]
    )
    kinds = _PILE * len(places)

    _pair_ranks = tuple(
        zip(range(1, pair_sum // 2 + 1), range(pair_sum - 1, pair_sum // 2, -1), strict=True)
    )
    """The ranks that leave as a pair, from the ace upward."""

    @property
    def cards(self) -> int:
        """How many cards the game is played with."""
        return self.packs * len(pack())

    @cached_property
    def pairs_to_win(self) -> int:
        """How many pairs a won game removes."""
        return sum(not card.is_face for card in pack()) * self.packs // 2

    @cached_property
    def triples_to_win(self) -> int:
        """How many triples a won game removes."""
        return sum(card.is_face for card in pack()) * self.packs // len(FACES)

    @property
    def moves_to_win(self) -> int:
        """How many moves a won game has."""
        return self.pairs_to_win + self.triples_to_win

    @property
    def winning_score(self) -> int:
        """The score of a won game, in points."""
        return self.pairs_to_win * self.pair_score + self.triples_to_win * self.triple_score

    @cached_property
    def starting_order(self) -> tuple[Card, ...]:
        """The order that makes deal 1 the published example.

        The published cards stand where the shuffle of deal 1 takes them from; the others fill the
        remaining positions in the order of two packs, skipping what is already placed.
        """
        last_round = self.piles * (self.cards_in_a_pile - 1)
        published = dict(enumerate(parse_cards(_TOPS_OF_DEAL_1), last_round))
        published |= enumerate(parse_cards(_RESERVE_OF_DEAL_1), last_round + self.piles)
        for pile, card in _UNDER_TOPS_OF_DEAL_1.items():
            published[last_round - self.piles + pile] = parse_cards(card)[0]
        taken_from = shuffle(range(self.cards), 1)
        placed = {taken_from[dealt]: card for dealt, card in published.items()}
        others = _without(two_packs(), Counter(placed.values()))
        return tuple(placed.get(at) or next(others) for at in range(self.cards))

    @cached_property
    def layouts(self) -> Mapping[str, Layout]:
        """The arch, open at the bottom, with the reserve inside it."""
        rise = 0.12
        spots = self._spots(rise)
        return {"wide": Layout(self.arch_columns, self.arch_rows + rise, spots, arch=1)}

    def _spots(self, rise: float) -> tuple[Spot, ...]:
        """Columns and rows, bent a little: the middle of the arch is ``rise`` rows higher."""
        bottom, right = self.arch_rows - 1, self.arch_columns - 1
        left_column = [Spot(0, rise + row) for row in range(bottom, -1, -1)]
        top_row = [
            Spot(column, rise * arched(column, self.arch_columns)) for column in range(1, right + 1)
        ]
        right_column = [Spot(right, rise + row) for row in range(1, bottom + 1)]
        left = (self.arch_columns - self.reserve_columns) // 2
        top = self.arch_rows - self.reserve_rows + rise / 2
        reserve = [
            Spot(left + column, top + row)
            for row in range(self.reserve_rows)
            for column in range(self.reserve_columns)
        ]
        return tuple(left_column + top_row + right_column + reserve)

    def deal(self, order: tuple[Card, ...]) -> Position:
        """Eight rounds over the twelve piles; the last eight cards are the reserve."""
        dealt = self.piles * self.cards_in_a_pile
        reserve = tuple((card,) for card in order[dealt:])
        return Position(deal_in_rounds(order[:dealt], self.piles) + reserve)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """All pairs, from the ace upward, then all triples."""
        at = self._tops_by_rank(position)
        moves = [
            _PAIRS[one][other]
            for low, high in self._pair_ranks
            if at[high]
            for one in at[low]
            for other in at[high]
        ]
        # Most tables lack one of the three, and asking is quicker than an empty product.
        if at[JACK] and at[QUEEN] and at[KING]:
            moves += starmap(_move, product(*at[JACK:]))
        return tuple(moves)

    def has_move(self, position: Position) -> bool:
        """Whether a pair or a triple lies among the playable cards."""
        ranks = {pile[-1].rank for pile in position.piles if pile}
        return ranks.issuperset(FACES) or any(map(ranks.issuperset, self._pair_ranks))

    def _tops_by_rank(self, position: Position) -> list[list[int]]:
        """For each rank, the indexes of the places where it is playable."""
        at: list[list[int]] = [[] for _ in range(KING + 1)]
        for index, pile in enumerate(position.piles):
            if pile:
                at[pile[-1].rank].append(index)
        return at

    def canonical(self, position: Position, move: Move) -> Move:
        """A pair in the order of the places; a triple as jack, queen, king."""
        indexes = [self.index(place) for place in move.places]
        if len(set(indexes)) < len(indexes):
            raise IllegalMove(N_("A place can be named only once in a move."))
        for place, index in zip(move.places, indexes, strict=True):
            if not position.piles[index]:
                raise IllegalMove(N_("Place {place} is empty."), place=place)
        tops = {index: position.piles[index][-1] for index in indexes}
        self._check_removal([tops[index].rank for index in indexes])
        by_rank = sorted(indexes, key=lambda index: (tops[index].is_face * tops[index].rank, index))
        return Move.of(*(self.places[index] for index in by_rank))

    def _check_removal(self, ranks: list[int]) -> None:
        """Raise ``IllegalMove`` unless cards of these ranks leave together."""
        if len(ranks) == 2:
            if max(ranks) >= JACK:
                raise IllegalMove(N_("Face cards never leave as a pair."))
            if sum(ranks) != self.pair_sum:
                raise IllegalMove(
                    N_("These two cards add up to {found}. The sum must be {pair_sum}."),
                    found=sum(ranks),
                    pair_sum=self.pair_sum,
                )
        elif len(ranks) == len(FACES):
            if sorted(ranks) != [JACK, QUEEN, KING]:
                raise IllegalMove(
                    N_("Three cards leave together only as a jack, a queen and a king.")
                )
        else:
            raise IllegalMove(N_("A move names two places for a pair or three for a triple."))

    def apply(self, position: Position, move: Move) -> Position:
        """Take the top card off each place that the move names."""
        piles = list(position.piles)
        for index in _indexes(move):
            piles[index] = piles[index][:-1]
        return Position(tuple(piles))

    def score(self, position: Position) -> int:
        """Points for every pair and every triple that has left the table."""
        faces = sum(card.is_face for pile in position.piles for card in pile)
        numbers = position.cards - faces
        pairs = self.pairs_to_win - numbers // 2
        triples = self.triples_to_win - faces // len(FACES)
        return pairs * self.pair_score + triples * self.triple_score

    def is_won(self, position: Position) -> bool:
        """Whether no card is left on the table."""
        return not any(position.piles)

    def tap(self, position: Position, selection: tuple[Place, ...], place: Place) -> Tap:
        """Select, deselect, complete a pair or a triple, or refuse.

        The first selected card says what is being made: a number card a pair, a face card a triple.
        """
        tapped = self.top(position, place)
        if tapped is None:
            return Tap(selection)
        if place in selection:
            return Tap(tuple(other for other in selection if other != place))
        if not selection:
            return Tap((place,))
        cards = {other: self.top(position, other) for other in selection}
        ranks = {other: card.rank for other, card in cards.items() if card}
        if min(ranks.values()) < JACK:
            return self._tap_for_pair(selection, ranks, place, tapped)
        return self._tap_for_triple(position, selection, ranks, place, tapped)

    def _tap_for_pair(
        self, selection: tuple[Place, ...], ranks: dict[Place, int], place: Place, tapped: Card
    ) -> Tap:
        if sum(ranks.values()) + tapped.rank == self.pair_sum:
            places = sorted((*selection, place), key=self.index)
            return Tap((), Move.of(*places))
        return Tap((), refusal="sum")

    def _tap_for_triple(
        self,
        position: Position,
        selection: tuple[Place, ...],
        ranks: dict[Place, int],
        place: Place,
        tapped: Card,
    ) -> Tap:
        if not tapped.is_face:
            return Tap((), refusal="triple")
        if tapped.rank in ranks.values():
            swapped = tuple(place if ranks[other] == tapped.rank else other for other in selection)
            return Tap(swapped, refusal="triple")
        selected = (*selection, place)
        if len(selected) < len(FACES):
            return Tap(selected)
        return Tap((), self.canonical(position, Move.of(*selected)))

    def fitting(self, position: Position, selection: tuple[Place, ...]) -> frozenset[Place]:
        """The places whose top card can leave together with the selected cards."""
        ranks = [card.rank for place in selection if (card := self.top(position, place))]
        if ranks and min(ranks) < JACK:
            wanted = {self.pair_sum - rank for rank in ranks}
        else:
            wanted = set(FACES).difference(ranks)
        return frozenset(
            place
            for place, pile in zip(self.places, position.piles, strict=True)
            if pile and pile[-1].rank in wanted
        )


def _without(cards: tuple[Card, ...], taken: Counter[Card]) -> Iterator[Card]:
    """The cards in order, skipping each taken one as often as it is taken."""
    left = Counter(taken)
    for card in cards:
        if left[card]:
            left[card] -= 1
        else:
            yield card


HALF_MOON: Final = HalfMoon()


# Building and reading text is slow, and there are only so many moves.


@cache
def _move(*indexes: int) -> Move:
    """The move that takes a card from each of these places."""
    return Move.of(*(HALF_MOON.places[index] for index in indexes))


@cache
def _indexes(move: Move) -> tuple[int, ...]:
    """The indexes of the places of a move."""
    return tuple(HALF_MOON.index(place) for place in move.places)


_PAIRS: Final = [
    [_move(min(one, other), max(one, other)) for other in range(len(HALF_MOON.places))]
    for one in range(len(HALF_MOON.places))
]
"""Every pair as a move, by the indexes of its places."""
