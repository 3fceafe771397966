"""JavaScript objects by name. They are kept, not imported: no Python here calls JavaScript."""

from typing import Any

modules: dict[str, Any] = {}


def register_js_module(name: str, jsproxy: Any) -> None:
    """Keep an object, by the name that Python would import it under."""
    modules[name] = jsproxy


def unregister_js_module(name: str) -> None:
    """Forget an object. Raises KeyError."""
    del modules[name]


def register_js_finder() -> None:
    """Nothing: names of JavaScript are not looked for when Python imports."""


def register_windows_finder() -> None:
    """Nothing: there are no Windows paths in a browser."""


def register_module_not_found_hook(packages: Any, unvendored: Any) -> None:
    """Nothing: there is no package to offer for a module that is missing."""


def add_note_to_module_not_found_error(error: ModuleNotFoundError) -> None:
    """Nothing: Python's own sentence names the module, and there is nothing to install."""
