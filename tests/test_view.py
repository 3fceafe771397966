"""The view: one JSON message in, one JSON reply out, whatever the message is."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snapshot
from halfmoon import notation, words
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.languages import LANGUAGES, UnknownLanguage, translator
from halfmoon.view import Table, answer, new_table
from strategies import FOREIGN

EXAMPLE = "HM1-N-AAAAAAB"
OPEN = {"open": EXAMPLE}
KEYS = {
    "svg", "places", "code", "link", "score", "moves", "outcome", "message", "announce",
    "can_undo", "can_redo", "taken", "returned", "settings",
}  # fmt: skip
DEFAULTS = {"move_errors": False, "matching_help": False, "indices": "local"}

Reply = dict[str, Any]

every_language = pytest.mark.parametrize("language", LANGUAGES)


def send(table: Table, *messages: object) -> tuple[Table, Reply]:
    """The table and the last reply after some messages."""
    reply = ""
    for message in messages:
        table, reply = answer(table, json.dumps(message))
    return table, json.loads(reply)


def said(*messages: object, language: str = "en") -> Reply:
    """The last reply to some messages at a new table."""
    return send(new_table(language), *messages)[1]


def taps(*places: str) -> list[object]:
    return [{"tap": place} for place in places]


def marked(reply: Reply, mark: str) -> list[str]:
    return [place["place"] for place in reply["places"] if place[mark]]


# --- opening ---


@pytest.mark.parametrize(
    "link",
    [
        "HM1-N-AAAAAAB/1-8.8-5-3",
        " hm1naaaaaab/8-1.5-3-8",
        "#HM1-N-AAAAAAB/1-8.8-5-3",
        "https://example.org/pl/half-moon/play/#HM1-N-AAAAAAB/1-8.8-5-3",
    ],
)
def test_a_link_opens_exactly_its_position(link: str) -> None:
    reply = said({"open": link})
    assert reply["link"] == "HM1-N-AAAAAAB/1-8.8-5-3"
    assert (reply["code"], reply["score"], reply["moves"]) == (EXAMPLE, 25, 2)
    assert (reply["can_undo"], reply["can_redo"]) == (True, False)


def test_a_reply_tells_all_that_the_screen_shows() -> None:
    reply = said(OPEN)
    assert set(reply) == KEYS
    assert (reply["code"], reply["link"]) == (EXAMPLE, EXAMPLE)
    assert (reply["score"], reply["moves"], reply["outcome"]) == (0, 0, "playing")
    assert (reply["message"], reply["taken"], reply["returned"]) == ("", [], [])
    assert reply["settings"] == DEFAULTS


@every_language
def test_every_place_is_a_button_with_a_label_in_the_language(language: str) -> None:
    reply = said({"open": f"{EXAMPLE}/2-R1"}, language=language)
    record = notation.replay(EXAMPLE, "2-R1")
    tr = translator(language)
    assert [place["place"] for place in reply["places"]] == list(HALF_MOON.places)
    for place in reply["places"]:
        assert set(place) == {"place", "label", "empty", "selected", "dimmed", "box"}
        assert place["label"] == words.place_in_words(
            HALF_MOON, record.position, place["place"], tr
        )
        left, top, width, height = place["box"]
        assert 0 <= left < left + width <= 100
        assert 0 <= top < top + height <= 100
    assert marked(reply, "empty") == ["R1"]


@every_language
def test_the_drawing_is_in_the_language_too(language: str) -> None:
    svg = ElementTree.fromstring(said(OPEN, language=language)["svg"])
    assert svg.findtext("desc") == words.alternative_text(
        HALF_MOON, notation.deal(EXAMPLE).position, translator(language)
    )


def test_a_table_in_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownLanguage):
        new_table("de")


def test_a_new_deal_is_picked_by_the_number_that_the_screen_drew() -> None:
    assert said({"new": {"game": "half_moon", "chance": "1"}})["code"] == EXAMPLE
    assert said({"new": {"game": "half_moon", "chance": "800000001"}})["code"] == EXAMPLE
    assert said({"new": {"game": "half_moon", "chance": "7ffffffff"}})["code"] == "HM1-N-7777777"


def test_opening_another_deal_leaves_nothing_of_the_old_one() -> None:
    reply = said(OPEN, *taps("1", "8", "2"), {"undo": True}, {"open": "HM1-N-AAAAAAC"})
    assert (reply["link"], reply["can_undo"], reply["can_redo"]) == ("HM1-N-AAAAAAC", False, False)
    assert marked(reply, "selected") == []


# --- playing ---


def test_a_pair_and_a_triple_by_taps() -> None:
    table, reply = send(new_table("en"), OPEN, *taps("1"))
    assert marked(reply, "selected") == ["1"]
    table, reply = send(table, *taps("8"))
    assert (reply["link"], reply["score"], reply["moves"]) == (f"{EXAMPLE}/1-8", 10, 1)
    assert reply["taken"] == ["1", "8"]
    table, reply = send(table, *taps("3", "8", "5"))
    assert (reply["link"], reply["score"]) == (f"{EXAMPLE}/1-8.8-5-3", 25)
    assert set(reply["taken"]) == {"3", "5", "8"}
    assert marked(reply, "selected") == []


def test_undo_brings_the_cards_back_and_redo_takes_them_again() -> None:
    table, reply = send(new_table("en"), {"open": f"{EXAMPLE}/1-8"}, {"undo": True})
    assert (reply["link"], reply["returned"], reply["taken"]) == (EXAMPLE, ["1", "8"], [])
    assert (reply["can_undo"], reply["can_redo"]) == (False, True)
    table, reply = send(table, {"redo": True})
    assert (reply["link"], reply["returned"], reply["taken"]) == (f"{EXAMPLE}/1-8", [], ["1", "8"])


@pytest.mark.parametrize("verb", ["undo", "redo"])
def test_undo_and_redo_with_nothing_to_do_say_so_and_change_nothing(verb: str) -> None:
    reply = said(OPEN, {verb: True})
    assert reply["link"] == EXAMPLE
    assert reply["announce"] == f"There is no move to {verb}."


def test_restart_is_the_same_deal_from_its_beginning() -> None:
    reply = said({"open": f"{EXAMPLE}/1-8.8-5-3"}, {"restart": True})
    assert (reply["link"], reply["score"], reply["can_undo"]) == (EXAMPLE, 0, False)


def whole_game() -> list[str]:
    """The won playthrough's moves."""
    text = (snapshot.PLAYTHROUGHS / "half_moon.txt").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith("moves:")).split()[1:]


