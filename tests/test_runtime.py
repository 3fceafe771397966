"""What the browser loads: steady bytes, a true manifest, and nothing from anywhere else."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from _environment import BROWSER_FLAGS, ROOT, find_browser
from _server import SiteServer

PAGE = """<!doctype html><html lang="en"><title>Runtime</title>
<script type="module" src="page.js"></script>"""
PAGE_SCRIPT = """
window.answers = [];
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => window.answers.push(data);
worker.onerror = () => window.answers.push({ failed: "the worker did not start" });
"""
WORKER = """
const base = new URL("runtime/", import.meta.url).href;
try {
  const { loadPyodide } = await import(base + "pyodide.mjs");
  const python = await loadPyodide({ indexURL: base, packages: ["halfmoon"] });
  postMessage({ said: python.runPython(`
import json, pkgutil, sys
import halfmoon
from halfmoon import deal_code
names = [module.name for module in pkgutil.walk_packages(halfmoon.__path__, "halfmoon.")]
for name in names:
    if not name.endswith("__main__"):
        __import__(name)
json.dumps({"version": sys.version.split()[0], "file": halfmoon.__file__, "modules": names})
`) });
} catch (problem) {
  postMessage({ failed: String(problem) });
}
"""

Loaded = tuple[dict[str, Any], list[str], str]


def make(into: Path) -> Path:
    command = [sys.executable, str(ROOT / "scripts" / "runtime"), "--into", str(into)]
    subprocess.run(command, check=True)
    return into


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("site") / "runtime")


@pytest.fixture(scope="module")
def loaded(runtime: Path) -> Iterator[Loaded]:
    """What the engine said in the browser, every address asked for, and the site's own address."""
    folder = runtime.parent
    for name, text in (("index.html", PAGE), ("page.js", PAGE_SCRIPT), ("worker.js", WORKER)):
        (folder / name).write_text(text, encoding="utf-8")
    with SiteServer(folder) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=list(BROWSER_FLAGS)
        )
        asked: list[str] = []
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        yield first_answer(page, server.address), asked, server.address
        browser.close()
        server.shutdown()


def first_answer(page: Page, address: str) -> dict[str, Any]:
    page.goto(address)
    page.wait_for_function("window.answers?.length > 0", timeout=60_000)
    answer: dict[str, Any] = page.evaluate("window.answers[0]")
    return answer


def test_two_builds_give_the_same_bytes(runtime: Path, tmp_path: Path) -> None:
    assert digests(make(tmp_path / "again")) == digests(runtime)


def test_a_second_build_into_the_same_folder_changes_nothing(runtime: Path) -> None:
    before = runtime.stat().st_ino
    make(runtime)
    assert runtime.stat().st_ino == before


def test_a_damaged_folder_is_made_again(runtime: Path) -> None:
    before = digests(runtime)
    (runtime / "python_stdlib.zip").unlink()
    make(runtime)
    assert digests(runtime) == before


def test_the_manifest_names_each_file_the_browser_loads_with_its_size(runtime: Path) -> None:
    manifest = read(runtime / "manifest.json")
    listed = {file["name"]: file["bytes"] for file in manifest["files"]}
    there = {path.name: path.stat().st_size for path in runtime.iterdir()}
    assert there.keys() - listed.keys() == {"manifest.json", "LICENSES.txt"}
    assert listed.items() <= there.items()
    assert manifest["total"] == sum(listed.values())


def test_the_manifest_names_the_versions_and_the_wheel(runtime: Path) -> None:
    manifest, lock = read(runtime / "manifest.json"), read(runtime / "pyodide-lock.json")
    pinned = read(ROOT / "package.json")["dependencies"]["pyodide"]
    assert manifest["pyodide"] == pinned
    assert manifest["python"] == lock["info"]["python"]
    assert manifest["wheel"] == lock["packages"]["halfmoon"]["file_name"]


def test_the_lock_knows_the_engine_alone_and_its_true_digest(runtime: Path) -> None:
    packages = read(runtime / "pyodide-lock.json")["packages"]
    assert packages.keys() == {"halfmoon"}
    wheel = runtime / packages["halfmoon"]["file_name"]
    assert packages["halfmoon"]["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()


@pytest.mark.parametrize("pattern", ["halfmoon-*.whl", "python_stdlib.zip"])
def test_python_travels_as_bytecode_of_the_version_that_runs_it(
    runtime: Path, pattern: str
) -> None:
    (archive,) = runtime.glob(pattern)
    with zipfile.ZipFile(archive) as files:
        names = files.namelist()
        magic = {files.read(name)[:2] for name in names if name.endswith(".pyc")}
    assert not [name for name in names if name.endswith((".py", ".po", ".pot"))]
    assert len(magic) == 1


def test_the_wheel_carries_every_compiled_catalog(runtime: Path) -> None:
    engine = ROOT / "engine"
    (wheel,) = runtime.glob("halfmoon-*.whl")
    with zipfile.ZipFile(wheel) as files:
        packed = {name for name in files.namelist() if name.endswith(".mo")}
    assert packed == {str(path.relative_to(engine)) for path in engine.rglob("*.mo")}


def test_the_licences_are_there_in_full(runtime: Path) -> None:
    text = (runtime / "LICENSES.txt").read_text(encoding="utf-8")
    assert "Mozilla Public License" in text
    assert "Exhibit A - Source Code Form License Notice" in text
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in text


def test_the_one_foreign_address_is_a_default_that_node_alone_would_use(runtime: Path) -> None:
    """It stands in ``cdnUrl``; the browser's branch of the loader never reads that."""
    scripts = {
        path.name: path.read_text(encoding="utf-8")
        for path in runtime.iterdir()
        if path.suffix in {".js", ".mjs", ".json"}
    }
    foreign = [(name, at) for name, text in scripts.items() for at in re.findall("https?://", text)]
    assert foreign == [("pyodide.mjs", "https://")]
    uses = re.findall(r".{0,120}config\.cdnUrl.{0,80}", scripts["pyodide.asm.js"])
    assert len(uses) == 1
    assert re.search(r"IN_NODE\?\(.*config\.cdnUrl\):", uses[0])


def test_every_module_of_the_engine_loads_in_the_browser(loaded: Loaded, runtime: Path) -> None:
    answer, _, _ = loaded
    assert "failed" not in answer, answer["failed"]
    said = json.loads(answer["said"])
    assert said["version"] == read(runtime / "manifest.json")["python"]
    assert said["file"].endswith("/halfmoon/__init__.pyc")
    assert "halfmoon.games" in said["modules"]


def test_the_browser_asks_no_other_origin_and_for_each_file_once(
    loaded: Loaded, runtime: Path
) -> None:
    _, asked, address = loaded
    assert [url for url in asked if not url.startswith(address)] == []
    files = [url.rpartition("/")[2] for url in asked if "/runtime/" in url]
    assert sorted(files) == sorted(
        file["name"] for file in read(runtime / "manifest.json")["files"]
    )
