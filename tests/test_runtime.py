"""What the browser loads: steady bytes, a true manifest, no more than is used, all from here."""

from __future__ import annotations

import ast
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
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import brotli  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import _compress
import engine_paths
import site_files
import standard_library
from _environment import ROOT
from _server import NAMED_BY_CONTENT, SiteServer
from halfmoon import view
from halfmoon.games import GAMES
from halfmoon.notation import replay

PAGE = """<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Runtime</title>
<script type="module" src="page.js"></script>"""
PAGE_SCRIPT = """
window.answers = [];
const worker = new Worker("assets/worker.js?language=pl", { type: "module" });
window.say = (message, table = 1) => worker.postMessage(JSON.stringify({ table, message }));
worker.onmessage = ({ data }) => {
  const answer = JSON.parse(data);
  if (!("progress" in answer)) window.answers.push(answer);
};
worker.onerror = () => window.answers.push({ failed: "the worker did not start" });
"""
#: Keeps what is in the memory at the moment when Python is to go on from it. The worker puts a
#: function of its own in the place of Pyodide's: the second to be set. On a telephone like this one
#: the memory does not name a function of the browser's beforehand.
LOOK_INTO_MEMORY = """
Object.defineProperty(navigator, "userAgent", { value: "iPhone" });
const made = [];
Object.defineProperty(self, "_createPyodideModule", {
  configurable: true,
  get: () => made.at(-1),
  set(create) {
    made.push(made.length === 0 ? create : async (settings) => {
      const python = await create(settings);
      self.resumed = python.HEAPU8.slice();
      return python;
    });
  },
});
"""
LIBRARY, MEMORY, SECONDARY = "python_stdlib.zip", "memory.bin", "secondary.wasm"


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


def python(page: Page, source: str) -> str:
    """What a piece of Python says in the worker, or how it fails."""
    (worker,) = page.workers
    run = """source => {
        try { return `${self.python.runPython(source)}`; } catch (error) { return `${error}`; }
    }"""
    return str(worker.evaluate(run, source))


def until_library(visit: Visit, page: Page) -> None:
    """Wait until the library has come, which is later than the first answer."""
    for _ in range(100):
        if LIBRARY in file_names(visit.asked):
            page.wait_for_timeout(300)
            return
        page.wait_for_timeout(100)
    pytest.fail("after ten seconds nobody has asked for the library")


def file_names(addresses: list[str]) -> list[str]:
    return [address.rpartition("/")[2] for address in addresses if "/runtime/" in address]


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
    worker = site / "assets" / "worker.js"
    shutil.copyfile(ROOT / "docs" / "assets" / "worker.js", worker)
    site_files.tell_worker(worker, runtime / "manifest.json")
    pages = (("index.html", PAGE), ("page.js", PAGE_SCRIPT))
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
    later = listed[LIBRARY] + listed[SECONDARY]
    assert manifest["total"] == sum(listed.values()) - later


def test_the_manifest_names_the_versions(runtime: Path) -> None:
    manifest = read(runtime / "manifest.json")
    assert manifest["pyodide"] == read(ROOT / "package.json")["dependencies"]["pyodide"]
    lock = manifest["options"]["lockFileContents"]
    assert manifest["python"] == lock["info"]["python"]
    assert lock["packages"] == {}


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
    uses = re.findall(r".{0,120}config\.cdnUrl.{0,80}", scripts["pyodide.mjs"])
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


def test_the_browser_gives_every_answer_that_python_gives_with_the_files_of_the_start(
    visit: Visit,
) -> None:
    visit.asked.clear()
    page = visit.page()
    answers(page, 1)
    for number, game in enumerate(GAMES.values()):
        said, expected = [], []
        table = view.new_table("pl")
        for message in engine_paths.messages(game):
            said.append(message(table) if callable(message) else message)
            text = json.dumps(said[-1], separators=(",", ":"))  # as a page writes it
            table, reply = view.answer(table, text)
            expected.append(json.loads(reply))
        page.evaluate(
            "([messages, table]) => {"
            " window.answers = []; messages.forEach((message) => say(message, table)); }",
            [said, number],
        )
        found = answers(page, len(said))
        for message, one, other in zip(said, found, expected, strict=True):
            assert one == other, message
    assert SECONDARY not in file_names(visit.asked)
    page.close()