@every_language
def test_the_published_game_can_be_tapped_to_its_end(language: str) -> None:
    table, reply = send(new_table(language), OPEN)
    for move in whole_game():
        assert (reply["outcome"], reply["message"]) == ("playing", "")
        table, reply = send(table, *taps(*move.split("-")))
    assert (reply["outcome"], reply["score"], reply["moves"]) == ("won", 520, 48)
    assert "520" in reply["message"]
    assert reply["message"] in reply["announce"]
    assert marked(reply, "empty") == list(HALF_MOON.places)


def test_after_a_win_a_tap_does_nothing_and_undo_still_works() -> None:
    table, won = send(new_table("en"), {"open": f"{EXAMPLE}/{'.'.join(whole_game())}"})
    table, reply = send(table, *taps("1", "R6"))
    assert (reply["link"], reply["outcome"]) == (won["link"], "won")
    assert marked(reply, "selected") == []
    assert send(table, {"undo": True})[1]["outcome"] == "playing"


def test_a_stuck_game_says_so_and_can_be_undone() -> None:
    text = (snapshot.PLAYTHROUGHS / "half_moon_stuck.txt").read_text(encoding="utf-8")
    moves = next(line for line in text.splitlines() if line.startswith("moves:")).split()[1:]
    table, reply = send(new_table("en"), {"open": f"HM1-N-7777777/{'.'.join(moves)}"})
    assert reply["outcome"] == "stuck"
    assert "undo" in reply["message"]
    assert "new deal" in reply["message"]
    assert send(table, {"undo": True})[1]["message"] == ""


# --- what is heard ---


@every_language
def test_what_happened_is_announced_in_the_language(language: str) -> None:
    tr = translator(language)
    table, opened = send(new_table(language), OPEN)
    assert EXAMPLE in opened["announce"]
    names = {
        place: words.card_name(card, tr)
        for place in HALF_MOON.places
        if (card := HALF_MOON.top(notation.deal(EXAMPLE).position, place))
    }
    table, selected = send(table, *taps("1"))
    assert names["1"] in selected["announce"]
    table, removed = send(table, *taps("8"))
    assert names["1"] in removed["announce"]
    assert names["8"] in removed["announce"]
    table, back = send(table, {"undo": True})
    assert names["8"] in back["announce"]
    heard = [opened["announce"], selected["announce"], removed["announce"], back["announce"]]
    assert len(set(heard)) == 4


def test_deselecting_the_only_card_is_announced() -> None:
    assert said(OPEN, *taps("1", "1"))["announce"] == "No card is selected."


# --- settings ---


@pytest.mark.parametrize(
    ("places", "explained"),
    [(("1", "2"), "The sum must be 11"), (("3", "1"), "A jack, a queen and a king are needed")],
)
def test_a_refused_tap_is_explained_only_with_the_setting_move_errors(
    places: tuple[str, ...], explained: str
) -> None:
    assert said(OPEN, *taps(*places))["message"] == ""
    table, reply = send(new_table("en"), {"settings": {"move_errors": True}}, OPEN, *taps(*places))
    assert reply["message"] == explained
    assert explained in reply["announce"]
    assert send(table, *taps("4"))[1]["message"] == ""


