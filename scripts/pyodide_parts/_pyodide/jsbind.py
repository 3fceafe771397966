"""How JavaScript functions are called: all of them alike, since none is ever called from here."""

from typing import Any

from _pyodide_core import JsFuncSignature, js2py_default_call_result, py2js_default

__all__ = ["bind_class_sig", "default_signature", "func_to_sig", "get_attr_sig", "no_default"]


class no_default:  # noqa: N801 (Pyodide's name)
    """Stands for a parameter without a default."""


def _called(*arguments: object, **named: object) -> None:
    """A function that says nothing about its parameters."""


default_signature = JsFuncSignature(
    _called,
    False,
    0,
    (),
    (),
    py2js_default,
    (),
    (),
    (),
    py2js_default,
    js2py_default_call_result,
)


def func_to_sig(function: Any) -> Any:
    """How to call a function."""
    return default_signature


def get_attr_sig(signature: Any, name: str) -> tuple[bool, None]:
    """What is known of an attribute: nothing."""
    return False, None


def bind_class_sig(signature: Any) -> Any:
    """What is known of the objects of a class, as known of the class."""
    return type[signature]
