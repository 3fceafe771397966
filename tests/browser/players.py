"""Games on a page: a diagram that has become a board, and the buttons that step through a game."""

from contextlib import suppress
from typing import Final, Self

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TimedOut

from browser.conftest import Visitor
from browser.table import EXAMPLES, PREFIXES, Table, link_of, prose
from halfmoon import notation, words
from halfmoon.languages import translator
from halfmoon.notation import Record

FOLDERS: Final = {"half_moon": "half-moon/", "crescent": "crescent/"}
WHOLE: Final = {
    game: notation.replay(EXAMPLES[game]["code"], EXAMPLES[game]["moves"]) for game in FOLDERS
}
"""The games of the examples pages, from the deal to the end."""
UNKEPT: Final = "delete Navigator.prototype.serviceWorker;"
"""For tests that watch or stop requests: nothing but the page asks then."""

MOTION: Final = """
    window.motion = [];
    addEventListener("animationstart", ({ animationName }) => motion.push(animationName));
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
        motion.push("animate");
        return animate.apply(this, how);
    };
"""
"""Notes on the page every motion that begins."""

STATE: Final = """root => {
    const show = (name) => root.querySelector(`[data-show="${name}"]`);
    const slider = root.querySelector(".replay input");
    const marked = [...root.querySelectorAll(".replay-moves [aria-current=step]")];
    const off = [...root.querySelectorAll(".replay [data-replay][aria-disabled=true]")];
    return {
        picture: show("drawing").querySelector("desc").textContent,
        moves: show("moves").textContent, score: show("score").textContent,
        slider: [slider.value, slider.max, slider.getAttribute("aria-valuetext")],
        current: marked.map((move) => [move.dataset.move, move.textContent]),
        off: off.map((button) => button.dataset.replay),
    };
}"""
"""What the player of a game shows of where it is."""
SAME: Final = f"([root, expected]) => JSON.stringify(({STATE})(root)) === JSON.stringify(expected)"


class GameTable(Table):
    """The play page of any game."""

    game_key = "half_moon"

    def address(self, link: str = "") -> str:
        return super().address(link).replace(FOLDERS["half_moon"], FOLDERS[self.game_key])


def play_page(visitor: Visitor, game: str, language: str, **options: object) -> GameTable:
    """The play page of a game, not opened yet."""
    page = visitor.page(**options)
    page.add_init_script(UNKEPT)
    table = GameTable(page, visitor.server, language)
    table.game_key = game
    return table


def reading(visitor: Visitor, path: str, language: str = "en", **options: object) -> Page:
    """A page to read, opened."""
    page = visitor.page(**options)
    page.add_init_script(UNKEPT)
    page.goto(f"{visitor.server}{PREFIXES[language]}{path}")
    return page


def up_to(record: Record, count: int) -> Record:
    """The game as it was after so many moves."""
    return notation.replay(str(record.code), record.moves[:count])


class Player:
    """The buttons that step through a game, the slider, and the list of moves."""

    def __init__(self, root: Locator, whole: Record, language: str) -> None:
        self.root = root
        self.whole = whole
        self.tr = translator(language)
        self.controls = root.locator(".replay")
        self.slider = self.controls.locator("input")
        self.pace = self.controls.locator("select")
        self.list = root.locator(".replay-moves")
        self.moves = self.list.locator("button")

    def button(self, name: str) -> Locator:
        return self.controls.locator(f"[data-replay={name}]")

    def press(self, *names: str) -> Self:
        for name in names:
            self.button(name).click()
        return self

    def press_in_vain(self, name: str) -> Self:
        """Click a button that is switched off, which a browser lets a person do."""
        expect(self.button(name)).to_have_attribute("aria-disabled", "true")
        self.button(name).click(force=True)
        return self

    def listed(self) -> Self:
        """Every move of the game is in the list, in words."""
        expect(self.moves).to_have_text(list(words.moves_in_words(self.whole, self.tr)))
        return self

    def at(self, count: int) -> Self:
        """So many moves are made: on the board, on the slider, in the list and by the buttons."""
        record, total = up_to(self.whole, count), self.whole.move_count
        expected = {
            "picture": words.alternative_text(record.game, record.position, self.tr),
            "moves": str(count),
            "score": str(record.score),
            "slider": [str(count), str(total), f"{count} / {total}"],
            "current": [[str(count), words.move_in_words(self.whole, count, self.tr)]]
            if count
            else [],
            "off": [*["first", "back"] * (count == 0), *["forward", "last"] * (count == total)],
        }
        with suppress(TimedOut):  # what differs is said better below
            root = self.root.element_handle()
            self.root.page.wait_for_function(SAME, arg=[root, expected], timeout=30_000)
        assert self.root.evaluate(STATE) == expected
        return self

    def plays(self, by_itself: bool) -> Self:
        expect(self.button("play")).to_have_attribute("aria-pressed", str(by_itself).lower())
        return self


class Figure:
    """A diagram of a page."""

    def __init__(self, page: Page, root: Locator, language: str) -> None:
        self.page = page
        self.root = root
        self.language = language
        self.tr = translator(language)
        self.still = root.locator(".diagram-drawing")
        self.links = root.locator(".diagram-links")
        self.link = root.locator(".diagram-play")
        self.game = root.locator(".inline-game")
        self.away = root.locator(".inline-away")
        self.failure = root.locator("[data-show=failure]")
        self.record = notation.parse_link(str(root.get_attribute("data-link")))

    @classmethod
    def of(cls, page: Page, record: Record, language: str) -> "Figure":
        """The first diagram of a position."""
        found = page.locator(f"figure.diagram[data-link='{link_of(record)}']")
        return cls(page, found.first, language)

    def control(self, name: str) -> Locator:
        return self.game.locator(f"[data-do={name}]")

    def place(self, place: str) -> Locator:
        return self.game.locator(f".board-hands [data-place='{place}']")

    def play(self) -> Self:
        """Have it turned into a board."""
        self.link.click()
        return self.shows(self.record)

    def step(self) -> Player:
        """Have the whole game stepped through."""
        button = self.root.locator(".diagram-replay")
        expect(button).to_have_text(prose(self.language).gettext("Step through this game"))
        button.click()
        whole = notation.parse_link(str(self.root.get_attribute("data-replay")))
        return Player(self.game, whole, self.language)

    def tap(self, *places: str) -> Self:
        for place in places:
            self.place(place).click()
        return self

    def shows(self, record: Record) -> Self:
        """The board shows this position, and the link away from it leads there."""
        game, position = record.game, record.position
        said = words.alternative_text(game, position, self.tr)
        expect(self.game.locator(".board-drawing desc").first).to_have_text(said)
        expect(self.game.locator("[data-show=score]")).to_have_text(str(record.score))
        expect(self.game.locator("[data-show=moves]")).to_have_text(str(record.move_count))
        labels = self.game.locator(".board-hands button").evaluate_all(
            "buttons => buttons.map((button) => button.getAttribute('aria-label'))"
        )
        assert labels == [
            words.place_in_words(game, position, place, self.tr) for place in game.places
        ]
        return self.names(record)

    def names(self, record: Record) -> Self:
        """The link to the play page names this position."""
        page = str(self.link.evaluate("link => link.href.split('#')[0]"))
        href = f"{page}#{link_of(record)}"
        expect(self.away).to_have_js_property("href", href)
        return self

    def rests(self) -> Self:
        """It is the diagram that it was."""
        expect(self.game).to_have_count(0)
        expect(self.still).to_be_visible()
        expect(self.links).to_be_visible()
        return self
