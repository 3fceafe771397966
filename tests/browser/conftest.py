"""Browsers for the tests of the site: quiet by default, each test with a context of its own."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from browser.table import Table

# The engine has to start on a machine that does other things too.
expect.set_options(timeout=60_000)


class Visitor:
    """Opens pages, and remembers what no page may do: complain, or ask another host."""

    def __init__(self, chromium: Browser, server: str) -> None:
        self._chromium = chromium
        self._contexts: list[BrowserContext] = []
        self.server = server
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.may_complain = False
        """For tests that break something on purpose."""

    def page(self, **options: Any) -> Page:
        """An empty page; the options are those of a browser context."""
        context = self._chromium.new_context(**options)
        context.set_default_timeout(60_000)
        context.on("console", self._listen)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", lambda request: self._note(request.url))
        self._contexts.append(context)
        return context.new_page()

    def table(self, language: str = "en", **options: Any) -> Table:
        """A play page in a language, not opened yet."""
        return Table(self.page(**options), self.server, language)

    def leave(self) -> None:
        for context in self._contexts:
            context.close()

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _note(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https") and not url.startswith(self.server):
            self.strangers.append(url)


@pytest.fixture
def visitor(server: str, chromium: Browser) -> Iterator[Visitor]:
    """A visitor; the test fails if a page complains in the console or asks another host."""
    visitor = Visitor(chromium, server)
    yield visitor
    visitor.leave()
    assert visitor.strangers == []
    assert visitor.may_complain or visitor.complaints == []
