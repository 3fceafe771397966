"""The scripts of the pages: each in one file with all that it imports, without comments.

A page would otherwise ask for eleven small files, which takes longer than to read them.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Final

ESBUILD: Final = Path(__file__).parent.parent / "node_modules" / ".bin" / "esbuild"
ENTRIES: Final = ("embed", "inline", "maker", "page", "play")
"""What pages ask for, and what a page loads when somebody wants to play in it."""
OPTIONS: Final = (
    "--bundle",
    "--format=esm",
    "--minify-whitespace",
    "--minify-syntax",
    "--target=es2022",
    "--external:./inline.js",
    "--allow-overwrite",
    "--outdir=.",
    "--log-level=error",
)


class BundlingMistake(ValueError):
    """A script that cannot be read, or asks for one that is not there."""


def write(assets: Path) -> None:
    """Put the bundles in the place of the scripts, and take away what is now in them only."""
    entries = [f"{name}.js" for name in ENTRIES]
    with tempfile.TemporaryDirectory() as scratch:
        told = Path(scratch, "inputs.json")
        command = [str(ESBUILD), *entries, *OPTIONS, f"--metafile={told}"]
        done = subprocess.run(
            command, cwd=assets, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            raise BundlingMistake(f"the scripts could not be bundled: {done.stderr.strip()}")
        inputs = json.loads(told.read_text(encoding="utf-8"))["inputs"]
    for name in set(inputs) - set(entries):
        (assets / name).unlink()
