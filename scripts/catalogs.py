"""The message catalogs: whether everything is translated, and what their files should hold.

Two domains. ``pages`` is the prose: the Markdown sources, the page templates, the changed theme
templates and a few strings of ``mkdocs.yml``. ``engine`` is what the game itself says. Both are
read straight from their sources, so no template file has to be kept in step.
"""

import gettext
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages import mofile, plurals, pofile
from babel.messages.catalog import Catalog, Message

from halfmoon.languages import LANGUAGES
from sources import CatalogMistake, Found, find_in_engine, find_in_pages, front_matter

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE_LANGUAGE: Final = LANGUAGES[0]
"""Needs no catalog: its text is the key of the others."""
TRANSLATED: Final = tuple(LANGUAGES[1:])
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)[sd]|(?<!\{)\{([\w.]+)\}(?!\})")
NOT_PROSE: Final = re.compile(
    r"`[^`]*`|\]\([^)]*\)|<[^>]*>|%\(\w+\)[sd]|\{[^}]*\}|https?://\S+"  # code, targets, markup
)
TYPED_NUMBER: Final = re.compile(r"(?<![\w.,])\d+(?:[.,\u00a0\u202f]\d+)*(?!\w)")

HEADER: Final = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals={count}; plural={expression};\\n"

"""


class MissingTranslation(LookupError):
    """A text that a page asks for and its language's catalog does not have."""


class Problem(NamedTuple):
    """One thing that is wrong with a message, and where to mend it."""

    file: str
    line: int
    what: str
    msgid: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}: “{_shortened(self.msgid)}”"


class Domain(NamedTuple):
    """A set of messages with one catalog a language."""

    name: str
    folder: str
    """Where its catalogs lie, below the project."""
    file: str
    """The catalogs' file name without its ending."""
    find: Callable[[Path], Iterable[Found]]
    compiled: bool
    """Whether the compiled form is kept beside the catalog."""

    def path(self, root: Path, language: str) -> Path:
        """The catalog of a language."""
        return root / self.folder / language / "LC_MESSAGES" / f"{self.file}.po"

    def template(self, root: Path) -> Catalog:
        """All messages of the sources, untranslated, in the order of the sources."""
        template = Catalog()
        for found in self.find(root):
            template.add(
                found.msgid,
                locations=[(found.file, found.line)],
                auto_comments=found.notes,
                context=found.context,
            )
        return template


PAGES: Final = Domain("pages", "docs/locale", "pages", find_in_pages, compiled=False)
ENGINE: Final = Domain(
    "engine", "engine/halfmoon/locale", "halfmoon", find_in_engine, compiled=True
)
DOMAINS: Final = (PAGES, ENGINE)


# What the catalogs say


def read(path: Path, language: str) -> Catalog:
    """A catalog as it stands. Raises ``CatalogMistake`` where it cannot be read."""
    if not path.exists():
        raise CatalogMistake(f"{path}:1: there is no such catalog; run scripts/messages")
    try:
        with path.open("rb") as source:
            return pofile.read_po(source, locale=language, abort_invalid=True)
    except (pofile.PoFileError, ValueError) as error:
        raise CatalogMistake(f"{path}:{getattr(error, 'lineno', 1)}: {error}") from error


def check(domain: Domain, root: Path = ROOT) -> list[Problem]:
    """Everything that is wrong with a domain's sources and catalogs, in reading order."""
    template = domain.template(root)
    problems = list(_typed_numbers(template, root)) if domain is PAGES else []
    for language in TRANSLATED:
        path = domain.path(root, language)
        name = path.relative_to(root).as_posix()
        problems += problems_of(template, read(path, language), name, language)
    return problems


def problems_of(template: Catalog, catalog: Catalog, file: str, language: str) -> Iterator[Problem]:
    """What is wrong with one language's catalog, measured against the sources."""
    yield from _header_problems(catalog, file, language)
    for message in _messages(template):
        if _same(catalog, message) is None:
            where, line = message.locations[0]
            yield Problem(where, line, f"missing translation [{language}]", _text(message))
    for message in _messages(catalog):
        source = _same(template, message)
        if source is None:
            yield Problem(file, message.lineno or 1, "no source says this", _text(message))
        else:
            yield from _message_problems(source, message, file, language)
    for message in catalog.obsolete.values():
        yield Problem(file, message.lineno or 1, "obsolete entry", _text(message))


def _header_problems(catalog: Catalog, file: str, language: str) -> Iterator[Problem]:
    expected = plurals.get_plural(language)
    if (catalog.num_plurals, catalog.plural_expr) != (expected.num_plurals, expected.plural_expr):
        what = f"wrong Plural-Forms, expected nplurals={expected.num_plurals}"
        yield Problem(file, 1, what, f"plural={expected.plural_expr}")


def _message_problems(
    source: Message, message: Message, file: str, language: str
) -> Iterator[Problem]:
    def problem(what: str) -> Problem:
        return Problem(file, message.lineno or 1, f"{what} [{language}]", _text(message))

    if message.fuzzy:
        yield problem("fuzzy translation")
    if source.pluralizable != message.pluralizable:
        yield problem("plural forms where the source has none, or none where it has")
        return
    forms = [form for form in _forms(message) if form.strip()]
    expected = plurals.get_plural(language).num_plurals if message.pluralizable else 1
    if not forms:
        yield problem("missing translation")
        return
    if len(forms) != expected:
        yield problem(f"wrong number of plural forms, {len(forms)} instead of {expected}")
        return
    if not _placeholders_agree(source, forms):
        yield problem("placeholders differ")
    strays = set(_numbers_in(*forms)) - set(_numbers_in(*_source_forms(source)))
    if strays:
        yield problem(f"number typed into the translation, {', '.join(sorted(strays))}")


