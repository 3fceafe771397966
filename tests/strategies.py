"""What the property tests are fed with: deals, games in progress, and what a player does."""

import random
from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from halfmoon import deal_code, notation
from halfmoon.cards import Card, pack
from halfmoon.deal_code import DEALS, DealCode
from halfmoon.game import Game
from halfmoon.games import GAMES
from halfmoon.notation import Record

EDGES: Final = (0, 1, 2, 31, 32, DEALS // 2, DEALS - 2, DEALS - 1)

numbers: Final = st.sampled_from(EDGES) | st.integers(0, DEALS - 1)
"""Numbers of deals, the first and the last among them."""

games: Final = st.sampled_from(list(GAMES.values()))
cards: Final[st.SearchStrategy[Card]] = st.sampled_from(pack())
seeds: Final = st.integers(0, 2**32)

FOREIGN: Final = st.text(max_size=30)
"""Anything a person might paste."""


@st.composite
def codes(draw: st.DrawFn, game: Game | None = None) -> DealCode:
    """A deal code of a game, or of any game."""
    game = game or draw(games)
    return deal_code.make(game.deal_format, draw(numbers))


def play_on(record: Record, seed: int, at_most: int) -> Record:
    """A record after some more moves, chosen by a seeded generator so that games run deep."""
    chance = random.Random(seed)
    for _ in range(at_most):
        moves = record.legal_moves
        if not moves:
            break
        record = record.after(chance.choice(moves))
    return record


@st.composite
def records(draw: st.DrawFn, game: Game | None = None, at_most: int = 60) -> Record:
    """A game in progress: any number of legal moves from any deal."""
    start = notation.deal(str(draw(codes(game))))
    return play_on(start, draw(seeds), draw(st.integers(0, at_most)))


def actions(places: Sequence[str]) -> st.SearchStrategy[list[str]]:
    """What a player does: taps on places, whole moves ("move 7"), undo, redo, restart.

    Blind taps seldom remove anything, so whole moves carry the game into its later positions.
    """
    move = st.integers(0, 99).map("move {}".format)
    rarely = st.sampled_from(["undo", "redo", "redo", "restart"])
    return st.lists(st.sampled_from(places) | move | move | rarely, max_size=60)
