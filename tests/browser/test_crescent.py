"""Crescent in the page: taps, drags, redeals, a game that is stuck by proof, and both layouts."""

from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import CDPSession, FloatRect, Locator, expect

from browser.conftest import Visitor
from browser.table import EXAMPLES, PREFIXES, Table, center, link_of, record_of
from halfmoon import words
from halfmoon.notation import Record

CODE: Final[str] = EXAMPLES["crescent"]["code"]
WON: Final[list[str]] = EXAMPLES["crescent"]["moves"].split()
"""The moves of a won game of the published deal."""
TO_AND_FRO: Final[list[str]] = EXAMPLES["crescent_lessons"]["to_and_fro"]["moves"].split()
"""Moves after which cards can still move, but only to and fro."""


def crescent(*moves: str) -> Record:
    return record_of(*moves, code=CODE)


DEAL: Final = crescent()
EMPTIED: Final = crescent(*WON[:30])
"""A position with an empty fan: 16."""
REFUSED: Final = {
    "start": "AH",
    "suit": "1-2",
    "neighbour": "1-3",
    "order": "2-KC",
    "empty": "1-16",
}
"""Taps that are refused in that position, each for its own reason."""

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True,
}  # fmt: skip
SIDEWAYS: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WITHOUT_TIME: Final = """() => {
    const now = performance.now() + 1000;
    performance.now = () => now;
}"""
LISTEN: Final = """
window.Worker = class extends Worker {
    constructor(...options) {
        super(...options);
        if (!String(options[0]).includes("/assets/worker.js")) return;
        this.addEventListener("message", ({ data }) => {
            window.searching = JSON.parse(data).searching;
        });
    }
};
"""


class CrescentTable(Table):
    """A table with what only Crescent has: sending, dragging, the redeal panel, two layouts."""

    def address(self, link: str = "") -> str:
        page = f"{self.root}{PREFIXES[self.language]}crescent/play/"
        return page + (f"#{link}" if link else "")

    def choose(self, *settings: str) -> "CrescentTable":
        self.unfold("settings")
        for setting in settings:
            self.page.locator(f"[data-do=settings] [name={setting}]").check()
        return self

    def to_top(self) -> "CrescentTable":
        """Show the page from its beginning, where the board is."""
        self.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        return self

    # Taps and drags

    def twice(self, place: str, key: str = "") -> "CrescentTable":
        """Tap a place twice, by a double click or a key, and on any machine fast enough."""
        self.page.evaluate(WITHOUT_TIME)
        if key:
            self.place(place).press(key)
            self.press(key)
        else:
            self.place(place).dblclick()
        self.page.evaluate("delete performance.now")
        return self

    def carry(self, source: str, goal: str) -> "CrescentTable":
        """Take the top card with the mouse and hold it over its goal."""
        mouse = self.to_top().page.mouse
        mouse.move(*center(self.place(source)))
        mouse.down()
        mouse.move(*center(self.place(goal)), steps=4)
        expect(self.page.locator(".ghost")).to_have_count(1)
        return self

    def drag(self, move: str) -> "CrescentTable":
        self.carry(*move.split("-")).page.mouse.up()
        expect(self.page.locator(".ghost")).to_have_count(0)
        return self

    # The redeal

    @property
    def panel(self) -> Locator:
        return self.page.locator("[data-preview=redeal]")

    def look_at_redeal(self) -> "CrescentTable":
        if self.panel.get_attribute("open") is None:
            self.panel.locator("summary").click()
        return self

    def redeal(self) -> "CrescentTable":
        self.look_at_redeal().do("play")
        return self

    def previews(self, record: Record) -> "CrescentTable":
        """The panel shows the table as it would be after a redeal."""
        expected = words.alternative_text(record.game, record.after("redeal").position, self.tr)
        expect(self.show("preview").locator("svg desc")).to_have_text(expected)
        return self

    def redeals_left(self, count: int) -> "CrescentTable":
        expect(self.show("redeals")).to_have_text(str(count))
        possible = "true" if count == 0 else "false"
        expect(self.control("play")).to_have_attribute("aria-disabled", possible)
        return self

    # The layouts

    def lies(self, layout: str) -> "CrescentTable":
        """One drawing is to be seen, in this layout."""
        seen = self.page.locator(".board-drawing > .board:visible")
        expect(seen).to_have_count(1)
        expect(seen).to_have_class(f"board layout-{layout}")
        return self


