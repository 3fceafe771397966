"""A session as what a screen needs: one JSON message in, one JSON reply out.

A message is an object with one verb:

- ``{"open": "HM1-N-AAAAAAB/1-8"}``: a code, what a link carries, a whole address, or a game
- ``{"day": {"game": "half_moon", "date": "2027-01-01"}}``: the deal of the day
- ``{"new": {"game": "half_moon", "chance": "9f3c…"}}``: a deal picked by a hexadecimal number
- ``{"tap": "8"}``, ``{"send": "8"}`` (tapped twice), ``{"drag": ["8", "AS"]}``
- ``{"play": "redeal"}``, ``{"undo": true}``, ``{"redo": true}``, ``{"restart": true}``
- ``{"go": 12}``: undo or redo until that many moves are made
- ``{"settings": {"move_errors": true, "indices": "local", "layout": "wide"}}``
- ``{"preview": "redeal"}``: what the table would look like after a move
- ``{"moves": true}``: the moves in words, undone ones included
- ``{"diagram": {"text": "HM1-N-AAAAAAB 1-8", "indices": "local", "layout": "wide", "next": ""}}``:
  a diagram for somebody's own page; the table stays as it is, and all but the text may be left out
- ``{"look_ahead": true}``: search on for a proof that the game is stuck, until ``searching`` ends

The reply tells all that the screen shows (see ``Reply``). Where a message cannot be carried out,
``error`` says why in the reader's language, and everything else stays as it was.
"""

import json
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple, TypedDict

from halfmoon import deal_code, diagram, maker, notation, words
from halfmoon.game import Game, Search
from halfmoon.languages import SOURCE_LANGUAGE, Translator, translator
from halfmoon.mistake import N_, Mistake, shown
from halfmoon.position import Outcome, Place
from halfmoon.session import Session

SEARCHED_AT_ONCE: Final = 300
"""How many positions one look ahead sees at most: so few that the next tap need not wait."""


class MessageMistake(Mistake):
    """A message that no screen of ours sends."""


class Settings(NamedTuple):
    """What the player has chosen."""

    move_errors: bool = False
    """Whether a refused tap is explained."""
    matching_help: bool = False
    """Whether the cards that cannot go with the selected ones are dimmed."""
    indices: str = "local"
    """Which letters the cards carry: a key of ``words.INDICES``."""
    layout: str = diagram.WIDE
    """How the table is laid out: one of the game's layouts."""


class Table(NamedTuple):
    """What one player sits at: a language, settings and, once a deal is open, a session."""

    language: str
    settings: Settings = Settings()
    session: Session | None = None
    search: Search = Search()
    """The look ahead from the session's position, and what it has found."""


class Event(NamedTuple):
    """What a message has brought about, beside the new session."""

    announcement: str = ""
    taken: tuple[Place, ...] = ()
    """The places that cards have just left."""
    returned: tuple[Place, ...] = ()
    """The places that cards have just come back to."""
    moved: tuple[Place, ...] = ()
    """The place that a card has just left, and the one it has gone to."""
    move_list: tuple[str, ...] = ()
    """The moves in words."""
    preview: str = ""
    """The table as it would be after a move, as SVG."""
    diagram: maker.Answer | None = None
    """A diagram for somebody's own page."""


class PlaceView(TypedDict):
    """One place, as a button to lay over the drawing."""

    place: str
    label: str
    empty: bool
    selected: bool
    dimmed: bool
    box: tuple[float, ...]
    """Left, top, width and height in per cent of the drawing."""


