"""A game is stepped through: on the examples pages, and on the play page after it was played."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import Visitor
from browser.players import FOLDERS, MOTION, WHOLE, Figure, Player, play_page, reading, up_to
from browser.table import CODE, PREFIXES, WON, Table, link_of, prose, record_of
from halfmoon import notation, words
from halfmoon.languages import translator

BOTH: Final = [("half_moon", "pl"), ("crescent", "nl")]
both_games = pytest.mark.parametrize(("game", "language"), BOTH)
NAMES: Final = {
    "first": "To the beginning",
    "back": "One move back",
    "play": "Play by itself",
    "forward": "One move on",
    "last": "To the end",
}
PACES: Final = {"slow": 2500, "medium": 1200, "fast": 500}
NAMELESS: Final = """section => [...section.querySelectorAll("button, a, input, select")]
    .filter((control) => !(control.ariaLabel || control.labels?.[0]?.textContent.trim()
        || control.textContent.trim()))
    .map((control) => control.outerHTML)"""


def stepping(
    visitor: Visitor, game: str, language: str, script: str = "", **options: object
) -> tuple[Figure, Player]:
    """The game of an examples page, at its beginning."""
    page = visitor.page(**options)
    page.add_init_script(script)
    page.goto(f"{visitor.server}{PREFIXES[language]}{FOLDERS[game]}examples/")
    figure = Figure(page, page.locator("figure[data-replay]"), language)
    player = figure.step().listed().at(0)
    assert player.whole == WHOLE[game]
    return figure, player


# The examples pages


@both_games
def test_a_whole_game_is_stepped_through(visitor: Visitor, game: str, language: str) -> None:
    figure, player = stepping(visitor, game, language)
    whole, total = player.whole, player.whole.move_count
    address = figure.page.url
    player.press_in_vain("back").at(0).press("forward").at(1).press("forward").at(2)
    figure.names(up_to(whole, 2))
    player.press("back").at(1).press("last").at(total)
    expect(figure.game).to_have_attribute("data-outcome", "won")
    expect(figure.game.locator("[data-show=message]")).to_have_text(
        words.verdict(whole, "won", player.tr)
    )
    player.press_in_vain("forward").at(total).press("back").at(total - 1).press("first").at(0)
    player.slider.fill("20")
    player.at(20)
    figure.names(up_to(whole, 20))
    player.moves.nth(6).click()
    player.at(7)
    player.moves.nth(total - 2).click()
    player.at(total - 1).listed()
    figure.names(up_to(whole, total - 1))
    figure.control("close").click()
    figure.rests()
    assert figure.page.url == address


def test_a_game_that_is_left_for_another_way_is_a_new_game(visitor: Visitor) -> None:
    figure, player = stepping(visitor, "half_moon", "en")
    player.press("forward").at(1)
    record = record_of(WON[0])
    other = next(move for move in record.legal_moves if move != WON[1])
    figure.tap(*other.split("-"))
    Player(figure.game, record.after(other), "en").listed().at(2)


@both_games
def test_it_is_stepped_through_with_keys(visitor: Visitor, game: str, language: str) -> None:
    figure, player = stepping(visitor, game, language)
    press, total = figure.page.keyboard.press, player.whole.move_count
    player.slider.focus()
    press("ArrowRight")
    player.at(1)
    press("ArrowRight")
    player.at(2)
    press("ArrowLeft")
    player.at(1)
    press("End")
    player.at(total)
    press("Home")
    player.at(0)
    for name, count in {"forward": 1, "last": total, "back": total - 1, "first": 0}.items():
        player.button(name).focus()
        press("Enter")
        player.at(count)
        expect(player.button(name)).to_be_focused()
    player.moves.nth(2).focus()
    press("Enter")
    player.at(3)
    expect(player.moves.nth(2)).to_be_focused()


@both_games
def test_it_plays_by_itself_at_a_pace_and_stops(visitor: Visitor, game: str, language: str) -> None:
    figure, player = stepping(visitor, game, language)
    clock, total = figure.page.clock, player.whole.move_count
    clock.install()
    clock.pause_at("2100-01-01")
    player.plays(False).press("play").plays(True)
    clock.run_for(PACES["medium"] - 1)
    player.at(0)
    clock.run_for(1)
    player.at(1)
    for pace, milliseconds in PACES.items():
        player.pace.select_option(pace)
        player.plays(True)
        before = int(player.slider.input_value())
        clock.run_for(milliseconds - 1)
        player.at(before)
        clock.run_for(1)
        player.at(before + 1)
    player.press("play").plays(False)
    clock.run_for(60_000)
    player.at(4)
    player.press("play").plays(True).press("forward").plays(False).at(5)
    clock.run_for(60_000)
    player.at(5)
    player.slider.fill(str(total - 1))
    player.at(total - 1).press("play")
    clock.run_for(PACES["fast"])
    player.at(total)
    clock.run_for(PACES["fast"])
    player.plays(False)
    player.press("play").plays(True).at(0)  # from the beginning again


@both_games
def test_cards_move_only_where_they_may(visitor: Visitor, game: str, language: str) -> None:
    figure, player = stepping(visitor, game, language, MOTION, reduced_motion="reduce")
    player.press("forward").at(1).press("forward").at(2).press("back").at(1)
    assert figure.page.evaluate("motion") == []
    figure.page.emulate_media(reduced_motion="no-preference")
    player.press("forward").at(2)
    figure.page.wait_for_function("motion.length > 0")


@both_games
def test_without_scripts_the_game_is_read_as_steps_with_diagrams(
    visitor: Visitor, game: str, language: str
) -> None:
    page = reading(visitor, f"{FOLDERS[game]}examples/", language, java_script_enabled=False)
    expect(page.locator(".diagram-replay")).to_be_hidden()
    expect(page.locator(".inline-game")).to_have_count(0)
    steps = page.locator("ol.moves li code")
    assert tuple(steps.all_inner_texts()) == WHOLE[game].moves
    tr = translator(language)
    for figure in page.locator("figure.diagram").all():
        shown = notation.parse_link(str(figure.get_attribute("data-link")))
        said = words.alternative_text(shown.game, shown.position, tr)
        expect(figure.locator("desc").first).to_have_text(said)
        expect(figure.locator("svg").locator("visible=true")).to_have_count(1)
        expect(figure.locator(".diagram-play")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_screen_reader_is_told_every_control(visitor: Visitor, language: str) -> None:
    figure, player = stepping(visitor, "half_moon", language)
    say = prose(language).gettext
    named = figure.game.get_by_role("group", name=say("Step through the game"), exact=True)
    expect(named).to_have_count(1)
    for name in NAMES.values():
        expect(named.get_by_role("button", name=say(name), exact=True)).to_have_count(1)
    expect(named.get_by_role("slider", name=say("Moves made"), exact=True)).to_have_count(1)
    expect(named.get_by_role("combobox", name=say("Speed"), exact=True)).to_have_count(1)
    paces = [say(pace) for pace in PACES]
    expect(named.get_by_role("option")).to_have_text(paces)
    for control in ("Back to this diagram", "Close the board"):
        expect(figure.game.get_by_role("button", name=say(control), exact=True)).to_have_count(1)
    link = figure.game.get_by_role("link", name=say("Open on the play page"), exact=True)
    expect(link).to_have_count(1)
    moves = figure.game.get_by_role("list").get_by_role("button")
    expect(moves).to_have_count(player.whole.move_count)
    assert figure.game.evaluate(NAMELESS) == []


# The play page


def finished(visitor: Visitor, language: str, **options: object) -> tuple[Table, Player]:
    """A game that has just been won, with its moves looked at."""
    table = play_page(visitor, "half_moon", language, **options)
    table.open(link_of(record_of(*WON[:-1]))).play(WON[-1]).shows(record_of(*WON))
    expect(table.game).to_have_attribute("data-outcome", "won")
    table.unfold("steps")
    return table, Player(table.game, record_of(*WON), language)


def test_a_finished_game_is_stepped_through_and_the_address_follows(visitor: Visitor) -> None:
    table, player = finished(visitor, "id")
    total = len(WON)
    player.listed().at(total)
    for name, count in {"back": total - 1, "first": 0, "forward": 1, "last": total}.items():
        player.press(name).at(count)
        table.shows(record_of(*WON[:count]))
    player.slider.fill("12")
    table.shows(record_of(*WON[:12]))
    player.moves.nth(29).click()
    table.shows(record_of(*WON[:30]))
    player.at(30).listed()
    expect(table.show("steps")).to_have_attribute("open", "")
    player.moves.nth(4).focus()
    table.press("Enter")
    player.at(5)
    expect(player.moves.nth(4)).to_be_focused()
    table.page.go_back()
    table.shows(record_of(*WON[:30]))


def test_on_the_play_page_it_plays_by_itself_until_the_panel_is_closed(visitor: Visitor) -> None:
    table, player = finished(visitor, "nl")
    table.page.clock.install()
    table.page.clock.pause_at("2100-01-01")
    player.listed().press("first").at(0).press("play").plays(True)
    table.page.clock.run_for(PACES["medium"])
    player.at(1)
    table.shows(record_of(*WON[:1]))
    table.show("steps").locator("summary").click()
    player.plays(False)
    table.page.clock.run_for(60_000)
    table.shows(record_of(*WON[:1]))


def test_a_game_is_copied_downloaded_and_pasted_back(visitor: Visitor, tmp_path: Path) -> None:
    table, player = finished(visitor, "pl", permissions=["clipboard-read", "clipboard-write"])
    text = " ".join((CODE, *WON))
    player.listed()
    expect(table.show("text")).to_have_value(text)
    name = prose("pl").gettext("The game as text")
    field = table.game.get_by_role("textbox", name=name, exact=True)
    expect(field).to_have_value(text)
    table.do("copy").announces(prose("pl").gettext("Copied"))
    assert table.page.evaluate("navigator.clipboard.readText()") == text
    with table.page.expect_download() as download:
        table.do("download")
    assert download.value.suggested_filename == f"{CODE}.txt"
    download.value.save_as(tmp_path / "game.txt")
    assert (tmp_path / "game.txt").read_text(encoding="utf-8") == f"{text}\n"
    table.do("new")
    expect(table.show("code")).not_to_have_text(CODE)
    table.unfold("code").entry.focus()
    table.press("Control+V", "Enter").shows(record_of(*WON))
    expect(table.game).to_have_attribute("data-outcome", "won")
    player.press("first").listed().at(0)
