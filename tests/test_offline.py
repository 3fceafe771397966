"""What is kept for times without a network: what the pages need, and the worker knows all of it."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

import catalogs
import installable
import offline
from halfmoon.languages import LANGUAGES

HOST = "https://host.example/"
ADDRESS = re.compile(r'\b(?:href|src|data-(?:worker|address|element|embed|theme))="([^"]*)"')
IMPORT = re.compile(r'\b(?:from|import)\s*\(?\s*"(\./[^"]*)"')
NOT_LINKED = {
    "assets/deal-diagram.js",  # what pages elsewhere put a diagram into themselves with
    "assets/icon.svg",
    "assets/half-moon.svg",
    "assets/site.css",  # a part of the one sheet
    "codes/test-vectors.json",  # what other programs are checked against
}
"""What is published for others; it costs little to keep."""


def _needed_by(site: Path, path: str) -> Iterator[str]:
    """What a file names, as full addresses."""
    file = site / (f"{path}index.html" if path == "" or path.endswith("/") else path)
    named_by = {".html": _in_page, ".js": _in_script, ".json": _in_list, ".webmanifest": _in_list}
    if file.suffix in named_by:
        text = file.read_text(encoding="utf-8")
        for target in named_by[file.suffix](text):
            yield urljoin(HOST + path, target)
    if file.name == "worker.js":
        runtime = json.loads(text.partition("const RUNTIME = ")[2].partition(";\n")[0])
        yield from (f"{HOST}runtime/{runtime['folder']}/{one['name']}" for one in runtime["files"])


def _in_page(text: str) -> Iterator[str]:
    yield from ADDRESS.findall(text)
    for found in re.findall(r'id="__config"[^>]*>(.*?)</script>', text):
        settings = json.loads(found)
        yield settings["search"]
        yield f"{settings['base'].rstrip('/')}/search/search_index.json"


def _in_script(text: str) -> Iterator[str]:
    yield from IMPORT.findall(text)


def _in_list(text: str) -> Iterator[str]:
    """What the manifest of the app names."""
    listed = json.loads(text)
    if "icons" in listed:
        yield from (icon["src"] for icon in listed["icons"])


def _needed(site: Path) -> set[str]:
    """All files that can be come by from the home page, and from the pages for dead addresses."""
    known: set[str] = set()
    waiting = ["", *(f"{name}404.html" for name in ("", *(f"{one}/" for one in LANGUAGES[1:])))]
    while waiting:
        path = waiting.pop()
        if path in known:
            continue
        known.add(path)
        for address in _needed_by(site, path):
            target = urldefrag(address)[0]
            if target.startswith(HOST):
                found = target.removeprefix(HOST).partition("?")[0]
                folder = (site / found).is_dir() and not found.endswith("/") and found
                waiting.append(f"{folder}/" if folder else found)
    return known


def _worker(site: Path) -> dict[str, Any]:
    text = (site / offline.WORKER).read_text(encoding="utf-8")
    listed: dict[str, Any] = json.loads(text.partition("const SITE = ")[2].partition(";\n")[0])
    return listed


def test_what_is_kept_is_what_the_pages_need(site: Path) -> None:
    kept = set(offline.kept_files(site))
    needed = {path for path in _needed(site) if not path.endswith("embed/")}
    assert needed - kept == set()
    others = {path for path in kept - needed if not path.endswith("embed/")}
    assert others <= NOT_LINKED | {path for path in others if path.startswith("assets/embed.")}


def test_the_worker_lists_every_kept_file_with_its_hash(site: Path) -> None:
    files = _worker(site)["files"]
    assert files == offline.kept_files(site)
    home = hashlib.sha256((site / "index.html").read_bytes()).hexdigest()
    assert home.startswith(files[""])
    assert _worker(site)["languages"] == [f"{name}/" for name in catalogs.TRANSLATED]


def test_no_compressed_form_and_no_picture_for_other_hosts_is_kept(tmp_path: Path) -> None:
    for name in ("a/index.html", "a/x.js", "a/x.js.br", "a/x.js.gz", "x.js.map", "sitemap.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert list(offline.kept_files(tmp_path)) == ["a/", "a/x.js"]


def test_the_worker_changes_with_any_file_and_only_then(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("one")
    offline.write(tmp_path, ["pl"])
    first = (tmp_path / offline.WORKER).read_bytes()
    offline.write(tmp_path, ["pl"])
    assert (tmp_path / offline.WORKER).read_bytes() == first
    page.write_text("two")
    offline.write(tmp_path, ["pl"])
    assert (tmp_path / offline.WORKER).read_bytes() != first


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_says_in_the_language_what_the_app_is(site: Path, language: str) -> None:
    folder = "" if language == "en" else f"{language}/"
    manifest = json.loads((site / folder / installable.MANIFEST).read_text(encoding="utf-8"))
    say = catalogs.page_translations(language).gettext
    here = urljoin(HOST, f"{folder}{installable.MANIFEST}")
    assert manifest["lang"] == language
    assert urljoin(here, manifest["start_url"]) == HOST + folder
    assert urljoin(here, manifest["scope"]) == HOST
    assert manifest["description"] == say(
        "Two patience games for two packs, to read about and to play here."
    )
    names = {shortcut["name"] for shortcut in manifest["shortcuts"]}
    assert names == {say("Play Half Moon"), say("Play Crescent")}
    for shortcut in manifest["shortcuts"]:
        path = urlsplit(urljoin(here, shortcut["url"])).path
        assert (site / path.lstrip("/") / "index.html").is_file()


def test_the_icons_have_the_sizes_that_the_manifest_promises(site: Path) -> None:
    icons = json.loads((site / installable.MANIFEST).read_text(encoding="utf-8"))["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    assert {icon["sizes"] for icon in icons} >= {"192x192", "512x512"}
    for icon in icons:
        picture = (site / icon["src"]).read_bytes()
        width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
        assert f"{width}x{height}" == icon["sizes"]
