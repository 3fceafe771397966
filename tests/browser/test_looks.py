"""Every page fits every screen, moves only where it may, prints, and passes axe."""

from typing import Final

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from browser.conftest import Visitor
from browser.table import (
    CODE,
    DEAL,
    PAGES,
    PLAY,
    PREFIXES,
    ROOT,
    STUCK,
    WON,
    Table,
    link_of,
    record_of,
)
from halfmoon.languages import LANGUAGES

WIDTHS: Final = (320, 360, 768, 1440)
ZOOMED: Final = {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4}
"""What is left of 1280 by 1024 pixels at 400 %."""
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_page = pytest.mark.parametrize("path", [*PAGES, "404.html"])

SIDEWAYS: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CRAMPED: Final = """() => [...document.querySelectorAll(".game :is(summary, dd, label)," +
    ".game button:not([data-place]), .md-button, .md-tabs__link")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        const [inner, outer] = [text.getBoundingClientRect(), element.getBoundingClientRect()];
        return (element.clientWidth && element.scrollWidth > element.clientWidth)
            || inner.right > outer.right + 1 || inner.left < outer.left - 1
            || inner.bottom > outer.bottom + 1;
    })
    .map((element) => element.textContent.trim())"""
"""The texts that do not fit into their button, label or field."""


# Widths


@every_language
@every_page
def test_a_page_fits_every_width_and_its_words_their_buttons(
    visitor: Visitor, path: str, language: str
) -> None:
    page = visitor.page()
    page.goto(f"{visitor.server}{PREFIXES[language]}{path}")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(SIDEWAYS) <= 0, width
        assert page.evaluate(CRAMPED) == [], width


@every_page
def test_a_page_can_be_zoomed_to_400_per_cent(visitor: Visitor, path: str) -> None:
    page = visitor.page(**ZOOMED)
    page.goto(f"{visitor.server}pl/{path}")
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(CRAMPED) == []


@every_language
def test_long_messages_fit_a_small_screen(visitor: Visitor, language: str) -> None:
    table = visitor.table(language, viewport={"width": 320, "height": 640})
    table.open()
    for moves in (WON, STUCK):
        table.go(link_of(record_of(*moves))).shows(record_of(*moves))
        assert table.page.evaluate(SIDEWAYS) <= 0
        assert table.page.evaluate(CRAMPED) == []


