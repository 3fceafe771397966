"""The texts that Pyodide gives its methods; nobody asks for help in a game."""

from typing import Any

__all__ = ["dedent_docstring", "get_cmeth_docstring"]


def dedent_docstring(docstring: str) -> str:
    """The text as it is."""
    return docstring


def get_cmeth_docstring(function: Any) -> str:
    """A signature in the form that C code has to hand to Python, and no text."""
    return f"{function.__name__}(*arguments)\n--\n\n"
