"""The whole game of Crescent and its lessons that pages show: finding the one, proving both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from crescent_search import FANS, THE_REDEAL, Beam, Node, Search, Step, moves_of
from halfmoon import notation
from halfmoon.cards import ACE, KING
from halfmoon.deal_code import DealCode
from halfmoon.game import Search as LookAhead
from halfmoon.games.crescent import CRESCENT, REDEAL
from halfmoon.mistake import Mistake
from halfmoon.notation import Record
from halfmoon.position import Move, Position

CODE: Final = "CR1-N-AAAAAAB"
BEAM: Final = Beam(150, redeal=100, rough=3, hurries=False)
"""One that leads to a line to learn from; those that hurry show no return."""
RETURN_USED: Final = 81
TRANSFER_USED: Final = 20
"""What it is worth to a line that it shows a return, or a transfer, that leads to something."""
RECENT: Final = 8
"""How many moves later a return or a transfer must have led to something."""


def wish(node: Node) -> int:
    """Points for the first card that goes onto a returned or a transferred card."""
    step = node.step
    if step == THE_REDEAL or step[0] >= FANS or node.parent is None:
        return 0
    points = RETURN_USED if step[1] < FANS else TRANSFER_USED
    if node.wished in (points, RETURN_USED + TRANSFER_USED):
        return 0
    recent = (earlier.step for earlier in islice(node.parent.path(), RECENT))
    return points if _brings_a_card_back(step[1], recent) else 0


def _brings_a_card_back(place: int, steps: Iterator[Step]) -> bool:
    """Whether the last step that touched a place put a foundation's card there."""
    last = next((step for step in steps if step == THE_REDEAL or place in step), THE_REDEAL)
    return last[0] >= FANS and last[1] == place


class Lesson(NamedTuple):
    """A position that shows one thing, and how it goes on."""

    code: str
    moves: str
    next: str = ""
    """The move to make; none where the game has ended."""
    then: str = ""
    """Moves that it makes possible."""
    tempting: tuple[str, ...] = ()
    """Moves after which the first of them is not possible."""


def find_line() -> Record | None:
    """A won game that shows redeals, a transfer and a return; the same every time."""
    won = Search(BEAM, wish).find(notation.deal(CODE).position)
    return None if won is None else notation.replay(CODE, moves_of(won))


def line_problems(line: Record) -> Iterator[str]:
    """What is wrong with the whole game."""
    if line.outcome != "won":
        yield f"after the last move the outcome is {line.outcome}, not won"
    kinds = list(map(kind_of, line.moves))
    if kinds.count("redeal") < 2:
        yield "it does not show more than one redeal"
    for kind in ("transfer", "return"):
        if kind not in kinds:
            yield f"it does not show a {kind}"
    for number, kind in enumerate(kinds, 1):
        if kind != "home" and is_won(line.code, without(line.moves, number)):
            yield f"it is won without move {number} too, a {kind}"


def kind_of(move: Move) -> str:
    """What a move is called: redeal, transfer, return, home, or step."""
    if move == REDEAL:
        return REDEAL
    source, goal = (CRESCENT.index(place) >= FANS for place in move.places)
    return {
        (True, True): "transfer",
        (True, False): "return",
        (False, True): "home",
        (False, False): "step",
    }[source, goal]


def without(moves: Sequence[Move], number: int) -> list[Move]:
    """The moves without one of them: what leaves its goal next leaves from its source instead."""
    left_out, rest = moves[number - 1], list(moves[number:])
    if left_out != REDEAL:
        source, goal = left_out.places
        for index, move in enumerate(rest):
            if move != REDEAL and move.places[0] == goal:
                onward = move.places[1]
                rest[index : index + 1] = [Move.of(source, onward)] if onward != source else []
                break
    return [*moves[: number - 1], *rest]


def is_won(code: DealCode, moves: Sequence[Move]) -> bool:
    """Whether these moves can be made and win."""
    try:
        return notation.replay(str(code), moves).outcome == "won"
    except Mistake:
        return False


