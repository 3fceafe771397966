"""How the page's script runs Python and imports a module."""

import _ast
from functools import lru_cache
from importlib import import_module
from types import CodeType
from typing import Any

__all__ = ["eval_code", "pyimport_impl"]

pyimport_impl = import_module


def eval_code(
    source: str,
    globals: dict[str, Any] | None = None,  # noqa: A002 (Pyodide calls it by this name)
    locals: dict[str, Any] | None = None,  # noqa: A002
    *,
    filename: str = "<exec>",
    **_: object,
) -> Any:
    """Run statements and give back the value of the last one, if it is an expression."""
    names = {} if globals is None else globals
    statements, last = _compiled(source, filename)
    exec(statements, names, locals)
    return None if last is None else eval(last, names, locals)


# Pyodide's start runs the same few lines each time: in a kept memory they are compiled already.
@lru_cache(maxsize=16)
def _compiled(source: str, filename: str) -> tuple[CodeType, CodeType | None]:
    tree = compile(source, filename, "exec", _ast.PyCF_ONLY_AST)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], _ast.Expr) else None
    statements = compile(tree, filename, "exec")
    if last is None:
        return statements, None
    return statements, compile(_ast.Expression(last.value), filename, "eval")