def sit(visitor: Visitor, language: str = "en", **options: Any) -> CrescentTable:
    return CrescentTable(visitor.page(**options), visitor.server, language)


def drawn(table: Table, kind: str) -> set[str]:
    """The places whose card is drawn in a certain way."""
    found: list[str] = table.page.locator(f".board-drawing .place:has(.{kind})").evaluate_all(
        "places => places.map(({ dataset }) => dataset.place)"
    )
    return set(found)


# A whole game


def make(table: CrescentTable, record: Record, move: str, way: str) -> None:
    """Make a move in one of the ways there are, or by taps where it cannot be made in that way."""
    if move == "redeal":
        table.redeal()
        return
    source, _ = move.split("-")
    if way == "drag":
        table.drag(move)
    elif way == "twice" and record.game.send(record.position, source) == move:
        table.twice(source)
    elif way == "keys":
        for place in move.split("-"):
            table.place(place).press("Enter")
    else:
        table.play(move)


def test_a_whole_game_is_won_in_indonesian(visitor: Visitor) -> None:
    large = {"width": 1440, "height": 1000}
    table = sit(visitor, "id", viewport=large, reduced_motion="reduce").open()
    record = DEAL
    for number, move in enumerate(WON):
        make(table, record, move, ("taps", "twice", "drag", "keys")[number % 4])
        record = record.after(move)
        table.shows(record)
        assert table.show("redeals").inner_text() == str(record.position.redeals)
    assert "KC-AC" in WON  # a transfer
    assert "KC-14" in WON  # a return
    assert WON.count("redeal") == 2
    verdict = words.verdict(record, record.outcome, table.tr)
    assert "104 kartu" in verdict
    assert table.show("score").inner_text() == "104"
    assert table.show("redeals").inner_text() == "1"
    for place in DEAL.game.places[-8:]:
        expect(table.card(place).locator(".count")).to_have_text("13")
    expect(table.hands.locator("[aria-disabled=true]")).to_have_count(16)
    expect(table.show("message")).to_have_text(verdict)
    expect(table.show("message")).to_be_visible()
    table.announces(f"{words.move_made(record, table.tr)} {verdict}")
    expect(table.game).to_have_attribute("data-outcome", "won")


# Taps and drags


def test_a_card_tapped_twice_goes_to_a_foundation(visitor: Visitor) -> None:
    before, after = crescent(*WON[:2]), crescent(*WON[:3])
    table = sit(visitor).open(link_of(before))
    for key in ("", "Enter", "Space"):
        table.twice("13", key).shows(after).selected()
        table.announces(words.move_made(after, table.tr))
        table.twice("13", key).selected().shows(after)  # it has nowhere to go
        table.do("undo").shows(before)
    table.tap("13").selected("13")
    table.page.evaluate(WITHOUT_TIME)
    table.tap("13").selected().shows(before)  # two slow taps are only taps


def test_a_card_is_dragged_with_the_mouse(visitor: Visitor) -> None:
    table = sit(visitor, "pl", viewport={"width": 1440, "height": 1000}).open()
    for number, move in enumerate(WON[:4]):
        table.drag(move).shows(crescent(*WON[: number + 1])).selected()
    table.announces(words.move_made(crescent(*WON[:4]), table.tr))
    table.tap("9").selected("9")


def test_the_card_itself_is_carried(visitor: Visitor) -> None:
    table = sit(visitor, viewport={"width": 1440, "height": 1000}).open()
    table.page.mouse.move(*center(table.place("13")))
    table.page.mouse.down()
    x, y = center(table.place("13"))
    table.page.mouse.move(x - 30, y + 40)
    ghost = table.page.locator(".ghost .card")
    assert ghost.get_attribute("data-card") == "10C"
    carried, lying = box(ghost), box(top_card(table, "13"))
    assert carried["x"] - lying["x"] == pytest.approx(-30, abs=1)
    assert carried["y"] - lying["y"] == pytest.approx(40, abs=1)
    assert carried["width"] == pytest.approx(lying["width"], abs=1)
    table.page.mouse.move(*center(table.page.locator(".game-title")), steps=2)
    table.page.mouse.up()  # no place is there
    expect(ghost).to_have_count(0)
    table.selected().shows(DEAL).tap("13").selected("13")


