"""Turns a page's source into the Markdown of one language; knows the engine, but not MkDocs.

A source is Markdown with Jinja in it. Whatever it asks for and does not get (a fact, a translation,
a move that the rules do not allow) ends in a ``PageMistake`` that names page, line and language.
"""

import gettext
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

from babel import Locale, dates, lists, numbers
from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.bccache import Bucket

import vectors
from halfmoon import deal_code, diagram, languages, maker, view, words
from halfmoon.cards import Card, parse_card
from halfmoon.diagram import Marks
from halfmoon.games import GAMES
from halfmoon.mistake import Mistake
from halfmoon.notation import Record, game_named, print_link, replay
from halfmoon.position import Move


class PageMistake(ValueError):
    """A page that cannot be made, in one line: where, in which language, and why."""


FIGURE: Final = '<figure data-diagram="{number}"></figure>'
"""What stands for a diagram while Markdown is at work, which must never see the drawing."""
FIGURE_MARK: Final = re.compile(r'(?:<p>)?<figure data-diagram="(\d+)"></figure>(?:</p>)?')

PLAIN_ERRORS: Final = (Mistake, PageMistake, LookupError, UndefinedError)
"""Errors whose text says enough; others are named as well."""

SOURCE_FRAME: Final = "<template>"
"""The file that Jinja names in the traceback of a page's own source."""


class Step(NamedTuple):
    """One move of a game, with what a page may want to say about it."""

    number: int
    """1 for the first move."""
    move: Move
    cards: tuple[Card, ...]
    """The cards it takes, in the order of the move's places."""
    points: int
    """What it adds to the score."""
    record: Record
    """The game up to and including it."""

    @property
    def moves(self) -> str:
        """All moves so far as one text, as ``diagram`` takes them."""
        return " ".join(self.record.moves)


class Links(NamedTuple):
    """How a page finds the others; both raise ``LookupError`` for a page that is not there."""

    relative: Callable[[str], str]
    """The address of a source (``half-moon/play.md``) as seen from the page."""
    absolute: Callable[[str], str]
    """Its full address."""
    made: Callable[[str], str]
    """The address, as seen from the page, of a file that the build makes."""


class Page(NamedTuple):
    """A page to be rendered."""

    name: str
    """The path of its source, for messages."""
    source: str
    meta: Mapping[str, Any]
    """Its front matter."""
    links: Links
    first_line: int = 1
    """The line of the file on which ``source`` begins."""


class Shown(NamedTuple):
    """What a diagram shows."""

    record: Record
    marks: Marks = Marks()


class Rendered(NamedTuple):
    """A page's Markdown, and the figures that belong where it has their marks."""

    markdown: str
    figures: tuple[str, ...]
    shown: tuple[Shown, ...]
    """What the figures show, in the order of the page."""


