"""WebAssembly modules taken apart and put together again, as far as making one small needs it.

A module is split so that no instruction has to be understood: both halves keep every function's
number, and a function whose body is in the other half has in its place a jump through a table that
the halves share. The field calls them primary and secondary module; Binaryen's wasm-split, which
does the same with renumbered functions, is in no package for Python or npm.

Source: the binary format of the WebAssembly Core Specification, 2.0, chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

HEAD: Final = b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTION, TABLE, GLOBAL, EXPORT, ELEMENT, CODE, DATA = 1, 2, 3, 4, 6, 7, 9, 10, 11
FUNCTIONS, TABLES, MEMORIES, GLOBALS, TAGS = range(5)
"""The kinds of what is imported and exported."""

I32, FUNCREF = b"\x7f", b"\x70"
CONSTANT, VARIABLE = b"\0", b"\1"
END, LOCAL_GET, GLOBAL_GET, GLOBAL_SET = b"\x0b", b"\x20", b"\x23", b"\x24"
I32_CONST, CALL_INDIRECT = b"\x41", b"\x11"

PRIMARY: Final = "primary"
"""What the secondary module imports is from a module of this name."""
SHARED: Final = "shared table"
"""The table through which the halves call each other. At 0 lies what fetches the secondary."""
GATE: Final = 0


Entry = TypeVar("Entry")


class FunctionType(NamedTuple):
    """How many values a function takes and gives back; each is one byte in the binary."""

    takes: int
    gives: int


class Import(NamedTuple):
    """One thing a module asks for, and from which module."""

    source: str
    name: str
    kind: int
    entry: bytes


class Export(NamedTuple):
    """One thing a module offers."""

    name: str
    entry: bytes


class Module:
    """A module's sections, and those parts that are changed here."""

    def __init__(self, binary: bytes) -> None:
        if not binary.startswith(HEAD):
            raise ValueError("this is no WebAssembly module of version 1")
        self.sections = list(_sections(binary))
        self.section = {number: content for number, content in self.sections if number}
        self.types = _entries(self.section[TYPE], _type)
        self.imports = _entries(self.section[IMPORT], _imported)
        self.exports = _entries(self.section[EXPORT], _exported)
        self.function_types = _entries(self.section[FUNCTION], _read)
        self.bodies = _entries(self.section[CODE], _sized)
        self.tables = _entries(self.section[TABLE], _table)
        self.globals = _entries(self.section[GLOBAL], _global)

    def imported(self, kind: int) -> int:
        """How many things of a kind are imported; the module's own are numbered after them."""
        return sum(one.kind == kind for one in self.imports)

    def with_sections(self, **changed: bytes) -> bytes:
        """The module as binary, with some of its sections replaced, by their names."""
        new = {globals()[name.upper()]: content for name, content in changed.items()}
        return _joined((number, new.get(number, content)) for number, content in self.sections)


class Halves(NamedTuple):
    """A module in two parts."""

    primary: bytes
    secondary: bytes


def with_exports(binary: bytes, names: Collection[str]) -> bytes:
    """A module that offers only what has one of these names."""
    module = Module(binary)
    kept = [one.entry for one in module.exports if one.name in names]
    return module.with_sections(export=_vector(kept))


def without_data(binary: bytes) -> bytes:
    """A module for a memory that is filled already."""
    nothing = GLOBAL_GET + _unsigned(0) + END + _unsigned(0)
    return Module(binary).with_sections(data=_vector([_unsigned(0) + nothing]))


