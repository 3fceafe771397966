"""Files compressed beforehand, beside themselves: better than a server could in passing.

The same bytes give the same bytes. What has been compressed once is kept in build/compressed by
its content, since the best compression of the wasm file alone takes half a minute.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Final

from _environment import BUILD

ENDINGS: Final = (".br", ".gz")
KEPT: Final = BUILD / "compressed"
#: What shrinks. Pictures and fonts are compressed as they come.
TEXTS: Final = frozenset(
    ".bin .css .html .js .json .map .mjs .svg .txt .wasm .webmanifest .xml .zip".split()
)
#: In bytes; below it an answer's head is longer than what would be saved.
SMALLEST: Final = 400
BEST: Final = 11
#: A tenth of the time of the best, for a few parts in a hundred more bytes.
QUICK: Final = 9


def compress_folder(folder: Path, *, best: Collection[str] = ()) -> None:
    """Put a .br and a .gz beside every file below a folder that gets smaller by it.

    The files with the names in ``best`` get the best compression there is, which takes its time.
    """
    files = [path for path in sorted(folder.rglob("*")) if _worth(path)]
    # The largest first, so that the last to finish is a short one. Both compressors run outside
    # of Python's lock.
    files.sort(key=lambda path: path.stat().st_size, reverse=True)
    with ThreadPoolExecutor(os.process_cpu_count() or 1) as pool:
        for _ in pool.map(
            lambda path: _compress(path, BEST if path.name in best else QUICK), files
        ):
            pass


def forms_of(names: Iterable[str]) -> set[str]:
    """The names of the compressed forms that may lie beside these files."""
    return {name + ending for name in names for ending in ENDINGS}


def _worth(path: Path) -> bool:
    if path.suffix not in TEXTS or not path.is_file() or path.stat().st_size < SMALLEST:
        return False
    # The runtime comes compressed; the name of its folder says what is in it.
    return not all(path.with_name(path.name + ending).is_file() for ending in ENDINGS)


def _compress(path: Path, quality: int) -> None:
    content = path.read_bytes()
    for ending, compressed in (
        (".br", _kept(content, quality)),
        (".gz", gzip.compress(content, 9 if quality == BEST else 6, mtime=0)),
    ):
        if len(compressed) < len(content):
            path.with_name(path.name + ending).write_bytes(compressed)


def _kept(content: bytes, quality: int) -> bytes:
    """The content as brotli; what the best compression made is remembered."""
    if quality < BEST:
        return _brotli(content, quality)
    version = metadata.version("brotli")
    key = hashlib.sha256(f"{version} {quality}".encode() + content).hexdigest()
    kept = KEPT / key
    if not kept.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(_brotli(content, quality))
        fresh.replace(kept)
    return kept.read_bytes()


def _brotli(content: bytes, quality: int) -> bytes:
    # Not above: the scripts start with a Python that does not have it yet.
    import brotli  # type: ignore[import-untyped]

    compressed: bytes = brotli.compress(content, quality=quality, lgwin=24)
    return compressed