def _placeholders_agree(source: Message, forms: list[str]) -> bool:
    """The same names everywhere; a form for one thing alone may drop what its source drops."""
    *singular, general = [_placeholders(text) for text in _source_forms(source)]
    first, *others = [_placeholders(form) for form in forms]
    if any(names != general for names in others):
        return False
    return first == general or (bool(others) and first in singular)


def _placeholders(text: str) -> frozenset[str]:
    without_signs = text.replace("%%", "")
    names = {one or other for one, other in PLACEHOLDER.findall(without_signs)}
    return frozenset(names) | ({"%"} if "%" in PLACEHOLDER.sub("", without_signs) else frozenset())


def _typed_numbers(template: Catalog, root: Path) -> Iterator[Problem]:
    """Numbers that stand in the prose instead of being asked from the engine.

    Those that are no fact of a game (a standard's number, a year) a page lists in its front
    matter under ``numbers``.
    """
    allowed: dict[str, set[str]] = {}
    for message in _messages(template):
        for file, line in message.locations:
            if file not in allowed:
                text = (root / file).read_text(encoding="utf-8")
                allowed[file] = {str(number) for number in front_matter(text).get("numbers", ())}
            strays = set(_numbers_in(*_source_forms(message))) - allowed[file]
            if strays:
                what = f"number typed into the prose, {', '.join(sorted(strays))} (see numbers:)"
                yield Problem(file, line, what, _text(message))


def _numbers_in(*texts: str) -> list[str]:
    return [number for text in texts for number in TYPED_NUMBER.findall(NOT_PROSE.sub(" ", text))]


def _messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def _same(catalog: Catalog, message: Message) -> Message | None:
    return catalog.get(message.id, message.context)


def _text(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _source_forms(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def _shortened(text: str, most: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


# Writing them


def updated(template: Catalog, old: Catalog | None) -> tuple[Catalog, list[str]]:
    """The template filled with the translations there are, and the messages that were dropped.

    Nothing is guessed: a changed text is a new text, and starts out untranslated.
    """
    new = Catalog(locale=old.locale if old else None)
    for message in _messages(template):
        kept = _same(old, message) if old else None
        keep = kept is not None and kept.pluralizable == message.pluralizable
        new.add(
            message.id,
            kept.string if kept and keep else None,
            locations=sorted({(file, 0) for file, _ in message.locations}),
            flags=message.flags,
            auto_comments=message.auto_comments,
            user_comments=kept.user_comments if kept and keep else (),
            context=message.context,
        )
    dropped = [_text(message) for message in _messages(old or Catalog()) if not _same(new, message)]
    return new, dropped


def as_text(catalog: Catalog, language: str) -> str:
    """A catalog as its file holds it: no dates and no line numbers, so that it changes rarely."""
    rule = plurals.get_plural(language)
    target = io.BytesIO()
    catalog.locale = language
    pofile.write_po(target, catalog, omit_header=True, include_lineno=False, width=98)
    header = HEADER.format(language=language, count=rule.num_plurals, expression=rule.plural_expr)
    return header + target.getvalue().decode().strip("\n") + "\n"


def as_compiled(catalog: Catalog, language: str) -> bytes:
    """A catalog as gettext reads it; the same bytes for the same messages."""
    compact = _Undated(locale=language, fuzzy=False)
    for message in _messages(catalog):
        compact.add(message.id, message.string, context=message.context)
    target = io.BytesIO()
    mofile.write_mo(target, compact)
    return target.getvalue()


class _Undated(Catalog):
    """A catalog whose header says only what gettext needs."""

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        """The character set, and the rule that picks a plural form."""
        return [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Plural-Forms", self.plural_forms),
        ]


def in_step(root: Path = ROOT) -> tuple[dict[Path, bytes], list[str]]:
    """What every catalog file should hold, and the messages that go, each with its catalog."""
    files: dict[Path, bytes] = {}
    dropped: list[str] = []
    for domain in DOMAINS:
        template = domain.template(root)
        for language in TRANSLATED:
            path = domain.path(root, language)
            catalog, gone = updated(template, read(path, language) if path.exists() else None)
            files[path] = as_text(catalog, language).encode()
            if domain.compiled:
                files[path.with_suffix(".mo")] = as_compiled(catalog, language)
            dropped += [f"{path.relative_to(root)}: “{_shortened(text)}”" for text in gone]
    return files, dropped


def stale(files: Mapping[Path, bytes]) -> list[Path]:
    """The files that do not hold what they should."""
    return [
        path
        for path, content in files.items()
        if not path.is_file() or path.read_bytes() != content
    ]


def write(files: Mapping[Path, bytes]) -> None:
    """Write the files that do not hold what they should."""
    for path in stale(files):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[path])


# Using them


class _Strict(gettext.NullTranslations):
    """Stands behind a catalog: whoever gets here asked for a text it does not have."""

    def gettext(self, message: str) -> str:
        raise MissingTranslation(f"missing translation: “{_shortened(message)}”")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)


def page_translations(language: str, root: Path = ROOT) -> gettext.NullTranslations:
    """The prose in one language; a text that is not there raises ``MissingTranslation``."""
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    catalog = read(PAGES.path(root, language), language)
    translations = gettext.GNUTranslations(io.BytesIO(as_compiled(catalog, language)))
    translations.add_fallback(_Strict())
    return translations