def test_a_drag_that_does_not_fit_goes_back_and_says_why(visitor: Visitor) -> None:
    table = sit(visitor, "nl", viewport={"width": 1440, "height": 1000})
    table.open(link_of(EMPTIED)).choose("move_errors")
    for key, taps in REFUSED.items():
        table.drag(taps if "-" in taps else f"{taps}-KH")
        expect(table.show("message")).to_have_text(words.refusal(DEAL.game, key, table.tr))
        table.selected().shows(EMPTIED)
        assert drawn(table, "selected") == set()


# Touch


class Finger:
    """One finger on the glass."""

    def __init__(self, table: Table) -> None:
        self._session: CDPSession = table.page.context.new_cdp_session(table.page)

    def down(self, *points: tuple[float, float]) -> None:
        self._send("touchStart", *points)

    def move(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        for step in range(1, steps + 1):
            part = step / steps
            self._send(
                "touchMove", tuple(a + (b - a) * part for a, b in zip(start, end, strict=True))
            )

    def up(self) -> None:
        self._send("touchEnd")

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.down(start)
        self.move(start, end)
        self.up()

    def _send(self, kind: str, *points: tuple[float, ...]) -> None:
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def test_a_card_is_dragged_by_touch_and_the_page_stays(visitor: Visitor) -> None:
    table = sit(visitor, "id", **PHONE).open().lies("compact")
    finger = Finger(table)
    record = DEAL
    for move in WON[:5]:
        source, goal = move.split("-")
        finger.swipe(center(table.place(source)), center(table.place(goal)))
        record = record.after(move)
        table.shows(record).selected()
        assert table.page.evaluate("scrollY") == 0
    expect(table.page.locator(".ghost")).to_have_count(0)
    x, y = center(table.control("undo"))
    finger.swipe((x, y), (x, y - 300))  # the page could have moved
    table.page.wait_for_function("scrollY > 0")


def test_a_drag_by_touch_that_does_not_fit_goes_back_and_says_why(visitor: Visitor) -> None:
    table = sit(visitor, "pl", **PHONE).open(link_of(EMPTIED)).choose("move_errors")
    table.to_top()
    Finger(table).swipe(center(table.place("1")), center(table.place("2")))
    expect(table.show("message")).to_have_text(words.refusal(DEAL.game, "suit", table.tr))
    table.selected().shows(EMPTIED)
    expect(table.page.locator(".ghost")).to_have_count(0)


def test_a_finger_may_stray_and_taps_right_after_a_drag(visitor: Visitor) -> None:
    table = sit(visitor, **PHONE).open()
    x, y = center(table.place("13"))
    Finger(table).swipe((x, y), (x + 3, y - 3))
    table.selected("13").shows(DEAL)
    table.page.evaluate(WITHOUT_TIME)
    Finger(table).swipe(center(table.place("13")), center(table.place("12")))
    table.shows(crescent("13-12"))
    table.place("13").tap()
    table.selected("13")


def test_a_second_finger_leaves_no_card_behind(visitor: Visitor) -> None:
    table = sit(visitor, **PHONE).open()
    finger, first, second = Finger(table), center(table.place("13")), center(table.place("3"))
    finger.down(first)
    finger.move(first, center(table.place("12")))
    expect(table.page.locator(".ghost")).to_have_count(1)
    finger.down(center(table.place("12")), second)
    finger.up()
    expect(table.page.locator(".ghost")).to_have_count(0)
    table.shows(DEAL)


# Settings


@pytest.mark.parametrize("language", ["pl", "id"])
def test_move_errors_say_why_a_tap_is_refused(visitor: Visitor, language: str) -> None:
    table = sit(visitor, language).open(link_of(EMPTIED))
    table.choose("move_errors").tap("2").selected("2")
    message = table.show("message")
    seen = set()
    for key, taps in REFUSED.items():
        table.do("undo").shows(crescent(*WON[:29])).do("redo").shows(EMPTIED).selected()
        expect(message).to_have_text("")
        for place in taps.split("-"):
            table.place(place).click(force=True)  # an empty fan says that it has nothing to tap
        refusal = words.refusal(DEAL.game, key, table.tr)
        expect(message).to_have_text(refusal)
        expect(message).to_be_visible()
        expect(table.show("announce")).to_contain_text(refusal)
        table.shows(EMPTIED)
        seen.add(message.inner_text())
    assert set(DEAL.game.refusals) == set(REFUSED)
    assert len(seen) == 5
    assert seen.isdisjoint(DEAL.game.refusals.values())


def test_nothing_is_said_where_move_errors_are_off(visitor: Visitor) -> None:
    table = sit(visitor).open(link_of(EMPTIED)).tap("1", "2").selected("2")
    expect(table.show("message")).to_have_text("")
    assert drawn(table, "dimmed") == set()


def test_matching_help_dims_the_places_that_cannot_take_the_card(visitor: Visitor) -> None:
    table = sit(visitor).open(link_of(EMPTIED)).choose("matching_help")
    takers = {"2": {"14"}, "9": {"KS"}, "KC": {"2"}, "1": set[str]()}
    for source, goals in takers.items():
        table.do("undo").do("redo").shows(EMPTIED).selected()
        assert drawn(table, "dimmed") == set()
        table.tap(source).selected(source)
        assert drawn(table, "dimmed") == set(DEAL.game.places) - goals - {source, "16"}
        assert drawn(table, "selected") == {source}


# Redeals


@pytest.mark.parametrize("language", ["id", "nl"])
def test_a_redeal_is_seen_beforehand_made_and_given_back(visitor: Visitor, language: str) -> None:
    table = sit(visitor, language).open().redeals_left(3)
    expect(table.show("preview").locator("svg")).to_have_count(0)
    table.look_at_redeal().previews(DEAL).shows(DEAL)
    moved, redealt = crescent("13-12"), crescent("13-12", "redeal")
    table.play("13-12").previews(moved).shows(moved)
    table.redeal().shows(redealt).previews(redealt).redeals_left(2)
    table.announces(words.move_made(redealt, table.tr))
    table.do("undo").shows(moved).previews(moved).redeals_left(3)
    table.announces(words.move_undone(redealt, table.tr))
    table.do("redo").shows(redealt).redeals_left(2)


def test_three_redeals_are_all_there_are(visitor: Visitor) -> None:
    table, record = sit(visitor, "pl").open(), DEAL
    table.panel.locator("summary").press("Enter")
    table.previews(DEAL)
    table.control("play").press("Enter")
    table.shows(crescent("redeal")).do("undo").shows(DEAL)
    for left in (2, 1, 0):
        table.redeal()
        record = record.after("redeal")
        table.shows(record).redeals_left(left)
    expect(table.show("preview").locator("svg")).to_have_count(0)
    table.control("play").click(force=True)
    table.tap("1").selected("1").shows(record).redeals_left(0)
    table.do("undo").redeals_left(1).previews(crescent("redeal", "redeal"))


# Stuck by proof


def searched(table: Table) -> None:
    """Wait until the look ahead has ended."""
    table.page.wait_for_function("window.searching === false")


@pytest.mark.parametrize("language", ["pl", "id"])
def test_a_game_in_which_cards_only_go_to_and_fro_is_stuck(visitor: Visitor, language: str) -> None:
    stuck, before = crescent(*TO_AND_FRO), crescent(*TO_AND_FRO[:-1])
    assert stuck.outcome == "playing"
    assert stuck.legal_moves
    table = sit(visitor, language).open(link_of(stuck)).shows(stuck)
    verdict = words.verdict(stuck, "stuck", table.tr)
    assert verdict != DEAL.game.verdicts["stuck"]
    message = table.show("message")
    expect(message).to_have_text(verdict)
    expect(message).to_be_visible()
    expect(table.show("announce")).to_contain_text(verdict)
    expect(table.game).to_have_attribute("data-outcome", "stuck")
    table.do("undo").shows(before)
    expect(message).to_have_text("")
    expect(table.game).to_have_attribute("data-outcome", "playing")
    table.do("redo").shows(stuck)
    expect(message).to_have_text(verdict)
    fro = stuck.legal_moves[0]
    table.play(fro).shows(stuck.after(fro))  # what is legal can still be done
    expect(message).to_have_text(verdict)


def test_an_ordinary_position_is_not_called_stuck(visitor: Visitor) -> None:
    table = sit(visitor)
    table.page.add_init_script(LISTEN)
    table.open()
    last_redeal = len(TO_AND_FRO) - TO_AND_FRO[::-1].index("redeal")
    for record in (DEAL, EMPTIED, crescent(*TO_AND_FRO[:last_redeal]), crescent(*TO_AND_FRO[:-1])):
        table.page.evaluate("window.searching = undefined")
        table.go(link_of(record)) if record.moves else table.do("restart")
        table.shows(record)
        searched(table)
        expect(table.game).to_have_attribute("data-outcome", "playing")
        expect(table.show("message")).to_have_text("")


# Layouts


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found
    return found


def top_card(table: Table, place: str) -> Locator:
    return table.card(place).locator(".card").last


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes share no point."""
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


def boxes(table: Table, selector: str) -> dict[str, list[FloatRect]]:
    """The boxes of certain elements of every place, on the page; one journey for all."""
    found: dict[str, list[FloatRect]] = table.page.evaluate(
        """selector => Object.fromEntries(
            [...document.querySelectorAll(".board-drawing .place")]
                .filter((place) => place.checkVisibility())
                .map((place) => [
                    place.dataset.place,
                    [...place.querySelectorAll(selector)].map((element) => {
                        const { x, y, width, height } = element.getBoundingClientRect();
                        return { x: x + scrollX, y: y + scrollY, width, height };
                    }),
                ]))""",
        selector,
    )
    return found


def hands_fit_the_drawing(table: CrescentTable, record: Record) -> None:
    """Every button is large enough, covers the place's top card, and is apart from the others."""
    table.to_top()
    cards = boxes(table, ".card .face")
    hands = {place: box(table.place(place)) for place in record.game.places}
    board = box(table.page.locator(".game-board"))
    for place, hand in hands.items():
        assert hand["width"] >= 24, place
        assert hand["height"] >= 24, place
        assert hand["x"] >= board["x"], place
        assert hand["x"] + hand["width"] <= board["x"] + board["width"], place
        assert hand["y"] + hand["height"] <= board["y"] + board["height"] + 1, place
        others = [name for name, one in hands.items() if name != place and not apart(hand, one)]
        assert others == [], place
        for card in cards[place]:
            assert hand["x"] - 1 <= card["x"], place
            assert card["x"] + card["width"] <= hand["x"] + hand["width"] + 1, place
            assert hand["y"] - 1 <= card["y"], place
            assert card["y"] + card["height"] <= hand["y"] + hand["height"] + 1, place


def every_index_can_be_read(table: Table, record: Record) -> None:
    """No index of a card in a fan is covered by the card above it, nor too small."""
    faces, indexes = boxes(table, ".card .face"), boxes(table, ".card .index")
    for place, pile in zip(record.game.places[:16], record.position.piles, strict=False):
        assert len(faces[place]) == len(indexes[place]) == len(pile), place
        for index in indexes[place]:
            assert index["height"] >= 8, place
        for index, (_, above) in zip(indexes[place], pairwise(faces[place]), strict=False):
            assert index["y"] + index["height"] <= above["y"] + 0.5, place


def test_the_table_fits_the_screen_and_the_hands_fit_the_table(visitor: Visitor) -> None:
    table = sit(visitor, viewport={"width": 320, "height": 740}).open(link_of(EMPTIED))
    table.look_at_redeal().previews(EMPTIED).tap("2").selected("2")
    for width, layout in ((320, "compact"), (1440, "wide"), (360, "compact"), (768, "wide")):
        table.page.set_viewport_size({"width": width, "height": 740})
        expect(table.page.locator(f".board-drawing .layout-{layout}")).to_have_count(1)
        table.lies(layout).shows(EMPTIED).selected("2")
        assert drawn(table, "selected") == {"2"}
        assert table.page.evaluate(SIDEWAYS) <= 0
        hands_fit_the_drawing(table, EMPTIED)
        every_index_can_be_read(table, EMPTIED)
    table.tap("14").shows(EMPTIED.after("2-14"))


@pytest.mark.parametrize(("width", "layout"), [(320, "compact"), (1440, "wide")])
def test_the_table_fits_before_the_engine_is_there(
    visitor: Visitor, width: int, layout: str
) -> None:
    table = sit(visitor, viewport={"width": width, "height": 740})
    table.page.route("**/worker.js*", lambda route: route.abort())
    visitor.may_complain = True
    table.page.goto(table.address())
    table.lies(layout)
    assert table.page.evaluate(SIDEWAYS) <= 0
    hands_fit_the_drawing(table, DEAL)
    every_index_can_be_read(table, DEAL)