def test_what_pyodide_s_preparations_change_is_in_the_file(runtime: Path) -> None:
    """They may come before that part of the file or after it; where it is zero, too."""
    memory = read(runtime / "manifest.json")["memory"]
    for start, length in memory["changed"]:
        assert any(at <= start and start + length <= at + size for at, size in memory["pieces"])


def test_no_long_stretch_of_zeros_is_sent_but_where_preparations_change_it(
    runtime: Path, folder: Path
) -> None:
    memory = read(runtime / "manifest.json")["memory"]
    changed = sum(length for _, length in memory["changed"])
    zeros = re.findall(rb"\0{4096,}", (folder / MEMORY).read_bytes())
    assert sum(map(len, zeros)) <= changed


def test_python_goes_on_from_the_memory_that_was_kept_to_the_byte(
    visit: Visit, runtime: Path, folder: Path
) -> None:
    kept, memory = (folder / MEMORY).read_bytes(), read(runtime / "manifest.json")["memory"]
    expected = bytearray(memory["pages"] * 65_536)
    for start, length in memory["pieces"]:
        expected[start : start + length], kept = kept[:length], kept[length:]
    page = visit.context.new_page()
    worker = (runtime.parent / "assets" / "worker.js").read_text(encoding="utf-8")
    script = {"body": LOOK_INTO_MEMORY + worker, "content_type": "text/javascript"}
    page.route("**/worker.js*", lambda route: route.fulfill(status=200, **script))
    page.goto(visit.address)
    answers(page, 1)
    digest = """async () => {
        const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", self.resumed));
        return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    }"""
    assert page.workers[0].evaluate(digest) == hashlib.sha256(expected).hexdigest()
    page.close()


def test_the_start_asks_no_other_origin_and_for_each_file_once(visit: Visit) -> None:
    visit.asked.clear()
    page = visit.page()
    assert answers(page, 1) == [{"ready": True}]
    until_library(visit, page)
    assert [url for url in visit.asked if not url.startswith(visit.address)] == []
    at_start = ["pyodide.mjs", "pyodide.asm.wasm", MEMORY]
    assert sorted(file_names(visit.asked)) == sorted([*at_start, LIBRARY])
    page.close()


def test_the_engine_rehearses_on_a_table_that_nobody_sees(visit: Visit) -> None:
    drawn = "str(__import__('halfmoon.diagram').diagram._place.cache_info().misses)"
    opening, tap = {"open": "HM1-N-AAAAAAB"}, {"tap": "8"}
    page = visit.page()
    answers(page, 1)
    page.evaluate("message => say(message)", opening)
    answers(page, 2)
    at_first = int(python(page, drawn))
    page.wait_for_timeout(1_000)
    assert int(python(page, drawn)) > at_first
    page.evaluate("message => say(message)", tap)
    _, opened, tapped = answers(page, 3)
    table, reply = view.answer(view.new_table("pl"), json.dumps(opening))
    assert opened == json.loads(reply)
    assert tapped == json.loads(view.answer(table, json.dumps(tap))[1])
    page.close()


def test_a_bad_link_is_not_rehearsed(visit: Visit) -> None:
    page = visit.page()
    answers(page, 1)
    page.evaluate("say({ open: 'HM1-N' })")
    page.wait_for_timeout(1_000)
    page.evaluate("say({ open: 'HM1-N-AAAAAAB' })")
    _, refused, opened = answers(page, 3)
    assert refused["error"]
    assert opened["code"] == "HM1-N-AAAAAAB"
    page.close()


