"""Diagrams in the Markdown of other sites: a fence that becomes a figure, or says what is wrong."""

import re
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import markdown  # type: ignore[import-untyped]
import pytest
import yaml
from hypothesis import given, settings
from pymdownx.superfences import SuperFencesException  # type: ignore[import-untyped]

from halfmoon import fence, notation, words
from halfmoon.diagram import draw
from halfmoon.languages import LANGUAGES, translator
from halfmoon.mistake import Mistake
from halfmoon.notation import Record, print_game
from strategies import records

EXAMPLE: Final = "HM1-N-AAAAAAB"
README: Final = Path(__file__).parent.parent / "README.md"
FENCES: Final = [
    {"name": "deal", "class": "deal", "validator": fence.validator, "format": fence.figure}
]


def page(text: str) -> str:
    """A page as a site with the fence makes it."""
    settings = {"pymdownx.superfences": {"custom_fences": FENCES}}
    html: str = markdown.markdown(
        text, extensions=["pymdownx.superfences"], extension_configs=settings
    )
    return html


def deal(text: str, options: str = "") -> str:
    return page(f"Before.\n\n```deal {options}\n{text}\n```\n\nAfter.")


def drawing(html: str) -> str:
    """The drawing in the picture's address."""
    (address,) = re.findall(r'<img src="data:image/svg\+xml,([^"]*)"', html)
    return unquote(address)


def alternative(html: str) -> str:
    (text,) = re.findall(r' alt="([^"]*)"', html)
    return unescape(text)


@settings(max_examples=10)
@given(records(at_most=8))
def test_a_fence_shows_the_position_after_its_moves(record: Record) -> None:
    tr = translator("en")
    html = fence.figure(print_game(record.code, record.moves))
    assert drawing(html) == draw(record, tr, standalone=True)
    assert words.alternative_text(record.game, record.position, tr) in alternative(html)
    assert words.title(record, tr) in alternative(html)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_can_be_chosen(language: str) -> None:
    html = deal(f"{EXAMPLE} 1-8", f'lang="{language}"')
    record, tr = notation.replay(EXAMPLE, "1-8"), translator(language)
    assert words.alternative_text(record.game, record.position, tr) in alternative(html)


def test_letters_layout_and_the_next_move_can_be_chosen() -> None:
    assert 'data-index="R"' in drawing(deal(EXAMPLE, 'indices="french"'))
    assert "layout-compact" in drawing(deal("CR1-N-AAAAAAB", 'layout="compact"'))
    assert drawing(deal(EXAMPLE, 'next="1-8"')).count('class="selected"') == 2


def test_the_lines_below_the_first_are_the_caption() -> None:
    html = deal(f"{EXAMPLE} 1-8\nAfter the first move,\nfive & six")
    assert f"<code>{EXAMPLE}</code> After the first move, five &amp; six</figcaption>" in html
    assert f"<code>{EXAMPLE}</code></figcaption>" in deal(EXAMPLE)


def test_the_code_links_to_a_play_page_where_one_is_named() -> None:
    html = deal(f"{EXAMPLE} 1-8", 'play="https://example.org/half-moon/play/"')
    address = f"https://example.org/half-moon/play/#{EXAMPLE}/1-8"
    assert f'<a href="{address}"><code>{EXAMPLE}</code></a>' in html


def test_what_stands_around_a_fence_stays() -> None:
    html = deal(EXAMPLE)
    assert html.startswith("<p>Before.</p>\n<figure")
    assert html.endswith("</figure>\n<p>After.</p>")


@pytest.mark.parametrize(
    ("text", "options", "named"),
    [
        (f"{EXAMPLE} 1-2", "", "1-2"),
        ("HM1-N-AAAAAA1", "", "“1”"),
        ("", "", "deal code"),
        (EXAMPLE, 'lang="de"', "de"),
        (EXAMPLE, 'indices="runes"', "runes"),
        (EXAMPLE, 'next="1-2"', "1-2"),
        (EXAMPLE, 'colour="red"', "colour"),
    ],
)
def test_what_is_wrong_stops_the_page_and_is_named(text: str, options: str, named: str) -> None:
    with pytest.raises(SuperFencesException, match=re.escape(named)) as wrong:
        deal(text, options)
    assert isinstance(wrong.value.__cause__, Mistake)
    assert str(wrong.value).startswith("halfmoon: ")


def test_without_the_extension_the_mistake_itself_is_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fence, "HOST", "no_such_extension")
    with pytest.raises(notation.MoveMistake):
        fence.figure(f"{EXAMPLE} 1-2")


@pytest.mark.parametrize("source", [README.read_text("utf-8"), fence.__doc__ or ""])
def test_the_settings_that_are_published_are_those_that_work(source: str) -> None:
    start = source.index("markdown_extensions:")
    indent = " " * (start - source.rindex("\n", 0, start) - 1)
    lines = [indent + source[start:].split("\n", 1)[0], *source[start:].split("\n")[1:7]]
    published = "\n".join(line.removeprefix(indent) for line in lines)
    tagged = re.sub(r"!!python/name:(\S+)", r'"\1"', published)
    ((name, settings),) = yaml.safe_load(tagged)["markdown_extensions"][0].items()
    (own,) = settings["custom_fences"]
    assert name == "pymdownx.superfences"
    assert own["name"] == own["class"] == "deal"
    assert own["validator"] == f"{fence.__name__}.{fence.validator.__name__}"
    assert own["format"] == f"{fence.__name__}.{fence.figure.__name__}"
