"""Pyodide's script keeps what is reached, and stops the build where it has changed too much."""

from __future__ import annotations

import re
from typing import Final

import pytest

import small_pyodide
from _environment import ROOT, Missing
from small_pyodide import made_small, reached
from wasm_format import Module

PYODIDE: Final = ROOT / "node_modules" / "pyodide"


def script(*statements: str, imports: str = "") -> str:
    inside = ["var Module=moduleArg;", f"var wasmImports={{{imports}}};", "begin(wasmImports);"]
    return f"var make=(()=>async function(moduleArg={{}}){{{''.join([*inside, *statements])}}})();"


def kept(*statements: str, imports: str = "", loader: str = "", imported: str = "") -> list[str]:
    """Which of the statements stay."""
    small = reached(script(*statements, imports=imports), loader, imported.split())
    return [statement for statement in statements if statement in small]


def test_a_function_stays_where_something_that_stays_mentions_it() -> None:
    reaching = ("run();", "function run(){one(1)}", "var one=(n)=>two[n];", "var two=[3];")
    assert kept(*reaching, "function other(){two;other()}", "var third={run};") == [*reaching]


def test_of_variables_declared_together_those_stay_that_are_used() -> None:
    small = reached(script("var one=1,two=2,three=3;", "use(one,three);"), "", [])
    assert "var one=1,three=3;" in small


def test_of_the_imports_those_stay_that_the_wasm_file_has() -> None:
    functions = ("function _one(){}", "var _two=()=>{};")
    assert kept(*functions, imports="one:_one,two:_two", imported="one") == [functions[0]]


def test_an_import_that_the_script_does_not_have_stops_the_build() -> None:
    with pytest.raises(Missing, match="wasmImports lacks two, three"):
        kept(imports="one:1", imported="one two three")


@pytest.mark.parametrize(
    "reader",
    ["Module.one();", 'Module["one"]();', "var {one}=Module;one();", "call(Module,'one');"],
)
def test_what_is_put_into_the_module_stays_where_it_is_read(reader: str) -> None:
    published = ('Module["one"]=_one;', "function _one(){}")
    assert kept(*published, reader) == [*published, reader]
    assert kept(*published, "other();") == ["other();"]
    assert kept(*published, loader="e=>e.one") == [*published]


def test_what_is_taken_from_the_wasm_file_stays_where_either_of_its_names_is_used() -> None:
    taken = 'var _one=Module["_one"]=wasmExports["one"];'
    assert kept(taken) == []
    assert kept(taken, "_one();") == [taken, "_one();"]
    assert kept(taken, loader="m._one") == [taken]


def test_which_property_of_the_module_is_read_may_not_be_calculated() -> None:
    assert kept("function other(name){return Module[name]}") == []
    with pytest.raises(Missing, match=re.escape("is calculated in Module[name]")):
        kept("find();", "function find(name){return Module[name]}")


def test_what_is_said_about_something_stays_where_that_stays() -> None:
    about = ("function one(){}", 'one.sig="v";', "one.init();", "one.more=other;", "var other={};")
    assert kept(*about) == []
    assert kept(*about, "one();") == [*about, "one();"]


def test_what_may_change_something_else_stays() -> None:
    statements = (
        "var one=begin();",
        "two.of=begin();",
        "var two={};",
        "if(one){globalThis.three=3}",
        "begin();",
        "console.log(four);",
        "var four=4;",
        "delete two.of;",
    )
    assert kept(*statements) == [*statements]


def test_a_script_of_another_shape_stops_the_build() -> None:
    with pytest.raises(Missing, match="not one function takes moduleArg, but 0"):
        reached("var make=(()=>async function(){})();", "", [])
    with pytest.raises(Missing, match="there is no list wasmImports"):
        reached("var make=(()=>async function(moduleArg={}){})();", "", [])


def test_a_text_that_is_to_go_and_is_not_there_stops_the_build() -> None:
    published = (PYODIDE / "pyodide.asm.js").read_text(encoding="utf-8")
    with pytest.raises(Missing, match=r"holds IDBFS\.quit\(\); 0 times"):
        small_pyodide._without_unused(published.replace("IDBFS.quit();", ""))


def test_pyodide_keeps_no_graphics_and_the_wasm_file_offers_what_the_script_names() -> None:
    files = ("pyodide.asm.js", "pyodide.mjs", "pyodide.asm.wasm")
    published = [(PYODIDE / name).read_bytes() for name in files]
    small = made_small(published[0].decode(), published[1].decode(), published[2])
    assert len(small.script) < 300_000
    for gone in ("SDL", "GL", "Browser", "IDBFS", "NODEFS"):
        assert f"var {gone}=" in published[0].decode()
        assert f"var {gone}=" not in small.script
    offered = {export.name for export in Module(small.binary).exports}
    assert offered >= {"malloc", "PyErr_Occurred", "__wasm_call_ctors"}
    assert offered <= {*small_pyodide.WORD.findall(small.script)}
    assert len(offered) < 300
