"""The one sheet of the pages: the theme's rules that a page may use, and all of the site's."""

from pathlib import Path

import styles


def test_a_rule_for_a_class_that_stands_nowhere_is_left_out() -> None:
    assert styles.trimmed(".a{b:c}.d .e,.a .f{g:h}", {"a", "f"}) == ".a{b:c}.a .f{g:h}"


def test_what_stands_in_brackets_is_an_alternative_and_not_a_condition() -> None:
    sheet = ":is(.off,.on) p{a:b}p:not(.off){c:d}"
    assert styles.trimmed(sheet, {"on"}) == sheet


def test_rules_within_rules_are_looked_at_and_animations_are_kept() -> None:
    sheet = "@media print{.off{a:b}.on{c:d}}@media x{.off{e:f}}@keyframes k{0%{g:h}}"
    assert styles.trimmed(sheet, {"on"}) == "@media print{.on{c:d}}@keyframes k{0%{g:h}}"


def test_signs_within_texts_end_nothing() -> None:
    sheet = """.on{a:url("data:x;{}}");b:'}'}.off{c:d}"""
    assert styles.trimmed(sheet, {"on"}) == """.on{a:url("data:x;{}}");b:'}'}"""


def test_a_property_that_nothing_asks_for_is_left_out() -> None:
    sheet = ":root{--a:1;--b:2;--c:3;d:var(--a)}"
    assert (
        styles.without_idle_properties(sheet, "p{e:var( --c)}") == ":root{--a:1;--c:3;d:var(--a)}"
    )


def test_every_page_asks_for_one_sheet_of_the_theme_s_and_the_site_s_rules(site: Path) -> None:
    sheet = (site / styles.SHEET).read_text(encoding="utf-8")
    assert ".md-search__input" in sheet
    assert ".update-offer" in sheet
    assert not (site / "assets" / "stylesheets").exists()
    for page in (site / "index.html", site / "pl" / "codes" / "index.html"):
        assert page.read_text(encoding="utf-8").count('rel="stylesheet"') == 1
