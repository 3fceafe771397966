"""What a person can get wrong, said so that it can be said again in their language."""


class Mistake(ValueError):
    """Bad input: a whole sentence with named placeholders, and the values that fill them.

    The template is the message's key in the catalogs, so that ``words.explain`` can say the same
    thing in another language; ``str()`` says it in English.

    >>> str(Mistake("There is no game called {name}.", name="chess"))
    'There is no game called chess.'
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values
        super().__init__(template.format(**values))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.template, self.values)


def _rebuild(kind: type[Mistake], template: str, values: dict[str, object]) -> Mistake:
    return kind(template, **values)


def N_(template: str) -> str:  # noqa: N802 - the name gettext tools look for
    """Mark a sentence for the catalogs where it is written; it is translated where it is shown."""
    return template


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - as above
    """Mark a sentence with a number in it: its form for one thing, and that for several."""
    return one, many


def shown(text: str, most: int = 40) -> str:
    """Somebody's input as it may stand in a message: on one line, and not endless.

    >>> shown("HM1\\n")
    'HM1'
    >>> shown("x" * 50)
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"
