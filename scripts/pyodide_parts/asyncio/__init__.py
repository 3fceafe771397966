"""Nothing waits here: the place is kept because Pyodide's start imports it."""
