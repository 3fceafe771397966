"""One style sheet for the pages: the theme's two, as far as a page may use them, then the site's.

Each sheet of its own would be one more thing that a page waits for before it is painted, and most
rules of the theme are for what no page here has.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

SHEET: Final = "assets/styles.css"
THEME_SHEETS: Final = "assets/stylesheets"
"""Where the theme has its own, below its folder; each name holds a hash."""
THEME_ORDER: Final = ("main.*.min.css", "palette.*.min.css")

PARTS: Final = (
    "footnote", "highlight", "md-annotation", "md-banner", "md-code", "md-consent", "md-meta",
    "md-post", "md-source", "md-status", "md-tag", "md-tooltip", "md-version", "note", "success",
    "tabbed",
)  # fmt: skip
"""Parts of the theme that its script could make, but only out of something a page has."""

COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
WORD: Final = re.compile(r"[\w-]+")
TEXT: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
MARKUP: Final = re.compile(r'\s(?:class|data-md-color-\w+)="([^"]*)"')
PROPERTY: Final = re.compile(r"var\(\s*(--[\w-]+)")
NAMED: Final = re.compile(r"\.((?:[\w-]|\\.)+)|\[data-md-color-\w+=[\"']?([\w-]+)")
"""What a selector asks for by name: a class, or one of the theme's colours."""
SPACE: Final = re.compile(r"\s+")
CLOSE: Final = re.compile(r"\s*([{};])\s*")


class Rule(NamedTuple):
    """A rule as it stands in a sheet."""

    head: str
    body: str
    """What stands in its braces; empty for a statement without any."""


def write(site: Path, theme_folders: Iterable[str], own: Iterable[str]) -> None:
    """Write the sheet of a built site; ``own`` are its own sheets, below its root."""
    found = (path for pattern in THEME_ORDER for path in _found(theme_folders, pattern))
    names = names_in(site)
    theme = "".join(trimmed(COMMENT.sub("", _text(path)), names) for path in found)
    ours = "".join(compact(_text(site / name)) for name in own)
    (site / SHEET).write_text(f"{without_idle_properties(theme, ours)}{ours}\n", encoding="utf-8")


def _found(folders: Iterable[str], pattern: str) -> Iterator[Path]:
    for folder in folders:
        yield from Path(folder, THEME_SHEETS).glob(pattern)


def names_in(site: Path) -> set[str]:
    """The classes and colours of the pages, and every word of the scripts, which may set one.

    A class that is none of them stands nowhere.
    """
    markup = {found for page in site.rglob("*.html") for found in MARKUP.findall(_text(page))}
    scripts = (_text(script) for script in site.rglob("*.js"))
    stand = {word for text in markup for word in WORD.findall(text)}
    may_be_set = {word for text in scripts for word in WORD.findall(text)}
    return stand | {word for word in may_be_set if not word.startswith(PARTS)}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def trimmed(sheet: str, used: set[str]) -> str:
    """A sheet without the rules for classes that are not used.

    >>> trimmed("a.on,b.off{c:d}@media print{.off{e:f}}i:not(.off){g:h}", {"on"})
    'a.on{c:d}i:not(.off){g:h}'
    """
    return "".join(_kept(rule, used) for rule in rules(sheet))


def _kept(rule: Rule, used: set[str]) -> str:
    if not rule.body:
        return f"{rule.head};" if rule.head.startswith("@") else ""
    if rule.head.startswith(("@media", "@supports")):
        inner = trimmed(rule.body, used)
        return f"{rule.head}{{{inner}}}" if inner else ""
    if rule.head.startswith("@"):
        return f"{rule.head}{{{rule.body}}}"
    selectors = [one for one in _split(rule.head, ",") if _is_used(one, used)]
    return f"{','.join(selectors)}{{{rule.body}}}" if selectors else ""


def _is_used(selector: str, used: set[str]) -> bool:
    """Whether all that a selector asks for by name is there; brackets hold alternatives."""
    plain = selector
    while plain != (plain := re.sub(r"\([^()]*\)", "", plain)):
        pass
    named = (one or other for one, other in NAMED.findall(plain))
    return all(name.replace("\\", "") in used for name in named)


def without_idle_properties(sheet: str, others: str) -> str:
    """A sheet without the custom properties that neither it nor the other sheets ask for.

    >>> without_idle_properties(":root{--a:b;--c:url('d;e');f:var(--a)}", "")
    ':root{--a:b;f:var(--a)}'
    """
    wanted = set(PROPERTY.findall(sheet + others))
    return "".join(_with_properties(rule, wanted) for rule in rules(sheet))


def _with_properties(rule: Rule, wanted: set[str]) -> str:
    if not rule.body:
        return f"{rule.head};"
    if rule.head.startswith(("@media", "@supports")):
        inner = "".join(_with_properties(one, wanted) for one in rules(rule.body))
        return f"{rule.head}{{{inner}}}"
    kept = (one for one in _split(rule.body, ";") if _is_wanted(one, wanted))
    return f"{rule.head}{{{';'.join(kept)}}}"


def _is_wanted(declaration: str, wanted: set[str]) -> bool:
    name = declaration.partition(":")[0]
    return not name.startswith("--") or name in wanted


def rules(sheet: str) -> Iterator[Rule]:
    """The outermost rules of a sheet without comments, in order."""
    start = 0
    while start < len(sheet):
        head_end = _next(sheet, start, "{;")
        head = sheet[start:head_end].strip()
        if head_end < len(sheet) and sheet[head_end] == "{":
            end = _next(sheet, head_end + 1, "}")
            yield Rule(head, sheet[head_end + 1 : end])
            start = end + 1
        else:
            if head:
                yield Rule(head, "")
            start = head_end + 1


def _next(text: str, start: int, wanted: str) -> int:
    """Where one of these signs stands next, outside of texts, brackets and braces."""
    depth, at = 0, start
    while at < len(text):
        sign = text[at]
        if sign in "\"'" and (quoted := TEXT.match(text, at)):
            at = quoted.end()
            continue
        if depth == 0 and sign in wanted:
            return at
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        at += 1
    return len(text)


def _split(text: str, sign: str) -> Iterator[str]:
    start = 0
    while start <= len(text):
        end = _next(text, start, sign)
        yield text[start:end].strip()
        start = end + 1


def compact(sheet: str) -> str:
    """A sheet without comments, and without the spaces that only help to read it."""
    return CLOSE.sub(r"\1", SPACE.sub(" ", COMMENT.sub("", sheet))).strip()
