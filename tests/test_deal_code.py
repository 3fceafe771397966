"""Deal codes are read forgivingly and refused precisely; the shuffle is the published one."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import model
from halfmoon import deal_code
from halfmoon.deal_code import DEALS, DealCode, DealCodeMistake, DealFormat, random_numbers, shuffle
from strategies import FOREIGN, numbers

HM = DealFormat("HM", "1", ("N",))
CR = DealFormat("CR", "1", ("N",))
KNOWN = (HM, CR)


def code(text: str) -> str:
    """The canonical form of a code read forgivingly."""
    return str(deal_code.parse(text, KNOWN))


# --- codes as text ---


def test_a_code_is_prefix_version_variant_and_seven_letters() -> None:
    assert str(DealCode("HM", "1", "N", 1)) == "HM1-N-AAAAAAB"
    assert str(DealCode("CR", "1", "N", 1)) == "CR1-N-AAAAAAB"


@pytest.mark.parametrize(
    ("number", "letters"),
    [
        (0, "AAAAAAA"),
        (1, "AAAAAAB"),
        (25, "AAAAAAZ"),
        (26, "AAAAAA2"),
        (31, "AAAAAA7"),
        (32, "AAAAABA"),
        (2**30, "BAAAAAA"),
        (34_359_738_367, "7777777"),
    ],
)
def test_letters_are_base_32_most_significant_first(number: int, letters: str) -> None:
    assert str(deal_code.make(HM, number)) == f"HM1-N-{letters}"
    assert deal_code.parse(f"HM1-N-{letters}", KNOWN).number == number


def test_deals_are_numbered_from_0_to_34359738367() -> None:
    assert DEALS == 34_359_738_368
    for number in (-1, DEALS):
        with pytest.raises(DealCodeMistake, match="from 0 to 34359738367"):
            deal_code.make(HM, number)


@given(numbers, st.sampled_from(KNOWN))
def test_parsing_undoes_printing(number: int, known: DealFormat) -> None:
    made = deal_code.make(known, number)
    assert deal_code.parse(str(made), KNOWN) == made


@given(numbers)
def test_the_model_prints_the_same_code(number: int) -> None:
    assert str(deal_code.make(HM, number)) == model.code_of(number)


# --- forgiven ---


@pytest.mark.parametrize(
    "text",
    [
        "hm1-n-aaaaaab",
        "Hm1-N-aAaAaAb",
        "  HM1-N-AAAAAAB\t\n",
        "HM1NAAAAAAB",
        "HM1 N AAAAAAB",
        "HM1--N---AAAAAAB",
        "HM1  -  N -- AAAAAAB",
        "HM1-NAAAAAAB",
        "HM1N-AAAAAAB",
        "-HM1-N-AAAAAAB-",
        "HM1-N-AAA-AAAB",
        "HM1-N-AAAAAA8",
        "HM1\u00a0N\u00a0AAAAAAB",
    ],
)
def test_the_usual_slips_are_forgiven(text: str) -> None:
    assert code(text) == "HM1-N-AAAAAAB"


def test_0_is_read_as_o_and_8_as_b() -> None:
    assert code("HM1-N-0O8B0O8") == "HM1-N-OOBBOOB"


@st.composite
def slips(draw: st.DrawFn, text: str) -> str:
    """A code as a careless hand writes it."""
    gap = st.text("- \t\u00a0", max_size=3)
    careless = draw(gap)
    for character in text.replace("-", ""):
        swaps = {"O": "O0", "B": "B8"}.get(character, character)
        written = draw(st.sampled_from(swaps))
        careless += (written.lower() if draw(st.booleans()) else written) + draw(gap)
    return careless


@given(numbers.flatmap(lambda number: st.tuples(st.just(number), slips(model.code_of(number)))))
def test_any_mixture_of_slips_is_forgiven(written: tuple[int, str]) -> None:
    number, text = written
    assert code(text) == model.code_of(number)


# --- refused ---


@pytest.mark.parametrize(
    ("text", "wrong", "expected"),
    [
        ("", "no deal code", "HM1-N-AAAAAAB"),
        (" - - ", "no deal code", "HM1-N-AAAAAAB"),
        ("XX1-N-AAAAAAB", "XX1-N-AAAAAAB", "HM1, CR1"),
        ("AAAAAAB", "AAAAAAB", "HM1, CR1"),
        ("H", "“H”", "HM1, CR1"),
        ("HM2-N-AAAAAAB", "“2” is not a version", "After HM a deal code goes on with 1"),
        ("HM-N-AAAAAAB", "“N” is not a version", "After HM a deal code goes on with 1"),
        ("HM1-X-AAAAAAB", "“X” is not a variant", "one of: N"),
        ("HM1-AAAAAAB", "“A” is not a variant", "one of: N"),
        ("HM", "stops after HM", "HM1-N-AAAAAAB"),
        ("HM1", "stops after HM1", "HM1-N-AAAAAAB"),
        ("CR1-N-", "stops after CR1N", "CR1-N-AAAAAAB"),
        ("HM1-N-AAAAAAAB", "has 8", "has 7 letters"),
        ("HM1-N-AAAAAB", "has 6", "has 7 letters"),
        ("HM1-N-AAAAAA1", "“1” cannot stand", "A to Z and the digits 2 to 7"),
        ("HM1-N-AAAAAA9", "“9” cannot stand", "A to Z and the digits 2 to 7"),
        ("HM1-N-AAAAA_B", "“_” cannot stand", "A to Z and the digits 2 to 7"),
        ("HM1-N-AAAAAAB=", "“=” cannot stand", "A to Z and the digits 2 to 7"),
        ("HM1–N–AAAAAAB", "“–” is not a variant", "one of: N"),
    ],
)
def test_anything_else_is_refused_naming_the_part_and_what_is_expected(
    text: str, wrong: str, expected: str
) -> None:
    with pytest.raises(DealCodeMistake) as refusal:
        code(text)
    assert wrong in str(refusal.value)
    assert expected in str(refusal.value)


@pytest.mark.parametrize("digit", "19")
@given(at=st.integers(0, 6))
def test_a_1_or_a_9_is_refused_wherever_it_stands(digit: str, at: int) -> None:
    letters = "A" * at + digit + "A" * (6 - at)
    with pytest.raises(DealCodeMistake, match=f"“{digit}”"):
        code(f"HM1-N-{letters}")


@pytest.mark.parametrize("text", ["\u017f", "\u212a", "\u0131", "\uff21", "\u00df", "\u00c5"])
def test_letters_that_only_look_right_are_refused(text: str) -> None:
    with pytest.raises(DealCodeMistake):
        code(f"HM1-N-AAAAAA{text}")


@given(FOREIGN, st.sampled_from(["", "HM1-N-", "HM1", "HM", "hm1 n "]))
def test_foreign_text_is_a_code_or_a_named_mistake_on_one_line(text: str, start: str) -> None:
    try:
        read = deal_code.parse(start + text, KNOWN)
    except DealCodeMistake as refusal:
        said = str(refusal)
        assert said.isprintable()
    else:
        assert deal_code.parse(str(read), KNOWN) == read


def test_a_code_of_a_game_that_is_not_there_is_refused() -> None:
    with pytest.raises(DealCodeMistake, match="A deal code starts with: HM1"):
        deal_code.parse("CR1-N-AAAAAAB", [HM])


# --- the shuffle ---


@pytest.mark.parametrize(
    ("seed", "outputs"),
    [
        (
            0,
            [
                0xE220A8397B1DCDAF,
                0x6E789E6AA1B965F4,
                0x06C45D188009454F,
                0xF88BB8A8724C81EC,
                0x1B39896A51A8749B,
            ],
        ),
        (
            1234567,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821,
            ],
        ),
        (2**64 - 1, [0xE4D971771B652C20]),
    ],
)
def test_random_numbers_are_those_published_for_splitmix64(seed: int, outputs: list[int]) -> None:
    assert list(itertools.islice(random_numbers(seed), len(outputs))) == outputs


@given(st.integers(0, 2**64 - 1))
def test_random_numbers_stay_64_bits_wide_from_any_state(seed: int) -> None:
    mine = list(itertools.islice(random_numbers(seed), 250))
    assert mine == list(itertools.islice(model.split_mix(seed), 250))
    assert all(0 <= number < 2**64 for number in mine)


@given(numbers, st.integers(0, 120))
def test_the_shuffle_is_the_written_one(number: int, length: int) -> None:
    assert list(shuffle(range(length), number)) == model.shuffled(list(range(length)), number)


@given(numbers)
def test_a_shuffle_loses_and_doubles_nothing(number: int) -> None:
    assert sorted(shuffle(range(104), number)) == list(range(104))


def test_a_shuffle_leaves_its_items_alone() -> None:
    items = [1, 2, 3]
    shuffle(items, 5)
    assert items == [1, 2, 3]


def test_every_order_of_three_comes_about_equally_often() -> None:
    orders = Counter(shuffle("abc", number) for number in range(6000))
    assert len(orders) == 6
    assert all(900 < count < 1100 for count in orders.values())
