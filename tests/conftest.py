"""Settings and things made once that tests share."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from _environment import BROWSER_FLAGS, find_browser
from _server import SiteServer

ROOT = Path(__file__).resolve().parent.parent

# A slow machine is no failure, and CI must not fail on luck: it repeats the same examples.
settings.register_profile("project", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("project")


@pytest.fixture(scope="session")
def site() -> Path:
    """The whole site, built once; scripts/build does nothing where it is up to date."""
    subprocess.run([sys.executable, ROOT / "scripts" / "build"], check=True)
    return ROOT / "site"


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    """The address of the site, served as scripts/serve does, with the slash at its end."""
    with SiteServer(site) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.address
        running.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; give each test a context of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=list(BROWSER_FLAGS)
        )
        yield browser
        browser.close()
