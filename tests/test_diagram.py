"""A diagram is one well-formed picture that says in words what it shows, alone or beside others."""

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snapshot
from halfmoon import card_art, deal_code, diagram, notation, words
from halfmoon.cards import RANKS, SUITS, rank_text
from halfmoon.diagram import Marks, draw
from halfmoon.game import Game
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES, translator
from halfmoon.notation import Record
from halfmoon.words import INDICES, UnknownIndices
from strategies import records

EXAMPLE = "HM1-N-AAAAAAB"
SVG = "{http://www.w3.org/2000/svg}"
EN = translator("en")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def drawn(moves: str = "", language: str = "en", **choices: object) -> Element:
    """The published example after some moves, as it stands in a page."""
    record = notation.replay(EXAMPLE, moves)
    return ElementTree.fromstring(draw(record, translator(language), **choices))  # type: ignore[arg-type]


def with_class(parent: Element, name: str) -> list[Element]:
    return [element for element in parent.iter() if name in element.get("class", "").split()]


def places(svg: Element) -> dict[str, Element]:
    """The group of each place, by name."""
    return {str(group.get("data-place")): group for group in with_class(svg, "place")}


def moved_by(group: Element) -> tuple[float, float]:
    """How far a group is moved from where it stands."""
    x, y = str(group.get("transform")).removeprefix("translate(").rstrip(")").split()
    return float(x), float(y)


def texts(parent: Element, name: str) -> list[str | None]:
    return [element.text for element in with_class(parent, name)]


def letters(svg: Element) -> Iterator[tuple[str, str]]:
    """Each card that is drawn, and what is printed on it."""
    for card in with_class(svg, "card"):
        (index,) = with_class(card, "index")
        yield str(card.get("data-card")), str(index.get("data-index"))


# --- the picture and its words ---


@every_language
def test_a_diagram_is_an_image_with_a_title_and_a_description(language: str) -> None:
    record, svg = notation.replay(EXAMPLE, "1-8"), drawn("1-8", language)
    tr = translator(language)
    assert (svg.tag, svg.get("role")) == ("svg", "img")
    assert [child.tag for child in svg][:2] == ["title", "desc"]
    assert svg.findtext("title") == words.title(record, tr)
    assert svg.findtext("desc") == words.alternative_text(record.game, record.position, tr)


def test_a_diagram_for_a_file_is_an_svg_document_of_its_own() -> None:
    svg = drawn(standalone=True)
    assert svg.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} >= {"title", "desc", "style"}
    width, height = str(svg.get("width")), str(svg.get("height"))
    assert svg.get("viewBox") == f"0 0 {width} {height}"


@pytest.mark.parametrize("standalone", [False, True])
def test_a_diagram_is_self_contained(standalone: bool) -> None:
    text = draw(notation.deal(EXAMPLE), EN, standalone=standalone)
    for outside in ("href", "url(", "<image", "<script", "@import", "@font-face", "<use"):
        assert outside not in text


@pytest.mark.parametrize("standalone", [False, True])
def test_several_diagrams_on_one_page_share_no_id(standalone: bool) -> None:
    assert not [
        element for element in drawn(standalone=standalone).iter() if "id" in element.attrib
    ]


@settings(max_examples=20)
@given(records(), st.booleans())
def test_a_place_is_drawn_the_same_whatever_has_been_drawn_before(
    record: Record, standalone: bool
) -> None:
    marks = Marks(record.game.places[:1], record.game.places[1:3])
    drawn_before = draw(record, EN, marks=marks, standalone=standalone)
    diagram._place.cache_clear()
    assert draw(record, EN, marks=marks, standalone=standalone) == drawn_before


@every_game
def test_every_place_is_in_the_picture_once_and_in_order(game: Game) -> None:
    record = notation.deal(f"{game.deal_format.prefix}{game.deal_format.version}-N-AAAAAAB")
    for layout in game.layouts:
        svg = ElementTree.fromstring(draw(record, EN, layout=layout))
        assert tuple(places(svg)) == game.places


