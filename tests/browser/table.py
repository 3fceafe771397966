"""The play page as a player meets it: what is shown, and the hands to play with."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from playwright.sync_api import Locator, Page, Worker, expect
from playwright.sync_api import TimeoutError as TimedOut

import catalogs
from halfmoon import notation, words
from halfmoon.languages import translator
from halfmoon.notation import Record

ROOT: Final = Path(__file__).parent.parent.parent
EXAMPLES: Final[dict[str, Any]] = json.loads(
    (ROOT / "docs" / "_data" / "examples.json").read_text(encoding="utf-8")
)
CODE: Final[str] = EXAMPLES["half_moon"]["code"]
WON: Final[list[str]] = EXAMPLES["half_moon"]["moves"].split()
"""The moves of a won game of the published deal."""
STUCK: Final[list[str]] = EXAMPLES["lessons"]["stuck"]["moves"].split()
"""Moves after which the published deal is stuck."""
DEAL: Final = notation.deal(CODE)

PREFIXES: Final = {"en": "", "pl": "pl/", "id": "id/", "nl": "nl/"}
PAGES: Final = (
    "", "half-moon/", "half-moon/examples/", "half-moon/strategy/", "half-moon/questions/",
    "half-moon/play/", "codes/",
)  # fmt: skip
PLAY: Final = "half-moon/play/"

SNAPSHOT: Final = """() => {
    const text = (name) => document.querySelector(`[data-show="${name}"]`).textContent;
    const buttons = [...document.querySelectorAll(".board-hands button")];
    return {
        code: text("code"), score: text("score"), moves: text("moves"),
        labels: buttons.map((button) => button.getAttribute("aria-label")),
        empty: buttons.map((button) => button.getAttribute("aria-disabled") === "true"),
        picture: document.querySelector(".board-drawing desc").textContent,
    };
}"""


SAME: Final = f"expected => JSON.stringify(({SNAPSHOT})()) === JSON.stringify(expected)"


class Shown(NamedTuple):
    """Everything on the page that depends on the position alone."""

    code: str
    score: str
    moves: str
    labels: list[str]
    empty: list[bool]
    picture: str

    @classmethod
    def of(cls, record: Record, language: str) -> Self:
        """What the page has to show, asked from the engine that the tests run."""
        tr, game, position = translator(language), record.game, record.position
        return cls(
            code=str(record.code),
            score=str(record.score),
            moves=str(record.move_count),
            labels=[words.place_in_words(game, position, place, tr) for place in game.places],
            empty=[not pile for pile in position.piles],
            picture=words.alternative_text(game, position, tr),
        )


class Table:
    """One play page in a browser. It waits for conditions, never for time to pass."""

    def __init__(self, page: Page, root: str, language: str) -> None:
        self.page = page
        self.root = root
        self.language = language
        self.tr = translator(language)
        self.game = page.locator(".game")
        self.hands = page.locator(".board-hands")
        self.failure = self.show("failure")
        self.entry = page.locator("#code-entry")

    # Where things are

    def address(self, link: str = "") -> str:
        """The address of the play page, or of a position on it."""
        return f"{self.root}{PREFIXES[self.language]}{PLAY}" + (f"#{link}" if link else "")

    def show(self, name: str) -> Locator:
        """The element that shows something."""
        return self.page.locator(f"[data-show={name}]")

    def place(self, place: str) -> Locator:
        """The button of a place."""
        return self.hands.locator(f'[data-place="{place}"]')

    def control(self, name: str) -> Locator:
        """The button or form that does something."""
        return self.game.locator(f"[data-do={name}]")

    def card(self, place: str) -> Locator:
        """What is drawn at a place."""
        return self.page.locator(f'.board-drawing .place[data-place="{place}"]')

    # Coming and going

    def open(self, link: str = "") -> Self:
        """Go to the page and wait until the game can be played."""
        self.page.goto(self.address(link))
        return self.ready()

    def reload(self) -> Self:
        self.page.reload()
        return self.ready()

    def ready(self) -> Self:
        """Wait for the engine's first answer."""
        self.page.locator(".game[data-outcome]").wait_for()
        return self

    def go(self, link: str) -> Self:
        """Change the address as a person does who edits it."""
        self.page.evaluate("link => { location.hash = link; }", link)
        return self

    def stop_the_clock(self) -> Self:
        """From here on the page's time passes only when the test says so."""
        noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.page.clock.install(time=noon)
        self.page.clock.pause_at(noon.replace(minute=1))
        return self

    def engine(self) -> Worker:
        """The worker that holds the engine."""
        return next(worker for worker in self.page.workers if "/worker.js" in worker.url)

    # Playing

    def tap(self, *places: str) -> Self:
        for place in places:
            self.place(place).click()
        return self

    def play(self, *moves: str) -> Self:
        """Tap moves, each place by place."""
        for move in moves:
            self.tap(*move.split("-"))
        return self

    def press(self, *keys: str) -> Self:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def do(self, name: str) -> Self:
        """Click a control."""
        self.control(name).click()
        return self

    def unfold(self, panel: str) -> Self:
        """Open a panel, if it is not open."""
        details = self.page.locator(f"[data-panel={panel}]")
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        return self

    def enter_code(self, text: str) -> Self:
        self.unfold("code").entry.fill(text)
        self.entry.press("Enter")
        return self

    # What must be seen and heard

    def shows(self, record: Record) -> Self:
        """The page shows exactly this position, and its address names it."""
        expect(self.page).to_have_url(self.address(link_of(record)))
        return self.pictures(record)

    def pictures(self, record: Record) -> Self:
        """As ``shows``, for a page that may have no link of its own yet."""
        expected = Shown.of(record, self.language)._asdict()
        with suppress(TimedOut):  # what differs is said better below
            self.page.wait_for_function(SAME, arg=expected, timeout=30_000)
        assert self.page.evaluate(SNAPSHOT) == expected
        return self

    def selected(self, *places: str) -> Self:
        """These places are pressed, and no other."""
        pressed = self.hands.locator("[aria-pressed=true]")
        expect(pressed).to_have_count(len(places))
        for place in places:
            expect(self.place(place)).to_have_attribute("aria-pressed", "true")
        return self

    def announces(self, text: str) -> Self:
        expect(self.show("announce")).to_have_text(text)
        return self

    def focused(self) -> str:
        """What has the focus: the name of a place or of a control, or the element's own."""
        named: str = self.page.evaluate(
            "() => { const { dataset, id, localName } = document.activeElement;"
            " return dataset.place ?? dataset.do ?? (id || localName); }"
        )
        return named

    def time(self) -> str:
        return self.show("time").inner_text()


def record_of(*moves: str, code: str = CODE) -> Record:
    """A deal with moves made in it."""
    return notation.replay(code, moves)


def link_of(record: Record) -> str:
    return notation.print_link(record.code, record.moves)


def center(button: Locator) -> tuple[float, float]:
    """The middle of an element, in CSS pixels."""
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@cache
def prose(language: str) -> NullTranslations:
    """The sentences of the pages in a language."""
    return catalogs.page_translations(language, ROOT)
