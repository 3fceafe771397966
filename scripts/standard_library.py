"""Which modules of Python's standard library the browser gets: those that are used there.

What the engine uses is found by going every way through it. What Pyodide's own start asks for,
and what Python imports only when something has gone wrong, no run of the engine shows.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from _environment import BUILD, ROOT, Missing

ENGINE: Final = ROOT / "engine"
PATHS: Final = ROOT / "scripts" / "engine_paths.py"
PARTS: Final = ROOT / "scripts" / "pyodide_parts"
"""Pyodide's own Python, made small: see the README there."""

AT_START: Final = """
    _colorize contextlib copyreg encodings encodings.aliases encodings.utf_8 enum functools
    importlib keyword linecache operator re reprlib textwrap traceback types typing warnings
    _pyodide._future_helper
""".split()
"""What Pyodide imports before the engine."""

FOR_SAFETY: Final = """
    ast bisect copy encodings.ascii encodings.cp437 encodings.latin_1 encodings.utf_16 heapq
    importlib.machinery importlib.util locale string struct token tokenize weakref
""".split()
"""What Python imports when it tells an error, or decodes what it has not met before."""

FROZEN: Final = """
    _collections_abc _sitebuiltins abc codecs genericpath importlib._bootstrap
    importlib._bootstrap_external io ntpath os posixpath site stat zipimport
""".split()
"""What the wasm file holds as well, and what is taken from there."""

NOT_PLAYED: Final = {"halfmoon/cli.py", "halfmoon/__main__.py"}
"""The engine's command, for which there is no place in a browser."""


def wanted_modules() -> set[str]:
    """The names of all modules the browser should be able to import, the engine's left out."""
    names = {*_used_by_the_engine(), *AT_START, *FOR_SAFETY}
    packages = {name.rpartition(".")[0] for name in names} - {""}
    return (names | packages) - {*FROZEN}


def collect(published: Path, target: Path) -> None:
    """Put the library that is wanted, our parts of Pyodide and the engine into one zip of source.

    Raises Missing when a module that something needs is not in the published library.
    """
    files = {name: path.read_bytes() for name, path in _own_files()}
    with zipfile.ZipFile(published) as library:
        there = {*library.namelist()}
        for name in _files_of(wanted_modules(), there):
            files.setdefault(name, library.read(name))
        _check(there)
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files):
            archive.writestr(name, files[name])


def _used_by_the_engine() -> set[str]:
    """Asked of a Python that has the standard library and nothing else."""
    command = [sys.executable, "-I", "-S", str(PATHS), str(ENGINE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        log = BUILD / "logs" / "engine-paths.txt"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stderr, encoding="utf-8")
        raise Missing(
            "The engine stopped while its paths were tried. "
            f"What it said is in {log.relative_to(ROOT)}."
        )
    names = set(done.stdout.split())
    return {name for name in names if name.partition(".")[0] in sys.stdlib_module_names}


def _files_of(modules: Iterable[str], there: set[str]) -> Iterator[str]:
    """The files of these modules; those without one are written in C and part of the wasm file."""
    for module in sorted(modules):
        path = module.replace(".", "/")
        yield from ({f"{path}.py", f"{path}/__init__.py"} & there)


def _check(there: set[str]) -> None:
    """What is named above by hand has to exist, and may be forgotten when Python changes."""
    by_hand = {*AT_START, *FOR_SAFETY}
    found = {name for name in by_hand if any(_files_of([name], there))}
    if unknown := by_hand - found:
        raise Missing(f"Pyodide's library has no {', '.join(sorted(unknown))}; see {__name__}.py.")


def _own_files() -> Iterator[tuple[str, Path]]:
    """Our parts of Pyodide and the engine with its compiled catalogs, by their names in the zip."""
    for folder, inside in ((PARTS, PARTS), (ENGINE, ENGINE / "halfmoon")):
        for path in sorted(inside.rglob("*")):
            if path.suffix in {".py", ".mo"} and "__pycache__" not in path.parts:
                name = path.relative_to(folder).as_posix()
                if name not in NOT_PLAYED:
                    yield name, path
