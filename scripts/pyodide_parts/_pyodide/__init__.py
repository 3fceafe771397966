"""What Pyodide's scripts look up first, and nothing more."""

from . import _base, _importhook

__all__ = ["_base", "_importhook", "set_excepthook"]


def set_excepthook() -> None:
    """Leave Python's own way of telling an uncaught error."""