def test_a_function_that_nobody_foresaw_is_fetched_when_it_is_called(visit: Visit) -> None:
    page = visit.page()
    answers(page, 1)
    visit.asked.clear()
    assert python(page, "f'{sum(number / 4 for number in range(10)):.2f}'") == "11.25"
    assert file_names(visit.asked) == [SECONDARY]
    assert python(page, "str(complex(1, 2) ** 2)") == "(-3+4j)"
    assert file_names(visit.asked) == [SECONDARY]
    page.evaluate("say({ open: 'HM1-N-AAAAAAB/1-8' })")
    assert answers(page, 2)[1]["score"] == replay("HM1-N-AAAAAAB", "1-8").score
    page.close()


#: Uses instructions that the engine does without: in loops, under exceptions, in generators.
UNFORESEEN = """
def shrunk(numbers):
    squares = {number: number * number for number in numbers}
    for number in [*squares, None]:
        try:
            del squares[number]
        except KeyError as error:
            squares["left"] = repr(error)
        yield sum(kept for kept in squares.values() if isinstance(kept, int)), len(squares)

def described(thing):
    match thing:
        case {"kind": kind, **rest}:
            return f"{kind}: {described(rest)}"
        case [first, *others]:
            return f"{first} and {len(others)}"
        case _:
            return "nothing"

described([[*shrunk(range(count))][-2:] for count in (1, 9, 200)]) + str(
    [described(thing) for thing in ({"kind": 1, "of": 2}, [3, 4, 5], [], "six")]
)
"""


def test_an_instruction_that_nobody_foresaw_is_followed_where_python_stands(visit: Visit) -> None:
    page = visit.page()
    answers(page, 1)
    *statements, last = ast.parse(UNFORESEEN).body
    space: dict[str, object] = {}
    exec(compile(ast.Module(statements, []), "unforeseen", "exec"), space)
    expected = eval(ast.unparse(last), space)
    assert python(page, UNFORESEEN) == expected
    assert python(page, UNFORESEEN) == expected
    page.evaluate("say({ open: 'HM1-N-AAAAAAB/1-8' })")
    assert answers(page, 2)[1]["score"] == replay("HM1-N-AAAAAAB", "1-8").score
    page.close()


def test_a_module_that_nobody_foresaw_comes_from_the_library(visit: Visit) -> None:
    visit.asked.clear()
    page = visit.page()
    answers(page, 1)
    until_library(visit, page)
    assert python(page, "str('tokenize' in __import__('sys').modules)") == "False"
    assert python(page, "__import__('tokenize').__name__") == "tokenize"
    page.close()


@pytest.mark.parametrize(
    "letters", ["na\xefve \x85", "na\u00efve \u0142\u00f3\u017c \u2665", "\U0001f0a1\u2665a"]
)
@pytest.mark.parametrize("times", [0, 1, 8_192, 10_000])
def test_a_text_arrives_as_it_was(visit: Visit, letters: str, times: int) -> None:
    page = visit.page()
    answers(page, 1)
    assert python(page, f"{letters!a} * {times}") == letters * times
    page.close()


def test_an_error_in_the_engine_is_told_whole(visit: Visit) -> None:
    page = visit.page()
    answers(page, 1)
    told = python(page, "from halfmoon import notation; notation.replay('HM1')")
    assert "PythonError: Traceback" in told
    assert "halfmoon.deal_code." in told
    page.close()


@pytest.mark.parametrize("name", [MEMORY, "pyodide.asm.wasm", "pyodide.mjs"])
def test_a_file_that_is_cut_short_is_a_failure_and_not_a_wait(visit: Visit, name: str) -> None:
    page = visit.context.new_page()
    page.route(f"**/{name}", lambda route: route.fulfill(status=200, body="rubbish"))
    page.goto(visit.address)
    page.wait_for_function("window.answers.length", timeout=30_000)
    assert "failed" in page.evaluate("window.answers[0]")
    page.close()
