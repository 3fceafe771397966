"""The catalogs' rules, each on the smallest catalog that breaks it."""

import io
from pathlib import Path

import pytest
from babel.messages import plurals, pofile
from babel.messages.catalog import Catalog

import catalogs
from small_site import SmallSite

HEADER = catalogs.HEADER.format(
    language="pl",
    count=3,
    expression=plurals.get_plural("pl").plural_expr,
)
PILES = """
msgid "%(count)s pile"
msgid_plural "%(count)s piles"
msgstr[0] "%(count)s stos"
msgstr[1] "%(count)s stosy"
msgstr[2] "%(count)s stosów"
"""
PAIR = """
msgid "Pairs make %(sum)s."
msgstr "Pary dają %(sum)s."
"""


@pytest.fixture
def template() -> Catalog:
    """Two messages as a page has them."""
    messages = Catalog()
    messages.add(("%(count)s pile", "%(count)s piles"), locations=[("docs/a.md", 3)])
    messages.add("Pairs make %(sum)s.", locations=[("docs/a.md", 5)])
    return messages


def _problems(template: Catalog, text: str) -> list[str]:
    source = io.BytesIO((HEADER + text).encode())
    catalog = pofile.read_po(source, locale="pl", abort_invalid=True)
    return [str(problem) for problem in catalogs.problems_of(template, catalog, "pl.po", "pl")]


def test_a_complete_catalog_has_no_problems(template: Catalog) -> None:
    assert _problems(template, PILES + PAIR) == []


def test_a_missing_message_is_named_where_the_source_says_it(template: Catalog) -> None:
    assert _problems(template, PILES) == [
        "docs/a.md:5: missing translation [pl]: “Pairs make %(sum)s.”"
    ]


def test_an_empty_translation_is_missing(template: Catalog) -> None:
    (problem,) = _problems(template, PILES + PAIR.replace("Pary dają %(sum)s.", ""))
    assert problem.startswith("pl.po:16: missing translation [pl]")


def test_every_plural_form_of_the_language_is_needed(template: Catalog) -> None:
    two = PILES.replace('msgstr[2] "%(count)s stosów"\n', "")
    (problem,) = _problems(template, two + PAIR)
    assert "wrong number of plural forms, 2 instead of 3 [pl]" in problem


def test_the_plural_rule_must_be_that_of_the_language(template: Catalog) -> None:
    germanic = HEADER.replace("nplurals=3", "nplurals=2")
    text = (germanic + PILES.replace('msgstr[2] "%(count)s stosów"\n', "") + PAIR).encode()
    catalog = pofile.read_po(io.BytesIO(text), locale="pl")
    problems = [str(one) for one in catalogs.problems_of(template, catalog, "pl.po", "pl")]
    assert "wrong Plural-Forms, expected nplurals=3" in problems[0]


@pytest.mark.parametrize("wrong", ["%(suma)s", "11", "%(sum)s%", "%(sum)s %(more)s"])
def test_placeholders_must_be_those_of_the_source(template: Catalog, wrong: str) -> None:
    (problem, *_) = _problems(template, PILES + PAIR.replace("dają %(sum)s", f"dają {wrong}"))
    assert "placeholders differ [pl]: “Pairs make %(sum)s.”" in problem


def test_the_form_for_one_may_drop_the_number_where_the_source_does() -> None:
    template = Catalog()
    template.add(("one pile", "%(count)s piles"), locations=[("docs/a.md", 3)])
    text = PILES.replace('"%(count)s pile"', '"one pile"').replace('%(count)s stos"', 'stos"')
    assert _problems(template, text) == []


def test_a_fuzzy_translation_is_none(template: Catalog) -> None:
    (problem,) = _problems(template, PILES + PAIR.replace("\nmsgid", "\n#, fuzzy\nmsgid"))
    assert "fuzzy translation [pl]" in problem


def test_what_no_source_says_must_go(template: Catalog) -> None:
    (problem,) = _problems(template, PILES + PAIR + '\nmsgid "Old"\nmsgstr "Stare"\n')
    assert problem == "pl.po:19: no source says this: “Old”"


def test_obsolete_entries_must_go(template: Catalog) -> None:
    (problem,) = _problems(template, PILES + PAIR + '\n#~ msgid "Old"\n#~ msgstr "Stare"\n')
    assert "obsolete entry: “Old”" in problem


def test_a_translation_adds_no_number(template: Catalog) -> None:
    (problem,) = _problems(template, PILES + PAIR.replace("Pary", "Wszystkie 40 par"))
    assert "number typed into the translation, 40 [pl]" in problem


@pytest.mark.parametrize(
    ("prose", "numbers"),
    [
        ("There are 104 cards.", ["104"]),
        ("A pair makes 10 points, a triple 15.", ["10", "15"]),
        ("The code `HM1-N-AAAAAAB` and the move `1-8`.", []),
        ("Places R1 to R8 and deal HM1.", []),
        ("See [the rules](rules.md#part-2) and %(count)s cards.", []),
    ],
)
def test_numbers_in_prose_are_found(prose: str, numbers: list[str]) -> None:
    assert catalogs._numbers_in(prose) == numbers


def test_updating_keeps_translations_and_drops_what_is_gone(template: Catalog) -> None:
    source = io.BytesIO((HEADER + PAIR + '\nmsgid "Old"\nmsgstr "Stare"\n').encode())
    new, dropped = catalogs.updated(template, pofile.read_po(source, locale="pl"))
    assert dropped == ["Old"]
    text = catalogs.as_text(new, "pl")
    assert 'msgstr "Pary dają %(sum)s."' in text
    assert 'msgid_plural "%(count)s piles"\nmsgstr[0] ""' in text
    assert "Old" not in text


def test_a_catalog_names_files_but_neither_lines_nor_dates(template: Catalog) -> None:
    text = catalogs.as_text(catalogs.updated(template, None)[0], "pl")
    assert "#: docs/a.md\n" in text
    assert "20" not in text.replace("%20", "").split("\n\n", 1)[1]
    assert "Date" not in text


def test_the_compiled_form_depends_on_the_messages_alone(template: Catalog) -> None:
    catalog = pofile.read_po(io.BytesIO((HEADER + PAIR).encode()), locale="pl")
    assert catalogs.as_compiled(catalog, "pl") == catalogs.as_compiled(catalog, "pl")
    assert b"Date" not in catalogs.as_compiled(catalog, "pl")


def test_all_kinds_of_sources_are_read(tmp_path: Path) -> None:
    small = SmallSite(tmp_path)
    small.add("{# NOTE: shown once #}\n{{ _('From a call') }}")
    ids = {message.id for message in catalogs.PAGES.template(small.root) if message.id}
    assert {
        "Half Moon",  # the settings
        "Games",  # a section
        "It has a page and a game.",  # front matter
        "Pairs make %(sum)s.",  # a page
        ("one pile", "%(count)s piles"),
        "From a call",
        "Copy link",  # a page template
        "Licences",  # a theme template
    } <= ids


def test_a_text_without_translation_is_never_shown_in_english(tmp_path: Path) -> None:
    small = SmallSite(tmp_path)
    polish = catalogs.page_translations("pl", small.root)
    assert polish.gettext("Play") == "Play pl"
    with pytest.raises(catalogs.MissingTranslation, match="“Say what\\?”"):
        polish.gettext("Say what?")
