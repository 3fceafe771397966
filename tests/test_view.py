"""The view: one JSON message in, one JSON reply out, whatever the message is."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snapshot
from halfmoon import diagram, notation, view, words
from halfmoon.deal_code import DealCode
from halfmoon.games.crescent import CRESCENT
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.languages import LANGUAGES, UnknownLanguage, translator
from halfmoon.notation import Record
from halfmoon.view import Table, answer, new_table
from strategies import FOREIGN, codes, records

EXAMPLE = "HM1-N-AAAAAAB"
OPEN = {"open": EXAMPLE}
CRESCENT_EXAMPLE = "CR1-N-AAAAAAB"
CRESCENT_OPEN = {"open": CRESCENT_EXAMPLE}
KEYS = {
    "svg", "places", "game", "code", "link", "score", "moves", "outcome", "message", "hint",
    "announce",
    "can_undo", "can_redo", "can_play", "redeals", "searching", "preview", "taken", "returned",
    "moved", "text", "summary", "total", "move_list", "settings",
}  # fmt: skip
DEFAULTS = {"move_errors": False, "matching_help": False, "indices": "local", "layout": "wide"}

VERBS = {
    "open", "new", "tap", "send", "drag", "play", "undo", "redo", "restart", "settings", "preview",
    "look_ahead", "day", "go", "moves",
}  # fmt: skip

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
    assert (reply["message"], reply["preview"], reply["can_play"]) == ("", "", [])
    assert (reply["taken"], reply["returned"], reply["moved"]) == ([], [], [])
    assert (reply["redeals"], reply["searching"]) == (0, True)
    assert "11" in reply["hint"]
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
    assert marked(reply, "empty") == ["R1"]


@pytest.mark.parametrize("code", [EXAMPLE, CRESCENT_EXAMPLE])
@pytest.mark.parametrize("layout", ["wide", "compact"])
def test_every_button_lies_on_its_place_in_the_drawing(code: str, layout: str) -> None:
    reply = said({"settings": {"layout": layout}}, {"open": code})
    game, _ = notation.parse_code(code)
    for place, box in zip(reply["places"], diagram.boxes(game, layout), strict=True):
        assert place["box"] == pytest.approx([100 * part for part in box], abs=0.001)


def test_a_tap_changes_the_drawing_at_the_tapped_place_alone() -> None:
    table, before = send(new_table("en"), OPEN)
    after = send(table, {"tap": "1"})[1]
    cut = [reply["svg"].split('<g class="place"') for reply in (before, after)]
    changed = [one != other for one, other in zip(*cut, strict=True)]
    assert [index for index, is_new in enumerate(changed) if is_new] == [1]


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


def played(name: str) -> str:
    """The link to a playthrough's end."""
    lines = (snapshot.PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    code, moves = (line.split()[1:] for line in lines if line.startswith(("deal:", "moves:")))
    return f"{code[0]}/{'.'.join(moves)}"


def whole_game() -> tuple[str, ...]:
    """The moves of the published game, which is won."""
    return notation.parse_link(played("half_moon")).moves


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
    table, won = send(new_table("en"), {"open": played("half_moon")})
    table, reply = send(table, *taps("1", "R6"))
    assert (reply["link"], reply["outcome"]) == (won["link"], "won")
    assert marked(reply, "selected") == []
    assert send(table, {"undo": True})[1]["outcome"] == "playing"


def test_a_stuck_game_says_so_and_can_be_undone() -> None:
    table, reply = send(new_table("en"), {"open": played("half_moon_stuck")})
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
    assert reply["settings"] == DEFAULTS | {"move_errors": True, "indices": "french"}
    assert 'data-index="R"' in reply["svg"]


def test_settings_outlive_a_new_deal() -> None:
    reply = said(OPEN, {"settings": {"matching_help": True}}, {"open": "HM1-N-AAAAAAC"})
    assert reply["settings"]["matching_help"] is True


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "on",
        1,
        {"speed": 2},
        {"indices": "german"},
        {"indices": None},
        {"indices": []},
        {"layout": 1},
        {"move_errors": "yes"},
        {"matching_help": None},
    ],
)
def test_settings_that_are_not_there_are_refused_and_change_nothing(value: object) -> None:
    reply = said(OPEN, {"settings": value})
    assert reply["error"]
    assert reply["settings"] == DEFAULTS


def test_a_layout_is_drawn_as_it_is_set() -> None:
    reply = said({"settings": {"layout": "compact"}}, CRESCENT_OPEN)
    assert 'class="board layout-compact"' in reply["svg"]
    assert said(CRESCENT_OPEN)["svg"] != reply["svg"]
    reply = said({"settings": {"layout": "compact"}}, OPEN)
    assert 'class="board layout-wide"' in reply["svg"]