def test_cards_are_dimmed_only_with_the_setting_matching_help_and_a_selection() -> None:
    assert marked(said(OPEN, *taps("1")), "dimmed") == []
    table, reply = send(new_table("en"), {"settings": {"matching_help": True}}, OPEN)
    assert marked(reply, "dimmed") == []
    reply = send(table, *taps("1"))[1]
    assert set(HALF_MOON.places) - set(marked(reply, "dimmed")) == {"1", "8", "R2"}
    reply = send(table, *taps("3"))[1]
    assert set(HALF_MOON.places) - set(marked(reply, "dimmed")) == {"3", "5", "R7"}


def test_one_setting_changes_and_the_others_stay() -> None:
    reply = said({"settings": {"move_errors": True}}, {"settings": {"indices": "french"}}, OPEN)
    assert reply["settings"] == {"move_errors": True, "matching_help": False, "indices": "french"}
    assert 'data-index="R"' in reply["svg"]


def test_settings_outlive_a_new_deal() -> None:
    reply = said(OPEN, {"settings": {"matching_help": True}}, {"open": "HM1-N-AAAAAAC"})
    assert reply["settings"]["matching_help"] is True


@pytest.mark.parametrize(
    "value",
    [None, [], "on", 1, {"speed": 2}, {"indices": "german"}, {"indices": None}, {"indices": []}],
)
def test_settings_that_are_not_there_are_refused_and_change_nothing(value: object) -> None:
    reply = said(OPEN, {"settings": value})
    assert reply["error"]
    assert reply["settings"] == DEFAULTS


# --- messages that cannot be carried out ---


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ({"open": "HM1-N-AAAAAA1"}, "“1”"),
        ({"open": f"{EXAMPLE}/1-8.1-8"}, "Move 2"),
        ({"open": ""}, "no deal code"),
        ({"open": None}, "None"),
        ({"tap": "R9"}, "R9"),
        ({"tap": None}, "None"),
        ({"new": {"game": "chess", "chance": "1"}}, "chess"),
        ({"new": {"game": "half_moon", "chance": "luck"}}, "luck"),
        ({"new": {"game": "half_moon"}}, "half_moon"),
        ({"new": 1}, "1"),
        ({"fly": True}, "fly"),
        ({}, "{}"),
        ({"tap": "1", "undo": True}, "undo"),
        ([], "[]"),
        (None, "null"),
        ("tap", "tap"),
    ],
)
def test_a_message_that_cannot_be_carried_out_says_why_and_all_else_stays(
    message: object, named: str
) -> None:
    table, before = send(new_table("en"), {"open": f"{EXAMPLE}/1-8"}, *taps("2"))
    after, reply = send(table, message)
    assert named in reply.pop("error")
    assert after == table
    assert reply.pop("announce") == ""
    before.pop("announce")
    assert reply == before


@pytest.mark.parametrize("text", ["", "{", "tap 1", '{"tap": }', "[" * 100_000, "1" * 5000, "NaN"])
def test_bad_json_is_refused_by_a_sentence(text: str) -> None:
    table, reply = answer(new_table("en"), text)
    assert json.loads(reply)["error"].startswith("The game does not understand")
    assert table == new_table("en")


@pytest.mark.parametrize("verb", ["tap", "undo", "redo", "restart"])
def test_before_a_deal_is_open_there_is_nothing_to_play(verb: str) -> None:
    reply = said({verb: "1"})
    assert reply["error"] == "No deal is open yet."
    assert "svg" not in reply


@every_language
def test_an_error_is_in_the_readers_language(language: str) -> None:
    error = said({"open": "HM1-N-AAAAAA1"}, language=language)["error"]
    assert (error == said({"open": "HM1-N-AAAAAA1"})["error"]) == (language == "en")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | FOREIGN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FOREIGN, inner, max_size=3),
    max_leaves=5,
)
verbs = st.sampled_from(["open", "new", "tap", "undo", "redo", "restart", "settings"])
named = st.sampled_from(["game", "chance", "move_errors", "matching_help", "indices"])


@settings(max_examples=60)
@given(
    st.lists(
        st.dictionaries(verbs, json_values, max_size=2)
        | st.fixed_dictionaries({"settings": st.dictionaries(named, json_values)})
        | st.fixed_dictionaries({"new": st.dictionaries(named, json_values)})
        | json_values,
        max_size=5,
    )
)
def test_no_message_breaks_the_table(messages: list[object]) -> None:
    table, _ = send(new_table("pl"), OPEN)
    for message in messages:
        table, reply = send(table, message)
        assert set(reply) - {"error"} == KEYS
        assert reply.get("error", "").isprintable()
        ElementTree.fromstring(reply["svg"])


@given(FOREIGN)
def test_no_text_breaks_the_table(text: str) -> None:
    assert json.loads(answer(new_table("nl"), text)[1])["error"]
