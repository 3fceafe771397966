"""What the browser loads: steady bytes, a true manifest, no more than is used, all from here."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import brotli  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import _compress
import engine_paths
import standard_library
from _environment import ROOT
from _server import NAMED_BY_CONTENT, SiteServer
from halfmoon import view
from halfmoon.notation import replay

PAGE = """<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Runtime</title>
<script type="module" src="page.js"></script>"""
PAGE_SCRIPT = """
window.answers = [];
const worker = new Worker("assets/worker.js?language=pl", { type: "module" });
window.say = (message) => worker.postMessage(JSON.stringify({ table: 1, message }));
worker.onmessage = ({ data }) => {
  const answer = JSON.parse(data);
  if (!("progress" in answer)) window.answers.push(answer);
};
worker.onerror = () => window.answers.push({ failed: "the worker did not start" });
"""
PYTHON_PAGE = """<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Python</title>
<script type="module">
const { folder, lock } = await (await fetch("runtime/manifest.json")).json();
const indexURL = new URL(`runtime/${folder}/`, location).href;
try {
  const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
  window.python = await loadPyodide({ indexURL, lockFileContents: lock, args: ["-S"] });
} catch (problem) {
  window.problem = String(problem);
}
</script>"""
LIBRARY = "python_stdlib.zip"


class Visit(NamedTuple):
    """A browser that has been to a small site with the runtime, and what it asked for."""

    context: BrowserContext
    address: str
    asked: list[str]

    def page(self, name: str = "") -> Page:
        page = self.context.new_page()
        page.goto(self.address + name)
        return page


def make(into: Path) -> Path:
    command = [sys.executable, str(ROOT / "scripts" / "runtime"), "--into", str(into)]
    subprocess.run(command, check=True)
    return into


def digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def answers(page: Page, count: int) -> list[dict[str, Any]]:
    page.wait_for_function("count => window.answers.length >= count", arg=count, timeout=60_000)
    found: list[dict[str, Any]] = page.evaluate("window.answers")
    assert not [answer for answer in found if "failed" in answer], found
    return found


KEPT = "async () => (await (await caches.open('half-moon.memory')).keys()).map(key => key.url)"


def until_kept(page: Page) -> None:
    """Wait until one memory is kept, and no doubt about it."""
    for _ in range(100):
        names = [str(url).rpartition("/")[2] for url in page.evaluate(KEPT)]
        if names == ["memory"]:
            return
        time.sleep(0.2)
    pytest.fail(f"after twenty seconds there is {names}")


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("site") / "runtime")


@pytest.fixture(scope="module")
def folder(runtime: Path) -> Path:
    return runtime / str(read(runtime / "manifest.json")["folder"])


@pytest.fixture(scope="module")
def visit(runtime: Path, chromium: Browser) -> Iterator[Visit]:
    site = runtime.parent
    (site / "assets").mkdir()
    shutil.copyfile(ROOT / "docs" / "assets" / "worker.js", site / "assets" / "worker.js")
    pages = (("index.html", PAGE), ("page.js", PAGE_SCRIPT), ("python.html", PYTHON_PAGE))
    for name, text in pages:
        (site / name).write_text(text, encoding="utf-8")
    with SiteServer(site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asked: list[str] = []
        context = chromium.new_context()
        context.on("request", lambda request: asked.append(request.url))
        yield Visit(context, server.address, asked)
        context.close()
        server.shutdown()


# The files


def test_two_builds_give_the_same_bytes(runtime: Path, tmp_path: Path) -> None:
    assert digests(make(tmp_path / "again")) == digests(runtime)


def test_a_second_build_into_the_same_folder_changes_nothing(runtime: Path) -> None:
    before = runtime.stat().st_ino
    make(runtime)
    assert runtime.stat().st_ino == before


def test_a_damaged_folder_is_made_again(runtime: Path, folder: Path) -> None:
    before = digests(runtime)
    (folder / LIBRARY).unlink()
    make(runtime)
    assert digests(runtime) | before == digests(runtime)


def test_the_manifest_names_each_file_the_browser_loads_with_its_size(
    runtime: Path, folder: Path
) -> None:
    manifest = read(runtime / "manifest.json")
    listed = {file["name"]: file["bytes"] for file in manifest["files"]}
    there = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert there.keys() - listed.keys() - _compress.forms_of(there) == {"LICENSES.txt"}
    assert listed.items() <= there.items()
    assert manifest["total"] == sum(listed.values())


def test_the_manifest_names_the_versions(runtime: Path) -> None:
    manifest = read(runtime / "manifest.json")
    assert manifest["pyodide"] == read(ROOT / "package.json")["dependencies"]["pyodide"]
    assert manifest["python"] == manifest["lock"]["info"]["python"]
    assert manifest["lock"]["packages"] == {}


def test_a_folder_s_name_changes_with_what_is_in_it_and_so_may_be_kept(folder: Path) -> None:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.name not in _compress.forms_of(other.name for other in folder.iterdir()):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.name}\0{content}\0".encode())
    assert folder.name == digest.hexdigest()[:16]
    assert NAMED_BY_CONTENT.search(f"/runtime/{folder.name}/{LIBRARY}")


def test_each_file_has_its_compressed_forms_beside_it(runtime: Path, folder: Path) -> None:
    for file in read(runtime / "manifest.json")["files"]:
        content = (folder / file["name"]).read_bytes()
        small = [(folder / f"{file['name']}{ending}").read_bytes() for ending in (".br", ".gz")]
        assert brotli.decompress(small[0]) == gzip.decompress(small[1]) == content
        assert len(small[0]) < len(small[1]) < len(content)


def test_python_travels_as_bytecode_of_the_version_that_runs_it_stored_not_packed(
    folder: Path,
) -> None:
    with zipfile.ZipFile(folder / LIBRARY) as files:
        entries = files.infolist()
        magic = {files.read(name)[:2] for name in files.namelist() if name.endswith(".pyc")}
    assert {Path(entry.filename).suffix for entry in entries} == {".pyc", ".mo"}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert len(magic) == 1


def test_the_library_carries_every_compiled_catalog(folder: Path) -> None:
    engine = ROOT / "engine"
    with zipfile.ZipFile(folder / LIBRARY) as files:
        packed = {name for name in files.namelist() if name.endswith(".mo")}
    assert packed == {str(path.relative_to(engine)) for path in engine.rglob("*.mo")}


def test_the_licences_are_there_in_full(folder: Path) -> None:
    text = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    assert "Mozilla Public License" in text
    assert "Exhibit A - Source Code Form License Notice" in text
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in text


def test_the_one_foreign_address_is_a_default_that_node_alone_would_use(folder: Path) -> None:
    """It stands in ``cdnUrl``; the browser's branch of the loader never reads that."""
    scripts = {
        path.name: path.read_text(encoding="utf-8")
        for path in folder.iterdir()
        if path.suffix in {".js", ".mjs", ".json"}
    }
    foreign = [(name, at) for name, text in scripts.items() for at in re.findall("https?://", text)]
    assert foreign == [("pyodide.mjs", "https://")]
    uses = re.findall(r".{0,120}config\.cdnUrl.{0,80}", scripts["pyodide.asm.js"])
    assert len(uses) == 1
    assert re.search(r"IN_NODE\?\(.*config\.cdnUrl\):", uses[0])


