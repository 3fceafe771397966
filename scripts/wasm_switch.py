"""A wide switch in a WebAssembly function made narrow, for the sake of whoever has to compile it.

Python's evaluation loop is one function with a way for each of its instructions. A browser compiles
it twice: at once and badly, and after a hundred rounds again and well, which takes half as long as
all of the start. Here the ways that nobody goes are cut off. Should one be gone after all, then a
copy of the function that has all of them takes over where the narrow one stands, with all of its
variables; the copy need not be there before that.

Source: the binary format of the WebAssembly Core Specification, 2.0, chapter 5.4.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

from wasm_code import (
    BLOCK,
    BR_TABLE,
    CALL,
    ELSE,
    EMPTY,
    END,
    FOR_GOOD,
    GLOBAL_GET,
    GLOBAL_SET,
    I32_CONST,
    I32_EQ,
    I32_OR,
    I32_SHL,
    I32_SHR_U,
    IF,
    LOCAL_GET,
    LOCAL_SET,
    LOCAL_TEE,
    LOOP,
    OPENING,
    RETURN,
    UNREACHABLE,
    Code,
    Instruction,
    changed,
    op,
    put_together,
    taken_apart,
    with_functions,
)
from wasm_format import (
    FUNCTIONS,
    GLOBALS,
    I32,
    Module,
    function_type,
    marked,
)

ONE_MORE: Final = b"\1" + I32
"""A group of one local."""
WIDE: Final = 128
"""A switch with more different ways is worth it."""
WORD: Final = 32
"""So many ways are marked in one global."""


class Function(NamedTuple):
    """A function with one wide switch."""

    number: int
    """Among the module's own functions."""
    variables: bytes
    """The types of its parameters and locals, a byte each."""
    declared: list[bytes]
    """Its locals, in groups of a type."""
    before: Code
    switch: Instruction
    after: Code


