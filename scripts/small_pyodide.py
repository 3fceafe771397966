"""Pyodide's script and wasm file without what is there for packages that are linked in later.

The wasm file offers nearly ten thousand things to such packages. At every start Pyodide enters each
of them into a table, which takes longer than all the rest of its start; its own scripts use a few
hundred.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import wasm

#: How the script takes what is offered: var _name = Module["_name"] = wasmExports["name"].
TAKEN: Final = re.compile(r'var ([\w$]+)=(?:Module\["[\w$]+"\]=)?wasmExports\["([^"]+)"\];')
WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")


class Small(NamedTuple):
    """What is left of Pyodide's two large files."""

    script: str
    binary: bytes


def made_small(script: str, loader: str, binary: bytes) -> Small:
    """The script and the wasm file with only what the script or the loader names somewhere."""
    rest = TAKEN.sub("", script)
    words = {*WORD.findall(rest), *WORD.findall(loader)}
    kept = TAKEN.sub(lambda taken: taken[0] if words & {*taken.groups()} else "", script)
    return Small(kept, wasm.with_exports(binary, {*WORD.findall(kept)}))
