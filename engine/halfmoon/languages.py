"""The languages, and the translator of each."""

import gettext
import io
import pkgutil
from functools import cache
from typing import Final, TypeAlias

from halfmoon.mistake import N_, Mistake, shown

SOURCE_LANGUAGE: Final = "en"
LANGUAGES: Final = (SOURCE_LANGUAGE, "pl", "id", "nl")

Translator: TypeAlias = gettext.NullTranslations


class UnknownLanguage(Mistake):
    """A language that there is no catalog for."""


@cache
def translator(language: str) -> Translator:
    """The translator into a language, from the engine's own catalogs.

    >>> translator("nl").gettext("king")
    'heer'

    Raises ``UnknownLanguage``.
    """
    if language not in LANGUAGES:
        raise UnknownLanguage(
            N_("There is no language “{language}” here. The languages are: {languages}."),
            language=shown(language),
            languages=", ".join(LANGUAGES),
        )
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    catalog = pkgutil.get_data(__package__, f"locale/{language}/LC_MESSAGES/halfmoon.mo")
    assert catalog is not None, "the package has been built without its catalogs"
    return gettext.GNUTranslations(io.BytesIO(catalog))
