"""The site without a network, after one visit, and how a newer version of it is offered."""

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import catalogs
import offline
from _server import SiteServer
from browser.conftest import Visitor
from browser.network import Hold
from browser.table import EXAMPLES, PREFIXES, prose
from halfmoon import notation
from halfmoon.games import GAMES

ALL_IS_KEPT: Final = """async () => {
    const stores = await caches.keys();
    const found = await Promise.all(stores.map(async (name) =>
        (await (await caches.open(name)).keys()).some(({ url }) => url.endsWith("?complete"))));
    return found.includes(true);
}"""
KEPT: Final = """async () => {
    const name = (await caches.keys()).find((name) => name.includes("://"));
    const kept = name ? await (await caches.open(name)).keys() : [];
    return kept.map(({ url }) => new URL(url).pathname);
}"""
OPEN_AGAIN_AND_AGAIN: Final = """
    const counts = [];
    for (let times = 0; times < 15; times += 1) {
        await fetch(location.href);
        await new Promise((resolve) => setTimeout(resolve, 200));
        counts.push((await kept()).length);
    }
    return counts;
"""
BREAK: Final = """async (path) => {
    const name = (await caches.keys()).find((name) => name.includes("://"));
    const store = await caches.open(name);
    for (const { url } of await store.keys()) {
        if (path === "" || new URL(url).pathname === path) await store.delete(url);
    }
    await store.put(path || "/", new Response("broken"));
}"""
DEAR: Final = """Object.defineProperty(navigator, "connection", { value: { saveData: true } });"""
UNSUPPORTED: Final = "delete Navigator.prototype.serviceWorker;"
LAST_MOVES: Final = 2
"""How many are played: those are taps alone, in either game's example."""


def wait_until_kept(page: Page) -> None:
    """Wait until the service worker has the whole site."""
    wait_until(page, ALL_IS_KEPT)


def wait_until(page: Page, question: str) -> None:
    """Ask a page until it says yes. (Playwright's own way takes a promise for a yes.)"""
    for _ in range(450):
        if page.evaluate(question):
            return
        page.wait_for_timeout(200)
    pytest.fail("the page never said yes")


def wait_until_kept_are(page: Page, *paths: str) -> None:
    """Wait until these are among the kept files."""
    wait_until(
        page,
        f"async () => {{ const kept = await ({KEPT})();"
        f" return {list(paths)}.every((path) => kept.includes(path)); }}",
    )


