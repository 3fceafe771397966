"""A game is sent, kept, offered back, mended where its link is bad, and dealt anew every day."""

import re
import subprocess
import sys
from datetime import UTC, datetime
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from browser.players import Player, play_page
from browser.table import CODE, DEAL, EXAMPLES, WON, Table, link_of, prose, record_of
from halfmoon import notation, words
from halfmoon.mistake import Mistake

OTHER: Final = "HM1-N-AAAAAAC"
LEFT: Final = "You left another game unfinished."
SHARING: Final = """Object.defineProperty(navigator, "share", {
    value: async (shared) => { window.shared = shared; },
});"""
CALLED_OFF: Final = """Object.defineProperty(navigator, "share", {
    value: () => Promise.reject(new DOMException("", "AbortError")),
});"""
NOT_SHARING: Final = "delete Navigator.prototype.share;"
CLIPBOARD: Final = ["clipboard-read", "clipboard-write"]
OPENING: Final = record_of(*WON[:3])


# Sharing


@pytest.mark.parametrize(("game", "language"), [("half_moon", "pl"), ("crescent", "id")])
def test_the_system_is_asked_to_share(visitor: Visitor, game: str, language: str) -> None:
    code, moves = EXAMPLES[game]["code"], EXAMPLES[game]["moves"].split()[:5]
    record = notation.replay(code, moves)
    table = play_page(visitor, game, language)
    table.page.add_init_script(SHARING)
    table.open(link_of(record)).do("share")
    table.page.wait_for_function("window.shared")
    shared = table.page.evaluate("shared")
    assert shared == {
        "text": words.summary(record, table.tr),
        "url": table.address(link_of(record)),
    }
    for part in (table.tr.gettext(record.game.name), code, "5", str(record.score)):
        assert part in shared["text"]


@pytest.mark.parametrize("language", ["en", "nl"])
def test_without_a_share_sheet_text_and_link_are_copied(visitor: Visitor, language: str) -> None:
    table = play_page(visitor, "half_moon", language, permissions=CLIPBOARD)
    table.page.add_init_script(NOT_SHARING)
    table.open().play(*WON[:3]).shows(OPENING).do("share")
    table.announces(prose(language).gettext("Copied"))
    copied = table.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{words.summary(OPENING, table.tr)}\n{table.address(link_of(OPENING))}"


def test_sharing_that_is_called_off_is_no_failure(visitor: Visitor) -> None:
    table = play_page(visitor, "half_moon", "en")
    table.page.add_init_script(CALLED_OFF)
    table.open(link_of(OPENING)).do("share").do("undo").shows(record_of(*WON[:2]))
    expect(table.show("problem")).to_have_text("")


# The game that was left


def shows_time(table: Table, minutes: int, seconds: int) -> None:
    """However the page's language writes it."""
    assert [int(part) for part in re.findall(r"\d+", table.time())] == [minutes, seconds]


def leave(table: Table) -> Table:
    table.page.goto("about:blank")
    return table


def left_game(visitor: Visitor, language: str = "en") -> Table:
    """Three moves were made in 75 seconds, then the page was left."""
    table = play_page(visitor, "half_moon", language)
    table.stop_the_clock()
    table.open().play(*WON[:3]).shows(OPENING)
    table.page.clock.run_for(75_000)
    shows_time(table, 1, 15)
    return leave(table)


def offers_the_game(table: Table) -> None:
    expect(table.show("saved")).to_be_visible()
    expect(table.show("saved")).to_contain_text(prose(table.language).gettext(LEFT))


def goes_on_with_it(table: Table) -> None:
    """What was left is there again, with its time."""
    table.do("saved").shows(OPENING)
    shows_time(table, 1, 15)
    expect(table.show("saved")).to_be_hidden()
    table.play(WON[3]).shows(record_of(*WON[:4]))
    table.page.clock.run_for(2_000)
    shows_time(table, 1, 17)


@pytest.mark.parametrize("language", ["pl", "id"])
def test_a_game_that_was_left_is_offered_back(visitor: Visitor, language: str) -> None:
    table = left_game(visitor, language).open()
    table.page.clock.run_for(1_000)  # the address comes a little later
    table.shows(DEAL)
    shows_time(table, 0, 0)
    offers_the_game(table)
    goes_on_with_it(table)


