"""Pyodide's script and wasm file without what the engine has no use for.

The script carries whole libraries for graphics and sound, and most of it is there for packages that
are linked in later. The wasm file offers such packages nearly ten thousand things. At every start
the one is read, and each of the other is entered into a table, which takes longer than all the
rest of the start.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

import wasm
from _environment import Missing
from wasm_format import Module

REACHED: Final = Path(__file__).with_name("reached.mjs")
WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
#: From here come the addresses of functions for graphics, none of which is there for Python: who
#: starts the wasm file puts in their place what is no address.
ADDRESSES: Final = "GOT.func"
#: How Pyodide finishes its start, with a kept memory (its first argument) or without.
FINISH: Final = re.compile(
    r"(API\.finalizeBootstrap=function\((\w+),\w+\)\{)\2&&(\w+\(\));"
    r'(let\[\w+,\w+\]=)(API\.rawRun\("import _pyodide_core"\))'
)
#: With a kept memory, that line has been run already. But it does not know whether this browser's
#: wasm can tell how many arguments a function takes; otherwise JavaScript is in on each such call.
RESUME: Final = r'\1\2&&(_PyEM_InitTrampoline_js(),\3);\4\2?[0,""]:\5'
#: What mentions the file systems that nobody mounts, the browser's canvas and sound, a keyboard.
UNUSED: Final = {
    "{MEMFS,IDBFS,NODEFS,WORKERFS,PROXYFS}": "{MEMFS}",
    'Module["NODEFS"]=NODEFS;': "",
    "if(ENVIRONMENT_IS_NODE){NODEFS.staticInit()}": "",
    "IDBFS.quit();": "",
    'if(typeof Browser!="undefined")Browser.init();': "",
    "registerPostMainLoop(()=>SDL.audio?.queueNewAudioData?.());": "",
    # To wait in until somebody types. Chromium warns of shared memory on a page like ours, and to
    # say where that was, it reads all of the script once more.
    "new Int32Array(new WebAssembly.Memory({shared:!0,initial:1,maximum:1}).buffer)": "null",
}
#: How text goes from Python to JavaScript: letter by letter, and by thousands instead. A reply has
#: 40,000 letters.
COPIED: Final = re.compile(
    r"for\(let i=0;i<len;\+\+i\)\{jsstr\+=String\.fromCharCode\("
    r"(HEAPU(?:8|16))\[(ptr|\(ptr>>1\))\+i>>>0\]\)\}"
)
BY_THOUSANDS: Final = (
    r"for(let i=0;i<len;i+=8192){jsstr+=String.fromCharCode.apply(null,"
    r"\1.subarray(\2+i>>>0,\2+Math.min(i+8192,len)>>>0))}"
)


class Small(NamedTuple):
    """What is left of Pyodide's two large files."""

    script: str
    binary: bytes


def made_small(script: str, loader: str, binary: bytes) -> Small:
    """What of the script can be reached, and the wasm file with what this names somewhere."""
    imports = Module(binary).imports
    imported = [one.name for one in imports if one.source != ADDRESSES]
    kept = reached(_copying(_resuming(_without_unused(script))), loader, imported)
    return Small(kept, wasm.with_exports(binary, {*WORD.findall(kept)}))


def reached(script: str, loader: str, imported: Collection[str]) -> str:
    """The script without what neither it nor the loader nor the imports of the wasm file reach."""
    told = json.dumps({"script": script, "loader": loader, "imported": [*imported]})
    done = subprocess.run(
        ["node", REACHED], input=told, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise Missing(f"Pyodide's script could not be made small: {done.stderr.strip()}.")
    return done.stdout


def _without_unused(script: str) -> str:
    for text, instead in UNUSED.items():
        if (count := script.count(text)) != 1:
            raise Missing(
                f"Pyodide's script holds {text} {count} times, not once. "
                "Look how it has changed, then set UNUSED in scripts/small_pyodide.py to match."
            )
        script = script.replace(text, instead)
    return script


def _copying(script: str) -> str:
    copying, found = COPIED.subn(BY_THOUSANDS, script)
    if found != 2:
        raise Missing("Pyodide copies text in another way. Look at it in scripts/small_pyodide.py.")
    return copying


def _resuming(script: str) -> str:
    resuming, found = FINISH.subn(RESUME, script)
    if found != 1:
        raise Missing("Pyodide's start has changed. Compare it with scripts/small_pyodide.py.")
    return resuming
