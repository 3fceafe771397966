"""Texts kept beside the tests, which change on purpose only.

After a wanted change, look at what differs, write the files anew and look at them in the diff:

    UPDATE_SNAPSHOTS=1 scripts/test
"""

import os
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
PLAYTHROUGHS: Final = HERE / "playthroughs"
SNAPSHOTS: Final = HERE / "snapshots"


def assert_unchanged(path: Path, text: str) -> None:
    """The file holds just this text; with UPDATE_SNAPSHOTS set it is made to."""
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == kept, f"{path.relative_to(HERE.parent)} differs; see tests/snapshot.py"
