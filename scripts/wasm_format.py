"""The binary form of a WebAssembly module: its sections, read and written.

Source: the binary format of the WebAssembly Core Specification, 2.0, chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

HEAD: Final = b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTION, TABLE, GLOBAL, EXPORT, ELEMENT, CODE, DATA = 1, 2, 3, 4, 6, 7, 9, 10, 11
FUNCTIONS, TABLES, MEMORIES, GLOBALS, TAGS = range(5)
"""The kinds of what is imported and exported."""

I32, FUNCREF, FUNCTION_TYPE = b"\x7f", b"\x70", b"\x60"
VARIABLE = b"\1"
END, LOCAL_GET, GLOBAL_GET, GLOBAL_SET = b"\x0b", b"\x20", b"\x23", b"\x24"
I32_CONST, CALL_INDIRECT = b"\x41", b"\x11"

Entry = TypeVar("Entry")


class FunctionType(NamedTuple):
    """The types of the values a function takes and gives back, one byte each."""

    takes: bytes
    gives: bytes


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
        self.function_types = _entries(self.section[FUNCTION], read)
        self.bodies = _entries(self.section[CODE], sized)
        self.tables = _entries(self.section[TABLE], _table)
        self.globals = _entries(self.section[GLOBAL], _global)

    def imported(self, kind: int) -> int:
        """How many things of a kind are imported; the module's own are numbered after them."""
        return sum(one.kind == kind for one in self.imports)

    def with_sections(self, **changed: bytes) -> bytes:
        """The module as binary, with some of its sections replaced, by their names."""
        new = {globals()[name.upper()]: content for name, content in changed.items()}
        return joined((number, new.get(number, content)) for number, content in self.sections)


def marked(module: Module, names: list[str], bodies: Iterable[bytes]) -> bytes:
    """The module with other bodies, and for each name an exported global that is 0 at first."""
    first = module.imported(GLOBALS) + len(module.globals)
    unset = I32 + VARIABLE + I32_CONST + signed(0) + END
    exports = [export(name, GLOBALS, first + i) for i, name in enumerate(names)]
    return module.with_sections(
        code=vector(map(with_size, bodies)),
        **{"global": extended(module.section[GLOBAL], [unset] * len(names))},
        export=extended(module.section[EXPORT], exports),
    )


def read(content: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    number = shift = 0
    while True:
        byte = content[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def unsigned(number: int) -> bytes:
    return _digits(number, most=127)


def signed(number: int) -> bytes:
    """A number from 0 as signed LEB128, where the highest bit of the last digit is the sign."""
    return _digits(number, most=63)


def _digits(number: int, most: int) -> bytes:
    """A number to the base of 128, the lowest digit first; the last one is at most so much."""
    digits = bytearray()
    while number > most:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def function_type(takes: bytes, gives: bytes) -> bytes:
    return FUNCTION_TYPE + with_size(takes) + with_size(gives)


def named(text: str) -> bytes:
    return with_size(text.encode())


def with_size(content: bytes) -> bytes:
    return unsigned(len(content)) + content


def vector(entries: Iterable[bytes]) -> bytes:
    listed = list(entries)
    return unsigned(len(listed)) + b"".join(listed)


def extended(vector: bytes, entries: list[bytes]) -> bytes:
    count, at = read(vector, 0)
    return unsigned(count + len(entries)) + vector[at:] + b"".join(entries)


def export(name: str, kind: int, number: int) -> bytes:
    return named(name) + bytes([kind]) + unsigned(number)


def joined(sections: Iterable[tuple[int, bytes]]) -> bytes:
    return HEAD + b"".join(bytes([number]) + with_size(content) for number, content in sections)


def _sections(binary: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(HEAD)
    while at < len(binary):
        number = binary[at]
        size, start = read(binary, at + 1)
        at = start + size
        yield number, binary[start:at]


def _entries(section: bytes, each: Callable[[bytes, int], tuple[Entry, int]]) -> list[Entry]:
    """What a vector holds; ``each`` is given where an entry begins, and tells where it ends."""
    count, at = read(section, 0)
    entries = []
    for _ in range(count):
        entry, at = each(section, at)
        entries.append(entry)
    return entries


def _type(section: bytes, at: int) -> tuple[FunctionType, int]:
    if section[at : at + 1] != FUNCTION_TYPE:
        raise ValueError("a type is not that of a function")
    takes, at = sized(section, at + 1)
    gives, at = sized(section, at)
    return FunctionType(takes, gives), at


def _imported(section: bytes, start: int) -> tuple[Import, int]:
    source, at = sized(section, start)
    name, at = sized(section, at)
    kind = section[at]
    end = _described(section, at + 1, kind)
    return Import(source.decode(), name.decode(), kind, section[start:end]), end


def _described(section: bytes, at: int, kind: int) -> int:
    """Where the description of something imported ends."""
    if kind == FUNCTIONS:
        return read(section, at)[1]
    if kind == GLOBALS:
        return at + 2
    if kind == TAGS:
        return read(section, at + 1)[1]
    return _limits(section, at + (kind == TABLES))


def _limits(section: bytes, at: int) -> int:
    """Where the least size, and the largest if there is one, ends."""
    bounded = section[at] & 1
    _, at = read(section, at + 1)
    return read(section, at)[1] if bounded else at


def _exported(section: bytes, start: int) -> tuple[Export, int]:
    name, at = sized(section, start)
    _, end = read(section, at + 1)
    return Export(name.decode(), section[start:end]), end


def sized(section: bytes, at: int) -> tuple[bytes, int]:
    """What stands behind its size: a name, or the body of a function."""
    size, start = read(section, at)
    return section[start : start + size], start + size


def _table(section: bytes, start: int) -> tuple[bytes, int]:
    end = _limits(section, start + 1)
    return section[start:end], end


def _global(section: bytes, start: int) -> tuple[tuple[bytes, bytes], int]:
    """The type of a global, and what it is at first."""
    value = start + 2
    if section[value : value + 1] not in (I32_CONST, GLOBAL_GET):
        raise ValueError("a global begins as something else than a number")
    _, at = read(section, value + 1)
    if section[at : at + 1] != END:
        raise ValueError("a global begins with a calculation")
    return (section[start:value], section[value : at + 1]), at + 1
