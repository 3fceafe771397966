"""Words in four languages, against the forms that `terms.md` sets, written out here."""

import pytest
from hypothesis import given

from halfmoon import notation, words
from halfmoon.cards import Card, pack, parse_card, parse_cards
from halfmoon.deal_code import DealCodeMistake
from halfmoon.games import GAMES
from halfmoon.games.crescent import CRESCENT
from halfmoon.games.half_moon import HALF_MOON
from halfmoon.languages import LANGUAGES, UnknownLanguage, translator
from halfmoon.mistake import Mistake
from halfmoon.notation import Record
from halfmoon.position import Position
from strategies import records

EXAMPLE = "HM1-N-AAAAAAB"

COUNTS = [7, 8, 8, 8, 8, 8, 8, 7, 8, 8, 8, 8, 1, 1, 1, 1, 1, 1, 1, 1]
NAMES = [*map(str, range(1, 13)), *(f"R{place}" for place in range(1, 9))]

TOPS = {
    "en": """7 of hearts; ace of hearts; king of hearts; 4 of clubs; queen of hearts; 5 of hearts;
        7 of spades; jack of clubs; 10 of diamonds; 10 of clubs; 2 of diamonds; king of hearts;
        10 of hearts; 6 of spades; 3 of diamonds; 4 of spades; 7 of diamonds; 5 of spades;
        jack of hearts; ace of clubs""",
    "pl": """7 kier; as kier; król kier; 4 trefl; dama kier; 5 kier; 7 pik; walet trefl; 10 karo;
        10 trefl; 2 karo; król kier; 10 kier; 6 pik; 3 karo; 4 pik; 7 karo; 5 pik; walet kier;
        as trefl""",
    "id": """7 hati; As hati; Raja hati; 4 keriting; Ratu hati; 5 hati; 7 sekop; Jack keriting;
        10 wajik; 10 keriting; 2 wajik; Raja hati; 10 hati; 6 sekop; 3 wajik; 4 sekop; 7 wajik;
        5 sekop; Jack hati; As keriting""",
    "nl": """harten 7; hartenaas; hartenheer; klaveren 4; hartenvrouw; harten 5; schoppen 7;
        klaverenboer; ruiten 10; klaveren 10; ruiten 2; hartenheer; harten 10; schoppen 6;
        ruiten 3; schoppen 4; ruiten 7; schoppen 5; hartenboer; klaverenaas""",
}

ONE = {
    "en": "pile {place}: {count} card, {card} on top",
    "pl": "stos {place}: liczba kart — {count}, na wierzchu {card}",
    "id": "tumpukan {place}: {count} kartu, {card} di atas",
    "nl": "stapel {place}: {count} kaart, {card} bovenop",
}
MANY = ONE | {
    "en": "pile {place}: {count} cards, {card} on top",
    "nl": "stapel {place}: {count} kaarten, {card} bovenop",
}

every_language = pytest.mark.parametrize("language", LANGUAGES)


def alternative(position: Position, language: str) -> str:
    return words.alternative_text(HALF_MOON, position, translator(language))


# --- alternative texts ---


