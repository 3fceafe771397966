"""The address names the position: it is kept, sent, opened again, and said to be wrong."""

from itertools import cycle
from typing import Final
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from browser.table import CODE, DEAL, WON, Table, link_of, record_of
from halfmoon import notation, words
from halfmoon.languages import LANGUAGES, translator
from halfmoon.mistake import Mistake
from halfmoon.notation import Record

OTHER: Final = "HM1-N-AAAAAAC"
every_language = pytest.mark.parametrize("language", LANGUAGES)


def complaint(text: str, language: str) -> str:
    """What the engine says about a bad link."""
    with pytest.raises(Mistake) as caught:
        notation.parse_link(text)
    return words.explain(caught.value, translator(language))


def decoded(link: str) -> str:
    """A link as the page reads it: as it stands where its percent signs mean nothing."""
    try:
        return unquote(link, errors="strict")
    except UnicodeDecodeError:
        return link


# Keeping


def test_the_address_names_the_deal_when_the_game_has_begun(visitor: Visitor) -> None:
    table = visitor.table("id").open()
    expect(table.page).to_have_url(table.address(link_of(DEAL)))


def test_back_from_a_move_made_before_the_first_address_was_written(visitor: Visitor) -> None:
    table = visitor.table("nl").stop_the_clock().open()  # the page waits for the clock
    table.play(*WON[:2]).shows(record_of(*WON[:2]))
    for moves in (1, 0):
        table.page.go_back()
        table.shows(record_of(*WON[:moves]))
    expect(table.page).to_have_url(table.address(link_of(DEAL)))


def test_back_from_a_link_taken_before_the_first_address_was_written(visitor: Visitor) -> None:
    table = visitor.table("pl").stop_the_clock().open()
    table.go(OTHER).shows(notation.deal(OTHER))
    table.page.go_back()
    table.shows(DEAL)
    expect(table.page).to_have_url(table.address(link_of(DEAL)))


def test_reloading_at_move_20_restores_position_score_moves_and_time(visitor: Visitor) -> None:
    table = visitor.table("pl")
    table.stop_the_clock()
    table.open().play(*WON[:20]).shows(record_of(*WON[:20]))
    table.page.clock.run_for(65_000)
    time = table.time()
    assert time.endswith("1:05")
    table.reload().shows(record_of(*WON[:20]))
    assert table.time() == time
    table.play(WON[20]).shows(record_of(*WON[:21]))
    table.page.clock.run_for(2_000)
    assert table.time().endswith("1:07")


def test_the_clock_stands_until_the_first_card_and_after_the_last(visitor: Visitor) -> None:
    table = visitor.table()
    table.stop_the_clock()
    table.open()
    table.page.clock.run_for(5_000)
    assert table.time().endswith("0:00")
    table.go(link_of(record_of(*WON[:-1]))).shows(record_of(*WON[:-1]))
    first, *others = WON[-1].split("-")
    table.tap(first).selected(first)
    table.page.clock.run_for(3_000)
    table.tap(*others).shows(record_of(*WON))
    table.page.clock.run_for(3_000)
    assert table.time().endswith("0:03")


@pytest.mark.parametrize("named", ["hash", "nothing"])
def test_the_address_always_names_the_position(visitor: Visitor, named: str) -> None:
    table = visitor.table().open(CODE if named == "hash" else "").shows(DEAL)
    table.play("1-8").shows(record_of("1-8"))
    table.play("8-3-5").shows(record_of("1-8", "8-5-3"))
    table.do("undo").shows(record_of("1-8"))
    table.do("redo").shows(record_of("1-8", "8-5-3"))
    table.do("restart").shows(DEAL)
    table.enter_code(OTHER).shows(record_of(code=OTHER))
    table.do("new")
    expect(table.show("code")).not_to_have_text(OTHER)
    table.shows(record_of(code=table.show("code").inner_text()))


# Sending