@every_language
def test_a_failure_fits_a_small_screen(visitor: Visitor, language: str) -> None:
    visitor.may_complain = True
    table = visitor.table(language, viewport={"width": 320, "height": 640})
    table.page.route("**/memory.bin", lambda route: route.abort())
    table.page.goto(table.address())
    expect(table.failure).to_be_visible()
    assert table.page.evaluate(SIDEWAYS) <= 0
    assert table.page.evaluate(CRAMPED) == []


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found
    return found


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes share no point."""
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_card_buttons_are_large_enough_for_a_finger_and_apart(visitor: Visitor, width: int) -> None:
    table = visitor.table("pl", viewport={"width": width, "height": 740}).open()
    board = box(table.page.locator(".game-board"))
    boxes = {
        str(button.get_attribute("data-place")): box(button)
        for button in table.hands.get_by_role("button").all()
    }
    assert len(boxes) == 20
    for place, one in boxes.items():
        assert one["width"] >= 24, place
        assert one["height"] >= 24, place
        assert one["x"] >= max(board["x"], 0), place
        assert one["x"] + one["width"] <= min(board["x"] + board["width"], width), place
        assert one["y"] + one["height"] <= board["y"] + board["height"] + 1, place
        overlapping = [
            name for name, other in boxes.items() if name != place and not apart(one, other)
        ]
        assert overlapping == [], place


@pytest.mark.parametrize("width", WIDTHS)
def test_a_button_lies_over_the_card_that_it_taps(visitor: Visitor, width: int) -> None:
    table = visitor.table(viewport={"width": width, "height": 740}).open()
    for button in table.hands.get_by_role("button").all():
        hand = box(button)
        card = box(table.card(str(button.get_attribute("data-place"))).locator(".card"))
        assert hand["x"] - 1 <= card["x"]
        assert card["x"] + card["width"] <= hand["x"] + hand["width"] + 1
        assert hand["y"] - 1 <= card["y"]
        assert card["y"] + card["height"] <= hand["y"] + hand["height"] + 1


def test_controls_are_large_enough_for_a_finger(visitor: Visitor) -> None:
    table = visitor.table("nl", viewport={"width": 320, "height": 640}).open()
    for name in ("undo", "redo", "restart", "new"):
        assert box(table.control(name))["height"] >= 24
        assert box(table.control(name))["width"] >= 24


# Motion

MOVING: Final = """new Promise((resolve) => {
    const drawing = document.querySelector("[data-show=drawing]");
    new MutationObserver(() => requestAnimationFrame(() =>
        resolve(document.getAnimations().filter(({ animationName }) => animationName).length)
    )).observe(drawing, { childList: true, subtree: true });
    document.querySelector("[data-do=redo]").click();
})"""


def moving(table: Table) -> int:
    """How many animations the making of a move starts."""
    table.open().play("1-8").shows(record_of("1-8")).do("undo").shows(record_of())
    started: int = table.page.evaluate(MOVING)
    return started


def test_a_removed_pair_is_seen_to_leave_and_leaves_nothing_behind(visitor: Visitor) -> None:
    table = visitor.table()
    assert moving(table) > 0
    expect(table.page.locator(".is-leaving")).to_have_count(0)
    expect(table.page.locator(".board-drawing .card")).to_have_count(20)


def test_cards_leave_one_after_the_other_however_fast_they_are_tapped(visitor: Visitor) -> None:
    table = visitor.table().open().shows(DEAL)
    places = [place for move in WON[:8] for place in move.split("-")]
    table.page.evaluate(
        "places => places.forEach((place) =>"
        ' document.querySelector(`.board-hands [data-place="${place}"]`).click())',
        places,
    )
    table.shows(record_of(*WON[:8]))
    expect(table.page.locator(".is-leaving")).to_have_count(0)
    tops = [pile[-1] for pile in record_of(*WON[:8]).position.piles if pile]
    cards = table.page.locator(".board-drawing .card")
    expect(cards).to_have_count(len(tops))
    shown = cards.evaluate_all("cards => cards.map(({ dataset }) => dataset.card)")
    assert shown == [str(card) for card in tops]


def test_what_a_tap_does_not_change_is_not_drawn_again(visitor: Visitor) -> None:
    table = visitor.table().open().shows(DEAL)
    drawn = table.page.locator(".board-drawing .place > *")
    drawn.evaluate_all("parts => parts.forEach((part) => { part.known = true; })")
    table.tap("1").selected("1").tap("1").selected().tap("8").selected("8")
    strange = drawn.evaluate_all(
        "parts => [...new Set(parts.filter(({ known }) => !known)"
        ".map((part) => part.parentNode.dataset.place))]"
    )
    assert strange == ["1", "8"]
    expect(table.card("1").locator(".selected")).to_have_count(0)
    expect(table.card("8").locator(".selected")).to_have_count(1)


def test_nothing_moves_where_motion_is_not_wanted(visitor: Visitor) -> None:
    table = visitor.table(reduced_motion="reduce")
    assert moving(table) == 0
    assert table.page.locator(".is-leaving").count() == 0


# Print


def test_the_game_is_not_printed_and_its_address_is_no_loss(visitor: Visitor) -> None:
    page = visitor.page()
    page.goto(f"{visitor.server}pl/{PLAY}")
    page.emulate_media(media="print")
    expect(page.locator(".game")).to_be_hidden()
    expect(page.locator(".md-header")).to_be_hidden()
    expect(page.locator(".play-text")).to_be_visible()


@every_language
def test_a_printed_diagram_has_its_address_beneath_it(visitor: Visitor, language: str) -> None:
    page = visitor.page()
    page.goto(f"{visitor.server}{PREFIXES[language]}half-moon/examples/")
    figure = page.locator("figure.diagram").first
    address = figure.locator(".diagram-address")
    expect(address).to_be_hidden()
    page.emulate_media(media="print", color_scheme="dark")
    expect(address).to_be_visible()
    assert f"{PREFIXES[language]}{PLAY}#{CODE}" in address.inner_text()
    expect(figure.locator(".diagram-play")).to_be_hidden()
    expect(page.locator(".md-header")).to_be_hidden()
    for part, colour in ((".table", "rgb(255, 255, 255)"), (".face", "rgb(255, 255, 255)")):
        fill = figure.locator(part).first.evaluate("element => getComputedStyle(element).fill")
        assert fill in (colour, "none"), part


# axe


def faults(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds wrong on a page as it stands."""
    page.add_script_tag(path=ROOT / "node_modules" / "axe-core" / "axe.min.js")
    found = page.evaluate("axe.run().then(({ violations }) => violations)")
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pl"])
@every_page
def test_axe_finds_no_fault_on_any_page(
    visitor: Visitor, path: str, language: str, scheme: str
) -> None:
    page = visitor.page(color_scheme=scheme)
    page.goto(f"{visitor.server}{PREFIXES[language]}{path}")
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_axe_finds_no_fault_while_a_game_is_played(
    visitor: Visitor, language: str, scheme: str
) -> None:
    phone = {"width": 360, "height": 740}
    table = visitor.table(language, color_scheme=scheme, viewport=phone).open()
    table.unfold("settings").page.locator("[name=matching_help]").check()
    table.page.locator("[name=move_errors]").check()
    table.tap("1", "2").tap("1").selected("1").enter_code("hello")
    expect(table.entry).to_have_attribute("aria-invalid", "true")
    assert faults(table.page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_messages(visitor: Visitor, scheme: str) -> None:
    table = visitor.table("pl", color_scheme=scheme).open(link_of(record_of(*WON)))
    assert faults(table.page) == []
    table.go(link_of(record_of(*STUCK))).shows(record_of(*STUCK))
    table.go("hello")
    expect(table.show("problem")).not_to_have_text("")
    assert faults(table.page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_where_loading_fails(visitor: Visitor, scheme: str) -> None:
    visitor.may_complain = True
    table = visitor.table("en", color_scheme=scheme)
    table.page.route("**/memory.bin", lambda route: route.abort())
    table.page.goto(table.address())
    expect(table.failure).to_be_visible()
    assert faults(table.page) == []