@settings(max_examples=40)
@given(records(), st.data())
def test_each_place_shows_its_name_its_count_and_of_a_fan_alone_more_than_its_top_card(
    record: Record, data: st.DataObject
) -> None:
    game = record.game
    layout = data.draw(st.sampled_from(sorted(game.layouts)))
    svg = ElementTree.fromstring(draw(record, EN, layout=layout))
    for name, group in places(svg).items():
        pile, kind = record.position.piles[game.index(name)], game.kinds[game.index(name)]
        assert texts(group, "place-name") == [name]
        assert texts(group, "count") == [str(len(pile))]
        cards = [card.get("data-card") for card in with_class(group, "card")]
        assert cards == [str(card) for card in (pile if kind == "fan" else pile[-1:])]
        assert len(with_class(group, "empty")) == (not pile)
        assert len(with_class(group, "edges")) == (len(pile) > 1 and kind != "fan")
        assert len(with_class(group, "direction")) == kind.endswith("foundation")


@settings(max_examples=40)
@given(records())
def test_nothing_is_drawn_outside_the_picture(record: Record) -> None:
    for layout in record.game.layouts:
        svg = ElementTree.fromstring(draw(record, EN, layout=layout))
        width, height = (float(part) for part in str(svg.get("viewBox")).split()[2:])
        for group in places(svg).values():
            x, y = moved_by(group)
            (line,) = [float(str(text.get("y"))) for text in with_class(group, "count")]
            assert 0 <= x <= x + card_art.WIDTH <= width
            assert 0 <= y <= y + line <= height


@every_game
def test_the_picture_says_which_layout_it_has(game: Game) -> None:
    record = notation.deal(f"{game.deal_format.prefix}{game.deal_format.version}-N-AAAAAAB")
    for layout in game.layouts:
        svg = ElementTree.fromstring(draw(record, EN, layout=layout))
        assert f"layout-{layout}" in str(svg.get("class")).split()


@every_game
def test_a_layout_that_a_game_does_not_have_is_drawn_as_its_widest(game: Game) -> None:
    record = notation.deal(f"{game.deal_format.prefix}{game.deal_format.version}-N-AAAAAAB")
    widest = next(iter(game.layouts))
    assert draw(record, EN, layout="nowhere") == draw(record, EN, layout=widest) == draw(record, EN)
    assert diagram.boxes(game, "nowhere") == diagram.boxes(game, widest)


def test_a_pile_shows_one_edge_for_each_card_below() -> None:
    def edges(moves: str) -> int:
        (path,) = with_class(places(drawn(moves))["1"], "edges")
        return str(path.get("d")).count("M")

    assert (edges(""), edges("1-8")) == (7, 6)


def test_the_arch_stands_behind_the_places() -> None:
    children = list(drawn())
    classes = [child.get("class") for child in children]
    assert classes.index("arch") < classes.index("place")


# --- cards ---


@pytest.mark.parametrize(
    ("language", "indices", "printed"),
    [
        ("en", "local", "A J Q K"),
        ("pl", "local", "A W D K"),
        ("id", "local", "A J Q K"),
        ("nl", "local", "A B V H"),
        *((language, "international", "A J Q K") for language in LANGUAGES),
        *((language, "french", "A V D R") for language in LANGUAGES),
    ],
)
def test_the_chosen_letters_stand_on_the_cards(language: str, indices: str, printed: str) -> None:
    chosen = dict(zip("AJQK", printed.split(), strict=True))
    for card, index in letters(drawn("1-8", language, indices=indices)):
        assert index == chosen.get(card[:-1], card[:-1])


def test_the_languages_own_letters_are_the_default() -> None:
    assert list(letters(drawn(language="pl"))) == list(
        letters(drawn(language="pl", indices="local"))
    )


@every_language
@pytest.mark.parametrize("indices", INDICES)
def test_letters_are_looks_only(language: str, indices: str) -> None:
    svg = drawn(language=language, indices=indices)
    assert svg.findtext("desc") == drawn(language=language).findtext("desc")
    assert [card for card, _ in letters(svg)] == [card for card, _ in letters(drawn())]


def test_letters_that_are_not_there_are_refused_by_name() -> None:
    with pytest.raises(UnknownIndices, match="“german”"):
        drawn(indices="german")


def test_suits_are_told_apart_by_shape_not_by_colour_alone() -> None:
    shapes = {
        str(card.get("data-card"))[-1]: str(with_class(card, "suit")[0].get("d"))
        for card in with_class(drawn(), "card")
    }
    assert set(shapes) == set("SHDC")
    assert len(set(shapes.values())) == 4


def test_suits_and_letters_need_no_font() -> None:
    for card in with_class(drawn(), "card"):
        assert not [element for element in card.iter() if element.text]
        assert not [element for element in card.iter() if element.tag == "text"]