@every_language
def test_the_published_position_after_its_first_move_place_by_place(language: str) -> None:
    text = alternative(notation.replay(EXAMPLE, "1-8").position, language)
    assert text.endswith(".")
    tops = [" ".join(top.split()) for top in TOPS[language].split(";")]
    expected = [
        (ONE if count == 1 else MANY)[language].format(place=place, count=count, card=top)
        for place, count, top in zip(NAMES, COUNTS, tops, strict=True)
    ]
    assert text.removesuffix(".").split("; ") == expected


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("en", "pile 1: 7 cards, 7 of hearts on top", "pile R8: 1 card, ace of clubs on top"),
        (
            "pl",
            "stos 1: liczba kart — 7, na wierzchu 7 kier",
            "stos R8: liczba kart — 1, na wierzchu as trefl",
        ),
        ("id", "tumpukan 1: 7 kartu, 7 hati di atas", "tumpukan R8: 1 kartu, As keriting di atas"),
        (
            "nl",
            "stapel 1: 7 kaarten, harten 7 bovenop",
            "stapel R8: 1 kaart, klaverenaas bovenop",
        ),
    ],
)
def test_the_first_and_the_last_place_in_full(language: str, first: str, last: str) -> None:
    text = alternative(notation.replay(EXAMPLE, "1-8").position, language)
    assert text.startswith(f"{first}; ")
    assert text.endswith(f"; {last}.")


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("en", "pile R1: empty"),
        ("pl", "stos R1: pusty"),
        ("id", "tumpukan R1: kosong"),
        ("nl", "stapel R1: leeg"),
    ],
)
def test_an_emptied_place_is_named_too(language: str, named: str) -> None:
    position = notation.replay(EXAMPLE, "2-R1").position
    assert words.place_in_words(HALF_MOON, position, "R1", translator(language)) == named
    assert f"; {named}; " in alternative(position, language)


@every_language
@given(record=records(HALF_MOON))
def test_every_place_is_named_once_in_its_order(language: str, record: Record) -> None:
    parts = alternative(record.position, language).removesuffix(".").split("; ")
    assert [part.split(":")[0].split()[-1] for part in parts] == NAMES


@pytest.mark.parametrize("count", range(1, 9))
def test_a_pile_counts_its_cards_in_the_right_number(count: int) -> None:
    pile = parse_cards("AS 2S 3S 4S 5S 6S 7S 7H")[-count:]
    position = Position((pile, *[()] * 19))
    for language in LANGUAGES:
        form = (ONE if count == 1 else MANY)[language]
        card = {"en": "7 of hearts", "pl": "7 kier", "id": "7 hati", "nl": "harten 7"}[language]
        said = words.place_in_words(HALF_MOON, position, "1", translator(language))
        assert said == form.format(place="1", count=count, card=card)


# --- fans and foundations ---

CRESCENT_EXAMPLE = "CR1-N-AAAAAAB"
FANS_AND_FOUNDATIONS = {
    "en": ("fan", "ace foundation", "king foundation"),
    "pl": ("wachlarz", "baza asowa", "baza królewska"),
    "id": ("kipas", "fondasi As", "fondasi Raja"),
    "nl": ("waaier", "aflegstapel vanaf de aas", "aflegstapel vanaf de heer"),
}


def part_of_crescent(place: str, language: str, moves: str = "") -> str:
    record = notation.replay(CRESCENT_EXAMPLE, moves)
    return words.place_in_words(record.game, record.position, place, translator(language))


@pytest.mark.parametrize(
    ("place", "moves", "said"),
    [
        (
            "1",
            "",
            "fan 1: 6 cards, from the top down: 4 of hearts, ace of clubs, 9 of spades,"
            " 8 of hearts, 9 of diamonds, 6 of clubs",
        ),
        ("AS", "", "ace foundation AS: 1 card, ace of spades on top"),
        ("KC", "", "king foundation KC: 1 card, king of clubs on top"),
        ("KC", "3-KC", "king foundation KC: 2 cards, queen of clubs on top"),
    ],
)
def test_of_a_fan_all_cards_are_told_and_of_a_foundation_the_top_one(
    place: str, moves: str, said: str
) -> None:
    assert part_of_crescent(place, "en", moves) == said


@every_language
def test_a_fan_is_told_from_the_top_down_in_every_language(language: str) -> None:
    downward = {
        "en": "from the top down",
        "pl": "od wierzchu",
        "id": "dari atas ke bawah",
        "nl": "van boven naar",
    }
    tr = translator(language)
    fan = notation.deal(CRESCENT_EXAMPLE).position.piles[0]
    said = part_of_crescent("1", language)
    assert downward[language] in said
    assert said.endswith(", ".join(words.card_name(card, tr) for card in reversed(fan)))


