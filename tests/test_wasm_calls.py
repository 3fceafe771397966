"""Calls that are left to other functions arrive where they went before."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Final

import pytest

import wasm
from test_wasm import GATE, section
from wasm_calls import LONG, steady
from wasm_format import HEAD, Module, vector, with_size

ROOT: Final = Path(__file__).resolve().parent.parent
PUBLISHED: Final = ROOT / "node_modules" / "pyodide" / "pyodide.asm.wasm"

#: changed(n, how) calls what a table holds at how: 0 doubles n, 1 adds one to it. more(n, how) does
#: the same and adds one, with an instruction that is not known here (0xd1).
CODES: Final = (
    (0x20, 0, 0x20, 0, 0x6A),
    (0x20, 0, 0x41, 1, 0x6A),
    (0x20, 0, 0x20, 1, 0x11, 0, 0),
    (0x20, 0, 0x20, 1, 0x11, 0, 0, 0xD0, 0x70, 0xD1, 0x6A),
)
MODULE: Final = HEAD + b"".join(
    (
        section(1, b"\x60\1\x7f\1\x7f", b"\x60\2\x7f\x7f\1\x7f", b"\x60\0\0"),
        section(2, b"\1e\3mem\2\0\1"),
        section(3, b"\0", b"\0", b"\1", b"\1"),
        section(4, b"\x70\0\2"),
        section(6, b"\x7f\1\x41\0\x0b"),
        section(7, b"\7changed\0\2", b"\4more\0\3"),
        section(9, b"\0\x41\0\x0b\2\0\1"),
        b"\x0a" + with_size(vector(with_size(bytes((0, *code, 0x0B))) for code in CODES)),
    )
)
RUN: Final = """
const [primary, secondary] = JSON.parse(process.argv[1]);
const compiled = (hex) => new WebAssembly.Module(Buffer.from(hex, "hex"));
const e = { mem: new WebAssembly.Memory({ initial: 1 }) };
const { exports } = new WebAssembly.Instance(compiled(primary), { e });
const a = () => new WebAssembly.Instance(compiled(secondary), { e, primary: exports });
const gate = new WebAssembly.Instance(compiled("GATE"), { a: { a } });
exports["shared table"]?.set(0, gate.exports.b);
const { changed, more } = exports;
console.log(JSON.stringify([changed(21, 0), changed(21, 1), more(21, 0), more(21, 1)]));
""".replace("GATE", GATE.hex())
RESULTS: Final = [42, 22, 43, 23]


def run(primary: bytes, secondary: bytes = b"") -> list[int]:
    given = json.dumps([primary.hex(), secondary.hex()])
    done = subprocess.run(["node", "-e", RUN, given], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results: list[int] = json.loads(done.stdout)
    return results


def test_the_module_does_what_the_test_believes() -> None:
    assert run(MODULE) == RESULTS


@pytest.mark.parametrize("numbers", [(), (2,), (0, 1, 2, 3)], ids=str)
def test_what_is_called_through_others_gives_the_same(numbers: tuple[int, ...]) -> None:
    made = steady(MODULE, numbers)
    assert run(made.binary) == RESULTS
    assert run(*wasm.split(made.binary, {2, *made.callers})) == RESULTS


def test_there_is_one_caller_for_each_kind_of_call_and_it_is_too_long() -> None:
    made = steady(MODULE, (0, 1, 2, 3))
    old, new = Module(MODULE).bodies, Module(made.binary).bodies
    assert [*made.callers] == [4]
    assert [i for i, body in enumerate(old) if new[i] != body] == [2]
    assert len(new[4]) > LONG


def test_a_function_that_is_not_understood_stays_as_it_is() -> None:
    assert Module(steady(MODULE, (3,)).binary).bodies == Module(MODULE).bodies


def test_the_published_module_stays_valid(tmp_path: Path) -> None:
    made = steady(PUBLISHED.read_bytes(), range(0, 9_000, 3))
    assert 10 < len(made.callers) < 100
    (tmp_path / "steady.wasm").write_bytes(made.binary)
    check = "new WebAssembly.Module(require('fs').readFileSync(process.argv[1]))"
    subprocess.run(["node", "-e", check, tmp_path / "steady.wasm"], check=True)
