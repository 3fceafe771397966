"""The classes behind Pyodide's proxies, without the documentation that they are there to carry.

Pyodide's C code takes a method's text from the method of the same name here, and stops if there
is none; which class it looks in makes no difference, so one class has them all.
"""

from typing import Any

_DESCRIBED = """
__aiter__ __anext__ __contains__ __delitem__ __getitem__ __iter__ __len__ __mul__ __next__
__reversed__ __setitem__ _into_file aclose addEventListener append appendChild arrayBuffer
as_object_map as_py_json asend assign assign_to athrow bind_class bind_sig catch children clear
clone close count deref destroy extend finally_ from_file get index insert items js_id json
keys new object_entries object_keys object_values pop popitem push remove removeEventListener
reverse send setdefault style subarray tagName text then throw to_bytes to_file to_memoryview
to_py to_string to_weakref typeof unwrap update values
"""


class _JsProxyMetaClass(type):
    """The kind of class that a proxy's class is."""


class JsProxy(metaclass=_JsProxyMetaClass):
    """A JavaScript object in Python."""

    _js_type_flags = 0

    def __new__(cls, *_: object) -> "JsProxy":
        """Only Pyodide's start makes one, to look at."""
        return super().__new__(cls)


def _method(name: str) -> Any:
    def method() -> None:
        """Never called: the real one is written in C."""

    method.__name__ = name
    return method


for _name in _DESCRIBED.split():
    setattr(JsProxy, _name, _method(_name))


class JsException(JsProxy, Exception):
    """An error of JavaScript."""


class ConversionError(Exception):
    """A value that has no counterpart on the other side."""


class InternalError(Exception):
    """A mistake inside Pyodide."""


class JsNull:
    """What JavaScript's null is in Python."""

    def __bool__(self) -> bool:
        """As false as in JavaScript."""
        return False


jsnull = JsNull()
_instantiate_token = object()
can_run_sync = create_once_callable = create_proxy = destroy_proxies = run_sync = to_js = _method(
    "function"
)


def __getattr__(name: str) -> type[JsProxy]:
    """Every other class of proxies is this one too."""
    if name.startswith("__"):
        raise AttributeError(name)
    return JsProxy
