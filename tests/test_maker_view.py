"""The diagram maker's verb: what comes back for a code and moves, right or wrong."""

import json
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from halfmoon import maker, notation, words
from halfmoon.diagram import NIGHT_STYLE
from halfmoon.languages import LANGUAGES, translator
from halfmoon.notation import Record, print_game
from halfmoon.view import answer, new_table
from strategies import FOREIGN, records

EXAMPLE: Final = "HM1-N-AAAAAAB"
CRESCENT: Final = "CR1-N-AAAAAAB"


def ask(text: str, language: str = "en", **choices: str) -> dict[str, Any]:
    """What the view replies to somebody who types this."""
    message = json.dumps({"diagram": {"text": text, **choices}})
    return dict(json.loads(answer(new_table(language), message)[1]))


def made(text: str, language: str = "en", **choices: str) -> dict[str, Any]:
    """The diagram, where nothing is wrong."""
    reply = ask(text, language, **choices)
    assert "error" not in reply
    return dict(reply["diagram"])


def marked(svg: str) -> list[str | None]:
    places = [part for part in ElementTree.fromstring(svg) if "data-place" in part.attrib]
    return [
        place.get("data-place")
        for place in places
        if any((part.get("class") or "") == "selected" for part in place.iter())
    ]


@settings(max_examples=25)
@given(records(at_most=12))
def test_a_game_as_text_comes_back_with_its_link_and_its_words_in_every_language(
    record: Record,
) -> None:
    shown = made(print_game(record.code, record.moves))
    assert shown["text"] == print_game(record.code, record.moves)
    assert shown["link"] == notation.print_link(record.code, record.moves)
    assert notation.parse_link(shown["link"]) == record
    assert shown["alternative_texts"] == {
        language: words.alternative_text(record.game, record.position, translator(language))
        for language in LANGUAGES
    }


@pytest.mark.parametrize(
    "text",
    [
        f"{EXAMPLE} 1-8 8-5-3",
        f"{EXAMPLE}/1-8.8-5-3",
        f"https://example.org/half-moon/play/#{EXAMPLE}/1-8.8-5-3",
        " hm1naaaaaab 8-1   3-5-8\n",
    ],
)
def test_code_and_moves_a_link_and_a_game_as_text_are_all_read(text: str) -> None:
    shown = made(text)
    assert shown["text"] == f"{EXAMPLE} 1-8 8-5-3"
    assert shown["name"] == f"{EXAMPLE}-2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letters_and_the_title_are_those_of_the_page_s_language(language: str) -> None:
    record, tr = notation.deal(EXAMPLE), translator(language)
    shown = made(EXAMPLE, language)
    assert shown["title"] == words.title(record, tr)
    assert f'data-index="{words.index_letters("local", tr)[12]}"' in shown["svg"]


def test_the_file_stands_alone_and_the_drawing_does_not() -> None:
    shown = made(EXAMPLE)
    assert ElementTree.fromstring(shown["file"]).tag == "{http://www.w3.org/2000/svg}svg"
    assert NIGHT_STYLE in shown["file"]
    assert "<style" not in shown["svg"]
    assert ElementTree.fromstring(shown["file"]).get("width") == f"{shown['width']:g}"


def test_the_letters_can_be_chosen() -> None:
    assert 'data-index="R"' in made(EXAMPLE, indices="french")["svg"]


def test_the_layout_can_be_chosen_where_there_is_one_to_choose() -> None:
    wide, compact = made(CRESCENT), made(CRESCENT, layout="compact")
    assert wide["layouts"] == compact["layouts"] == ["wide", "compact"]
    assert (wide["layout"], compact["layout"]) == ("wide", "compact")
    assert compact["width"] < wide["width"]
    assert made(EXAMPLE, layout="compact")["layout"] == "wide"


def test_the_next_move_is_marked_and_can_be_picked_from_those_that_are_legal() -> None:
    shown = made(f"{EXAMPLE} 1-8", next="3-5-8")
    assert shown["next"] == "8-5-3"
    assert set(marked(shown["svg"])) == set(marked(shown["file"])) == {"8", "5", "3"}
    moves = {entry["move"]: entry["words"] for entry in shown["next_moves"]}
    assert tuple(moves) == notation.replay(EXAMPLE, "1-8").legal_moves
    assert "jack of clubs" in moves["8-5-3"]
    assert marked(made(EXAMPLE)["svg"]) == []


def test_a_move_that_is_a_word_has_no_cards_to_mark() -> None:
    assert "redeal" not in [entry["move"] for entry in made(CRESCENT)["next_moves"]]
    assert "redeal" in notation.deal(CRESCENT).legal_moves


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_move_is_explained_and_the_position_before_it_shown(language: str) -> None:
    reply = ask(f"{EXAMPLE} 1-8 1-2 8-5-3", language)
    with pytest.raises(notation.MoveMistake) as wrong:
        notation.replay(EXAMPLE, "1-8 1-2")
    assert reply["error"] == words.explain(wrong.value, translator(language))
    assert reply["diagram"]["link"] == f"{EXAMPLE}/1-8"


def test_a_next_move_that_is_wrong_is_explained_and_nothing_marked() -> None:
    reply = ask(EXAMPLE, next="1-2")
    assert "1-2" in reply["error"]
    assert reply["diagram"]["next"] == ""
    assert marked(reply["diagram"]["svg"]) == []


@given(FOREIGN)
def test_a_text_that_is_no_deal_is_explained_and_nothing_drawn(text: str) -> None:
    reply = ask(text)
    assert reply["error"]
    assert "diagram" not in reply


def test_a_text_without_end_is_refused_before_it_is_read() -> None:
    reply = ask(f"{EXAMPLE} " + "1-8 " * notation.LONGEST_TEXT)
    assert str(notation.LONGEST_TEXT) in reply["error"]


@pytest.mark.parametrize("value", [{}, {"text": EXAMPLE, "size": "2"}, [EXAMPLE], EXAMPLE, None])
def test_a_message_without_a_text_or_with_more_is_refused(value: object) -> None:
    _, reply = answer(new_table("en"), json.dumps({"diagram": value}))
    assert "does not understand" in json.loads(reply)["error"]


def test_letters_that_do_not_exist_are_refused() -> None:
    assert "runes" in ask(EXAMPLE, indices="runes")["error"]


def test_the_table_stays_as_it_is() -> None:
    table, _ = answer(new_table("en"), json.dumps({"open": f"{EXAMPLE}/1-8"}))
    for text in (CRESCENT, f"{EXAMPLE} 1-2", "nothing"):
        after, _ = answer(table, json.dumps({"diagram": {"text": text}}))
        assert after == table


def test_a_file_is_named_by_its_deal_and_the_number_of_moves() -> None:
    assert maker.file_name(notation.deal(EXAMPLE)) == EXAMPLE
    assert maker.file_name(notation.replay(EXAMPLE, "1-8")) == f"{EXAMPLE}-1"
