"""Moves, games and links as text, and replaying them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from halfmoon import deal_code
from halfmoon.deal_code import DealCode
from halfmoon.game import Game
from halfmoon.games import GAMES
from halfmoon.mistake import N_, Mistake, shown
from halfmoon.position import Move, Outcome, Position

LONGEST_TEXT: Final = 20_000
"""In characters: several times the longest game that anybody will play."""
LINK_START: Final = "#"
LINK_SEPARATOR: Final = "."
LINK_MOVES: Final = "/"


class MoveMistake(Mistake):
    """A game that cannot be replayed; says which of its moves is wrong, and why."""

    legal: "Record | None" = None
    """The game up to the move that is wrong."""


class GameTextMistake(Mistake):
    """A text that is too long to be a game."""


class UnknownGame(Mistake):
    """A key that names no game."""


class Record(NamedTuple):
    """A deal and the moves made in it, with every position on the way."""

    game: Game
    code: DealCode
    moves: tuple[Move, ...]
    positions: tuple[Position, ...]
    """From the deal to the last move: one more than there are moves."""

    @property
    def position(self) -> Position:
        """The position after the last move."""
        return self.positions[-1]

    @property
    def score(self) -> int:
        """The points after the last move."""
        return self.game.score(self.position)

    @property
    def move_count(self) -> int:
        """How many moves have been made."""
        return len(self.moves)

    @property
    def outcome(self) -> Outcome:
        """Whether the game is won, stuck or still going on."""
        return self.game.outcome(self.position)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that can follow."""
        return self.game.legal_moves(self.position)

    def after(self, text: str) -> "Record":
        """This record with one more move. Raises ``MoveMistake``."""
        try:
            move = self.game.canonical(self.position, self.game.parse_move(text))
        except Mistake as reason:
            mistake = MoveMistake(
                N_("Move {number}, {move}, cannot be made. {reason}"),
                number=len(self.moves) + 1,
                move=shown(text),
                reason=reason,
            )
            mistake.legal = self
            raise mistake from reason
        position = self.game.apply(self.position, move)
        return self._replace(moves=(*self.moves, move), positions=(*self.positions, position))


def game_named(key: str) -> Game:
    """The game with this key. Raises ``UnknownGame``."""
    if key not in GAMES:
        raise UnknownGame(
            N_("There is no game called “{name}”. The games are: {names}."),
            name=shown(key),
            names=", ".join(GAMES),
        )
    return GAMES[key]


def parse_code(text: str) -> tuple[Game, DealCode]:
    """The game and the deal that a code names. Raises ``DealCodeMistake``.

    >>> game, code = parse_code("hm1naaaaaab")
    >>> game.key, str(code)
    ('half_moon', 'HM1-N-AAAAAAB')
    """
    by_format = {game.deal_format: game for game in GAMES.values()}
    code = deal_code.parse(text, by_format)
    return next(game for form, game in by_format.items() if form.prefix == code.prefix), code


def deal(text: str) -> Record:
    """A deal as it is laid out, before any move. Raises ``DealCodeMistake``."""
    game, code = parse_code(text)
    order = deal_code.shuffle(game.starting_order, code.number)
    return Record(game, code, (), (game.deal(order),))


def replay(text: str, moves: str | Sequence[str] = ()) -> Record:
    """A deal with moves made in it; moves in one text are separated by spaces.

    >>> replay("HM1-N-AAAAAAB", "8-1 3-5-8").moves
    ('1-8', '8-5-3')

    Raises ``DealCodeMistake`` for the code and ``MoveMistake`` for the first move that is illegal.
    """
    record = deal(text)
    for move in moves.split() if isinstance(moves, str) else moves:
        record = record.after(move)
    return record


def print_link(code: DealCode, moves: Sequence[Move] = ()) -> str:
    """What a link to a position carries after its ``#``.

    >>> record = replay("HM1-N-AAAAAAB", "1-8 8-5-3")
    >>> print_link(record.code, record.moves)
    'HM1-N-AAAAAAB/1-8.8-5-3'
    """
    return str(code) + (LINK_MOVES + LINK_SEPARATOR.join(moves) if moves else "")


def parse_link(text: str) -> Record:
    """The record a link carries; undoes ``print_link``. A whole address is read from its ``#``.

    >>> parse_link("HM1-N-AAAAAAB/1-8.8-5-3").score
    25

    Raises ``GameTextMistake``, ``DealCodeMistake`` or ``MoveMistake``.
    """
    _check_length(text)
    code, _, moves = text.rpartition(LINK_START)[2].partition(LINK_MOVES)
    return replay(code, [move for move in moves.split(LINK_SEPARATOR) if move])


def print_game(code: DealCode, moves: Sequence[Move] = ()) -> str:
    """A game as text: its code, then its moves, separated by spaces.

    >>> record = replay("HM1-N-AAAAAAB", "1-8 8-5-3")
    >>> print_game(record.code, record.moves)
    'HM1-N-AAAAAAB 1-8 8-5-3'
    """
    return " ".join((str(code), *moves))


def parse_game(text: str) -> Record:
    """What somebody pastes: a game as ``print_game`` writes it, a link, or a code alone.

    >>> parse_game("HM1-N-AAAAAAB 1-8 8-5-3") == parse_link("HM1-N-AAAAAAB/1-8.8-5-3")
    True

    Raises ``GameTextMistake``, ``DealCodeMistake`` or ``MoveMistake``.
    """
    _check_length(text)
    code, *moves = text.split() or [""]
    if moves and _is_code(code):
        return replay(code, moves)
    return parse_link(text)


def _is_code(text: str) -> bool:
    """Whether a text is a whole deal code, and not the first part of one written with spaces."""
    try:
        parse_code(text)
    except Mistake:
        return False
    return True


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise GameTextMistake(
            N_("This is too long to be a game: it has {found} characters, and {most} are allowed."),
            found=len(text),
            most=LONGEST_TEXT,
        )