@every_language
def test_fans_and_foundations_are_called_as_the_terms_say(language: str) -> None:
    fan, up, down = FANS_AND_FOUNDATIONS[language]
    for place, kind in (("1", fan), ("16", fan), ("AH", up), ("KD", down)):
        said = part_of_crescent(place, language)
        assert said.startswith(kind)
        assert place in said.split(":")[0]


@every_language
def test_an_emptied_fan_and_a_fan_of_one_card_are_told(language: str) -> None:
    tr = translator(language)
    fans = (parse_cards("7H"), *[()] * 15)
    position = Position((*fans, *((card,) for card in parse_cards("AS AH AD AC KS KH KD KC"))))
    single = words.place_in_words(CRESCENT, position, "1", tr)
    assert "1" in single
    assert single.endswith(words.card_name(parse_card("7H"), tr))
    empty = {
        "en": "fan 2: empty",
        "pl": "wachlarz 2: pusty",
        "id": "kipas 2: kosong",
        "nl": "waaier 2: leeg",
    }
    assert words.place_in_words(CRESCENT, position, "2", tr) == empty[language]


@every_language
def test_every_refusal_and_the_redeal_have_words_of_their_own(language: str) -> None:
    tr, english = translator(language), translator("en")
    for game in GAMES.values():
        told = [words.refusal(game, key, tr) for key in game.refusals]
        assert len(set(told)) == len(told)
        in_english = [words.refusal(game, key, english) for key in game.refusals]
        assert (told == in_english) == (language == "en")
    record = notation.replay(CRESCENT_EXAMPLE, "redeal")
    assert "2" in words.move_made(record, tr)
    assert "3" in words.move_undone(record, tr)
    assert (words.move_made(record, tr) == words.move_made(record, english)) == (language == "en")


# --- cards ---


@pytest.mark.parametrize(
    ("card", "names"),
    [
        ("AH", ("ace of hearts", "as kier", "As hati", "hartenaas")),
        ("7H", ("7 of hearts", "7 kier", "7 hati", "harten 7")),
        ("JC", ("jack of clubs", "walet trefl", "Jack keriting", "klaverenboer")),
        ("QH", ("queen of hearts", "dama kier", "Ratu hati", "hartenvrouw")),
        ("KH", ("king of hearts", "król kier", "Raja hati", "hartenheer")),
        ("KS", ("king of spades", "król pik", "Raja sekop", "schoppenheer")),
        ("QD", ("queen of diamonds", "dama karo", "Ratu wajik", "ruitenvrouw")),
        ("10C", ("10 of clubs", "10 trefl", "10 keriting", "klaveren 10")),
    ],
)
def test_a_card_in_words(card: str, names: tuple[str, ...]) -> None:
    said = [words.card_name(parse_card(card), translator(language)) for language in LANGUAGES]
    assert tuple(said) == names


@every_language
def test_every_card_has_a_name_of_its_own(language: str) -> None:
    names = {words.card_name(card, translator(language)) for card in pack()}
    assert len(names) == 52


@every_language
def test_cards_stand_in_a_list(language: str) -> None:
    tr = translator(language)
    two = [Card(1, "S"), Card(10, "D")]
    assert words.card_names(two, tr) == "; ".join(words.card_name(card, tr) for card in two)


@pytest.mark.parametrize(
    ("indices", "letters"),
    [
        ("local", ["A J Q K", "A W D K", "A J Q K", "A B V H"]),
        ("international", ["A J Q K"] * 4),
        ("french", ["A V D R"] * 4),
    ],
)
def test_the_letters_on_the_cards(indices: str, letters: list[str]) -> None:
    for language, expected in zip(LANGUAGES, letters, strict=True):
        chosen = words.index_letters(indices, translator(language))
        assert list(chosen) == [1, 11, 12, 13]
        assert " ".join(chosen.values()) == expected


def test_letters_that_are_not_there_are_refused_with_the_choices() -> None:
    with pytest.raises(words.UnknownIndices, match="local, international, french"):
        words.index_letters("german", translator("en"))


