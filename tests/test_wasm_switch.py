"""A switch that was made narrow leads where the wide one led."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Collection
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

import wasm
import wasm_switch
from test_wasm import GATE, section
from wasm_format import HEAD, Module, vector, with_size
from wasm_switch import narrowed, watched_switch

ROOT: Final = Path(__file__).resolve().parent.parent
PUBLISHED: Final = ROOT / "node_modules" / "pyodide" / "pyodide.asm.wasm"

WAYS: Final = (0, 1, 2, 3)
SUBSETS: Final = [ways for count in range(5) for ways in combinations(WAYS, count)]
#: run(at) follows the instructions that lie in the memory from there: 0 adds one to a sum, which is
#: 5 at first, 1 doubles it, 2 adds where it stands, any other ends. It gives the sum and its end.
RUN: Final = (
    *(0x41, 5, 0x21, 1),  # what must not be done again
    *(0x02, 0x40, 0x20, 0, 0x41, 0x7F, 0x47, 0x04, 0x40, 0x03, 0x40),  # block, if, loop
    *(0x20, 0, 0x2D, 0, 0, 0x21, 2, 0x20, 0, 0x41, 1, 0x6A, 0x21, 0),
    *(0x20, 0),  # which the last way takes from below the blocks
    *(0x02, 0x40, 0x02, 0x40, 0x02, 0x40, 0x02, 0x40),
    *(0x20, 2, 0x0E, 3, 0, 1, 2, 3),
    *(0x0B, 0x20, 1, 0x41, 1, 0x6A, 0x21, 1, 0x0C, 3),
    *(0x0B, 0x20, 1, 0x41, 1, 0x74, 0x21, 1, 0x0C, 2),
    *(0x0B, 0x20, 1, 0x20, 0, 0x6A, 0x21, 1, 0x0C, 1),
    *(0x0B, 0x20, 1, 0x6A, 0x0F),
    *(0x0B, 0x0B, 0x0B, 0x41, 0x7F),
)
MODULE: Final = HEAD + b"".join(
    (
        section(1, b"\x60\0\0", b"\x60\1\x7f\1\x7f"),
        section(2, b"\1e\3mem\2\0\1"),
        section(3, b"\1"),
        section(4, b"\x70\0\1"),
        section(6, b"\x7f\1\x41\0\x0b"),
        section(7, b"\3run\0\0"),
        section(9),
        b"\x0a" + with_size(vector([with_size(bytes((1, 2, 0x7F, *RUN, 0x0B)))])),
    )
)
#: Says what each program gives, which ways have been gone, and whether the second half was fetched.
PLAY: Final = """
const [primary, secondary, programs] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const e = { mem: new WebAssembly.Memory({ initial: 1 }) };
const compiled = (hex) => new WebAssembly.Module(Buffer.from(hex, "hex"));
const passed_on = compiled("GATE");
const said = programs.map((program) => {
  const { exports } = new WebAssembly.Instance(compiled(primary), { e });
  let fetched = false;
  const a = () => {
    fetched = true;
    new WebAssembly.Instance(compiled(secondary), { e, primary: exports });
  };
  exports["shared table"]?.set(0, new WebAssembly.Instance(passed_on, { a: { a } }).exports.b);
  new Uint8Array(e.mem.buffer).set(program);
  return { sum: exports.run(0), ways: exports["ways 0"]?.value, fetched };
});
console.log(JSON.stringify(said));
""".replace("GATE", GATE.hex())
PROGRAMS: Final = [
    [*program, 3] for length in range(4) for program in combinations((0, 1, 2, 1, 0), length)
]


def sums() -> list[int]:
    """What the programs give, done by hand."""
    found = []
    for program in PROGRAMS:
        total = 5
        for at, instruction in enumerate(program[:-1], start=1):
            total = (total + 1, total * 2, total + at)[instruction]
        found.append(total + len(program))
    return found


def play(primary: bytes, secondary: bytes = b"") -> list[dict[str, Any]]:
    given = json.dumps([primary.hex(), secondary.hex(), PROGRAMS])
    done = subprocess.run(
        ["node", "-e", PLAY], input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said: list[dict[str, Any]] = json.loads(done.stdout)
    return said


@pytest.fixture(autouse=True)
def _four_ways_are_many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "published" not in request.node.name:
        monkeypatch.setattr(wasm_switch, "WIDE", 3)


def test_the_module_does_what_the_test_believes() -> None:
    assert [said["sum"] for said in play(MODULE)] == sums()


def test_a_watched_switch_tells_which_ways_were_gone() -> None:
    said = play(watched_switch(MODULE))
    assert [one["sum"] for one in said] == sums()
    gone = [sum(1 << way for way in {*program}) for program in PROGRAMS]
    assert [one["ways"] for one in said] == gone


@pytest.mark.parametrize("ways", SUBSETS, ids=str)
def test_a_narrow_switch_leads_where_the_wide_one_led(ways: Collection[int]) -> None:
    narrow = narrowed(MODULE, ways)
    assert [said["sum"] for said in play(narrow)] == sums()
    said = play(*wasm.split(narrow, {0}))
    assert [one["sum"] for one in said] == sums()
    assert [one["fetched"] for one in said] == [not {*program} <= {*ways} for program in PROGRAMS]


def test_what_nothing_leads_to_is_cut_off() -> None:
    sizes = [len(Module(narrowed(MODULE, WAYS[:count])).bodies[0]) for count in range(4)]
    assert sizes == sorted({*sizes})


def test_a_module_without_a_wide_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm_switch, "WIDE", 4)
    with pytest.raises(ValueError, match="no function has a wide switch"):
        narrowed(MODULE, WAYS)


def test_an_instruction_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="opcode 0xd3 is not known"):
        narrowed(MODULE.replace(bytes((0x0B, 0x0B, 0x0B, 0x41)), b"\xd3\x0b\x0b\x41"), WAYS)


def test_a_variable_that_changes_before_the_switch_is_refused() -> None:
    changing = MODULE.replace(bytes((0x20, 2, 0x0E)), bytes((0x22, 0, 0x0E)))
    with pytest.raises(ValueError, match="changes before the switch"):
        narrowed(changing, WAYS)


def test_the_published_switch_can_be_narrowed(tmp_path: Path) -> None:
    published = PUBLISHED.read_bytes()
    (number,) = (
        i
        for i, (old, new) in enumerate(
            zip(Module(published).bodies, Module(narrowed(published, ())).bodies[:-1], strict=True)
        )
        if old != new
    )
    for ways in ((), range(0, 256, 3), range(256)):
        narrow = narrowed(published, ways)
        (tmp_path / "narrow.wasm").write_bytes(narrow)
        check = "new WebAssembly.Module(require('fs').readFileSync(process.argv[1]))"
        subprocess.run(["node", "-e", check, tmp_path / "narrow.wasm"], check=True)
        assert len(Module(narrow).bodies[number]) < len(Module(published).bodies[number]) + 200
    assert len(Module(narrowed(published, ())).bodies[number]) < 5_000
