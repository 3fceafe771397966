"""A diagram for somebody's own page: the picture, its words in every language, its link."""

from typing import NamedTuple, TypedDict

from halfmoon import diagram, notation, words
from halfmoon.diagram import Marks
from halfmoon.languages import LANGUAGES, Translator, translator
from halfmoon.notation import MoveMistake, Record
from halfmoon.position import Move


class Wish(NamedTuple):
    """What the diagram is to show, and how."""

    text: str
    """A code, a code with moves, a link or a whole address, as ``notation.parse_game`` reads it."""
    indices: str = "local"
    """Which letters the cards carry: a key of ``words.INDICES``."""
    layout: str = diagram.WIDE
    """One of the game's layouts; where it has none of this name, its widest."""
    next: str = ""
    """A move to come, whose cards are marked."""


class NextMove(TypedDict):
    """A move that can be marked."""

    move: str
    words: str


class Made(TypedDict):
    """Everything that goes with one diagram."""

    svg: str
    """The drawing for a page that styles it."""
    file: str
    """The drawing as a file of its own."""
    name: str
    """What to call that file, without an ending."""
    width: float
    height: float
    game: str
    code: str
    link: str
    """What a link to the position carries after its ``#``."""
    text: str
    """The game as text."""
    title: str
    alternative_texts: dict[str, str]
    """One for each language."""
    layout: str
    layouts: list[str]
    """The layouts that the game has, the one chosen among them."""
    next: str
    next_moves: list[NextMove]


class Answer(NamedTuple):
    """A diagram, and where the wish could not be carried out whole, why."""

    made: Made
    mistake: MoveMistake | None = None


def make(wish: Wish, language: str) -> Answer:
    """The diagram somebody wishes for; where a move is wrong, the one of the position before it.

    >>> made, mistake = make(Wish("HM1-N-AAAAAAB 1-8 1-2"), "en")
    >>> made["link"], str(mistake)[:28]
    ('HM1-N-AAAAAAB/1-8', 'Move 2, 1-2, cannot be made.')

    Raises ``Mistake`` where there is no deal to be shown, or for an unknown choice.
    """
    tr = translator(language)
    try:
        record = notation.parse_game(wish.text)
        marked = record.after(wish.next).moves[-1] if wish.next else Move("")
    except MoveMistake as mistake:
        if mistake.legal is None:
            raise
        return Answer(_made(mistake.legal, Move(""), wish, tr), mistake)
    return Answer(_made(record, marked, wish, tr))


def _made(record: Record, marked: Move, wish: Wish, tr: Translator) -> Made:
    name, layout = diagram.chosen_layout(record.game, wish.layout)
    width, height = diagram.size(layout)
    return {
        "svg": _drawn(record, marked, wish, tr),
        "file": _drawn(record, marked, wish, tr, standalone=True),
        "name": file_name(record),
        "width": width,
        "height": height,
        "game": record.game.key,
        "code": str(record.code),
        "link": notation.print_link(record.code, record.moves),
        "text": notation.print_game(record.code, record.moves),
        "title": words.title(record, tr),
        "alternative_texts": alternative_texts(record),
        "layout": name,
        "layouts": list(record.game.layouts),
        "next": marked,
        "next_moves": _next_moves(record, tr),
    }


def _drawn(
    record: Record, marked: Move, wish: Wish, tr: Translator, *, standalone: bool = False
) -> str:
    return diagram.draw(
        record,
        tr,
        indices=wish.indices,
        layout=wish.layout,
        marks=Marks(selected=marked.places),
        standalone=standalone,
    )


def file_name(record: Record) -> str:
    """What to call a file with this diagram, without an ending.

    >>> file_name(notation.replay("HM1-N-AAAAAAB", "1-8 8-5-3"))
    'HM1-N-AAAAAAB-2'
    """
    return f"{record.code}-{record.move_count}" if record.moves else str(record.code)


def alternative_texts(record: Record) -> dict[str, str]:
    """The table in words, in every language."""
    return {
        language: words.alternative_text(record.game, record.position, translator(language))
        for language in LANGUAGES
    }


def _next_moves(record: Record, tr: Translator) -> list[NextMove]:
    """The legal moves whose cards can be marked, in words; a move that is a word has none."""
    number = record.move_count + 1
    return [
        {"move": move, "words": words.move_in_words(record.after(move), number, tr)}
        for move in record.legal_moves
        if move.places
    ]
