"""Reading pages are light: few bytes, no runtime before it is wanted, and nothing that jumps."""

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Response, ViewportSize

from browser.table import PREFIXES

RULES: Final = ("half-moon/", "crescent/")
MOST: Final = 200_000
"""Bytes that a rules page may cost, with all its diagrams and everything it loads by itself."""
PHONE: Final[ViewportSize] = {"width": 412, "height": 823}

SHIFTS: Final = """() => new Promise((resolve) => {
    const shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries()))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(shifts.filter(({ value }) => value > 0.0001).map((shift) =>
        [shift.value, ...shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 80))])), 300);
})"""


def visit(chromium: Browser, address: str, **options: Any) -> tuple[Page, list[Response]]:
    """A page, and all that came over the network for it, without what is kept for later."""
    context = chromium.new_context(viewport=PHONE, service_workers="block", **options)
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address, wait_until="networkidle")
    return page, answers


@pytest.mark.parametrize("language", PREFIXES)
@pytest.mark.parametrize("path", RULES)
def test_a_rules_page_costs_few_bytes_and_loads_no_runtime(
    server: str, chromium: Browser, path: str, language: str
) -> None:
    page, answers = visit(chromium, f"{server}{PREFIXES[language]}{path}")
    sizes = {
        answer.url: answer.request.sizes()["responseBodySize"]
        for answer in answers
        if answer.url.startswith("http")
    }
    assert f"{server}assets/styles.css" in sizes
    assert sum(sizes.values()) < MOST, sizes
    assert not [url for url in sizes if "/runtime/" in url]
    page.context.close()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(
    "path", ["", *RULES, "half-moon/examples/", "crescent/examples/", "crescent/play/"]
)
def test_nothing_jumps_while_a_page_loads_and_is_read_to_its_end(
    server: str, chromium: Browser, path: str, width: int
) -> None:
    page, _ = visit(chromium, f"{server}pl/{path}")
    page.set_viewport_size({"width": width, "height": PHONE["height"]})
    page.goto(f"{server}pl/{path}", wait_until="networkidle")
    heights = page.evaluate("document.documentElement.scrollHeight")
    for _ in range(heights // PHONE["height"] + 1):
        page.mouse.wheel(0, PHONE["height"])
        page.wait_for_timeout(30)
    assert page.evaluate(SHIFTS) == []
    page.context.close()