# The library is enough


def test_every_message_is_among_the_paths_that_the_library_is_trimmed_to() -> None:
    said = engine_paths.go_every_way()
    assert said - {"", "no such verb"} == view._VERBS


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Python of this version that has no standard library but the browser's."""
    compiled = sysconfig.get_config_var("DESTSHARED")
    home = {"PYTHONHOME": "/nowhere", "PYTHONPATH": f"{folder / LIBRARY}{os.pathsep}{compiled}"}
    command = [os.path.realpath(sys.executable), "-S", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=home)


def test_a_python_with_this_library_alone_goes_every_way_through_the_engine(folder: Path) -> None:
    done = alone(folder, str(ROOT / "scripts" / "engine_paths.py"), "/nowhere")
    assert done.returncode == 0, done.stderr
    assert "argparse" not in done.stdout.split()


def test_what_is_there_for_safety_can_be_imported_and_an_error_is_told(folder: Path) -> None:
    names = [*standard_library.AT_START, *standard_library.FOR_SAFETY]
    ours = ", ".join(name for name in names if not name.startswith("_pyodide"))
    assert alone(folder, "-c", f"import {ours}").returncode == 0
    told = alone(folder, "-c", "from halfmoon import notation; notation.replay('HM1')")
    assert "Traceback" in told.stderr
    assert "halfmoon.deal_code." in told.stderr
    assert "Fatal" not in told.stderr