def watched(binary: bytes) -> bytes:
    """A module with a global "called 0", "called 1" … for each of its own functions.

    It is 1 as soon as the function has been called.
    """
    module = Module(binary)
    first = module.imported(GLOBALS) + len(module.globals)
    mark = [I32_CONST + _signed(1) + GLOBAL_SET + _unsigned(first + i) for i in _own(module)]
    marked = [_begun(body, mark[i]) for i, body in enumerate(module.bodies)]
    unset = I32 + VARIABLE + I32_CONST + _signed(0) + END
    exports = [_export(f"called {i}", GLOBALS, first + i) for i in _own(module)]
    return module.with_sections(
        code=_vector(map(_with_size, marked)),
        **{"global": _extended(module.section[GLOBAL], [unset] * len(marked))},
        export=_extended(module.section[EXPORT], exports),
    )


def split(binary: bytes, first: Collection[int]) -> Halves:
    """A module whose own functions with these numbers are in the primary, all others in the second.

    The primary calls what lies in its shared table at GATE before it calls a function that is not
    in it; whoever instantiates it puts there what instantiates the secondary.
    """
    module = Module(binary)
    return Halves(_primary(module, first), _secondary(module, first))


def _primary(module: Module, first: Collection[int]) -> bytes:
    gate = I32_CONST + _signed(GATE) + _call(module, module.types.index(FunctionType(0, 0)))
    bodies = (
        body if i in first else _jump(module, i, gate) for i, body in enumerate(module.bodies)
    )
    exports = [_export(name, TABLES, number) for number, name in _table_names(module)]
    exports += [
        _export(f"global {i}", GLOBALS, module.imported(GLOBALS) + i)
        for i, (kind, _) in enumerate(module.globals)
        if kind.endswith(VARIABLE)
    ]
    return module.with_sections(
        table=_extended(module.section[TABLE], [_shared_type(module)]),
        export=_extended(module.section[EXPORT], exports),
        element=_extended(module.section[ELEMENT], _filled(module, sorted(first))),
        code=_vector(map(_with_size, bodies)),
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
    return _joined(
        (
            (TYPE, module.section[TYPE]),
            (IMPORT, _vector(imports)),
            (FUNCTION, module.section[FUNCTION]),
            (GLOBAL, _vector(constants)),
            (ELEMENT, _vector(_filled(module, second))),
            (CODE, _vector(map(_with_size, bodies))),
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
    size = _unsigned(1 + len(module.bodies))
    return FUNCREF + b"\1" + size + size


def _call(module: Module, function_type: int) -> bytes:
    """Call the function at the place on the stack, of this type."""
    table = module.imported(TABLES) + len(module.tables)
    return CALL_INDIRECT + _unsigned(function_type) + _unsigned(table)


def _jump(module: Module, i: int, before: bytes = b"") -> bytes:
    """A body that hands everything on to the function of the same number in the shared table."""
    function_type = module.function_types[i]
    arguments = b"".join(LOCAL_GET + _unsigned(k) for k in range(module.types[function_type].takes))
    place = I32_CONST + _signed(1 + i)
    return _unsigned(0) + before + arguments + place + _call(module, function_type) + END


def _filled(module: Module, own: list[int]) -> list[bytes]:
    """Elements that put these functions into the shared table, a run of numbers each."""
    table = _unsigned(module.imported(TABLES) + len(module.tables))
    elements = []
    # In a run of numbers, numbers and their positions in the list grow together.
    for _, run in groupby(enumerate(own), lambda pair: pair[1] - pair[0]):
        functions = [i for _, i in run]
        place = I32_CONST + _signed(1 + functions[0]) + END
        numbers = _vector(_unsigned(module.imported(FUNCTIONS) + i) for i in functions)
        elements.append(b"\2" + table + place + b"\0" + numbers)
    return elements


def _begun(body: bytes, instructions: bytes) -> bytes:
    """A body with something to do before all else, after the list of its locals."""
    groups, at = _read(body, 0)
    for _ in range(groups):
        _, at = _read(body, at)
        at += 1
    return body[:at] + instructions + body[at:]


# The binary format


def _read(content: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    number = shift = 0
    while True:
        byte = content[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def _unsigned(number: int) -> bytes:
    return _digits(number, most=127)


def _signed(number: int) -> bytes:
    """A number from 0 as signed LEB128, where the highest bit of the last digit is the sign."""
    return _digits(number, most=63)


def _digits(number: int, most: int) -> bytes:
    """A number to the base of 128, the lowest digit first; the last one is at most so much."""
    digits = bytearray()
    while number > most:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def _name(text: str) -> bytes:
    return _with_size(text.encode())


def _with_size(content: bytes) -> bytes:
    return _unsigned(len(content)) + content


def _vector(entries: Iterable[bytes]) -> bytes:
    listed = list(entries)
    return _unsigned(len(listed)) + b"".join(listed)


def _extended(vector: bytes, entries: list[bytes]) -> bytes:
    count, at = _read(vector, 0)
    return _unsigned(count + len(entries)) + vector[at:] + b"".join(entries)


def _export(name: str, kind: int, number: int) -> bytes:
    return _name(name) + bytes([kind]) + _unsigned(number)


def _import(name: str, kind: int, described: bytes) -> bytes:
    return _name(PRIMARY) + _name(name) + bytes([kind]) + described


def _joined(sections: Iterable[tuple[int, bytes]]) -> bytes:
    return HEAD + b"".join(bytes([number]) + _with_size(content) for number, content in sections)


def _sections(binary: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(HEAD)
    while at < len(binary):
        number = binary[at]
        size, start = _read(binary, at + 1)
        at = start + size
        yield number, binary[start:at]


def _entries(section: bytes, read: Callable[[bytes, int], tuple[Entry, int]]) -> list[Entry]:
    """What a vector holds; ``read`` is given where an entry begins, and tells where it ends."""
    count, at = _read(section, 0)
    entries = []
    for _ in range(count):
        entry, at = read(section, at)
        entries.append(entry)
    return entries


def _type(section: bytes, at: int) -> tuple[FunctionType, int]:
    if section[at] != 0x60:
        raise ValueError("a type is not that of a function")
    takes, at = _read(section, at + 1)
    gives, at = _read(section, at + takes)
    return FunctionType(takes, gives), at + gives


def _imported(section: bytes, start: int) -> tuple[Import, int]:
    source, at = _sized(section, start)
    name, at = _sized(section, at)
    kind = section[at]
    end = _described(section, at + 1, kind)
    return Import(source.decode(), name.decode(), kind, section[start:end]), end


def _described(section: bytes, at: int, kind: int) -> int:
    """Where the description of something imported ends."""
    if kind == FUNCTIONS:
        return _read(section, at)[1]
    if kind == GLOBALS:
        return at + 2
    if kind == TAGS:
        return _read(section, at + 1)[1]
    return _limits(section, at + (kind == TABLES))


def _limits(section: bytes, at: int) -> int:
    """Where the least size, and the largest if there is one, ends."""
    bounded = section[at] & 1
    _, at = _read(section, at + 1)
    return _read(section, at)[1] if bounded else at


def _exported(section: bytes, start: int) -> tuple[Export, int]:
    name, at = _sized(section, start)
    _, end = _read(section, at + 1)
    return Export(name.decode(), section[start:end]), end


def _sized(section: bytes, at: int) -> tuple[bytes, int]:
    """What stands behind its size: a name, or the body of a function."""
    size, start = _read(section, at)
    return section[start : start + size], start + size


def _table(section: bytes, start: int) -> tuple[bytes, int]:
    end = _limits(section, start + 1)
    return section[start:end], end


def _global(section: bytes, start: int) -> tuple[tuple[bytes, bytes], int]:
    """The type of a global, and what it is at first."""
    value = start + 2
    if section[value : value + 1] not in (I32_CONST, GLOBAL_GET):
        raise ValueError("a global begins as something else than a number")
    _, at = _read(section, value + 1)
    if section[at : at + 1] != END:
        raise ValueError("a global begins with a calculation")
    return (section[start:value], section[value : at + 1]), at + 1
