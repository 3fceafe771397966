"""What lets a reader keep the site as an app: a manifest a language, and the icons as pictures."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from halfmoon.picture import png

MANIFEST: Final = "manifest.webmanifest"
DRAWING: Final = "assets/icon.svg"
"""The icon over a whole square, with all that matters in the circle that every system shows."""
ICONS: Final = "assets/icons"
SIZES: Final = (192, 512)
"""In pixels."""
TOUCH_ICON: Final = f"{ICONS}/touch-icon.png"
TOUCH_SIZE: Final = 180
SQUARE: Final = 'rx="0"'
ROUNDED: Final = 'rx="100"'

NIGHT: Final = "#0b262a"
"""The page by night: a manifest has room for one mood, and pages themselves name both."""


class Shortcut(NamedTuple):
    """A page that the system offers beside the app's icon."""

    name: str
    url: str
    """Below the root of the site."""


class App(NamedTuple):
    """The site as an app in one language."""

    language: str
    folder: str
    """Where the language's pages are, below the root: empty, or with a slash at its end."""
    name: str
    description: str
    shortcuts: tuple[Shortcut, ...]


def write(site: Path, root: str, apps: Iterable[App]) -> None:
    """Write manifests and icons into a built site whose root has the path ``root`` on its host."""
    for app in apps:
        text = json.dumps(_manifest(app, root), ensure_ascii=False, indent=1)
        (site / app.folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    drawing = (site / DRAWING).read_text(encoding="utf-8")
    (site / ICONS).mkdir(exist_ok=True)
    for size in SIZES:
        (site / _icon("icon", size)).write_bytes(png(drawing.replace(SQUARE, ROUNDED), size))
        (site / _icon("maskable", size)).write_bytes(png(drawing, size))
    (site / TOUCH_ICON).write_bytes(png(drawing, TOUCH_SIZE))


def _icon(kind: str, size: int) -> str:
    return f"{ICONS}/{kind}-{size}.png"


def _manifest(app: App, root: str) -> dict[str, Any]:
    to_root = "../" if app.folder else "./"
    return {
        # The same in every language, so that it is one app, whichever page it came from.
        "id": root,
        "name": app.name,
        "short_name": app.name,
        "description": app.description,
        "lang": app.language,
        "dir": "ltr",
        "start_url": "./",
        "scope": to_root,
        "display": "standalone",
        "theme_color": NIGHT,
        "background_color": NIGHT,
        "categories": ["games"],
        "icons": list(_icons(to_root)),
        "shortcuts": [
            {"name": shortcut.name, "url": to_root + shortcut.url} for shortcut in app.shortcuts
        ],
    }


def _icons(to_root: str) -> Iterable[dict[str, str]]:
    for kind, purpose in (("icon", "any"), ("maskable", "maskable")):
        for size in SIZES:
            yield {
                "src": to_root + _icon(kind, size),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
