"""The published deals to check against agree with the engine, and with the rules written twice."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import crescent_model
import model
import vectors
from halfmoon import notation
from halfmoon.deal_code import DEALS
from halfmoon.games import GAMES

EXAMPLES: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "docs" / "_data" / "examples.json").read_text("utf-8")
)
VECTORS: Final = vectors.all_vectors(EXAMPLES)
MODELS: Final[dict[str, Any]] = {"half_moon": model, "crescent": crescent_model}
every_game = pytest.mark.parametrize("key", GAMES)


@every_game
def test_there_are_at_least_ten_deals_and_both_ends_among_them(key: str) -> None:
    numbers = [deal["number"] for deal in VECTORS[key]["deals"]]
    assert len(set(numbers)) == len(numbers) >= 10
    assert {0, 1, 31, 32, DEALS - 1} <= set(numbers)


@every_game
def test_the_engine_deals_the_published_deals(key: str) -> None:
    for deal in VECTORS[key]["deals"]:
        record = notation.deal(deal["code"])
        assert record.game.key == key
        assert record.code.number == deal["number"]
        piles = dict(zip(record.game.places, record.position.piles, strict=True))
        assert deal["piles"] == {place: [str(card) for card in piles[place]] for place in piles}


@every_game
def test_the_model_deals_the_published_deals(key: str) -> None:
    second = MODELS[key]
    code_of: Callable[[int], str] = second.code_of
    for deal in VECTORS[key]["deals"]:
        assert code_of(deal["number"]) == deal["code"]
        assert second.dealt(deal["number"]) == deal["piles"]


@every_game
def test_the_model_shuffles_the_published_orders(key: str) -> None:
    start = VECTORS[key]["starting_order"]
    assert start == MODELS[key].starting_order()
    for deal in VECTORS[key]["deals"]:
        assert model.shuffled(start, deal["number"]) == deal["order"]


@every_game
def test_the_deal_of_a_day_comes_from_the_first_random_number(key: str) -> None:
    for day in VECTORS[key]["days"]:
        first = next(model.split_mix(int(day["date"].replace("-", ""))))
        assert day["number"] == first >> 29
        assert day["code"] == MODELS[key].code_of(day["number"])


@every_game
def test_a_whole_game_is_published_with_what_it_leads_to(key: str) -> None:
    for game in VECTORS[key]["games"]:
        record = notation.replay(game["code"], game["moves"])
        assert (record.score, record.outcome) == (game["score"], game["outcome"])
    assert VECTORS[key]["games"][-1]["outcome"] == "won"


def test_the_model_plays_the_published_game() -> None:
    for game in VECTORS["half_moon"]["games"]:
        table = model.dealt(notation.parse_code(game["code"])[1].number)
        for move in game["moves"]:
            for place in move.split("-"):
                table[place].pop()
        assert table == game["piles"]


@every_game
def test_the_first_steps_by_hand_are_those_of_the_shuffle(key: str) -> None:
    game = GAMES[key]
    for number in (0, 1, DEALS - 1):
        order = model.shuffled([str(card) for card in game.starting_order], number)
        draws = vectors.by_hand(game, number, 5)
        assert [draw.i for draw in draws] == [len(order) - step for step in range(1, 6)]
        assert [str(draw.taken) for draw in draws] == order[:-6:-1]
        outputs = model.split_mix(number)
        assert [draw.x for draw in draws] == [next(outputs) for _ in draws]


def test_the_file_is_readable_line_by_line_and_holds_just_that() -> None:
    text = vectors.as_text(VECTORS)
    assert json.loads(text) == VECTORS
    deals = [line for line in text.splitlines() if line.startswith('{"code"')]
    assert len(deals) >= len(GAMES) * 10


def test_the_site_has_the_file(site: Path) -> None:
    assert json.loads((site / vectors.FILE).read_text("utf-8")) == VECTORS