class Reply(TypedDict, total=False):
    """All that a screen shows. Before a deal is open there is at most ``error``."""

    error: str
    legal_link: str
    """Where the error is an illegal move: the link to the position before it."""
    svg: str
    places: list[PlaceView]
    game: str
    code: str
    link: str
    text: str
    """The whole game as text, to be kept or pasted."""
    summary: str
    """The position in a line, to be sent with its link."""
    score: int
    moves: int
    total: int
    """How many moves there are, undone ones included."""
    move_list: list[str]
    outcome: str
    message: str
    """What is to be read on the screen: an explained refusal, or how the game ended."""
    hint: str
    """The rule in a line, for a screen that has nothing else to say."""
    announce: str
    """What is to be heard: what the message has brought about."""
    can_undo: bool
    can_redo: bool
    can_play: list[str]
    """The moves that are words and can be made now."""
    redeals: int
    """Redeals left."""
    searching: bool
    """Whether a look ahead may still find that the game is stuck."""
    preview: str
    taken: list[str]
    returned: list[str]
    moved: list[str]
    settings: dict[str, object]
    diagram: maker.Made
    """What was asked for by that verb; no more than ``error`` stands beside it."""


def new_table(language: str) -> Table:
    """A table in this language, with no deal open. Raises ``UnknownLanguage``."""
    translator(language)
    return Table(language)


def answer(table: Table, message: str) -> tuple[Table, str]:
    """Carry out one message; the table afterwards and the reply, as JSON text.

    >>> table, reply = answer(new_table("en"), '{"open": "HM1-N-AAAAAAB/1-8"}')
    >>> json.loads(reply)["score"]
    10
    """
    tr = translator(table.language)
    try:
        after, event = _carry_out(table, message)
    except Mistake as mistake:
        reply = _reply(table, Event()) | {"error": words.explain(mistake, tr)}
        legal = getattr(mistake, "legal", None)
        if legal:
            reply["legal_link"] = notation.print_link(legal.code, legal.moves)
        return table, json.dumps(reply, ensure_ascii=False)
    return after, json.dumps(_reply(after, event), ensure_ascii=False)


def _carry_out(table: Table, message: str) -> tuple[Table, Event]:
    verb, value = _read(message)
    tr = translator(table.language)
    if verb == "settings":
        return table._replace(settings=_settings(table.settings, value)), Event()
    if verb in _OPENERS:
        session = _OPENERS[verb](value)
        opened = words.title(session.record, tr)
        return _seated(table, session), Event(f"{opened}.")
    if verb == "diagram":
        return table, Event(diagram=maker.make(_wish(value), table.language))
    if table.session is None:
        raise MessageMistake(N_("No deal is open yet."))
    if verb == "look_ahead":
        return table._replace(search=_look_ahead(table.session, table.search)), Event()
    if verb == "moves":
        return table, Event(move_list=words.moves_in_words(table.session.whole, tr))
    if verb == "preview":
        return table, Event(preview=_preview(table.settings, table.session, str(value), tr))
    session, event = _PLAYERS[verb](table.session, value, tr)
    return _seated(table, session), event


def _seated(table: Table, session: Session) -> Table:
    """The table with this session, where a search for its position begins anew."""
    if table.session and table.session.position == session.position:
        return table._replace(session=session)
    return table._replace(session=session, search=Search.start(session.position))


def _look_ahead(session: Session, search: Search) -> Search:
    if search.outcome:
        return search
    return session.game.look_ahead(search, SEARCHED_AT_ONCE)


def _preview(settings: Settings, session: Session, move: str, tr: Translator) -> str:
    after = session.record.after(move)
    *_, smallest = after.game.layouts
    return diagram.draw(after, tr, indices=settings.indices, layout=smallest)


def _read(message: str) -> tuple[str, object]:
    """The verb and its value. Raises ``MessageMistake``."""
    try:
        content = json.loads(message)
        ((verb, value),) = content.items()
    except (ValueError, AttributeError, RecursionError):
        verb, value = "", None
    if verb not in _VERBS:
        raise _not_understood(message)
    return verb, value


