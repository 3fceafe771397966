"""Compressed forms lie beside what gets smaller by them, the same each time."""

from __future__ import annotations

import gzip
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest

import _compress

TEXT = b"A jack, a queen and a king. " * 100


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(_compress, "KEPT", tmp_path / "kept")
    site = tmp_path / "site"
    (site / "half-moon").mkdir(parents=True)
    (site / "half-moon" / "index.html").write_bytes(TEXT)
    (site / "short.js").write_bytes(b"let card;")
    (site / "picture.png").write_bytes(TEXT)
    return site


def forms(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.suffix in _compress.ENDINGS)
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("best", [(), ("index.html",)])
def test_what_gets_smaller_has_a_brotli_and_a_gzip_form(folder: Path, best: tuple[str]) -> None:
    _compress.compress_folder(folder, best=best)
    found = forms(folder)
    assert found.keys() == {"half-moon/index.html.br", "half-moon/index.html.gz"}
    assert brotli.decompress(found["half-moon/index.html.br"]) == TEXT
    assert gzip.decompress(found["half-moon/index.html.gz"]) == TEXT


def test_a_second_time_gives_the_same_bytes_from_what_was_kept(folder: Path) -> None:
    _compress.compress_folder(folder, best=["index.html"])
    first = forms(folder)
    for name in first:
        (folder / name).unlink()
    (kept,) = _compress.KEPT.iterdir()
    _compress.compress_folder(folder, best=["index.html"])
    assert forms(folder) == first
    assert kept.read_bytes() == first["half-moon/index.html.br"]


def test_forms_that_came_with_a_file_are_left_alone(folder: Path) -> None:
    for ending in _compress.ENDINGS:
        (folder / f"short.js{ending}").write_bytes(b"as it came")
    _compress.compress_folder(folder)
    assert forms(folder)["short.js.br"] == b"as it came"