# --- cards that move from place to place ---


@pytest.mark.parametrize(
    "messages",
    [taps("3", "KC"), taps("3", "3"), [{"drag": ["3", "KC"]}], [{"send": "3"}], [{"play": "3-kc"}]],
    ids=["tap", "tap twice", "drag", "send", "play"],
)
def test_a_card_is_tapped_dragged_or_sent_and_the_reply_says_from_where_to_where(
    messages: list[object],
) -> None:
    if messages == taps("3", "3"):
        messages = [*taps("3"), {"send": "3"}]
    reply = said(CRESCENT_OPEN, *messages)
    assert (reply["link"], reply["moved"]) == (f"{CRESCENT_EXAMPLE}/3-KC", ["3", "KC"])
    assert (reply["taken"], reply["returned"]) == ([], [])
    assert (reply["score"], reply["moves"]) == (9, 1)
    assert reply["announce"].startswith("Moved: queen of clubs from 3 to KC.")
    assert marked(reply, "selected") == []


def test_undo_moves_a_card_the_other_way() -> None:
    table, reply = send(new_table("en"), {"open": f"{CRESCENT_EXAMPLE}/3-KC"}, {"undo": True})
    assert (reply["link"], reply["moved"]) == (CRESCENT_EXAMPLE, ["KC", "3"])
    assert reply["announce"] == "Undone: queen of clubs from 3 to KC."
    assert send(table, {"redo": True})[1]["moved"] == ["3", "KC"]


def test_a_card_that_is_dragged_where_it_does_not_fit_goes_back_and_it_is_said_why() -> None:
    table, reply = send(new_table("en"), CRESCENT_OPEN, {"drag": ["3", "AS"]})
    assert (reply["link"], reply["moved"], reply["message"]) == (CRESCENT_EXAMPLE, [], "")
    assert marked(reply, "selected") == []
    table, _ = send(table, {"settings": {"move_errors": True}})
    assert send(table, {"drag": ["3", "AS"]})[1]["message"] == "The suits must be the same"


def test_matching_help_dims_the_places_that_cannot_take_the_card() -> None:
    table, reply = send(new_table("en"), {"settings": {"matching_help": True}}, CRESCENT_OPEN)
    assert marked(reply, "dimmed") == []
    bright = set(CRESCENT.places) - set(marked(send(table, *taps("7"))[1], "dimmed"))
    assert bright == {"7", "4", "12", "14"}


def legal_of(link: str) -> tuple[str, ...]:
    return notation.parse_link(link).legal_moves


# --- a move that is a word ---


def test_a_redeal_is_offered_while_it_is_allowed_and_the_redeals_left_are_told() -> None:
    table, reply = send(new_table("en"), CRESCENT_OPEN)
    for left in (3, 2, 1):
        assert (reply["redeals"], reply["can_play"]) == (left, ["redeal"])
        table, reply = send(table, {"play": "redeal"})
    assert (reply["redeals"], reply["can_play"]) == (0, [])
    table, reply = send(table, {"play": "redeal"})
    assert "no redeal left" in reply["error"]
    table, reply = send(table, {"undo": True})
    assert (reply["redeals"], reply["can_play"]) == (1, ["redeal"])


def test_a_redeal_is_announced_with_what_has_come_up_and_touches_no_place() -> None:
    table, reply = send(new_table("en"), CRESCENT_OPEN, {"play": "redeal"})
    bottoms = [fan[0] for fan in notation.deal(CRESCENT_EXAMPLE).position.piles[:16]]
    assert reply["announce"] == (
        f"Redeal. Redeals left: 2. Now on top: {words.card_names(bottoms, translator('en'))}."
    )
    assert (reply["link"], reply["moved"]) == (f"{CRESCENT_EXAMPLE}/redeal", [])
    table, reply = send(table, {"undo": True})
    assert reply["announce"] == "The redeal is undone. Redeals left: 3."
    assert (reply["moved"], reply["returned"]) == ([], [])
    assert send(table, {"redo": True})[1]["announce"].startswith("Redeal. Redeals left: 2.")


@every_language
def test_what_a_redeal_would_bring_up_is_drawn_without_making_it(language: str) -> None:
    table, before = send(new_table(language), CRESCENT_OPEN, *taps("7"))
    after, reply = send(table, {"preview": "redeal"})
    assert after == table
    preview = reply.pop("preview")
    small = {"settings": {"layout": [*CRESCENT.layouts][-1]}}
    assert preview == send(table, small, {"play": "redeal"})[1]["svg"]
    before.pop("preview"), before.pop("announce"), reply.pop("announce")
    assert reply == before
    assert send(table, {"tap": "8"})[1]["preview"] == ""


# --- looking ahead ---