def _settings(settings: Settings, value: object) -> Settings:
    if not isinstance(value, dict) or not set(value) <= set(Settings._fields):
        raise _not_understood(str(value))
    changed = settings._replace(**value)
    kinds = [type(choice) for choice in changed]
    if kinds != [bool, bool, str, str]:
        raise _not_understood(str(value))
    words.index_letters(changed.indices, translator(SOURCE_LANGUAGE))
    return changed


def _wish(value: object) -> maker.Wish:
    known = set(maker.Wish._fields)
    if not isinstance(value, dict) or not {"text"} <= set(value) <= known:
        raise _not_understood(str(value))
    return maker.Wish(**{name: str(choice) for name, choice in value.items()})


def _open(value: object) -> Session:
    return Session.resume(notation.parse_game(str(value)))


def _day(value: object) -> Session:
    """The deal of a game for a day, which the screen knows and the engine does not."""
    game, day = _fields(value, "game", "date")
    try:
        number = deal_code.number_of_day(date.fromisoformat(day))
    except ValueError:
        raise _not_understood(day) from None
    return Session.start(deal_code.make(notation.game_named(game).deal_format, number))


def _new(value: object) -> Session:
    """A deal of a game, picked by a number that the screen has drawn by chance."""
    game, drawn = _fields(value, "game", "chance")
    try:
        chance = int(drawn, 16)
    except ValueError:
        raise _not_understood(drawn) from None
    deal_format = notation.game_named(game).deal_format
    return Session.start(deal_code.make(deal_format, chance % deal_code.DEALS))