@every_language
def test_a_link_to_move_30_shows_exactly_that_position(visitor: Visitor, language: str) -> None:
    table = visitor.table(language).open(link_of(record_of(*WON[:30])))
    table.shows(record_of(*WON[:30]))
    table.do("undo").shows(record_of(*WON[:29]))


def test_a_link_made_in_one_language_opens_in_another(visitor: Visitor) -> None:
    sender = visitor.table("pl").open().play("1-8", "8-5-3").shows(record_of("1-8", "8-5-3"))
    _, _, link = sender.page.url.partition("#")
    visitor.table("id").open(link).shows(record_of("1-8", "8-5-3"))


def test_the_language_switcher_takes_the_position_along(visitor: Visitor) -> None:
    table = visitor.table("pl").open().play("1-8").shows(record_of("1-8"))
    table.page.locator(".footer-links [hreflang=nl]").click()
    Table(table.page, table.root, "nl").ready().shows(record_of("1-8"))


@pytest.mark.parametrize(
    "link", ["hm1naaaaaab/8-1", "%48M1-N-AAAAAAB%2F1-8", " HM1 N AAAAAAB/1-8."]
)
def test_a_link_is_read_forgivingly_and_shown_in_its_one_form(visitor: Visitor, link: str) -> None:
    visitor.table("nl").open(link).shows(record_of("1-8"))


# Going back


def step_back_to(table: Table, record: Record) -> None:
    """Go back, a few steps if need be, to a position that was left."""
    for _ in range(5):
        before = table.page.url
        table.page.go_back()
        expect(table.page).not_to_have_url(before)
        if table.page.url == table.address(link_of(record)):
            break
    table.shows(record)


def test_back_returns_to_a_game_that_was_left(visitor: Visitor) -> None:
    table = visitor.table("pl")
    table.stop_the_clock()
    table.open().play("1-8").shows(record_of("1-8"))
    table.page.clock.run_for(61_000)
    assert table.time().endswith("1:01")
    table.do("restart").shows(DEAL)
    assert table.time().endswith("0:00")
    table.play("2-9").shows(record_of("2-9"))
    table.page.clock.run_for(4_000)
    table.enter_code(OTHER).shows(record_of(code=OTHER))
    table.page.go_back()
    table.shows(record_of("2-9"))
    assert table.time().endswith("0:04")
    step_back_to(table, record_of("1-8"))


def test_a_game_left_for_a_new_deal_stays_one_step_back(visitor: Visitor) -> None:
    table = visitor.table().open().play("1-8").shows(record_of("1-8")).do("new")
    expect(table.show("moves")).to_have_text("0")
    table.page.go_back()
    table.shows(record_of("1-8"))


# What is wrong with it

DAMAGED: Final = [
    "HM1-N-AAAAAA1",  # a character that no code has
    "HM1-N-AAAAAAB/1-2",  # an illegal move
    "XX1-N-AAAAAAB",  # another game
    "%E0%A4%A",  # not even an address
    "%00%0a<img src=x onerror=alert(1)>",
    "HM1-N-AAAAAAB/" + "1-8." * 4000,
]
DAMAGED_TOO: Final = [
    "HM1-N-AAAA",  # cut off
    "HM1-N-AAAAAAB/1-8.nonsense",
    "HM1-N-AAAAAAB/1-99",  # no such place
    "HM7-N-AAAAAAB",  # another version
    "9" * 20_000,
]


@pytest.mark.parametrize(
    ("link", "language"),
    [
        pytest.param(link, language, id=f"{link[:20]!a}-{language}")
        for link, language in zip(DAMAGED, cycle(LANGUAGES), strict=False)
    ],
)
def test_a_damaged_link_is_explained_and_a_deal_offered(
    visitor: Visitor, link: str, language: str
) -> None:
    table = visitor.table(language).open(link)
    problem = table.show("problem")
    expect(problem).to_be_visible()
    assert problem.inner_text() == complaint(decoded(link), language)
    assert len(problem.inner_text()) < 300
    assert problem.locator("*").count() == 0
    table.shows(DEAL).tap("1", "8").shows(record_of("1-8"))
    expect(problem).to_have_text("")


