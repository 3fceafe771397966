"""Where packages would lie. The engine lies in the library itself, and no package is ever added."""


class _Folder:
    """A path, in the one form that the page's script asks for."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __str__(self) -> str:
        return self._path


SITE_PACKAGES = _Folder("/lib/python3.13/site-packages")
DSO_DIR = _Folder("/usr/lib")


def init_loaded_packages() -> None:
    """Nothing is loaded but what is in the library."""
