"""The pictures that links are shown with: one for each page, in its language, made once."""

import re
import struct
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

import previews
from halfmoon import notation, picture, words
from halfmoon.diagram import Marks
from halfmoon.games import GAMES
from halfmoon.languages import LANGUAGES, translator
from small_site import SmallSite

EXAMPLE: Final = "HM1-N-AAAAAAB"
META: Final = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')
UNLISTED: Final = ("404.html", "embed/index.html")


def metas(page: Path) -> dict[str, str]:
    return dict(META.findall(page.read_text(encoding="utf-8")))


def file_of(site: Path, page: Path) -> Path:
    """The picture of a page."""
    return site / urlsplit(metas(page)["og:image"]).path.lstrip("/")


def pages(site: Path) -> list[Path]:
    return [page for page in sorted(site.rglob("*.html")) if not str(page).endswith(UNLISTED)]


def test_every_page_has_a_picture_of_the_size_it_says(site: Path) -> None:
    assert len(pages(site)) > len(LANGUAGES)
    for page in pages(site):
        said = metas(page)
        content = file_of(site, page).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert struct.unpack(">II", content[16:24]) == (1200, 630)
        assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
        assert said["twitter:card"] == "summary_large_image"
        assert all(said[name] for name in ("og:title", "og:description", "og:image:alt"))


def test_no_picture_lies_there_that_no_page_shows(site: Path) -> None:
    shown = {file_of(site, page) for page in pages(site)}
    assert set((site / "assets" / "previews").iterdir()) == shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_play_page_shows_its_deal_in_its_language(site: Path, language: str) -> None:
    root = site if language == "en" else site / language
    said = metas(root / "half-moon" / "play" / "index.html")
    record = notation.deal(EXAMPLE)
    assert said["og:image:alt"] == words.title(record, translator(language))
    assert said["og:image"].endswith(previews.preview(record, translator(language)).name)


def test_pages_that_are_not_to_be_found_have_none(site: Path) -> None:
    for name in UNLISTED:
        assert "og:image" not in metas(site / name)
    assert metas(site / "embed" / "index.html")["robots"] == "noindex"


def test_the_picture_depends_on_what_it_shows_alone() -> None:
    record, tr = notation.replay(EXAMPLE, "1-8"), translator("en")
    one = previews.preview(record, tr)
    assert previews.preview(record, tr) == one
    assert previews.preview(record, translator("id")).name == one.name  # the same letters
    assert previews.preview(record, translator("pl")).name != one.name
    assert previews.preview(record, tr, Marks(selected=("8",))).name != one.name
    assert previews.preview(notation.deal(EXAMPLE), tr).name != one.name


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_all_places_of_a_game_are_in_its_picture(game: object) -> None:
    record = previews.published(game)  # type: ignore[arg-type]
    svg = ElementTree.fromstring(previews.compose(record, translator("en")))
    places = [part.get("data-place") for part in svg.iter() if "data-place" in part.attrib]
    assert tuple(places) == record.game.places


def test_a_picture_that_was_made_before_is_not_made_again(tmp_path: Path) -> None:
    made = previews.preview(notation.deal(EXAMPLE), translator("en"))
    cache, folder = tmp_path / "cache", tmp_path / "site"
    write([made], cache, folder)
    assert (folder / made.name).read_bytes() == picture.png(made.svg, previews.WIDTH)
    assert [file.name for file in cache.iterdir()] == [made.name]
    (cache / made.name).write_bytes(b"kept")
    write([made._replace(svg="not even a drawing")], cache, folder)
    assert (folder / made.name).read_bytes() == b"kept"
    write([], cache, folder)
    assert list(cache.iterdir()) == []


def write(pictures: list[previews.Preview], cache: Path, folder: Path) -> None:
    painter = previews.Painter()
    for one in pictures:
        painter.order(one, cache)
    painter.write(cache, folder)


def test_a_picture_that_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    wrong = [previews.Preview(f"{name}.png", "not even a drawing", "") for name in "ab"]
    with pytest.raises(previews.PaintingMistake):
        write(wrong, tmp_path, tmp_path / "site")


def test_a_build_that_fails_waits_for_no_picture(tmp_path: Path) -> None:
    painter = previews.Painter()
    painter.order(previews.preview(notation.deal(EXAMPLE), translator("en")), tmp_path)
    painter.stop()
    assert not list(tmp_path.glob("*.png"))


def test_front_matter_picks_the_picture(tmp_path: Path) -> None:
    site = SmallSite(tmp_path)
    site.change("docs/index.md", "game: half_moon", f"game: half_moon\npreview: {EXAMPLE} 4-7")
    assert site.build().returncode == 0
    said = metas(tmp_path / "site" / "index.html")
    assert said["og:image:alt"] == words.title(notation.replay(EXAMPLE, "4-7"), translator("en"))


def test_a_first_diagram_is_the_picture_where_nothing_else_is_said(tmp_path: Path) -> None:
    assert SmallSite(tmp_path).build().returncode == 0
    said = metas(tmp_path / "site" / "index.html")
    assert said["og:image:alt"] == words.title(notation.replay(EXAMPLE, "1-8"), translator("en"))


def test_a_wrong_preview_stops_the_build_and_says_where(tmp_path: Path) -> None:
    site = SmallSite(tmp_path)
    site.change("docs/index.md", "game: half_moon", f"game: half_moon\npreview: {EXAMPLE} 1-2")
    assert "docs/index.md:1: preview: Move 1, 1-2, cannot be made." in site.failure()