def searched(table: Table) -> tuple[Table, Reply, int]:
    """The table when its look ahead has ended, the last reply, and in how many pieces."""
    for pieces in range(1, 200):
        table, reply = send(table, {"look_ahead": True})
        if not reply["searching"]:
            return table, reply, pieces
    raise AssertionError("the look ahead does not end")


@given(records())
def test_a_look_ahead_ends_and_changes_nothing_but_what_it_finds(record: Record) -> None:
    link = notation.print_link(record.code, record.moves)
    table, before = send(new_table("en"), {"open": link})
    assert before["searching"]
    table, after, _ = searched(table)
    assert after["outcome"] in (before["outcome"], "stuck")
    if after["outcome"] == before["outcome"]:
        before["announce"] = after["announce"]
        assert after == before | {"searching": False}
    assert send(table, {"look_ahead": True})[1] == after


def test_a_game_in_which_cards_only_go_to_and_fro_is_told_to_be_stuck_after_a_look_ahead() -> None:
    table, reply = send(new_table("en"), {"open": played("crescent_to_and_fro")})
    assert (reply["outcome"], reply["message"]) == ("playing", "")
    table, reply, _ = searched(table)
    assert reply["outcome"] == "stuck"
    assert reply["message"].startswith("Stuck")
    assert reply["message"] in reply["announce"]
    table, reply = send(table, {"undo": True})
    assert (reply["outcome"], reply["searching"]) == ("playing", True)


def test_a_look_ahead_is_cut_into_short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = send(new_table("en"), {"open": played("crescent_to_and_fro")})
    assert searched(table)[2] == 1
    monkeypatch.setattr(view, "SEARCHED_AT_ONCE", 50)
    _, reply, pieces = searched(table)
    assert (reply["outcome"], pieces) == ("stuck", 5)


def test_a_selection_does_not_end_what_a_look_ahead_has_found_and_a_move_does() -> None:
    link = played("crescent_to_and_fro")
    table, _, _ = searched(send(new_table("en"), {"open": link})[0])
    source, goal = legal_of(link)[0].split("-")
    table, reply = send(table, *taps(source))
    assert (reply["outcome"], reply["searching"]) == ("stuck", False)
    table, reply = send(table, *taps(goal))
    assert (reply["outcome"], reply["searching"]) == ("playing", True)
    assert searched(table)[1]["outcome"] == "stuck"


def test_a_won_game_stays_won_when_it_is_looked_ahead() -> None:
    table, won = send(new_table("en"), {"open": played("half_moon")})
    reply = searched(table)[1]
    assert (reply["outcome"], reply["message"]) == ("won", won["message"])


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
        ({"send": "R9"}, "R9"),
        ({"drag": ["1", "R9"]}, "R9"),
        ({"drag": "1-8"}, "1-8"),
        ({"drag": ["1"]}, "1"),
        ({"drag": {"from": "1", "to": "8"}}, "from"),
        ({"play": "1-8"}, "Move 2"),
        ({"play": None}, "None"),
        ({"preview": "redeal"}, "Move 2"),
        ({"preview": None}, "None"),
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
    assert reply.pop("legal_link", before["link"]).startswith(EXAMPLE)
    before.pop("announce")
    assert reply == before


@pytest.mark.parametrize("text", ["", "{", "tap 1", '{"tap": }', "[" * 100_000, "1" * 5000, "NaN"])
def test_bad_json_is_refused_by_a_sentence(text: str) -> None:
    table, reply = answer(new_table("en"), text)
    assert json.loads(reply)["error"].startswith("The game does not understand")
    assert table == new_table("en")


@pytest.mark.parametrize("verb", sorted(VERBS - {"open", "new", "day", "settings"}))
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
verbs = st.sampled_from(sorted(VERBS))
named = st.sampled_from(["game", "chance", "date", *DEFAULTS])


@settings(max_examples=60)
@given(
    codes(),
    st.lists(
        st.dictionaries(verbs, json_values, max_size=2)
        | st.fixed_dictionaries({"settings": st.dictionaries(named, json_values)})
        | st.fixed_dictionaries({"new": st.dictionaries(named, json_values)})
        | json_values,
        max_size=5,
    ),
)
def test_no_message_breaks_the_table(code: DealCode, messages: list[object]) -> None:
    table, _ = send(new_table("pl"), {"open": str(code)})
    for message in messages:
        table, reply = send(table, message)
        assert set(reply) - {"error", "legal_link"} == KEYS
        assert reply.get("error", "").isprintable()
        ElementTree.fromstring(reply["svg"])


@given(FOREIGN)
def test_no_text_breaks_the_table(text: str) -> None:
    assert json.loads(answer(new_table("nl"), text)[1])["error"]