# --- messages ---


@pytest.mark.parametrize(
    ("language", "pair", "triple"),
    [
        ("en", "The sum must be 11", "A jack, a queen and a king are needed"),
        ("pl", "Suma musi wynosić 11", "Potrzebne są walet, dama i król"),
        ("id", "Jumlah harus sama dengan 11", "Memerlukan Jack, Ratu, dan Raja"),
        ("nl", "De som moet gelijk zijn aan 11", "Vereist een boer, een vrouw en een heer"),
    ],
)
def test_a_refused_tap_is_explained(language: str, pair: str, triple: str) -> None:
    tr = translator(language)
    assert words.refusal(HALF_MOON, "sum", tr).removesuffix(".") == pair
    assert words.refusal(HALF_MOON, "triple", tr).removesuffix(".") == triple


@every_language
def test_the_end_of_a_game_is_told_and_nothing_while_it_goes_on(language: str) -> None:
    tr = translator(language)
    start = notation.deal(EXAMPLE)
    stuck = notation.deal("HM1-N-AAABA7T")
    won = start._replace(positions=(*start.positions, Position(((),) * 20)))
    assert words.verdict(start, start.outcome, tr) == ""
    assert words.verdict(stuck, stuck.outcome, tr)
    assert "520" in words.verdict(won, won.outcome, tr)
    assert words.verdict(won, "won", tr) != words.verdict(stuck, "stuck", tr)


@every_language
@given(record=records())
def test_every_game_is_told_to_be_stuck_in_words_of_its_own(language: str, record: Record) -> None:
    tr = translator(language)
    said = words.verdict(record, "stuck", tr)
    assert said
    assert said == words.verdict(notation.deal(str(record.code)), "stuck", tr)
    assert words.verdict(record, "playing", tr) == ""
    assert "{" not in said + words.verdict(record, "won", tr) + words.hint(record.game, tr)


@every_language
def test_a_move_names_the_cards_it_took(language: str) -> None:
    tr = translator(language)
    record = notation.replay(EXAMPLE, "1-8 8-5-3")
    pair = [words.card_name(parse_card(card), tr) for card in ("5S", "6D")]
    triple = [words.card_name(parse_card(card), tr) for card in ("JC", "QH", "KH")]
    assert words.move_in_words(record, 1, tr) == "; ".join(pair)
    assert words.move_in_words(record, 2, tr) == "; ".join(triple)


@every_language
def test_a_title_names_game_deal_and_number_of_moves(language: str) -> None:
    tr = translator(language)
    for moves in ("", "1-8", "1-8 8-5-3"):
        said = words.title(notation.replay(EXAMPLE, moves), tr)
        assert said.startswith("Half Moon")
        assert EXAMPLE in said
        count = len(moves.split())
        assert (f" {count} " in f"{said} ".replace(",", " ")) == (count > 0)


@every_language
def test_a_mistake_is_explained_with_the_mistake_inside_it(language: str) -> None:
    tr = translator(language)
    with pytest.raises(Mistake) as refusal:
        notation.replay(EXAMPLE, "1-8 1-8")
    reason = refusal.value.__cause__
    assert isinstance(reason, Mistake)
    said = words.explain(refusal.value, tr)
    assert words.explain(reason, tr) in said
    assert "1-8" in said
    assert "{" not in said


@every_language
def test_in_english_a_mistake_says_itself_elsewhere_it_is_translated(language: str) -> None:
    with pytest.raises(DealCodeMistake) as refusal:
        notation.deal("HM1-N-AAAAAA1")
    said = words.explain(refusal.value, translator(language))
    assert (said == str(refusal.value)) == (language == "en")


# --- languages ---


@pytest.mark.parametrize("language", ["", "de", "EN", "en_GB", "../pl"])
def test_a_language_that_is_not_there_is_refused_with_the_list(language: str) -> None:
    with pytest.raises(UnknownLanguage, match="en, pl, id, nl"):
        translator(language)
