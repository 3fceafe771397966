"""How the page's script runs Python and imports a module."""

import _ast
from importlib import import_module
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
    tree = compile(source, filename, "exec", _ast.PyCF_ONLY_AST)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], _ast.Expr) else None
    exec(compile(tree, filename, "exec"), names, locals)
    if last is None:
        return None
    return eval(compile(_ast.Expression(last.value), filename, "eval"), names, locals)
