"""Holds what a memory snapshot of Pyodide has to find, in the order it has to find it in."""

from _pyodide._importhook import modules

__version__ = "0.29.5"

_page = modules["pyodide_js"]
_kept = [_page._api, _page._api.scheduleCallback, _page._api, _page.loadedPackages]
