"""The games, by key. A new game is a file in this package and a line in this list."""

from typing import Final

from halfmoon.game import Game
from halfmoon.games.crescent import CRESCENT
from halfmoon.games.half_moon import HALF_MOON

GAMES: Final[dict[str, Game]] = {game.key: game for game in (HALF_MOON, CRESCENT)}
