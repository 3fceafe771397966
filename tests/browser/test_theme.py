"""The theme's script comes when somebody wants it, and nothing is lost that was done before."""

from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

BUNDLE: Final = "/javascripts/bundle."
SEARCH_INDEX: Final = "search_index.json"


class Reader:
    """A page, and the scripts of the theme that came for it."""

    def __init__(
        self, chromium: Browser, address: str, scheme: Literal["dark", "light"] = "light"
    ) -> None:
        self.context = chromium.new_context(service_workers="block", color_scheme=scheme)
        self.page: Page = self.context.new_page()
        self.asked: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address, wait_until="networkidle")

    def has(self, part: str) -> bool:
        return any(part in address for address in self.asked)

    @property
    def mood(self) -> str:
        return str(self.page.evaluate("document.body.dataset.mdColorScheme"))


@pytest.mark.parametrize("path", ["", "pl/half-moon/", "nl/crescent/play/"])
def test_a_page_that_is_only_looked_at_loads_no_theme_script_and_no_search(
    server: str, chromium: Browser, path: str
) -> None:
    reader = Reader(chromium, server + path)
    assert not reader.has(BUNDLE)
    assert not reader.has(SEARCH_INDEX)
    with reader.page.expect_request(lambda request: BUNDLE in request.url):
        reader.page.mouse.move(200, 20)
    reader.context.close()


def test_a_game_is_played_without_the_theme_s_script(server: str, chromium: Browser) -> None:
    reader = Reader(chromium, f"{server}half-moon/play/")
    for place in ("1", "8"):
        reader.page.locator(f".board-hands [data-place='{place}']").click()
    expect(reader.page.locator("[data-show=score]")).to_have_text("10")
    assert not reader.has(BUNDLE)
    reader.context.close()


def test_the_first_press_on_the_mood_s_button_counts(server: str, chromium: Browser) -> None:
    reader = Reader(chromium, f"{server}half-moon/")
    reader.page.evaluate(
        "document.querySelector('[for^=__palette]:not([hidden])')"
        ".dispatchEvent(new Event('focusin', { bubbles: true }));"
        "document.querySelector('[for^=__palette]:not([hidden])').click()"
    )
    expect(reader.page.locator("#__palette_1")).to_be_checked()
    reader.page.locator("[for^=__palette]:not([hidden])").click()
    expect(reader.page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    reader.page.reload(wait_until="networkidle")
    assert reader.mood == "slate"
    reader.context.close()


@pytest.mark.parametrize(("scheme", "mood"), [("dark", "slate"), ("light", "default")])
def test_the_mood_follows_the_system_before_any_script_of_the_theme(
    server: str, chromium: Browser, scheme: Literal["dark", "light"], mood: str
) -> None:
    reader = Reader(chromium, f"{server}id/crescent/", scheme)
    assert reader.mood == mood
    assert not reader.has(BUNDLE)
    expect(reader.page.locator("[for^=__palette]:not([hidden])")).to_have_count(1)
    other: Literal["dark", "light"] = "light" if scheme == "dark" else "dark"
    reader.page.emulate_media(color_scheme=other)
    changed = {"slate": "default", "default": "slate"}[mood]
    expect(reader.page.locator("body")).to_have_attribute("data-md-color-scheme", changed)
    reader.context.close()


def test_what_a_search_has_found_is_marked_at_once(server: str, chromium: Browser) -> None:
    reader = Reader(chromium, f"{server}half-moon/?h=reserve")
    assert reader.has(BUNDLE)
    expect(reader.page.locator("mark").first).to_have_text("reserve")
    reader.context.close()