def _fields(value: object, *names: str) -> list[str]:
    """The fields of a message, which has to have just these."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise _not_understood(str(value))
    return [str(value[name]) for name in names]


def _not_understood(text: str) -> MessageMistake:
    return MessageMistake(N_("The game does not understand “{text}”."), text=shown(text))


def _tap(session: Session, place: object, tr: Translator) -> tuple[Session, Event]:
    return _tapped(session, session.tap(str(place)), tr)


def _send(session: Session, place: object, tr: Translator) -> tuple[Session, Event]:
    return _tapped(session, session.send(str(place)), tr)


def _drag(session: Session, value: object, tr: Translator) -> tuple[Session, Event]:
    if not isinstance(value, list) or len(value) != 2:
        raise _not_understood(str(value))
    return _tapped(session, session.drag(*map(str, value)), tr)


def _tapped(before: Session, after: Session, tr: Translator) -> tuple[Session, Event]:
    if after.move_count > before.move_count:
        return after, _made(after, tr)
    return after, Event(words.selected(after.game, after.position, after.selection, tr))


def _play(session: Session, move: object, tr: Translator) -> tuple[Session, Event]:
    after = session.play(str(move))
    return after, _made(after, tr)


def _undo(session: Session, _: object, tr: Translator) -> tuple[Session, Event]:
    if not session.can_undo:
        return session, Event(tr.gettext("There is no move to undo."))
    said, places = words.move_undone(session.record, tr), session.moves[-1].places
    event = Event(said, moved=places[::-1]) if session.game.drags else Event(said, returned=places)
    return session.undo(), event


def _redo(session: Session, _: object, tr: Translator) -> tuple[Session, Event]:
    if not session.can_redo:
        return session, Event(tr.gettext("There is no move to redo."))
    after = session.redo()
    return after, _made(after, tr)


def _go(session: Session, count: object, tr: Translator) -> tuple[Session, Event]:
    """One step is told and shown as what it is; a leap only by where it ends."""
    if not isinstance(count, int):
        raise _not_understood(str(count))
    if count == session.move_count - 1:
        return _undo(session, True, tr)
    if count == session.move_count + 1:
        return _redo(session, True, tr)
    after = session.go(count)
    return after, Event(f"{words.title(after.record, tr)}.")


def _restart(session: Session, _: object, tr: Translator) -> tuple[Session, Event]:
    after = session.restart()
    return after, Event(f"{words.title(after.record, tr)}.")


def _made(session: Session, tr: Translator) -> Event:
    said, places = words.move_made(session.record, tr), session.moves[-1].places
    return Event(said, moved=places) if session.game.drags else Event(said, taken=places)


_OPENERS: dict[str, Callable[[object], Session]] = {"open": _open, "new": _new, "day": _day}
_PLAYERS: dict[str, Callable[[Session, object, Translator], tuple[Session, Event]]] = {
    "tap": _tap,
    "send": _send,
    "drag": _drag,
    "play": _play,
    "undo": _undo,
    "redo": _redo,
    "go": _go,
    "restart": _restart,
}
_VERBS = {"settings", "diagram", "look_ahead", "moves", "preview", *_OPENERS, *_PLAYERS}


def _reply(table: Table, event: Event) -> Reply:
    session, tr = table.session, translator(table.language)
    if event.diagram:
        return _diagram_reply(event.diagram, tr)
    if session is None:
        return {"settings": table.settings._asdict()}
    settings = table.settings
    message = _message(table, session, tr)
    marks = diagram.Marks(session.selection, _dimmed(settings, session))
    return {
        "svg": diagram.draw(
            session.record, tr, indices=settings.indices, layout=settings.layout, marks=marks
        ),
        "places": _places(settings, session, marks, tr),
        "game": session.game.key,
        "code": str(session.code),
        "link": notation.print_link(session.code, session.moves),
        "text": notation.print_game(session.code, session.line),
        "summary": words.summary(session.record, tr),
        "score": session.score,
        "moves": session.move_count,
        "total": session.move_count + len(session.undone),
        "move_list": list(event.move_list),
        "outcome": _outcome(table, session),
        "message": message,
        "hint": words.hint(session.game, tr),
        "announce": " ".join(part for part in (event.announcement, message) if part),
        "can_undo": session.can_undo,
        "can_redo": session.can_redo,
        "can_play": [move for move in session.game.spoken if move in session.record.legal_moves],
        "redeals": session.position.redeals,
        "searching": table.search.outcome is None,
        "preview": event.preview,
        "taken": list(event.taken),
        "returned": list(event.returned),
        "moved": list(event.moved),
        "settings": table.settings._asdict(),
    }


def _diagram_reply(answer: maker.Answer, tr: Translator) -> Reply:
    reply: Reply = {"diagram": answer.made}
    if answer.mistake:
        reply["error"] = words.explain(answer.mistake, tr)
    return reply


def _outcome(table: Table, session: Session) -> Outcome:
    """How the game stands, what the look ahead has proved included."""
    return session.outcome if session.outcome != "playing" else table.search.outcome or "playing"


def _message(table: Table, session: Session, tr: Translator) -> str:
    if session.refusal and table.settings.move_errors:
        return words.refusal(session.game, session.refusal, tr)
    return words.verdict(session.record, _outcome(table, session), tr)


def _dimmed(settings: Settings, session: Session) -> frozenset[Place]:
    if not (settings.matching_help and session.selection):
        return frozenset()
    fitting = session.game.fitting(session.position, session.selection)
    cards = {place for place in session.game.places if session.game.top(session.position, place)}
    return frozenset(cards.difference(fitting, session.selection))


def _places(
    settings: Settings, session: Session, marks: diagram.Marks, tr: Translator
) -> list[PlaceView]:
    game, position = session.game, session.position
    boxes = _boxes(game, settings.layout)
    return [
        {
            "place": place,
            "label": words.place_in_words(game, position, place, tr),
            "empty": not position.piles[index],
            "selected": place in marks.selected,
            "dimmed": place in marks.dimmed,
            "box": box,
        }
        for index, (place, box) in enumerate(zip(game.places, boxes, strict=True))
    ]


@lru_cache(16)
def _boxes(game: Game, layout: str) -> tuple[tuple[float, ...], ...]:
    """Where each place can be touched, in per cent of the drawing."""
    return tuple(tuple(round(100 * part, 3) for part in box) for box in diagram.boxes(game, layout))
