"""Calls through a table, on which a browser's compiler should not bet.

Where Chromium compiles a function well, it bets that its calls through a table lead where they have
led so far, and takes what they lead to into the function. In Python's evaluation loop and what is
taken into that it loses the bet four times, and throws away each time what it took longest of all
to make. It does not bet on the calls of a function that is too long to be taken into another.

Source: the binary format of the WebAssembly Core Specification, 2.0, chapter 5.4.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from wasm_code import (
    CALL,
    CALL_INDIRECT,
    END,
    LOCAL_GET,
    NOP,
    RETURN,
    Code,
    Instruction,
    UnknownInstruction,
    op,
    put_together,
    taken_apart,
    with_functions,
)
from wasm_format import FUNCTIONS, I32, Module, function_type, read

LONG: Final = 2_000
"""In bytes. Chromium takes functions of up to 1,200 into others."""


class Steady(NamedTuple):
    """A module whose functions call through others, and which of its own these are."""

    binary: bytes
    callers: range


def steady(binary: bytes, numbers: Collection[int]) -> Steady:
    """A module in which these of its functions leave calls through a table to functions for that.

    There is one for each kind of call; they come last. Functions with instructions that are not
    known here stay as they are.
    """
    module = Module(binary)
    callers = _Callers(module)
    instead = {number: body for number in sorted(numbers) if (body := callers.taken(number))}
    first = len(module.bodies)
    made = with_functions(module, instead, callers.types, callers.bodies)
    return Steady(made, range(first, first + len(callers.bodies)))


class _Callers:
    """The functions that call, made when they are first wanted."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.first = module.imported(FUNCTIONS) + len(module.bodies)
        self.kinds: list[bytes] = []
        self.types: list[bytes] = []
        self.bodies: list[bytes] = []

    def taken(self, number: int) -> bytes:
        """A function that calls through these; nothing if it does not call through a table."""
        try:
            _, declared, code = taken_apart(self.module, number)
        except UnknownInstruction:
            return b""
        if all(one.opcode != CALL_INDIRECT for one in code):
            return b""
        return put_together(declared, [self._instead(one) for one in code])

    def _instead(self, one: Instruction) -> Instruction:
        if one.opcode != CALL_INDIRECT:
            return one
        if one.rest not in self.kinds:
            self._add(one)
        return op(CALL, self.first + self.kinds.index(one.rest))

    def _add(self, call: Instruction) -> None:
        takes, gives = self.module.types[read(call.rest, 0)[0]]
        arguments: Code = [op(LOCAL_GET, i) for i in range(len(takes) + 1)]
        filling = [Instruction(NOP)] * LONG
        self.kinds.append(call.rest)
        self.types.append(function_type(takes + I32, gives))
        self.bodies.append(
            put_together([], [*arguments, call, Instruction(RETURN), *filling, Instruction(END)])
        )
