"""The scripts of the pages are a pair of hands: they know no rule and speak no language."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

import catalogs
from browser.table import ROOT
from halfmoon import words
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES, translator

SCRIPTS: Final = sorted((ROOT / "docs" / "assets").glob("*.js"))
every_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)

STRING: Final = r""" "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `(?:[^`\\]|\\.)*` """
TOKEN: Final = re.compile(
    rf"(?P<comment> //[^\n]* | /\*.*?\*/ ) | (?P<text> {STRING} )", re.VERBOSE | re.DOTALL
)
SENTENCE: Final = re.compile(r"[A-Z][a-z]* [a-z]|[^\W\d_]+ [^\W\d_]+ [^\W\d_]+")
"""The beginning of one, or three words with a space between them."""


def code(script: Path) -> str:
    """A script without what it says about itself."""
    text = script.read_text(encoding="utf-8")
    return TOKEN.sub(lambda token: token["text"] or "", text)


def texts(script: Path) -> Iterator[str]:
    """What stands in quotes."""
    for token in TOKEN.finditer(script.read_text(encoding="utf-8")):
        if token["text"]:
            yield token["text"][1:-1]


def said(domain: catalogs.Domain) -> set[str]:
    """Everything that the catalogs say, in every language."""
    messages: set[str] = set()
    for language in catalogs.TRANSLATED:
        for message in catalogs.read(domain.path(ROOT, language), language):
            for part in (message.id, message.string or ""):
                messages.update([part] if isinstance(part, str) else part)
    return {message for message in messages if message.lower() != message}  # not "none"


def test_there_are_scripts_to_look_at() -> None:
    assert {"play.js", "worker.js"} <= {script.name for script in SCRIPTS}


@every_script
def test_a_script_holds_no_sentence(script: Path) -> None:
    assert [text for text in texts(script) if SENTENCE.search(text)] == []


@every_script
def test_a_script_says_nothing_that_the_catalogs_say(script: Path) -> None:
    catalogued = said(catalogs.PAGES) | said(catalogs.ENGINE)
    assert len(catalogued) > 100
    assert catalogued.intersection(texts(script)) == set()


@every_script
def test_a_script_knows_no_card(script: Path) -> None:
    names = chain.from_iterable(
        {translator(language).gettext(name) for language in LANGUAGES}
        for name in (*words.RANK_NAMES.values(), *words.SUIT_NAMES.values())
    )
    # "as" is the ace of two languages, and a word of the script's own.
    known = {name.lower() for name in names} - {"as"}
    found = set(re.findall(r"[^\W\d_]+", code(script).lower()))
    assert found & known == set()
    assert not re.search(r"[♠♥♦♣]", code(script))


@every_script
def test_a_script_knows_no_number_of_a_game(script: Path) -> None:
    facts = {
        value
        for game in GAMES.values()
        for name in dir(game)
        if not name.startswith("_") and isinstance(value := getattr(game, name), int) and value > 9
    }
    assert {11, 48, 104, 520} <= facts
    facts -= {16, 100}  # which a script needs for hexadecimal numbers and for per cent
    numbers = {
        int(text.replace("_", "")) for text in re.findall(r"(?<![\w.])\d[\d_]*", code(script))
    }
    assert numbers & facts == set()
