"""What a browser keeps of the site for times without a network: the list, and who keeps it.

The service worker is scripts/service_worker.js with the list of files put before it. It answers
from what is kept, so a site that was rebuilt is offered by a notice on the page (or shown at once
by a reload with Shift, which asks past it); that is so under scripts/serve as anywhere.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import site_files

SOURCE: Final = Path(__file__).with_name("service_worker.js")
WORKER: Final = "service-worker.js"
INDEX: Final = "index.html"
HASH_LENGTH: Final = 16
"""In hexadecimal digits; the service worker compares as many."""

LEFT_OUT: Final = ("assets/previews/", "runtime/manifest.json", "sitemap.xml", WORKER)
"""What only other hosts ask for, what a script holds too, and what the browser keeps itself."""
LEFT_OUT_ENDINGS: Final = (".br", ".gz", ".map", "LICENSES.txt")
"""What a browser gets in place of another file, and what no page shows."""


def kept_files(site: Path) -> dict[str, str]:
    """The addresses of all files that a reader may need, below the root, with their hashes."""
    names = (path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    return {_address(name): _hash(site / name) for name in sorted(names) if _is_kept(name)}


def write(site: Path, languages: Iterable[str]) -> None:
    """Write the service worker of a built site whose other languages stand in these folders."""
    known = {"files": kept_files(site), "languages": [f"{name}/" for name in languages]}
    (site / WORKER).write_text(site_files.told("SITE", known, SOURCE), encoding="utf-8")


def _is_kept(name: str) -> bool:
    return not name.startswith(LEFT_OUT) and not name.endswith(LEFT_OUT_ENDINGS)


def _address(name: str) -> str:
    folder = name.removesuffix(INDEX)
    return quote(folder if folder == "" or folder.endswith("/") else name)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_LENGTH]
