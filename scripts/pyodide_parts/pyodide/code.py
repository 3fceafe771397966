"""Running Python from the page's script."""

from _pyodide._base import eval_code

__all__ = ["eval_code"]