@pytest.mark.parametrize("moves", [(), ("1-8",)], ids=["deal", "position"])
def test_a_link_wins_and_the_game_is_still_offered(
    visitor: Visitor, moves: tuple[str, ...]
) -> None:
    sent = record_of(*moves) if moves else record_of(code=OTHER)
    table = left_game(visitor).open(link_of(sent)).shows(sent)
    offers_the_game(table)
    goes_on_with_it(table)


def test_whoever_plays_what_was_sent_does_not_lose_what_was_left(visitor: Visitor) -> None:
    table = left_game(visitor).open(OTHER)
    offers_the_game(table)
    move = record_of(code=OTHER).legal_moves[0]
    table.play(move).shows(record_of(move, code=OTHER))
    expect(table.show("saved")).to_be_hidden()
    leave(table).open(CODE).shows(DEAL)
    offers_the_game(table)
    table.do("saved").shows(record_of(move, code=OTHER))


@pytest.mark.parametrize("then", ["left at once", "stepped through"])
def test_a_finished_game_is_not_offered(visitor: Visitor, then: str) -> None:
    table = play_page(visitor, "half_moon", "pl")
    table.open(link_of(record_of(*WON[:-1]))).play(WON[-1]).shows(record_of(*WON))
    if then == "stepped through":
        table.unfold("steps")
        player = Player(table.game, record_of(*WON), "pl")
        player.listed().press("first").at(0).press("forward").at(1).press("forward").at(2)
    leave(table).open().shows(DEAL)
    expect(table.show("saved")).to_be_hidden()


def test_a_game_without_a_move_is_not_offered(visitor: Visitor) -> None:
    table = play_page(visitor, "half_moon", "en").open(OTHER).tap("1").selected("1")
    leave(table).open().shows(DEAL)
    expect(table.show("saved")).to_be_hidden()


# A link with a wrong move


@pytest.mark.parametrize(
    ("game", "language", "wrong"),
    [("half_moon", "pl", "1-2"), ("half_moon", "id", "1-99"), ("crescent", "nl", "1-2")],
)
def test_the_legal_moves_of_a_bad_link_can_be_seen(
    visitor: Visitor, game: str, language: str, wrong: str
) -> None:
    code, moves = EXAMPLES[game]["code"], EXAMPLES[game]["moves"].split()[:4]
    record = notation.replay(code, moves)
    assert wrong not in record.legal_moves
    link = f"{link_of(record)}.{wrong}.1-8"
    table = play_page(visitor, game, language).open(link)
    with pytest.raises(Mistake) as caught:
        notation.parse_link(link)
    said = words.explain(caught.value, table.tr)
    assert "5" in said
    assert wrong in said
    expect(table.show("problem")).to_have_text(said)
    table.shows(notation.deal(code))
    before = prose(language).gettext("Show the position before that move")
    expect(table.control("legal")).to_have_text(before)
    table.do("legal").shows(record)
    expect(table.show("problem")).to_have_text("")
    expect(table.control("legal")).to_be_hidden()
    table.do("undo").shows(notation.replay(code, moves[:3]))


def test_a_link_whose_code_is_bad_has_no_position_to_show(visitor: Visitor) -> None:
    table = play_page(visitor, "half_moon", "en").open("HM1-N-AAAAAA1/1-8")
    expect(table.show("problem")).not_to_have_text("")
    expect(table.control("legal")).to_be_hidden()


# The deal of the day


def dealt(game: str, day: str) -> str:
    """What the command says is the deal of a day."""
    command = (sys.executable, "-m", "halfmoon", "new", game, "--day", day)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize(("game", "language"), [("half_moon", "nl"), ("crescent", "pl")])
def test_the_deal_of_the_day_is_that_of_the_command(
    visitor: Visitor, game: str, language: str
) -> None:
    # Noon in Greenwich: the day has ended already where this reader lives.
    table = play_page(visitor, game, language, timezone_id="Pacific/Kiritimati")
    table.page.clock.set_fixed_time(datetime(2027, 3, 13, 12, tzinfo=UTC))
    today, tomorrow = (notation.deal(dealt(game, day)) for day in ("2027-03-14", "2027-03-15"))
    assert today != tomorrow
    table.open("today").shows(today)
    table.page.clock.set_fixed_time(datetime(2027, 3, 14, 12, tzinfo=UTC))
    name = prose(language).gettext("Deal of the day")
    table.game.get_by_role("button", name=name, exact=True).click()
    table.shows(tomorrow)
    table.page.go_back()
    table.shows(today)
    table.go("today").shows(tomorrow)
    expect(table.show("problem")).to_have_text("")
