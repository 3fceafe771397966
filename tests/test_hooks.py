"""What stops a build, one rule a test, and that the message says where to look."""

from pathlib import Path

import pytest

import site_files
from small_site import CODE, SmallSite


@pytest.fixture
def small(tmp_path: Path) -> SmallSite:
    """A site that builds, until a test breaks it."""
    return SmallSite(tmp_path)


def test_the_small_site_builds_in_every_language(small: SmallSite) -> None:
    done = small.build()
    assert done.returncode == 0, done.stderr
    for language in ("", "pl/", "id/", "nl/"):
        page = (small.root / "site" / language / "index.html").read_text(encoding="utf-8")
        assert page.count('<figure class="diagram"') == 1
        assert "<svg viewBox=" in page
        assert f"#{CODE}/1-8" in page


def test_a_missing_translation_stops_the_build(small: SmallSite) -> None:
    small.change("docs/index.md", "Pairs make", "All pairs make")
    assert "docs/index.md:8: missing translation [pl]: “All pairs make" in small.failure()


def test_a_wrong_number_of_plural_forms_stops_the_build(small: SmallSite) -> None:
    small.change(small.catalog("pl"), 'msgstr[2] "%(count)s piles pl"\n', "")
    failure = small.failure()
    assert "wrong number of plural forms, 2 instead of 3 [pl]: “one pile”" in failure
    assert f"{small.catalog('pl')}:" in failure


def test_a_placeholder_that_differs_stops_the_build(small: SmallSite) -> None:
    small.change(small.catalog("nl"), "Pairs make %(sum)s. nl", "Paren maken %(som)s.")
    assert "placeholders differ [nl]: “Pairs make %(sum)s.”" in small.failure()


def test_a_catalog_that_is_not_there_stops_the_build(small: SmallSite) -> None:
    (small.root / small.catalog("id")).unlink()
    assert "there is no such catalog" in small.failure()


def test_a_number_typed_into_prose_stops_the_build(small: SmallSite) -> None:
    small.add("{% trans %}There are 104 cards.{% endtrans %}")
    assert "number typed into the prose, 104" in small.failure()


def test_a_page_may_list_the_numbers_that_are_no_facts(small: SmallSite) -> None:
    small.add("{% trans %}As RFC 4648 says.{% endtrans %}")
    small.change("docs/index.md", "game: half_moon", "game: half_moon\nnumbers: [4648]")
    assert small.build().returncode == 0


def test_an_unknown_fact_stops_the_build(small: SmallSite) -> None:
    small.add("{{ game.pilez }}")
    failure = small.failure()
    assert "docs/index.md:14 [en]:" in failure
    assert "pilez" in failure


def test_an_unknown_game_stops_the_build(small: SmallSite) -> None:
    small.change("docs/index.md", "game: half_moon", "game: half_mono")
    assert "There is no game called “half_mono”" in small.failure()


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (f'diagram("{CODE}", "1-2")', "Move 1, 1-2, cannot be made."),
        (f'diagram("{CODE}", "1-8", next="8-1")', "Move 2, 8-1, cannot be made."),
        (f'example("{CODE}", "1-8 8-5-4").score', "Move 2, 8-5-4, cannot be made."),
        (f'record("{CODE}", "1-99")', "Move 1, 1-99, cannot be made."),
        ('diagram("XX1-N-AAAAAAB")', "docs/index.md:14 [en]:"),
        ('card("11H")', "“11H” is not a card."),
        ('url("nowhere.md")', "there is no page nowhere.md"),
        ('data("nothing")', "there is no data file nothing.json"),
    ],
)
def test_an_illegal_example_stops_the_build(small: SmallSite, call: str, reason: str) -> None:
    small.add(f"{{{{ {call} }}}}")
    failure = small.failure()
    assert "docs/index.md:14 [en]:" in failure
    assert reason in failure


def test_a_syntax_error_stops_the_build(small: SmallSite) -> None:
    small.write("docs/index.md", "---\ntitle: A small site\n---\n\n{% trans %}No end")
    assert "docs/index.md:5:" in small.failure()


