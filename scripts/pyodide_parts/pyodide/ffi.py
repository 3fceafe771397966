"""Kept because Pyodide's start imports it; its names are for Python that calls JavaScript."""
