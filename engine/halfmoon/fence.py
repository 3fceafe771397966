"""Diagrams in pages that MkDocs, or Markdown with pymdownx.superfences, makes: a fence ``deal``.

A fence holds a code and moves on its first line, and a caption below them if there is one::

    ```deal lang="pl"
    HM1-N-AAAAAAB 1-8
    Po pierwszym ruchu
    ```

It is switched on in ``mkdocs.yml``::

    markdown_extensions:
      - pymdownx.superfences:
          custom_fences:
            - name: deal
              class: deal
              validator: !!python/name:halfmoon.fence.validator
              format: !!python/name:halfmoon.fence.figure
"""

from collections.abc import Mapping, MutableMapping
from html import escape
from importlib import import_module
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from halfmoon import diagram, notation, words
from halfmoon.diagram import Marks
from halfmoon.languages import SOURCE_LANGUAGE, Translator, translator
from halfmoon.mistake import Mistake, shown
from halfmoon.notation import Record

HOST: Final = "pymdownx.superfences"
HOST_MISTAKE: Final = "SuperFencesException"
"""The only error that the extension passes on; after any other it would show the fence as code."""


class FenceMistake(Mistake):
    """A fence that is not written as it should be."""


class Options(NamedTuple):
    """What may stand behind the fence's name, as ``lang="pl"``."""

    lang: str = SOURCE_LANGUAGE
    """The language of the alternative text and of the letters on the cards."""
    indices: str = "local"
    """Which letters the cards carry: a key of ``words.INDICES``."""
    layout: str = diagram.WIDE
    """One of the game's layouts."""
    next: str = ""
    """A move to come, whose cards are marked."""
    play: str = ""
    """The address of a play page for the game, to which the code then links."""


def figure(
    source: str,
    language: str = "deal",
    css_class: str = "deal",
    options: Mapping[str, Any] | None = None,
    md: object = None,
    **more: Any,
) -> str:
    """A fence as a ``<figure>``: a picture with its alternative text, the code, a caption.

    The picture is an ``<img>`` with the drawing in its address, so that a page needs no other file,
    and the styles of neither reach the other.

    >>> html = figure("HM1-N-AAAAAAB 1-8")
    >>> html[:20], html.count("5 of spades")
    ('<figure class="deal"', 1)

    Raises ``Mistake``, inside superfences its own error, with the reason.
    """
    try:
        return _figure(source, css_class, _options(options or {}))
    except Mistake as mistake:
        raise _passed_on(mistake) from mistake


def validator(
    language: str,
    inputs: Mapping[str, str],
    options: MutableMapping[str, Any],
    attrs: MutableMapping[str, Any],
    md: object,
) -> bool:
    """Take the fence's options over, so that a wrong one is told and not overlooked."""
    try:
        options.update(_options(inputs)._asdict())
    except Mistake as mistake:
        raise _passed_on(mistake) from mistake
    return True


def _options(inputs: Mapping[str, Any]) -> Options:
    unknown = [name for name in inputs if name not in Options._fields]
    if unknown:
        raise FenceMistake(
            "A fence for a deal has no option “{name}”. Its options are: {names}.",
            name=shown(unknown[0]),
            names=", ".join(Options._fields),
        )
    return Options(**{name: str(value) for name, value in inputs.items()})


def _passed_on(mistake: Mistake) -> Exception:
    """The mistake as the host passes it on; it is at hand where the host is at work."""
    try:
        kind: type[Exception] = getattr(import_module(HOST), HOST_MISTAKE)
    except ImportError:
        return mistake
    return kind(f"halfmoon: {mistake}")


def _figure(source: str, css_class: str, options: Options) -> str:
    game, *caption = source.strip().splitlines() or [""]
    record = notation.parse_game(game)
    tr = translator(options.lang)
    return (
        f'<figure class="{escape(css_class)}">{_image(record, options, tr)}'
        f"<figcaption>{_code(record, options.play)}"
        f"{escape(''.join(f' {line.strip()}' for line in caption))}</figcaption></figure>"
    )


def _image(record: Record, options: Options, tr: Translator) -> str:
    marked = record.after(options.next).moves[-1].places if options.next else ()
    _, layout = diagram.chosen_layout(record.game, options.layout)
    width, height = diagram.size(layout)
    drawing = diagram.draw(
        record,
        tr,
        indices=options.indices,
        layout=options.layout,
        marks=Marks(selected=marked),
        standalone=True,
    )
    alternative = words.alternative_text(record.game, record.position, tr)
    described = f"{words.title(record, tr)}. {alternative}"
    return (
        f'<img src="data:image/svg+xml,{quote(drawing)}" width="{width:.0f}"'
        f' height="{height:.0f}" alt="{escape(described)}">'
    )


def _code(record: Record, play: str) -> str:
    if not play:
        return f"<code>{record.code}</code>"
    address = f"{play}#{notation.print_link(record.code, record.moves)}"
    return f'<a href="{escape(address)}"><code>{record.code}</code></a>'