def test_a_dead_link_stops_the_build_and_names_the_language(small: SmallSite) -> None:
    small.add("[gone](half-moon/gone.md)")
    failure = small.failure()
    assert "'half-moon/gone.md'" in failure
    assert "index.md" in failure
    assert "[pl]" in failure or "[en]" in failure


def test_a_link_that_only_a_translation_breaks_names_that_language(small: SmallSite) -> None:
    small.add("{% trans %}[Play](half-moon/play.md) now.{% endtrans %}")
    small.change(small.catalog("nl"), "(half-moon/play.md) now. nl", "(half-moon/spel.md) nu.")
    failure = small.failure()
    assert "[nl]" in failure
    assert "half-moon/spel.md" in failure


def test_a_dead_anchor_stops_the_build(small: SmallSite) -> None:
    small.add("[there](half-moon/play.md#nothing)")
    assert "#nothing" in small.failure()


def test_a_dead_address_in_html_stops_the_build(small: SmallSite) -> None:
    small.add('<p><a href="gone/">gone</a></p>')
    assert "pl/index.html: dead link gone/" in small.failure()


def test_addresses_in_drawings_are_followed(tmp_path: Path) -> None:
    shapes = '<g class="a" href="gone/"><rect id="here" rx="1"/><path d="M0 0"/></g>'
    page = f'<svg class="b">{shapes}</svg><a href="#here"></a><a href="#there"></a>'
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    problems = site_files.dead_links(tmp_path, "/")
    assert problems == ["index.html: dead link gone/", "index.html: dead link #there"]


def test_a_page_in_some_languages_only_stops_the_build(small: SmallSite) -> None:
    small.write("docs/half-moon/extra.pl.md", "---\ntitle: Tylko\ndescription: po polsku\n---\n")
    assert "docs/half-moon/extra.pl.md:1: the page does not exist in en, id, nl" in small.failure()


def test_one_language_may_have_its_own_version_of_a_page(small: SmallSite) -> None:
    own = "---\ntitle: Gra\ndescription: Tu jest gra.\n---\n# Własna strona\n"
    small.write("docs/half-moon/play.pl.md", own)
    done = small.build()
    assert done.returncode == 0, done.stderr
    page = small.root / "site" / "pl" / "half-moon" / "play" / "index.html"
    assert "Własna strona" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["title", "description"])
def test_a_page_without_title_or_description_stops_the_build(small: SmallSite, key: str) -> None:
    text = (small.root / "docs/half-moon/play.md").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(f"{key}:")]
    small.write("docs/half-moon/play.md", "\n".join(kept) + "\n")
    small.translate()
    assert f"docs/half-moon/play.md:1: the page has no {key}" in small.failure()


def test_a_page_outside_the_navigation_stops_the_build(small: SmallSite) -> None:
    small.write("docs/lost.md", "---\ntitle: Lost\ndescription: Nowhere.\n---\n# Lost\n")
    small.translate()
    assert "lost.md" in small.failure()


def test_a_script_that_asks_for_what_is_not_there_stops_the_build(small: SmallSite) -> None:
    small.change("docs/assets/page.js", "./copy.js", "./lost.js")
    failure = small.failure()
    assert "the scripts could not be bundled" in failure
    assert "./lost.js" in failure


def test_a_site_to_play_on_needs_the_runtime(small: SmallSite) -> None:
    done = small.build(reading_only=False)
    assert done.returncode
    assert "build/runtime is missing" in done.stderr
    small.write("build/runtime/engine.zip", "")
    small.write("build/runtime/manifest.json", '{"folder": "0123"}')
    assert small.build(reading_only=False).returncode == 0
    assert (small.root / "site" / "runtime" / "engine.zip").is_file()
    worker = (small.root / "site" / "assets" / "worker.js").read_text(encoding="utf-8")
    assert worker.startswith('const RUNTIME = {"folder":"0123"};\n')


def test_a_site_below_a_path_has_living_links(
    small: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_URL", "https://example.org/games/moon/")
    small.write(
        "docs/404.md", "---\ntitle: Lost\ndescription: No page.\n---\n# Lost\n\n[Home](index.md)\n"
    )
    small.translate()
    done = small.build()
    assert done.returncode == 0, done.stderr
    lost = (small.root / "site" / "pl" / "404.html").read_text(encoding="utf-8")
    assert 'href="/games/moon/pl/"' in lost
