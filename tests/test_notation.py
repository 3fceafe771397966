"""Moves, games and links as text; replaying names what is wrong with a game."""

import pytest
from hypothesis import given

from halfmoon import deal_code, notation
from halfmoon.deal_code import DealCodeMistake
from halfmoon.game import IllegalMove, UnknownPlace
from halfmoon.games import GAMES
from halfmoon.mistake import Mistake
from halfmoon.notation import MoveMistake, Record, UnknownGame
from strategies import FOREIGN, records

EXAMPLE = "HM1-N-AAAAAAB"


def test_a_game_is_found_by_its_key() -> None:
    for key, game in GAMES.items():
        assert notation.game_named(key) is game


@pytest.mark.parametrize("key", ["", "chess", "Half Moon", "HALF_MOON"])
def test_a_game_that_is_not_there_is_refused_with_the_list(key: str) -> None:
    with pytest.raises(UnknownGame, match=f"The games are: {', '.join(GAMES)}"):
        notation.game_named(key)


def test_a_code_finds_its_game() -> None:
    game, code = notation.parse_code(" hm1naaaaaab ")
    assert (game.key, str(code)) == ("half_moon", EXAMPLE)
    for game in GAMES.values():
        found, _ = notation.parse_code(str(deal_code.make(game.deal_format, 1)))
        assert found is game


def test_a_game_is_its_moves_separated_by_spaces() -> None:
    assert notation.replay(EXAMPLE, "1-8 8-5-3") == notation.replay(EXAMPLE, ["1-8", "8-5-3"])
    assert notation.replay(EXAMPLE, "  1-8   8-5-3 ").moves == ("1-8", "8-5-3")
    assert notation.replay(EXAMPLE, "").moves == ()


def test_a_move_is_read_in_any_case_and_kept_in_its_canonical_form() -> None:
    assert notation.replay(EXAMPLE, "r1-2").moves == ("2-R1",)


def test_a_record_holds_every_position_on_the_way() -> None:
    record = notation.replay(EXAMPLE, "1-8 8-5-3")
    assert [position.cards for position in record.positions] == [104, 102, 99]
    assert record.position == record.positions[-1]
    assert (record.score, record.move_count, record.outcome) == (25, 2, "playing")


def test_making_a_move_leaves_the_record_alone() -> None:
    start = notation.deal(EXAMPLE)
    start.after("1-8")
    assert start == notation.deal(EXAMPLE)


@pytest.mark.parametrize(
    ("moves", "number", "named", "cause"),
    [
        ("1-2", "Move 1", "1-2", IllegalMove),
        ("1-8 8-5-3 1-8", "Move 3", "1-8", IllegalMove),
        ("1-8 8-5-3 1-99", "Move 3", "1-99", UnknownPlace),
        ("1-8 redeal", "Move 2", "redeal", IllegalMove),
    ],
)
def test_an_illegal_move_is_named_by_its_number_in_the_game(
    moves: str, number: str, named: str, cause: type[Mistake]
) -> None:
    with pytest.raises(MoveMistake) as refusal:
        notation.replay(EXAMPLE, moves)
    assert str(refusal.value).startswith(f"{number}, {named}, cannot be made. ")
    assert isinstance(refusal.value.__cause__, cause)
    assert str(refusal.value.__cause__) in str(refusal.value)


def test_no_move_follows_the_end_of_a_game() -> None:
    with pytest.raises(MoveMistake, match="Move 1, 1-8"):
        notation.replay("HM1-N-AAABA7T", "1-8")


# --- links ---


def test_a_link_is_the_code_and_after_a_slash_the_moves_joined_by_dots() -> None:
    record = notation.replay(EXAMPLE, "1-8 8-5-3")
    assert notation.print_link(record.code, record.moves) == "HM1-N-AAAAAAB/1-8.8-5-3"


def test_a_link_to_a_deal_is_the_code_alone() -> None:
    assert notation.print_link(notation.deal(EXAMPLE).code) == EXAMPLE
    assert notation.parse_link(EXAMPLE) == notation.deal(EXAMPLE)


@given(records())
def test_parsing_a_link_undoes_printing_it(record: Record) -> None:
    assert notation.parse_link(notation.print_link(record.code, record.moves)) == record


@given(records())
def test_replaying_a_game_undoes_writing_it_down(record: Record) -> None:
    assert notation.replay(str(record.code), " ".join(record.moves)) == record


@pytest.mark.parametrize(
    ("link", "kind", "named"),
    [
        ("", DealCodeMistake, "no deal code"),
        ("HM1-N-AAAAAA1", DealCodeMistake, "“1”"),
        ("HM1-N-AAAAAAB/1-2", MoveMistake, "Move 1"),
        ("HM1-N-AAAAAAB/1-8.8-5-3.1-1", MoveMistake, "Move 3"),
        ("HM1-N-AAAAAAB/1-8/8-5-3", MoveMistake, "Move 1"),
    ],
)
def test_a_bad_link_says_what_is_wrong_with_it(link: str, kind: type[Mistake], named: str) -> None:
    with pytest.raises(kind, match=named):
        notation.parse_link(link)


@given(FOREIGN)
def test_foreign_links_are_read_or_refused_by_a_mistake_on_one_line(text: str) -> None:
    for link in (text, EXAMPLE + text, f"{EXAMPLE}/{text}", f"{EXAMPLE}/1-8.{text}"):
        try:
            record = notation.parse_link(link)
        except Mistake as refusal:
            said = str(refusal)
            assert said.isprintable()
        else:
            printed = notation.print_link(record.code, record.moves)
            assert notation.parse_link(printed) == record
