"""A WebAssembly module that is taken apart does what it did before."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wasm
from wasm_format import HEAD, Module, read, unsigned


def section(number: int, *entries: bytes) -> bytes:
    content = bytes([len(entries)]) + b"".join(entries)
    return bytes([number, len(content)]) + content


def function(*instructions: int) -> bytes:
    body = bytes([0, *instructions, 0x0B])
    return bytes([len(body)]) + body


#: double(n) calls twice(n), which adds n to itself, and counts its calls in a global; idle() does
#: nothing. There is a memory with one byte in it, and a table that nobody uses.
MODULE: Final = HEAD + b"".join(
    (
        section(1, b"\x60\0\0", b"\x60\1\x7f\1\x7f"),
        section(2, b"\1e\3mem\2\0\1", b"\1e\4base\3\x7f\0"),
        section(3, b"\1", b"\1", b"\0"),
        section(4, b"\x70\0\1"),
        section(6, b"\x7f\1\x41\0\x0b", b"\x7f\0\x41\7\x0b"),
        section(7, b"\6double\0\0", b"\5twice\0\1", b"\4idle\0\2", b"\5seven\3\2"),
        section(9),
        section(
            10,
            function(0x20, 0, 0x10, 1),
            function(0x23, 1, 0x41, 1, 0x6A, 0x24, 1, 0x20, 0, 0x20, 0, 0x6A),
            function(0x01),
        ),
        section(11, b"\0\x23\0\x0b\1\x2a"),
    )
)
#: Passes on what a table would not take: (module (func (import "a" "a")) (export "b" (func 0))).
GATE: Final = HEAD + b"".join(
    (section(1, b"\x60\0\0"), section(2, b"\1a\1a\0\0"), section(7, b"\1b\0\0"))
)
#: Says what double(21) is, what lies in the memory at 8, and how often the gate was passed.
RUN: Final = """
const [primary, secondary] = JSON.parse(process.argv[1]).map((hex) => Buffer.from(hex, "hex"));
const base = new WebAssembly.Global({ value: "i32" }, 8);
const e = { mem: new WebAssembly.Memory({ initial: 1 }), base };
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(primary), { e });
let passed = 0;
const bytes = Buffer.from("GATE", "hex");
const gate = () => {
  passed += 1;
  new WebAssembly.Instance(new WebAssembly.Module(secondary), { e, primary: exports });
};
const passed_on = new WebAssembly.Instance(new WebAssembly.Module(bytes), { a: { a: gate } });
exports["shared table"]?.set(0, passed_on.exports.b);
const results = [exports.double(21), exports.double(4)];
const called = Object.keys(exports).filter((name) => exports[name].value === 1);
console.log(JSON.stringify({ results, passed, called, byte: new Uint8Array(e.mem.buffer)[8] }));
""".replace("GATE", GATE.hex())


def run(primary: bytes, secondary: bytes = b"") -> dict[str, object]:
    given_bytes = json.dumps([primary.hex(), secondary.hex()])
    done = subprocess.run(
        ["node", "-e", RUN, given_bytes], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, object] = json.loads(done.stdout)
    return said


def test_a_module_that_is_only_read_and_written_is_the_same() -> None:
    assert Module(MODULE).with_sections() == MODULE


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(ValueError, match="no WebAssembly module"):
        Module(b"PK\3\4")


def test_only_the_exports_that_are_named_stay() -> None:
    small = Module(wasm.with_exports(MODULE, {"double", "seven"}))
    assert [export.name for export in small.exports] == ["double", "seven"]


def test_a_module_without_data_leaves_the_memory_alone() -> None:
    assert run(MODULE)["byte"] == 42
    assert run(wasm.without_data(MODULE))["byte"] == 0


def test_a_watched_module_tells_which_functions_were_called() -> None:
    said = run(wasm.watched(MODULE))
    assert said["called"] == ["called 0", "called 1"]
    assert said["results"] == [42, 8]


@pytest.mark.parametrize(
    ("first", "passed"), [({0, 1}, 0), ({0}, 2), ({1}, 2), (set(), 2), ({0, 1, 2}, 0)]
)
def test_halves_do_what_the_whole_did(first: set[int], passed: int) -> None:
    """Each of the two calls passes the gate, which nobody takes away here."""
    halves = wasm.split(MODULE, first)
    said = run(halves.primary, halves.secondary)
    assert said["results"] == [42, 8]
    assert said["passed"] == passed


@given(st.integers(0, 2**32 - 1))
def test_numbers_are_read_as_they_were_written(number: int) -> None:
    written = unsigned(number)
    assert read(written, 0) == (number, len(written))


def test_the_published_module_can_be_split(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parent.parent
    published = (root / "node_modules" / "pyodide" / "pyodide.asm.wasm").read_bytes()
    halves = wasm.split(published, range(0, 9_000, 3))
    for name, half in zip(halves._fields, halves, strict=True):
        (tmp_path / name).write_bytes(half)
        check = "new WebAssembly.Module(require('fs').readFileSync(process.argv[1]))"
        subprocess.run(["node", "-e", check, tmp_path / name], check=True)