def test_the_library_holds_nothing_of_what_the_engine_never_uses(folder: Path) -> None:
    with zipfile.ZipFile(folder / LIBRARY) as files:
        names = set(files.namelist())
    unused = ("argparse", "zipfile/__init__", "asyncio/events", "halfmoon/cli", "random", "ssl")
    assert not {f"{name}.pyc" for name in unused} & names


# In the browser


def test_the_browser_goes_every_way_through_the_engine(visit: Visit) -> None:
    page = visit.page("python.html")
    page.wait_for_function("window.python || window.problem", timeout=60_000)
    assert page.evaluate("window.problem ?? null") is None
    source = (ROOT / "scripts" / "engine_paths.py").read_text(encoding="utf-8")
    paths = source.partition("if __name__")[0].replace("from __future__ import annotations\n", "")
    run = f"{paths}\n' '.join(sorted(go_every_way()))"
    said = str(page.evaluate("source => window.python.runPython(source)", run)).split(" ")
    assert set(said) >= view._VERBS
    tell = "source => { try { window.python.runPython(source) } catch (e) { return `${e}` } }"
    told = page.evaluate(tell, "from halfmoon import notation; notation.replay('HM1')")
    assert "PythonError: Traceback" in told
    assert "halfmoon.deal_code." in told
    page.close()


def test_the_browser_asks_no_other_origin_and_for_each_file_once(
    visit: Visit, runtime: Path
) -> None:
    visit.asked.clear()
    page = visit.page()
    assert answers(page, 1) == [{"ready": True}]
    assert [url for url in visit.asked if not url.startswith(visit.address)] == []
    manifest = read(runtime / "manifest.json")
    files = [url.partition("/runtime/")[2] for url in visit.asked if "/runtime/" in url]
    expected = [f"{manifest['folder']}/{file['name']}" for file in manifest["files"]]
    assert sorted(files) == sorted(["manifest.json", *expected])
    page.close()


def test_the_next_visit_starts_from_the_memory_of_the_last_and_answers_the_same(
    visit: Visit,
) -> None:
    page = visit.page()
    answers(page, 1)
    page.evaluate("say({ open: 'HM1-N-AAAAAAB/1-8' })")
    first = answers(page, 2)[1]
    until_kept(page)
    page.reload()
    answers(page, 1)
    page.evaluate("say({ open: 'HM1-N-AAAAAAB/1-8' })")
    assert answers(page, 2)[1] == first
    assert first["score"] == replay("HM1-N-AAAAAAB", "1-8").score
    until_kept(page)
    page.close()


@pytest.mark.parametrize("spoilt", ["'rubbish'", "new Uint8Array(30_000_000)"])
def test_a_memory_that_is_spoilt_is_tried_once(visit: Visit, spoilt: str) -> None:
    page = visit.page()
    answers(page, 1)
    page.evaluate(
        """async (spoilt) => {
            await caches.delete("half-moon.memory");
            const cache = await caches.open("half-moon.memory");
            const { folder } = await (await fetch("runtime/manifest.json")).json();
            const headers = { "X-Size": "30000000" };
            const address = new URL(`runtime/${folder}/memory`, location);
            await cache.put(address, new Response(eval(spoilt), { headers }));
        }""",
        spoilt,
    )
    page.reload()
    page.wait_for_function("window.answers.length")
    assert "failed" in page.evaluate("window.answers[0]")
    page.reload()
    assert answers(page, 1) == [{"ready": True}]
    page.close()
