"""A game being played: taps, undo and redo.

There is no clock and no chance in it: the same taps make the same session.
"""

from typing import NamedTuple

from halfmoon import notation
from halfmoon.deal_code import DealCode
from halfmoon.game import Game
from halfmoon.notation import Record
from halfmoon.position import Move, Outcome, Place, Position


class Session(NamedTuple):
    """One player's game. Frozen: everything that is done returns a new session.

    >>> session = Session.start("HM1-N-AAAAAAB").tap("1").tap("8")
    >>> session.moves, session.score, session.outcome
    (('1-8',), 10, 'playing')
    >>> session.undo() == Session.start("HM1-N-AAAAAAB")._replace(undone=session.moves)
    True
    """

    record: Record
    undone: tuple[Move, ...] = ()
    """The moves that redo would make again, the next one last."""
    selection: tuple[Place, ...] = ()
    """The selected places, in the order tapped."""
    refusal: str | None = None
    """Why the last tap removed nothing: a key of the game's ``refusals``."""
    floor: int = 0
    """How many of the first moves can no longer be undone."""

    @classmethod
    def start(cls, code: str | DealCode) -> "Session":
        """A new game of this deal. Raises ``DealCodeMistake``."""
        return cls(notation.deal(str(code)))

    @classmethod
    def resume(cls, record: Record) -> "Session":
        """A game in which these moves have been made."""
        return cls(record)._limited()

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.record.game

    @property
    def code(self) -> DealCode:
        """The deal being played."""
        return self.record.code

    @property
    def position(self) -> Position:
        """What lies on the table now."""
        return self.record.position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made, undone ones left out."""
        return self.record.moves

    @property
    def move_count(self) -> int:
        """How many moves have been made."""
        return self.record.move_count

    @property
    def score(self) -> int:
        """The points earned."""
        return self.record.score

    @property
    def outcome(self) -> Outcome:
        """Whether the game is won, stuck or still going on."""
        return self.record.outcome

    @property
    def whole(self) -> Record:
        """The game with the undone moves made again."""
        return notation.replay(str(self.code), self.line)

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves made, and after them the undone ones."""
        return (*self.moves, *reversed(self.undone))

    @property
    def can_undo(self) -> bool:
        """Whether a move can be taken back."""
        return self.move_count > self.floor

    @property
    def can_redo(self) -> bool:
        """Whether a move taken back can be made again."""
        return bool(self.undone)

    def tap(self, place: Place) -> "Session":
        """Tap a place, and make the move that this completes. Raises ``UnknownPlace``."""
        selection, move, refusal = self.game.tap(self.position, self.selection, place)
        if move is None:
            return self._replace(selection=selection, refusal=refusal)
        return self.play(move)

    def send(self, place: Place) -> "Session":
        """Tap a place twice, which in some games sends its top card on. Raises ``UnknownPlace``."""
        move = self.game.send(self.position, place)
        return self.tap(place) if move is None else self.play(move)

    def drag(self, source: Place, goal: Place) -> "Session":
        """Drag a card to where it goes: a tap on one, then on the other. Raises ``UnknownPlace``.

        Where it does not fit it goes back, and nothing is selected.
        """
        lifted = self._replace(selection=()).tap(source)
        if not lifted.selection:
            return lifted
        after = lifted.tap(goal)
        return after if after.move_count > self.move_count else after._replace(selection=())

    def play(self, move: str) -> "Session":
        """Make a move by its name. Raises ``MoveMistake``."""
        return self._with(self.record.after(move))._limited()

    def undo(self) -> "Session":
        """Take the last move back; the same session where there is none to take back."""
        if not self.can_undo:
            return self
        before = self.record._replace(moves=self.moves[:-1], positions=self.record.positions[:-1])
        return self._with(before, undone=(*self.undone, self.moves[-1]))

    def redo(self) -> "Session":
        """Make the last undone move again; the same session where there is none."""
        if not self.undone:
            return self
        return self._with(self.record.after(self.undone[-1]), undone=self.undone[:-1])._limited()

    def go(self, count: int) -> "Session":
        """Undo or redo until ``count`` moves are made, or as near to it as can be."""
        session = self
        while session.move_count > count and session.can_undo:
            session = session.undo()
        while session.move_count < count and session.can_redo:
            session = session.redo()
        return session

    def restart(self) -> "Session":
        """The same deal from its beginning."""
        return Session.start(self.code)

    def _with(self, record: Record, undone: tuple[Move, ...] = ()) -> "Session":
        return Session(record, undone, floor=self.floor)

    def _limited(self) -> "Session":
        """Forget, for undo alone, the moves that lie beyond the game's limit."""
        limit = self.game.undo_limit
        oldest = 0 if limit is None else self.move_count - limit
        return self._replace(floor=max(self.floor, oldest))
