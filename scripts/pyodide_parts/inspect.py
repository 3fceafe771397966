"""What Pyodide asks of a function before it calls one; no function of ours has to be awaited."""


def iscoroutinefunction(function: object) -> bool:
    """Whether calling it gives something to await."""
    return False
