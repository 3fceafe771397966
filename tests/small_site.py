"""A site of two pages, to be broken in one place: what stops a build has to stop this one."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from babel.messages import plurals
from babel.messages.catalog import Catalog, Message

import catalogs

ROOT: Final = Path(__file__).resolve().parent.parent
CODE: Final = "HM1-N-AAAAAAB"

HOME: Final = f"""\
---
title: A small site
description: It has a page and a game.
game: half_moon
---
# {{% trans %}}A small site{{% endtrans %}}

{{% trans sum=game.pair_sum %}}Pairs make {{{{ sum }}}}.{{% endtrans %}}

{{% trans count=game.piles %}}one pile{{% pluralize %}}{{{{ count }}}} piles{{% endtrans %}}

{{{{ diagram("{CODE}", "1-8", next="8-5-3", caption=_("After the first move")) }}}}
"""
PLAY: Final = """\
---
title: Play the small game
description: The place where a game would be.
---
# {% trans %}Play{% endtrans %}
"""
NAV: Final = "nav:\n  - index.md\n  - Games:\n      - half-moon/play.md\n"


class SmallSite:
    """A project with its own pages and catalogs, and the real hooks and templates."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("_templates", "overrides", "assets"):
            shutil.copytree(ROOT / "docs" / name, root / "docs" / name)
        settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        settings = re.sub(r"^nav:\n(?: .*\n)+", NAV, settings, flags=re.MULTILINE)
        settings = settings.replace("scripts/hooks.py", str(ROOT / "scripts" / "hooks.py"))
        self.write("mkdocs.yml", settings)
        self.write("docs/index.md", HOME)
        self.write("docs/half-moon/play.md", PLAY)
        self.translate()

    def write(self, path: str, text: str) -> None:
        """Put a file in its place."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def change(self, path: str, old: str, new: str) -> None:
        """Replace a piece of text that is really there."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text, f"{path} does not say {old}"
        self.write(path, text.replace(old, new))

    def add(self, text: str) -> None:
        """Say something more on the first page, and translate it."""
        self.write("docs/index.md", f"{HOME}\n{text}\n")
        self.translate()

    def catalog(self, language: str) -> str:
        """Where a language's catalog is, below the project."""
        return catalogs.PAGES.path(self.root, language).relative_to(self.root).as_posix()

    def translate(self) -> None:
        """Fill every catalog with words that are sure to pass."""
        for language in catalogs.TRANSLATED:
            catalog = pseudo_translation(catalogs.PAGES.template(self.root), language)
            self.write(self.catalog(language), catalogs.as_text(catalog, language))

    def build(self, *, reading_only: bool = True) -> subprocess.CompletedProcess[str]:
        """Run the build as scripts/build does."""
        environment = {
            **os.environ,
            "NO_COLOR": "1",
            "NO_MKDOCS_2_WARNING": "1",
            "HALFMOON_WITHOUT_RUNTIME": str(int(reading_only)),
        }
        return subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict"],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def failure(self) -> str:
        """Why the build fails, which it must."""
        done = self.build()
        assert done.returncode, "the build went through"
        assert "Traceback" not in done.stderr
        lines = done.stderr.splitlines()
        return "\n".join(line for line in lines if not line.startswith("INFO"))


def pseudo_translation(template: Catalog, language: str) -> Catalog:
    """A catalog in which everything is translated, after a fashion."""
    catalog, _ = catalogs.updated(template, None)
    forms = plurals.get_plural(language).num_plurals
    for message in catalog:
        if message.id:
            message.string = _pseudo(message, language, forms)
    return catalog


def _pseudo(message: Message, language: str, forms: int) -> str | tuple[str, ...]:
    if isinstance(message.id, str):
        return f"{message.id} {language}"
    return (f"{message.id[1]} {language}",) * forms