def lesson_problems(name: str, lesson: Lesson) -> Iterator[str]:
    """What is not as the lesson claims. Raises ``Mistake`` where a move is illegal."""
    before = notation.replay(lesson.code, lesson.moves)
    after = before
    for move in (lesson.next, *lesson.then.split()):
        after = after.after(move) if move else after
    for move in lesson.tempting:
        if lesson.then.split()[0] in before.after(move).legal_moves:
            yield f"{lesson.then.split()[0]} can be made after {move} too"
    if not CLAIMS[name](before, after, lesson):
        yield "it does not show what it is there for"


def _shows_both_foundations(before: Record, after: Record, lesson: Lesson) -> bool:
    """One card fits both foundations of its suit."""
    (source, goal), (same, other) = (Move(move).places for move in (lesson.next, *lesson.tempting))
    kinds = {CRESCENT.kinds[CRESCENT.index(place)] for place in (goal, other)}
    return source == same and kinds == {"ace foundation", "king foundation"}


def _shows_an_empty_fan(before: Record, after: Record, lesson: Lesson) -> bool:
    """A fan's last card could go home, but takes another card."""
    kept = Move(lesson.next).places[1]
    return all(
        Move(move).places[0] == kept
        and kind_of(Move(move)) == "home"
        and CRESCENT.top(before.after(move).position, kept) is None
        for move in lesson.tempting
    )


def _shows_a_redeal(before: Record, after: Record, lesson: Lesson) -> bool:
    """No card can go home, and after the redeal one after the other can."""
    then = {kind_of(Move(move)) for move in lesson.then.split()}
    return lesson.next == REDEAL and then == {"home"} and not _can_send_home(before)


def _shows_both_directions(before: Record, after: Record, lesson: Lesson) -> bool:
    """There is a step onto a higher card, and one onto a lower card, and no redeal."""
    ways = set()
    for position, move in _played(before, after):
        if kind_of(move) == "step":
            card, onto = (CRESCENT.top(position, place) for place in move.places)
            ways.add(card is not None and onto is not None and card.rank < onto.rank)
    return ways == {True, False} and after.position.redeals == before.position.redeals


def _shows_king_and_ace(before: Record, after: Record, lesson: Lesson) -> bool:
    """An ace goes onto a king, or a king onto an ace, where no card can go home."""
    move = Move(lesson.next)
    cards = (CRESCENT.top(before.position, place) for place in move.places)
    ranks = {card.rank for card in cards if card}
    return kind_of(move) == "step" and ranks == {ACE, KING} and not _can_send_home(before)


def _shows_blocked_foundations(before: Record, after: Record, lesson: Lesson) -> bool:
    """A transfer and a return let a card of a fan go home."""
    kinds = [kind_of(move) for _, move in _played(before, after)]
    return {"transfer", "return"} < set(kinds) and kinds[-1] == "home"


def _is_stuck(before: Record, after: Record, lesson: Lesson) -> bool:
    """No redeal is left, and no move."""
    return after.outcome == "stuck" and not after.position.redeals


def _goes_to_and_fro(before: Record, after: Record, lesson: Lesson) -> bool:
    """There are moves, and the engine proves that they lead nowhere."""
    search = LookAhead.start(after.position)
    while search.outcome is None:
        search = CRESCENT.look_ahead(search, CRESCENT.positions_searched)
    return after.outcome == "playing" and search.outcome == "stuck"


CLAIMS: Final[dict[str, Callable[[Record, Record, Lesson], bool]]] = {
    "both_foundations": _shows_both_foundations,
    "empty_fan": _shows_an_empty_fan,
    "before_redeal": _shows_a_redeal,
    "both_directions": _shows_both_directions,
    "king_and_ace": _shows_king_and_ace,
    "blocked_foundations": _shows_blocked_foundations,
    "stuck": _is_stuck,
    "to_and_fro": _goes_to_and_fro,
}
"""What each lesson claims, by its name."""


def _can_send_home(record: Record) -> bool:
    return any(kind_of(move) == "home" for move in record.legal_moves)


def _played(before: Record, after: Record) -> Iterator[tuple[Position, Move]]:
    """The moves from one record to a longer one, and where each was made."""
    first = before.move_count
    return zip(after.positions[first:-1], after.moves[first:], strict=True)