class Copy:
    """A copy of the site that can be changed, and stopped, while a reader is there."""

    def __init__(self, site: Path, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(site, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
        self.server = SiteServer(folder)
        self.address = self.server.address
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def change(self, page: str, old: str, new: str) -> None:
        """Say something else on a page, as a new build would."""
        path = self.folder / page / "index.html"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        offline.write(self.folder, catalogs.TRANSLATED)

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def copy(site: Path, tmp_path: Path) -> Iterator[Copy]:
    """A copy of the site on a server of its own."""
    copy = Copy(site, tmp_path / "site")
    yield copy
    copy.stop()


class Kept(NamedTuple):
    """A browser after one visit of one page, on a host that is gone since."""

    context: BrowserContext
    address: str

    def open(self, path: str) -> Page:
        """A new page at an address below the root."""
        page = self.context.new_page()
        page.goto(self.address + path)
        return page


@pytest.fixture(scope="module")
def kept(site: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """One visit, then no network."""
    copy = Copy(site, tmp_path_factory.mktemp("kept") / "site")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{copy.address}half-moon/questions/")
    wait_until_kept(page)
    copy.stop()
    context.set_offline(True)
    yield Kept(context, copy.address)
    context.close()


# Without a network


@pytest.mark.parametrize("key", GAMES)
def test_the_end_of_a_game_is_played_without_a_network(kept: Kept, key: str) -> None:
    moves = EXAMPLES[key]["moves"].split()
    record = notation.replay(EXAMPLES[key]["code"], moves[:-LAST_MOVES])
    link = notation.print_link(record.code, record.moves)
    page = kept.open(f"pl/{key.replace('_', '-')}/play/#{link}")
    page.locator(".game[data-outcome=playing]").wait_for()
    for move in moves[-LAST_MOVES:]:
        for place in move.split("-"):
            page.locator(f'.board-hands [data-place="{place}"]').click()
    expect(page.locator(".game")).to_have_attribute("data-outcome", "won")
    expect(page.locator("[data-show=moves]")).to_have_text(str(len(moves)))
    page.close()


def test_every_page_of_every_language_is_read_without_a_network(kept: Kept, site: Path) -> None:
    page = kept.context.new_page()
    for file in sorted(site.rglob("index.html")):
        folder = file.parent.relative_to(site).as_posix()
        answer = page.goto(kept.address + ("" if folder == "." else f"{folder}/"))
        assert answer
        assert (answer.status, answer.from_service_worker) == (200, True)
    page.close()


def test_a_search_finds_something_without_a_network(kept: Kept) -> None:
    page = kept.open("nl/codes/")
    query = page.locator("[data-md-component=search-query]")
    query.click()
    query.press_sequentially("stapel")
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert found.evaluate("link => link.href").startswith(f"{kept.address}nl/")
    page.close()


@pytest.mark.parametrize("language", PREFIXES)
def test_a_dead_address_is_answered_in_its_language_without_a_network(
    kept: Kept, language: str
) -> None:
    page = kept.context.new_page()
    answer = page.goto(f"{kept.address}{PREFIXES[language]}no/such/page")
    assert answer
    assert answer.status == 404
    assert page.locator("section.not-found:visible").get_attribute("lang") == language
    page.close()


def test_an_address_without_its_last_slash_is_found_without_a_network(kept: Kept) -> None:
    page = kept.open("id/codes#x")
    assert page.url == f"{kept.address}id/codes/#x"
    page.close()


def test_the_first_page_s_links_work_without_a_network(kept: Kept) -> None:
    page = kept.context.pages[0]
    assert page.url == f"{kept.address}half-moon/questions/"
    page.locator("a[hreflang=nl]:visible").last.click()
    page.wait_for_url("**/nl/half-moon/questions/")
    assert page.locator("html").get_attribute("lang") == "nl"
    page.go_back()


# What is kept, and when


def test_where_bytes_are_dear_only_what_was_visited_is_kept(visitor: Visitor) -> None:
    page = visitor.page()
    page.add_init_script(DEAR)
    page.goto(f"{visitor.server}pl/codes/")
    wait_until_kept_are(page, "/pl/codes/")
    page.goto(f"{visitor.server}pl/half-moon/")
    wait_until_kept_are(page, "/pl/half-moon/")
    pages = {path for path in page.evaluate(KEPT) if path.endswith("/")}
    assert pages == {"/pl/codes/", "/pl/half-moon/"}
    assert not [path for path in page.evaluate(KEPT) if path.startswith("/runtime/")]


def test_keeping_waits_while_pages_are_opened(visitor: Visitor) -> None:
    page = visitor.table().open().page
    wait_until(page, f"async () => (await ({KEPT})()).length > 20")
    counts = page.evaluate(f"async () => {{ const kept = {KEPT}; {OPEN_AGAIN_AND_AGAIN} }}")
    assert len(set(counts[5:])) == 1  # by then those that were on their way have come
    assert not page.evaluate(ALL_IS_KEPT)
    wait_until_kept(page)


def test_a_failed_answer_is_never_kept(visitor: Visitor, copy: Copy) -> None:
    visitor.server, visitor.may_complain = copy.address, True
    (copy.folder / "codes" / "index.html").rename(copy.folder / "away")
    page = visitor.page()
    page.goto(f"{copy.address}pl/codes/")
    wait_until_kept_are(page, "/nl/codes/")
    page.wait_for_timeout(500)
    assert "/codes/" not in page.evaluate(KEPT)
    (copy.folder / "away").rename(copy.folder / "codes" / "index.html")
    page.reload()
    wait_until_kept(page)
    assert "/codes/" in page.evaluate(KEPT)


@pytest.mark.parametrize("path", ["/pl/codes/", ""], ids=["one file", "everything"])
def test_a_broken_store_heals(visitor: Visitor, path: str) -> None:
    page = visitor.page()
    page.goto(f"{visitor.server}pl/codes/")
    wait_until_kept(page)
    number = len(page.evaluate(KEPT))
    page.evaluate(BREAK, path)
    answer = page.goto(f"{visitor.server}pl/codes/")
    assert answer
    assert answer.ok
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    wait_until(page, f"async () => (await ({KEPT})()).length >= {number}")


def test_a_play_page_can_be_installed_once_the_game_is_there(visitor: Visitor) -> None:
    table = visitor.table("id")
    held = Hold(table.page, re.compile("/runtime/"))
    table.page.goto(table.address())
    expect(table.card("1")).to_be_visible()
    manifest = table.page.locator("link[rel=manifest]")
    expect(manifest).to_have_count(0)
    held.release()
    table.ready()
    expect(manifest).to_have_attribute("href", "../../manifest.webmanifest")


def test_without_service_workers_the_site_is_read_and_played(visitor: Visitor) -> None:
    page = visitor.page()
    page.add_init_script(UNSUPPORTED)
    page.goto(f"{visitor.server}half-moon/play/")
    page.locator(".game[data-outcome]").wait_for()
    assert page.evaluate("'serviceWorker' in navigator") is False
    page.goto(f"{visitor.server}codes/")
    assert page.locator("h1").is_visible()


def test_nothing_is_kept_by_a_page_in_a_frame(visitor: Visitor) -> None:
    visitor.may_complain = True  # a file of text names no icon
    page = visitor.page()
    page.goto(f"{visitor.server}licences.txt")
    page.evaluate(
        "async () => { const frame = document.createElement('iframe'); frame.src = '/codes/';"
        " const loaded = new Promise((resolve) => { frame.onload = resolve; });"
        " document.body.append(frame); await loaded; }"
    )
    page.wait_for_timeout(1500)
    assert (
        page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
    )


# Newer versions


def test_a_newer_version_is_offered_and_taken_only_when_asked_for(
    visitor: Visitor, copy: Copy
) -> None:
    visitor.server = copy.address
    page = visitor.page()
    page.goto(f"{copy.address}pl/half-moon/play/")
    wait_until_kept(page)
    copy.change("pl/half-moon/play", "</main>", '<p id="newer">newer</p></main>')
    page.reload()
    notice = page.locator(".update-offer")
    expect(notice).to_contain_text(prose("pl").gettext("A new version of this site is ready."))
    assert page.locator("#newer").count() == 0
    page.locator('.board-hands [data-place="1"]').click()
    page.locator('.board-hands [data-place="8"]').click()
    expect(page.locator("[data-show=moves]")).to_have_text("1")
    notice.get_by_role("button", name=prose("pl").gettext("Reload")).click()
    page.locator("#newer").wait_for()
    page.locator(".game[data-outcome]").wait_for()
    expect(page.locator("[data-show=moves]")).to_have_text("1")
    expect(page.locator(".update-offer")).to_be_empty()


def test_a_newer_version_is_whole_before_it_is_offered(visitor: Visitor, copy: Copy) -> None:
    visitor.server, visitor.may_complain = copy.address, True
    page = visitor.page()
    page.goto(f"{copy.address}codes/")
    wait_until_kept(page)
    copy.change("nl/codes", "</main>", '<p id="newer">newer</p></main>')
    page.reload()
    page.locator("[data-choice=now]").wait_for()
    copy.stop()
    page.locator("[data-choice=now]").click()
    page.wait_for_timeout(500)
    page.goto(f"{copy.address}nl/codes/")
    assert page.locator("#newer").count() == 1


def test_an_offer_can_be_put_off(visitor: Visitor, copy: Copy) -> None:
    visitor.server = copy.address
    page = visitor.page()
    page.goto(f"{copy.address}codes/")
    wait_until_kept(page)
    copy.change("codes", "</main>", '<p id="newer">newer</p></main>')
    page.reload()
    page.locator("[data-choice=later]").click()
    expect(page.locator(".update-offer")).to_be_empty()
    assert page.locator("#newer").count() == 0


def test_a_newer_version_is_there_once_every_page_was_closed(visitor: Visitor, copy: Copy) -> None:
    visitor.server = copy.address
    page = visitor.page()
    page.goto(f"{copy.address}codes/")
    wait_until_kept(page)
    copy.change("codes", "</main>", '<p id="newer">newer</p></main>')
    page.reload()
    page.locator("[data-choice=now]").wait_for()
    context = page.context
    page.close()
    page = context.new_page()
    page.wait_for_timeout(1000)
    page.goto(f"{copy.address}codes/")
    assert page.locator("#newer").count() == 1