def watched_switch(binary: bytes) -> bytes:
    """A module with globals "ways 0", "ways 1" … whose bits tell which ways were gone.

    The lowest bit of the first stands for way 0.
    """
    module = Module(binary)
    function = _widest(module)
    words = -(-len(function.switch.labels) // WORD)
    first = module.imported(GLOBALS) + len(module.globals)
    way = len(function.variables)
    marking = [op(LOCAL_SET, way)]
    for i in range(words):
        marking += _mark(way, i, first + i)
    marking += [op(LOCAL_GET, way)]
    code = [*function.before, *marking, function.switch, *function.after]
    body = put_together([*function.declared, ONE_MORE], code)
    return marked(
        module, [f"ways {i}" for i in range(words)], changed(module, {function.number: body})
    )


def narrowed(binary: bytes, ways: Collection[int]) -> bytes:
    """A module whose wide switch has only these ways. Its last function goes all the others.

    That one takes all variables of the function with the switch, and the number of the way.
    """
    module = Module(binary)
    function = _widest(module)
    gives = module.types[module.function_types[function.number]].gives
    narrow = _narrow(function, ways, module.imported(FUNCTIONS) + len(module.bodies))
    return with_functions(
        module,
        {function.number: narrow},
        [function_type(function.variables + I32, gives)],
        [_taking_over(function)],
    )


def _widest(module: Module) -> Function:
    """The largest function with a wide switch."""
    sizes = [len(body) for body in module.bodies]
    for number in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        variables, declared, code = taken_apart(module, number)
        for i, one in enumerate(code):
            if len({*one.labels}) > WIDE:
                return Function(number, variables, declared, code[:i], one, code[i + 1 :])
    raise ValueError("no function has a wide switch")


def _mark(way: int, word: int, mark: int) -> Code:
    """Set the bit of a way in a global if it is in this word: mark |= (way >> 5 == word) << way."""
    return [
        op(GLOBAL_GET, mark),
        op(LOCAL_GET, way),
        op(I32_CONST, 5),
        Instruction(I32_SHR_U),
        op(I32_CONST, word),
        Instruction(I32_EQ),
        op(LOCAL_GET, way),  # of which a shift takes the last five bits
        Instruction(I32_SHL),
        Instruction(I32_OR),
        op(GLOBAL_SET, mark),
    ]


def _narrow(function: Function, ways: Collection[int], wide: int) -> bytes:
    """The function, whose switch leaves the ways that nobody goes to the wide one."""
    way = len(function.variables)
    labels = (1 + label if i in ways else 0 for i, label in enumerate(function.switch.labels))
    switch = [
        op(LOCAL_SET, way),
        op(BLOCK, EMPTY),
        op(LOCAL_GET, way),
        Instruction(BR_TABLE, labels=tuple(labels)),
        Instruction(END),
        *(op(LOCAL_GET, i) for i in range(way + 1)),
        op(CALL, wide),
        Instruction(RETURN),
    ]
    code = _reached([*function.before, *switch, *function.after])
    return put_together([*function.declared, ONE_MORE], code)


def _taking_over(function: Function) -> bytes:
    """The function with its variables given, and all before its switch passed over once."""
    way = len(function.variables)
    resumed, condition = way + 1, way + 2
    code: Code = []
    start = 0
    for i in _left_open(function.before):
        opening, before = function.before[i], function.before[start:i]
        start = i + 1
        if opening.opcode == IF:
            code += [op(I32_CONST, 1), op(LOCAL_SET, condition)]
            code += _if(resumed, [*before, op(LOCAL_SET, condition)])
            code += [op(LOCAL_GET, condition), opening]
        else:
            before, reading = _without_reading(before)
            _check_unchanged(reading, function.before[start:])
            code += [*_if(resumed, before), *reading, opening]
    code += _if(resumed, [*function.before[start:], op(LOCAL_SET, way)])
    code += [op(I32_CONST, 1), op(LOCAL_SET, resumed), op(LOCAL_GET, way)]
    return put_together([b"\2" + I32], [*code, function.switch, *function.after])


def _left_open(code: Code) -> list[int]:
    """Where the blocks begin in which the end of this code stands."""
    opened: list[int] = []
    for i, one in enumerate(code):
        if one.opcode in OPENING:
            opened.append(i)
        elif one.opcode == END:
            opened.pop()
        elif one.opcode == ELSE:
            opened[-1] = i
    if any(code[i].opcode == ELSE for i in opened):
        raise ValueError("the switch stands where a condition is not met")
    return opened


def _without_reading(code: Code) -> tuple[Code, Code]:
    """What leaves values for later by reading variables, apart: these are the same later.

    Values made in other ways would be missing there, and nothing accepts such a function.
    """
    end = len(code)
    while end and code[end - 1].opcode == LOCAL_GET:
        end -= 1
    return code[:end], code[end:]


def _check_unchanged(reading: Code, code: Code) -> None:
    changing = {one.rest for one in code if one.opcode in (LOCAL_SET, LOCAL_TEE)}
    if changing.intersection(one.rest for one in reading):
        raise ValueError("a variable that has been read changes before the switch")


def _if(variable: int, code: Code) -> Code:
    """The code, unless a variable is 0; who jumps out of it has one block more to leave."""
    if not code:
        return []
    deeper, depth = [], 0
    for one in code:
        labels = tuple(label + (label >= depth) for label in one.labels)
        deeper.append(one._replace(labels=labels))
        depth += (one.opcode in OPENING) - (one.opcode == END)
    return [op(LOCAL_GET, variable), op(IF, EMPTY), *deeper, Instruction(END)]


@dataclass
class Block:
    """A block that is being read: what it is now, and whether anything has jumped to its end."""

    opcode: int
    is_left: bool = False


def _reached(code: Code) -> Code:
    """The code without what nothing leads to; each block that begins still ends."""
    kept: Code = []
    blocks = [Block(BLOCK)]  # the function itself
    is_live, skipped = True, 0
    for one in code:
        if not is_live and (skipped or one.opcode not in (ELSE, END)):
            skipped += (one.opcode in OPENING) - (one.opcode == END)
            continue
        kept.append(one)
        for label in one.labels:
            blocks[-1 - label].is_left = True
        if one.opcode in OPENING:
            blocks.append(Block(one.opcode))
        elif one.opcode == ELSE:
            blocks[-1] = Block(ELSE, is_left=blocks[-1].is_left or is_live)
            is_live = True
        elif one.opcode == END:
            is_live = _goes_on(blocks.pop(), is_live)
            # What the block around still wants, nothing has to give.
            kept += [Instruction(UNREACHABLE)] if blocks and not is_live else []
        elif one.opcode in FOR_GOOD:
            is_live = False
    return kept


def _goes_on(block: Block, is_live: bool) -> bool:
    """Whether anything gets behind the end of a block; who jumps to a loop is at its beginning."""
    return is_live or block.opcode == IF or (block.is_left and block.opcode != LOOP)
