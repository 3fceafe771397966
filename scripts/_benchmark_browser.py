"""What only a browser can tell: how long to the first answer, and from a tap to the paint."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Playwright, sync_playwright

from _benchmark_python import GAMES_A_SECOND
from _benchmark_server import MeasuringServer
from _compress import compress_folder
from _environment import BROWSER_FLAGS, ROOT, Missing, call, find_browser
from halfmoon import notation
from halfmoon.games import GAMES

PLAY: Final = "half-moon/play/"
ENGINE: Final = "/assets/worker.js"
CODE: Final = "HM1-N-AAAAAAB"
PYODIDE: Final = ROOT / "node_modules" / "pyodide"
STOCK_FILES: Final = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
#: In milliseconds: after it the browser has kept what it keeps of a visit.
SETTLED: Final = 4_000
#: In milliseconds: so long after its launch a browser is no more busy with itself.
LAUNCHED: Final = 2_500
PATIENCE: Final = 120_000

#: What the page says with the time of its first answer.
ANSWERED: Final = "answered after"
#: Taps the first place as soon as it is there, and says when the engine's drawing shows it
#: selected: nothing but an answer of the engine can do that.
FIRST_TAP: Final = """
addEventListener("DOMContentLoaded", () => {
  const selected = ".place[data-place='1'] .selected";
  const look = () => {
    if (!document.querySelector(selected)) return requestAnimationFrame(look);
    console.debug(`ANSWERED ${performance.now()}`);
  };
  document.querySelector("button[data-place='1']")?.click();
  look();
});
""".replace("ANSWERED", ANSWERED)
STOCK_PAGE: Final = """<!doctype html><html lang="en"><title>Stock Pyodide</title>
<link rel="icon" href="data:,"><div id="board"></div>
<script type="module">
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => { board.innerHTML = data; };
</script>"""
STOCK_WORKER: Final = """
import { loadPyodide } from "./pyodide.mjs";
const packages = [new URL("WHEEL", import.meta.url).href];
const python = await loadPyodide({ packages, checkIntegrity: false });
const view = python.pyimport("halfmoon.view");
let table = view.new_table("en");
for (const message of [{ open: "CODE" }, { tap: "1" }]) {
  const answered = view.answer(table, JSON.stringify(message));
  table = answered.get(0);
  postMessage(JSON.parse(answered.get(1)).svg);
}
"""
#: Taps once, and tells how many milliseconds later the answer was painted.
TIMED_TAP: Final = """place => new Promise((resolve) => {
  const drawing = document.querySelector("[data-show=drawing]");
  const start = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - start);
      channel.port2.postMessage(null);
    });
  }).observe(drawing, { childList: true, subtree: true });
  document.querySelector(`.board-hands [data-place="${place}"]`).click();
})"""


class Start(NamedTuple):
    """One visit: milliseconds to the first answer, without and with a cache, and bytes sent."""

    cold: float
    warm: float
    bytes: int


def starts(folder: Path, path: str, *, engine: str, slow: bool, runs: int) -> Iterator[Start]:
    """Visit a page with a new profile, then again; one Start a run.

    A reader's browser has been running for a while, so this one waits until it has got up.
    ``engine`` is the part of a path that tells the engine's files from the page's.
    """
    for _ in range(runs):
        with MeasuringServer(folder, slow=slow) as server, _profile() as context:
            context.pages[0].wait_for_timeout(LAUNCHED)
            cold, size = _first_answer(context, server, path, engine)
            warm, _ = _first_answer(context, server, path, engine)
            yield Start(cold, warm, size)


def make_stock(folder: Path) -> None:
    """A page with Pyodide as npm brings it and the engine's wheel as pip would build it."""
    for name in STOCK_FILES:
        shutil.copyfile(PYODIDE / name, folder / name)
    build = ("build", "--no-isolation", "--wheel", "--outdir", folder, ROOT / "engine")
    failure = "The engine's wheel could not be built."
    call(sys.executable, "-m", *build, failure=failure, log="engine-wheel")
    (wheel,) = folder.glob("*.whl")
    worker = STOCK_WORKER.replace("WHEEL", wheel.name).replace("CODE", CODE)
    (folder / "worker.js").write_text(worker, encoding="utf-8")
    (folder / "index.html").write_text(STOCK_PAGE, encoding="utf-8")
    compress_folder(folder, best=STOCK_FILES)


def taps_to_paint(site: Path, taps: int) -> list[float]:
    """Milliseconds from each tap to its painted answer; most of the taps make a move."""
    with MeasuringServer(site) as server, _profile() as context:
        page = context.new_page()
        _answered(page, server.address + PLAY)
        page.locator("[data-do=restart]").click()
        page.wait_for_timeout(500)
        return [float(page.evaluate(TIMED_TAP, place)) for place in _places(taps)]


def games_a_second(site: Path, seconds: float, rounds: int) -> dict[str, float]:
    """Complete random games a second in the browser, for each game."""
    with MeasuringServer(site) as server, _profile() as context:
        page = context.new_page()
        _answered(page, server.address + PLAY)
        (engine,) = (worker for worker in page.workers if ENGINE in worker.url)
        run = "source => self.python.runPython(source)"
        engine.evaluate(run, GAMES_A_SECOND)
        return {
            key: median(
                float(engine.evaluate(run, f"games_a_second({json.dumps(key)}, {seconds})"))
                for _ in range(rounds)
            )
            for key in GAMES
        }


@contextmanager
def _profile() -> Iterator[BrowserContext]:
    """A browser that has never been anywhere, with a cache on disk as a reader's has."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        context = _launch(playwright, folder)
        yield context
        context.close()


def _launch(playwright: Playwright, folder: str) -> BrowserContext:
    return playwright.chromium.launch_persistent_context(
        folder, executable_path=find_browser(), args=list(BROWSER_FLAGS)
    )


def _first_answer(
    context: BrowserContext, server: MeasuringServer, path: str, engine: str
) -> tuple[float, int]:
    """Milliseconds to the first answer, and the bytes of the engine sent by then."""
    page = context.new_page()
    found = _answered(page, server.address + path)
    size = server.bytes_of(engine)
    page.wait_for_timeout(SETTLED)
    page.close()
    return found, size


def _answered(page: Page, address: str) -> float:
    page.add_init_script(FIRST_TAP)
    try:
        # To ask the page again and again would take time from what is measured.
        with page.expect_console_message(_tells_time, timeout=PATIENCE) as told:
            page.goto(address, wait_until="commit")
    except Exception:
        raise Missing(f"{address} did not answer the first tap.") from None
    return float(told.value.text.removeprefix(ANSWERED))


def _tells_time(message: ConsoleMessage) -> bool:
    return message.text.startswith(ANSWERED)


def _places(count: int) -> Iterator[Any]:
    """Places to tap, one after the other: moves as long as there are any, each place but once."""
    record, last = notation.replay(CODE), ""
    while count > 0 and record.legal_moves:
        move = next(m for m in record.legal_moves if set(m.places) - {last})
        places = sorted(move.places, key=lambda place: place == last)
        yield from places[:count]
        count -= len(places)
        record, last = record.after(str(move)), places[-1]
