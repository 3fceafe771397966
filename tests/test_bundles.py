"""A page asks for one script, which holds all that it imports."""

import re
from pathlib import Path
from typing import Final

import bundles

SCRIPT: Final = re.compile(r"<script[^>]* src=\"([^\"]+)\"")
IMPORT: Final = re.compile(r"\bimport\b\s*(?:\(|[^;()]*?from)?\s*\"([^\"]+)\"")
BY_ITSELF: Final = ("deal-diagram.js", "worker.js")
"""What other people's pages ask for, and what starts Python."""


def test_every_page_asks_for_one_script(site: Path) -> None:
    asked = {
        page.relative_to(site).as_posix(): SCRIPT.findall(page.read_text(encoding="utf-8"))
        for page in site.rglob("*.html")
    }
    names = {path: [Path(address).stem for address in found] for path, found in asked.items()}
    assert {path: found for path, found in names.items() if len(found) != 1} == {}
    assert {"page", "play", "maker", "embed"} == {name for (name,) in names.values()}
    assert names["pl/half-moon/play/index.html"] == ["play"]


def test_what_is_bundled_is_not_served_by_itself_too(site: Path) -> None:
    served = {script.name for script in (site / "assets").glob("*.js")}
    assert served == {*BY_ITSELF, *(f"{name}.js" for name in bundles.ENTRIES)}


def test_a_bundle_needs_no_other_file_before_somebody_plays(site: Path) -> None:
    for name in bundles.ENTRIES:
        text = (site / "assets" / f"{name}.js").read_text(encoding="utf-8")
        assert set(IMPORT.findall(text)) <= {"./inline.js"}