@every_language
@pytest.mark.parametrize("indices", INDICES)
def test_every_card_can_be_drawn(language: str, indices: str) -> None:
    seen = set()
    for game in GAMES.values():
        for number in range(4):
            record = notation.deal(str(deal_code.make(game.deal_format, number)))
            svg = ElementTree.fromstring(draw(record, translator(language), indices=indices))
            seen |= {card for card, _ in letters(svg)}
    assert {card[:-1] for card in seen} == {rank_text(rank) for rank in RANKS}
    assert {card[-1] for card in seen} == set(SUITS)


# --- marks ---


def test_the_cards_of_the_next_move_can_be_highlighted() -> None:
    svg = drawn("1-8", marks=Marks(selected=["8", "5", "3"]))
    marked = [name for name, group in places(svg).items() if with_class(group, "selected")]
    assert marked == ["3", "5", "8"]
    for name in marked:
        assert with_class(places(svg)[name], "ring"), "colour is never the only sign"


def test_cards_can_be_dimmed() -> None:
    svg = drawn(marks=Marks(selected=["1"], dimmed=["2", "R8"]))
    assert [n for n, group in places(svg).items() if with_class(group, "dimmed")] == ["2", "R8"]


def test_without_marks_nothing_is_marked() -> None:
    assert not with_class(drawn(), "selected")
    assert not with_class(drawn(), "dimmed")


# --- where to touch ---


@every_game
def test_every_place_can_be_touched_inside_the_picture_and_none_covers_another(game: Game) -> None:
    for layout in game.layouts:
        boxes = diagram.boxes(game, layout)
        assert len(boxes) == len(game.places)
        for box in boxes:
            assert 0 <= box.left <= box.left + box.width <= 1
            assert 0 <= box.top <= box.top + box.height <= 1
        for at, one in enumerate(boxes):
            for other in boxes[at + 1 :]:
                apart_sideways = abs(one.left - other.left) >= one.width
                upper, lower = sorted((one, other), key=lambda box: box.top)
                apart_upright = upper.top + upper.height <= lower.top
                assert apart_sideways or apart_upright


@every_game
def test_in_the_narrowest_layout_cards_are_no_smaller_than_the_look_asks_at_320_px(
    game: Game,
) -> None:
    *_, narrowest = game.layouts
    assert min(box.width for box in diagram.boxes(game, narrowest)) * 320 >= 30


@every_game
def test_a_box_covers_its_place_from_its_first_card_to_its_label(game: Game) -> None:
    record = notation.deal(f"{game.deal_format.prefix}{game.deal_format.version}-N-AAAAAAB")
    for layout in game.layouts:
        svg = ElementTree.fromstring(draw(record, EN, layout=layout))
        width, height = (float(part) for part in str(svg.get("viewBox")).split()[2:])
        for box, group in zip(diagram.boxes(game, layout), places(svg).values(), strict=True):
            x, y = moved_by(group)
            (line,) = [float(str(text.get("y"))) for text in with_class(group, "count")]
            assert (box.left * width, box.top * height) == pytest.approx((x, y), abs=0.1)
            assert box.width * width == pytest.approx(card_art.WIDTH, abs=0.1)
            assert y + line <= (box.top + box.height) * height


# --- fans ---


def drops(group: Element) -> list[float]:
    """How far below its place each card of a fan lies."""
    return [
        moved_by(child)[1] if child.tag == "g" and "card" not in str(child.get("class")) else 0
        for child in group
        if with_class(child, "card")
    ]


@given(records())
def test_every_card_of_a_fan_lies_lower_than_the_one_it_lies_on(record: Record) -> None:
    svg = ElementTree.fromstring(draw(record, EN))
    for name, kind in zip(record.game.places, record.game.kinds, strict=True):
        if kind == "fan":
            lies = drops(places(svg)[name])
            assert lies == sorted(set(lies))


# --- pictures kept ---


@pytest.mark.parametrize(
    ("name", "moves", "next_move"), [("deal_1", "", ""), ("deal_1_after_1-8", "1-8", "8-5-3")]
)
def test_the_picture_of_deal_1_changes_on_purpose_only(
    name: str, moves: str, next_move: str
) -> None:
    marks = Marks(selected=next_move.split("-")) if next_move else None
    svg = drawn(moves, marks=marks, standalone=True)
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    ElementTree.indent(svg)
    text = ElementTree.tostring(svg, encoding="unicode") + "\n"
    snapshot.assert_unchanged(snapshot.SNAPSHOTS / f"{name}.svg", text)
