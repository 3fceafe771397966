"""The network between a page and the site, as a test wants it."""

import re

from playwright.sync_api import Page, Route


class Hold:
    """Keeps requests waiting until they are let go."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self._page, self._address = page, address
        self._routes: list[Route] = []
        self._open = False
        page.route(address, self._keep)

    def _keep(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self._routes.append(route)

    def release(self) -> None:
        self._open = True
        for route in self._routes:
            route.continue_()
        self._page.unroute(self._address)