class Compiled(BytecodeCache):
    """Templates as code, for environments that differ in their language alone.

    The code asks for its texts only when it runs, so that one serves all languages, and to
    compile a page takes longer than to render it.
    """

    def __init__(self) -> None:
        self._files: dict[tuple[str, str], CodeType] = {}
        self._sources: dict[str, CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give Jinja the code of a file that was compiled before."""
        bucket.code = self._files.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a file that Jinja has compiled."""
        if bucket.code:
            self._files[bucket.key, bucket.checksum] = bucket.code

    def template(self, source: str, environment: Environment) -> Template:
        """A template that is no file."""
        if source not in self._sources:
            self._sources[source] = environment.compile(source)
        code, values = self._sources[source], environment.make_globals(None)
        return Template.from_code(environment, code, values)


class Language:
    """Everything that depends on the language alone, made once for all its pages."""

    def __init__(
        self,
        name: str,
        translations: gettext.NullTranslations,
        docs: Path,
        compiled: Compiled,
    ) -> None:
        self.name = name
        self.translations = translations
        self.docs = docs
        self.compiled = compiled
        self.words = languages.translator(name)

    @cached_property
    def environment(self) -> Environment:
        """The Jinja environment of the pages: strict, and in this language."""
        environment = Environment(
            loader=FileSystemLoader(self.docs / "_templates"),
            extensions=["jinja2.ext.i18n"],
            undefined=StrictUndefined,
            autoescape=_is_html,
            keep_trailing_newline=True,
            bytecode_cache=self.compiled,
        )
        speak(environment, self.translations)
        environment.globals.update(self._globals())
        return environment

    def text(self, message: str) -> str:
        """A string of the settings or of a page's front matter, in this language."""
        return self.translations.gettext(message)

    def _globals(self) -> dict[str, Any]:
        return {
            "language": self.name,
            "games": GAMES,
            "deal_codes": deal_code,
            "by_hand": vectors.by_hand,
            "date": date,
            "example": replay,
            "record": steps,
            "card": self.card,
            "move_in_words": self.move_in_words,
            "data": self.data,
            "number": self.number,
            "percent": self.percent,
            "listing": self.listing,
            "day": self.day,
        }

    def card(self, card: Card | str) -> str:
        """A card in words, in the nominative."""
        return words.card_name(parse_card(card) if isinstance(card, str) else card, self.words)

    def move_in_words(self, code: str, moves: str | Sequence[str], number: int) -> str:
        """The cards that move ``number`` (from 1) of a game takes, as a list."""
        return words.move_in_words(replay(code, moves), number, self.words)

    def number(self, value: float, digits: int | None = None) -> str:
        """A number as this language writes it, with ``digits`` after the decimal mark."""
        pattern = None if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
        return numbers.format_decimal(value, format=pattern, locale=self.name)

    def percent(self, share: float, digits: int = 0) -> str:
        """A share (0 to 1) as a percentage in this language's form."""
        return numbers.format_percent(share, _percent_pattern(self.name, digits), self.name)

    def listing(self, parts: Iterable[object]) -> str:
        """Things in a row, with this language's commas and its "and"."""
        return lists.format_list([str(part) for part in parts], locale=self.name)

    def day(self, value: date) -> str:
        """A date in full."""
        return dates.format_date(value, format="long", locale=self.name)

    def data(self, name: str) -> Any:
        """A committed data file of ``docs/_data``, by its name without the ending."""
        path = self.docs / "_data" / f"{name}.json"
        if not path.is_file():
            raise PageMistake(f"there is no data file {name}.json")
        return json.loads(path.read_text(encoding="utf-8"))

    def board(self, code: str, moves: str | Sequence[str] = "") -> str:
        """A position as SVG, for the theme's templates."""
        return self.drawing(replay(code, moves))

    def drawings(self, record: Record, **options: Any) -> list[str]:
        """A position as SVG, in each of its game's layouts; the page shows the one that fits."""
        layouts = record.game.layouts
        return [self.drawing(record, layout=layout, **options) for layout in layouts]

    def drawing(self, record: Record, **options: Any) -> str:
        """A position as SVG."""
        return diagram.draw(record, self.words, **options)

    def opened(self, code: str) -> dict[str, Any]:
        """What the game shows when this deal has just been opened; see ``view.Reply``.

        ``layouts`` has the drawing in each of the game's layouts, and the boxes of its places;
        ``clock`` is no time at all, as docs/assets/clock.js would write it.
        """
        _, reply = view.answer(view.new_table(self.name), json.dumps({"open": code}))
        shown: dict[str, Any] = json.loads(reply)
        if "error" in shown:
            raise PageMistake(shown["error"])
        record = replay(code)
        layouts = [self._laid_out(record, layout) for layout in record.game.layouts]
        clock = dates.format_skeleton("ms", time(), locale=self.name)
        return shown | {"layouts": layouts, "drags": record.game.drags, "clock": clock}

    def made(self, text: str) -> maker.Made:
        """What the diagram maker shows of a code and moves; see ``maker.Made``."""
        return maker.make(maker.Wish(text), self.name).made

    def _laid_out(self, record: Record, layout: str) -> dict[str, Any]:
        boxes = diagram.boxes(record.game, layout)
        width, height = diagram.size(record.game.layouts[layout])
        return {
            "name": layout,
            "ratio": round(width / height, 3),
            "svg": self.drawing(record, layout=layout),
            "boxes": [[round(100 * part, 3) for part in box] for box in boxes],
        }


def speak(environment: Environment, translations: gettext.NullTranslations) -> None:
    """Let the templates of an environment say their texts in a language."""
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_translations(  # type: ignore[attr-defined]
        translations, newstyle=True
    )


def steps(code: str, moves: str | Sequence[str]) -> tuple[Step, ...]:
    """A game, move by move. Raises ``DealCodeMistake`` or ``MoveMistake``."""
    whole = replay(code, moves)
    return tuple(_step(whole, number) for number in range(1, whole.move_count + 1))


def _step(whole: Record, number: int) -> Step:
    game, before = whole.game, whole.positions[number - 1]
    record = whole._replace(moves=whole.moves[:number], positions=whole.positions[: number + 1])
    move = whole.moves[number - 1]
    cards = tuple(card for place in move.places if (card := game.top(before, place)))
    return Step(number, move, cards, record.score - game.score(before), record)


def render(page: Page, language: Language) -> Rendered:
    """The page in a language. Raises ``PageMistake``."""
    figures = _Figures(page, language)
    values = {
        "meta": page.meta,
        "url": page.links.relative,
        "made": page.links.made,
        "diagram": figures.diagram,
    }
    try:
        if "game" in page.meta:
            values["game"] = game_named(page.meta["game"])
        template = language.compiled.template(page.source, language.environment)
        markdown = template.render(values)
    except TemplateSyntaxError as error:
        own = error.name is None
        where = page.name if own else f"{page.name} ({error.name})"
        line = error.lineno + (page.first_line - 1 if own else 0)
        raise PageMistake(f"{where}:{line} [{language.name}]: {error.message}") from error
    except Exception as error:  # whatever goes wrong in a page is the page's mistake
        line = _line_in(error, page)
        raise PageMistake(f"{page.name}:{line} [{language.name}]: {_reason(error)}") from error
    return Rendered(markdown, tuple(figures.made), tuple(figures.shown))


def with_figures(html: str, figures: Sequence[str]) -> str:
    """The page's HTML with the drawings in the places of their marks."""
    return FIGURE_MARK.sub(lambda mark: figures[int(mark[1])], html)


class _Figures:
    """The diagrams of one page."""

    def __init__(self, page: Page, language: Language) -> None:
        self.page = page
        self.language = language
        self.made: list[str] = []
        self.shown: list[Shown] = []

    def diagram(
        self,
        code: str,
        moves: str | Sequence[str] = "",
        next: str = "",  # noqa: A002 - the word a page's author would choose
        caption: str = "",
        replayed: str | Sequence[str] = "",
    ) -> str:
        """A position as a figure that links to itself in the game.

        ``next`` marks the cards of the move that comes next, which has to be legal; ``replayed``
        are the moves of a whole game of this deal that the figure can step through.
        """
        record = replay(code, moves)
        whole = replay(code, replayed)
        marks = Marks(selected=record.after(next).moves[-1].places) if next else Marks()
        play = play_page(record.game.key)
        self.shown.append(Shown(record, marks))
        link = print_link(record.code, record.moves)
        self.made.append(
            self.language.environment.get_template("diagram.html.jinja").render(
                record=record,
                title=words.title(record, self.language.words),
                drawings=self.language.drawings(record, marks=marks),
                sizes={name: diagram.size(layout) for name, layout in record.game.layouts.items()},
                caption=caption,
                fragment=link,
                replay=print_link(whole.code, whole.moves) if replayed else "",
                link=f"{self.page.links.relative(play)}#{link}",
                address=f"{self.page.links.absolute(play)}#{link}",
            )
        )
        return FIGURE.format(number=len(self.made) - 1)


def play_page(game: str) -> str:
    """The source of a game's play page, by the game's key."""
    return f"{game.replace('_', '-')}/play.md"


def _is_html(template: str | None) -> bool:
    return template is not None and ".html" in Path(template).suffixes


def _percent_pattern(language: str, digits: int) -> str:
    pattern: str = Locale.parse(language).percent_formats[None].pattern
    return pattern.replace("#,##0", "#,##0" + ("." + "0" * digits if digits else ""))


def _reason(error: Exception) -> str:
    """Why, in one line, with the name of the error where its text alone would puzzle."""
    said = error.args[0] if isinstance(error, LookupError) and error.args else error
    text = " ".join(str(said).split())
    return text if isinstance(error, PLAIN_ERRORS) else f"{type(error).__name__}: {text}"


def _line_in(error: BaseException, page: Page) -> int:
    """The line of the page's file that led to an error."""
    line, frame = 1, error.__traceback__
    while frame:
        if frame.tb_frame.f_code.co_filename == SOURCE_FRAME:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line + page.first_line - 1


def environment_says(name: str) -> bool:
    """Whether an environment variable is switched on."""
    return os.environ.get(name, "0") not in ("", "0")
