"""The code of a WebAssembly function as instructions, as far as changing some of them needs it.

Source: the binary format of the WebAssembly Core Specification, 2.0, chapter 5.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from wasm_format import FUNCTION, TYPE, Module, extended, read, signed, unsigned, vector, with_size

UNREACHABLE, NOP, BLOCK, LOOP, IF, ELSE, END = 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x0B
BR, BR_IF, BR_TABLE, RETURN, CALL, CALL_INDIRECT = 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11
LOCAL_GET, LOCAL_SET, LOCAL_TEE, GLOBAL_GET, GLOBAL_SET = range(0x20, 0x25)
I32_CONST = 0x41
I32_EQ, I32_OR, I32_SHL, I32_SHR_U = 0x46, 0x72, 0x74, 0x76
OPENING: Final = frozenset((BLOCK, LOOP, IF))
FOR_GOOD: Final = frozenset((UNREACHABLE, BR, BR_TABLE, RETURN))
"""After these nothing goes on."""
#: A block that neither takes nor gives a value.
EMPTY: Final = 0x40
#: How many numbers follow an opcode, where any do; the sign that some have does not matter here.
NUMBERS: Final = {
    **dict.fromkeys((*OPENING, CALL), 1),
    CALL_INDIRECT: 2,
    **dict.fromkeys(range(0x20, 0x27), 1),  # variables and tables
    **dict.fromkeys(range(0x28, 0x3F), 2),  # memory
    **dict.fromkeys((0x3F, 0x40, I32_CONST, 0x42), 1),
}
#: Or how many bytes: numbers of floating point.
BYTES: Final = {0x43: 4, 0x44: 8}
#: Or nothing.
BARE: Final = frozenset((UNREACHABLE, NOP, ELSE, END, RETURN, 0x1A, 0x1B, *range(0x45, 0xC5)))
#: Or a second opcode, and so many numbers after it.
MORE: Final = 0xFC
MORE_NUMBERS: Final = {**dict.fromkeys(range(8), 0), 8: 2, 9: 1, 10: 2, 11: 1}


class UnknownInstruction(ValueError):
    """An instruction that nothing here has been told of."""


class Instruction(NamedTuple):
    """An opcode, what follows it as bytes, and the labels it may jump to: 0 is the innermost."""

    opcode: int
    rest: bytes = b""
    labels: tuple[int, ...] = ()


Code = list[Instruction]


class Body(NamedTuple):
    """What a function consists of."""

    variables: bytes
    """The types of its parameters and locals, a byte each."""
    declared: list[bytes]
    """Its locals, in groups of a type."""
    code: Code


def op(opcode: int, number: int) -> Instruction:
    """An instruction that one number follows."""
    return Instruction(opcode, signed(number) if opcode == I32_CONST else unsigned(number))


def taken_apart(module: Module, number: int) -> Body:
    """One of a module's own functions.

    Raises UnknownInstruction for a function with exceptions, vectors or the like.
    """
    body = module.bodies[number]
    groups, at = read(body, 0)
    declared, variables = [], module.types[module.function_types[number]].takes
    for _ in range(groups):
        count, after = read(body, at)
        variables += body[after : after + 1] * count
        declared.append(body[at : after + 1])
        at = after + 1
    return Body(variables, declared, [*_instructions(body, at)])


def put_together(declared: list[bytes], code: Code) -> bytes:
    """A function with these locals, beside its parameters."""
    return vector(declared) + b"".join(map(_encoded, code))


def changed(module: Module, instead: dict[int, bytes]) -> list[bytes]:
    """The bodies of a module's own functions, some of them replaced."""
    return [instead.get(number, body) for number, body in enumerate(module.bodies)]


def with_functions(
    module: Module, instead: dict[int, bytes], types: list[bytes], bodies: list[bytes]
) -> bytes:
    """The module with some bodies replaced, and functions of new types after its own."""
    numbers = range(len(module.types), len(module.types) + len(types))
    return module.with_sections(
        type=extended(module.section[TYPE], types),
        function=extended(module.section[FUNCTION], [unsigned(number) for number in numbers]),
        code=vector(map(with_size, [*changed(module, instead), *bodies])),
    )


def _instructions(body: bytes, at: int) -> Iterator[Instruction]:
    while at < len(body):
        opcode, start = body[at], at + 1
        if opcode in (BR, BR_IF, BR_TABLE):
            labels, at = _labels(body, start, opcode)
            yield Instruction(opcode, labels=labels)
        else:
            at = _end(body, start, opcode)
            yield Instruction(opcode, body[start:at])


def _labels(body: bytes, at: int, opcode: int) -> tuple[tuple[int, ...], int]:
    """The labels of a jump, the default last, and where it ends."""
    more, at = read(body, at) if opcode == BR_TABLE else (0, at)
    labels = []
    for _ in range(more + 1):
        label, at = read(body, at)
        labels.append(label)
    return tuple(labels), at


def _end(body: bytes, at: int, opcode: int) -> int:
    """Where an instruction ends that jumps nowhere."""
    if opcode == MORE:
        second, at = read(body, at)
        numbers = MORE_NUMBERS.get(second)
    else:
        numbers = NUMBERS.get(opcode, 0 if opcode in BARE or opcode in BYTES else None)
    if numbers is None:
        raise UnknownInstruction(f"an instruction with the opcode {opcode:#x} is not known")
    for _ in range(numbers):
        _, at = read(body, at)
    return at + BYTES.get(opcode, 0)


def _encoded(one: Instruction) -> bytes:
    labels = b"".join(map(unsigned, one.labels))
    if one.opcode == BR_TABLE:
        labels = unsigned(len(one.labels) - 1) + labels
    return bytes([one.opcode]) + labels + one.rest
