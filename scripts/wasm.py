"""WebAssembly modules taken apart and put together again, as far as making one small needs it.

A module is split so that no instruction has to be understood: both halves keep every function's
number, and a function whose body is in the other half has in its place a jump through a table that
the halves share. The field calls them primary and secondary module; Binaryen's wasm-split, which
does the same with renumbered functions, is in no package for Python or npm.

Source: the binary format of the WebAssembly Core Specification, 2.0, chapter 5.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from wasm_format import (
    CALL_INDIRECT,
    CODE,
    ELEMENT,
    END,
    EXPORT,
    FUNCREF,
    FUNCTION,
    FUNCTIONS,
    GLOBAL,
    GLOBAL_GET,
    GLOBAL_SET,
    GLOBALS,
    I32_CONST,
    IMPORT,
    LOCAL_GET,
    TABLE,
    TABLES,
    TYPE,
    VARIABLE,
    FunctionType,
    Module,
    export,
    extended,
    joined,
    marked,
    named,
    read,
    signed,
    unsigned,
    vector,
    with_size,
)

PRIMARY: Final = "primary"
"""What the secondary module imports is from a module of this name."""
SHARED: Final = "shared table"
"""The table through which the halves call each other. At 0 lies what fetches the secondary."""
GATE: Final = 0


class Halves(NamedTuple):
    """A module in two parts."""

    primary: bytes
    secondary: bytes


def with_exports(binary: bytes, names: Collection[str]) -> bytes:
    """A module that offers only what has one of these names."""
    module = Module(binary)
    kept = [one.entry for one in module.exports if one.name in names]
    return module.with_sections(export=vector(kept))


def without_data(binary: bytes) -> bytes:
    """A module for a memory that is filled already."""
    nothing = GLOBAL_GET + unsigned(0) + END + unsigned(0)
    return Module(binary).with_sections(data=vector([unsigned(0) + nothing]))


def watched(binary: bytes) -> bytes:
    """A module with a global "called 0", "called 1" … for each of its own functions.

    It is 1 as soon as the function has been called.
    """
    module = Module(binary)
    first = module.imported(GLOBALS) + len(module.globals)
    mark = [I32_CONST + signed(1) + GLOBAL_SET + unsigned(first + i) for i in _own(module)]
    bodies = (_begun(body, mark[i]) for i, body in enumerate(module.bodies))
    return marked(module, [f"called {i}" for i in _own(module)], bodies)


def split(binary: bytes, first: Collection[int]) -> Halves:
    """A module whose own functions with these numbers are in the primary, all others in the second.

    The primary calls what lies in its shared table at GATE before it calls a function that is not
    in it; whoever instantiates it puts there what instantiates the secondary.
    """
    module = Module(binary)
    return Halves(_primary(module, first), _secondary(module, first))


def _primary(module: Module, first: Collection[int]) -> bytes:
    gate = I32_CONST + signed(GATE) + _call(module, module.types.index(FunctionType(b"", b"")))
    bodies = (
        body if i in first else _jump(module, i, gate) for i, body in enumerate(module.bodies)
    )
    exports = [export(name, TABLES, number) for number, name in _table_names(module)]
    exports += [
        export(f"global {i}", GLOBALS, module.imported(GLOBALS) + i)
        for i, (kind, _) in enumerate(module.globals)
        if kind.endswith(VARIABLE)
    ]
    return module.with_sections(
        table=extended(module.section[TABLE], [_shared_type(module)]),
        export=extended(module.section[EXPORT], exports),
        element=extended(module.section[ELEMENT], _filled(module, sorted(first))),
        code=vector(map(with_size, bodies)),
    )


def _secondary(module: Module, first: Collection[int]) -> bytes:
    """The same numbers everywhere: what the primary defines is imported in its order."""
    variables = [kind for kind, _ in module.globals if kind.endswith(VARIABLE)]
    if [kind for kind, _ in module.globals[: len(variables)]] != variables:
        raise ValueError("a global that changes is numbered after one that does not")
    imports = [one.entry for one in module.imports]
    types = [*module.tables, _shared_type(module)]
    for (_, name), table in zip(_table_names(module), types, strict=True):
        imports.append(_import(name, TABLES, table))
    imports += [_import(f"global {i}", GLOBALS, kind) for i, kind in enumerate(variables)]
    constants = [kind + value for kind, value in module.globals[len(variables) :]]
    second = [i for i in _own(module) if i not in first]
    bodies = (_jump(module, i) if i in first else body for i, body in enumerate(module.bodies))
    return joined(
        (
            (TYPE, module.section[TYPE]),
            (IMPORT, vector(imports)),
            (FUNCTION, module.section[FUNCTION]),
            (GLOBAL, vector(constants)),
            (ELEMENT, vector(_filled(module, second))),
            (CODE, vector(map(with_size, bodies))),
        )
    )


def _own(module: Module) -> range:
    return range(len(module.bodies))


def _table_names(module: Module) -> Iterator[tuple[int, str]]:
    """The module's own tables and the shared one, numbered."""
    imported, own = module.imported(TABLES), len(module.tables)
    yield from ((imported + i, f"table {i}") for i in range(own))
    yield imported + own, SHARED


def _shared_type(module: Module) -> bytes:
    """A table with a place for each of the module's own functions, after the gate."""
    size = unsigned(1 + len(module.bodies))
    return FUNCREF + b"\1" + size + size


def _call(module: Module, function_type: int) -> bytes:
    """Call the function at the place on the stack, of this type."""
    table = module.imported(TABLES) + len(module.tables)
    return CALL_INDIRECT + unsigned(function_type) + unsigned(table)


def _jump(module: Module, i: int, before: bytes = b"") -> bytes:
    """A body that hands everything on to the function of the same number in the shared table."""
    function_type = module.function_types[i]
    arguments = b"".join(
        LOCAL_GET + unsigned(k) for k in range(len(module.types[function_type].takes))
    )
    place = I32_CONST + signed(1 + i)
    return unsigned(0) + before + arguments + place + _call(module, function_type) + END


def _filled(module: Module, own: list[int]) -> list[bytes]:
    """Elements that put these functions into the shared table, a run of numbers each."""
    table = unsigned(module.imported(TABLES) + len(module.tables))
    elements = []
    # In a run of numbers, numbers and their positions in the list grow together.
    for _, run in groupby(enumerate(own), lambda pair: pair[1] - pair[0]):
        functions = [i for _, i in run]
        place = I32_CONST + signed(1 + functions[0]) + END
        numbers = vector(unsigned(module.imported(FUNCTIONS) + i) for i in functions)
        elements.append(b"\2" + table + place + b"\0" + numbers)
    return elements


def _begun(body: bytes, instructions: bytes) -> bytes:
    """A body with something to do before all else, after the list of its locals."""
    groups, at = read(body, 0)
    for _ in range(groups):
        _, at = read(body, at)
        at += 1
    return body[:at] + instructions + body[at:]


def _import(name: str, kind: int, described: bytes) -> bytes:
    return named(PRIMARY) + named(name) + bytes([kind]) + described