def test_a_damaged_link_does_not_cost_the_game_being_played(visitor: Visitor) -> None:
    table = visitor.table("id").open().play("1-8").shows(record_of("1-8"))
    for link in (*DAMAGED, *DAMAGED_TOO):
        table.go(link)
        expect(table.show("problem")).to_have_text(complaint(decoded(link), "id"))
        table.shows(record_of("1-8"))


@pytest.mark.parametrize("moment", ["before", "meanwhile"])
def test_a_link_to_a_part_of_the_page_is_no_damaged_link(visitor: Visitor, moment: str) -> None:
    table = visitor.table()
    if moment == "before":
        table.open("keyboard").shows(DEAL)
    else:
        table.open().play("1-8").shows(record_of("1-8"))
        table.page.locator("#keyboard .headerlink").click()
        table.shows(record_of("1-8"))
    expect(table.show("problem")).to_have_text("")
    expect(table.page.locator("#keyboard")).to_be_in_viewport()


# Entering a code


def test_a_code_is_read_forgivingly_and_shown_in_its_one_form(visitor: Visitor) -> None:
    table = visitor.table("pl").open()
    for text in (OTHER, " hm1 n aaaaaac ", "HM1--N--AAAAAAC", "hm1naaaaaac", f"https://x/#{OTHER}"):
        table.go(CODE).shows(DEAL).enter_code(text).shows(record_of(code=OTHER))
        expect(table.entry).to_have_value("")
        expect(table.entry).to_be_hidden()
        assert table.entry.get_attribute("aria-invalid") == "false"
        assert table.focused() == DEAL.game.places[0]


@every_language
def test_a_wrong_code_is_explained_under_the_field_and_nothing_is_lost(
    visitor: Visitor, language: str
) -> None:
    table = visitor.table(language).open().play("1-8").tap("2").selected("2")
    entries = table.page.evaluate("history.length")
    for text in ("HM1-N-AAAAAA1", "HM1-N-AAAA", "hello", "CR9-N-AAAAAAB"):
        table.enter_code(text)
        problem = table.show("code-problem")
        expect(problem).to_have_text(complaint(text, language))
        expect(problem).to_be_visible()
        expect(table.entry).to_have_attribute("aria-invalid", "true")
        described = str(table.entry.get_attribute("aria-describedby")).split()
        assert problem.get_attribute("id") in described
        expect(table.entry).to_have_value(text)
        assert table.focused() == "code-entry"
    table.shows(record_of("1-8")).selected("2")
    assert table.page.evaluate("history.length") == entries
    table.enter_code(OTHER).shows(record_of(code=OTHER))
    expect(table.show("code-problem")).to_have_text("")


def test_an_empty_field_is_explained_in_the_page_s_language(visitor: Visitor) -> None:
    table = visitor.table("nl").open().enter_code("")
    expect(table.show("code-problem")).to_have_text(complaint("", "nl"))


def test_every_new_deal_has_another_code(visitor: Visitor) -> None:
    table = visitor.table().open()
    codes = {CODE}
    for _ in range(5):
        last = table.show("code").inner_text()
        table.do("new")
        expect(table.show("code")).not_to_have_text(last)
        codes.add(table.show("code").inner_text())
    assert len(codes) == 6
    for code in codes:
        assert str(notation.parse_code(code)[1]) == code


def test_a_link_to_the_other_game_leads_to_its_own_page(visitor: Visitor) -> None:
    table = visitor.table("pl")
    table.page.goto(table.address("CR1-N-AAAAAAB/3-KC"))
    table.page.wait_for_url("**/pl/crescent/play/#CR1-N-AAAAAAB/3-KC")
    expect(table.ready().show("moves")).to_have_text("1")
