// Starts Python under Node, from the files in a folder, for scripts/runtime. Two things are asked of it,
// with what it has to know as JSON; its own answer goes to a file, as JSON too:
//
//   node python_memory.mjs keep FOLDER {"answer", "options", "languages", "codes"}
//     starts Python, has the engine answer a little in every language, and writes the memory to
//     FOLDER/memory.bin; answers {pages, pieces: [[start, length], …], head}: the file holds the pieces
//     one after the other, and between them everything is zero; the head, in base64, is what Pyodide
//     wants to know about a memory.
//   node python_memory.mjs watch FOLDER {"answer", "options", "memory", "source"}
//     starts from that memory with a watched wasm file (scripts/wasm.py, scripts/wasm_switch.py), goes
//     every way through the engine (the source is that of scripts/engine_paths.py), and answers
//     {called, ways, changed, pieces}: the functions called, the ways gone in Python's evaluation loop, and
//     what Pyodide changes in the memory before it puts the kept one there. FOLDER/memory.bin is written
//     again, in other pieces: with all that is changed, so that it is put right where it is zero as well.
//
// Clocks and chance stand still, so that the same files give the same bytes.

import { readFileSync, writeFileSync } from "node:fs";

const [, , task, folder, told] = process.argv;
const known = JSON.parse(told);
process.argv.length = 1; // Python is told how its program is called, and would keep it

const PAGE = 65_536; // bytes
const MOST_PAGES = 65_536;
const GAP = 4_096; // bytes; shorter stretches of zeros are kept
const WORD = 16;
const WORD_BITS = 32;
// What depends on the clock or on chance shows by differing between the two.
const STILL = {
  keep: { date: Date.UTC(1980, 0), time: 0, chance: 0 },
  watch: { date: Date.UTC(2001, 1, 3, 4, 5, 6, 789), time: 12.5, chance: 0.7 },
}[task];
// In bytes: whatever the largest stretch of free memory is, most of it is in some of these.
const WIPED = Array.from({ length: 8 }, (_, index) => 2 ** (18 - index));
const TAPS = [{ tap: "1" }, { undo: true }, { redo: true }, { look_ahead: true }];

Date.now = () => STILL.date;
performance.now = () => STILL.time;
Math.random = () => STILL.chance;
crypto.getRandomValues = (array) => array.fill(STILL.chance * 256);

let instance = null;
let kept = null; // the memory as it is to be
let changed = [];

// As docs/assets/worker.js does it.
async function start(options, wasmMemory) {
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (source, imports) => {
    const module = await WebAssembly.compile(source);
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === "GOT.func") imports[from][name].value = -1;
    }
    instance = await instantiate(module, imports);
    const exports = Object.fromEntries(
      Object.entries(instance.exports).filter(([name]) => !name.includes(" ")),
    );
    if (wasmMemory) exports.__wasm_apply_data_relocs = () => {};
    return { module, instance: { exports } };
  };
  const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
  if (wasmMemory) await useMemory(wasmMemory);
  return loadPyodide({ indexURL: folder, ...known.options, ...options });
}

// Pyodide prepares its memory before it puts the kept one in its place. What it changes is put right here.
async function useMemory(wasmMemory) {
  await import(`${folder}/pyodide.asm.js`);
  const create = globalThis._createPyodideModule;
  globalThis._createPyodideModule = async (settings) => {
    const memory = new Uint8Array(wasmMemory.buffer);
    kept = memory.slice();
    const python = await create(Object.assign(settings, { wasmMemory }));
    changed = changesOf(kept, memory);
    memory.set(kept);
    return python;
  };
}

async function keep() {
  const python = await start({ _makeSnapshot: true });
  const view = python.pyimport("halfmoon.view");
  for (const language of known.languages) {
    for (const code of known.codes) play(view, language, [{ settings: {} }, { open: code }, ...TAPS]);
  }
  view.destroy();
  collect(python);
  wipe(python);
  const snapshot = python.makeMemorySnapshot();
  const [, headLength] = new Uint32Array(snapshot.buffer, 0, 2);
  const memory = snapshot.subarray(headLength);
  const pieces = written(memory);
  const head = Buffer.from(snapshot.subarray(0, headLength)).toString("base64");
  return { pages: memory.length / PAGE, pieces, head };
}

function collect(python) {
  const collector = python.pyimport("gc");
  collector.collect();
  collector.destroy();
}

// What Python has given back keeps what was in it, until somebody wants to have it with zeros.
function wipe(python) {
  const builtins = python.pyimport("builtins");
  const blocks = WIPED.map((size) => builtins.bytearray(size));
  for (const block of [...blocks, builtins]) block.destroy();
}

function play(view, language, messages) {
  let table = view.new_table(language);
  for (const message of messages) {
    const answered = view.answer(table, JSON.stringify(message));
    table.destroy();
    table = answered.get(0);
    answered.destroy();
  }
  table.destroy();
}

// Writes those pieces of a memory that are wanted, where `wanted` is not zero, and tells them.
function written(memory, wanted = memory) {
  const pieces = [...stretches(wanted.length, (at) => wanted[at] !== 0, GAP)];
  const parts = pieces.map(([at, length]) => memory.subarray(at, at + length));
  writeFileSync(`${folder}/memory.bin`, Buffer.concat(parts));
  return pieces;
}

// A byte that is the same here may differ in a browser, as part of a number that does.
function changesOf(one, other) {
  const changes = [...stretches(one.length, (at) => one[at] !== other[at], GAP)];
  return changes.map(([start, length]) => [start - (start % WORD), widened(start % WORD + length)]);
}

const widened = (length) => Math.ceil(length / WORD) * WORD;

// Where something is so, as [start, length]; shorter gaps than this are not worth telling.
function* stretches(length, isSo, gap) {
  let start = 0;
  let end = 0;
  for (let at = 0; at < length; at += 1) {
    if (!isSo(at)) continue;
    if (at - end >= gap) {
      if (end) yield [start, end - start];
      start = at;
    }
    end = at + 1;
  }
  if (end) yield [start, end - start];
}

async function watch() {
  const { pages, pieces, head } = known.memory;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES });
  const file = readFileSync(`${folder}/memory.bin`);
  let from = 0;
  for (const [at, length] of pieces) {
    new Uint8Array(memory.buffer).set(file.subarray(from, from + length), at);
    from += length;
  }
  const python = await start({ _loadSnapshot: Uint8Array.from(Buffer.from(head, "base64")) }, memory);
  const view = python.pyimport("halfmoon.view");
  play(view, "en", [{ settings: {} }, ...TAPS]);
  collect(python); // which a browser does in the middle of anything
  const atStart = marks();
  python.runPython(known.source);
  const goEveryWay = python.globals.get("go_every_way");
  forgetMarks(); // compiling is not the engine's work
  goEveryWay().destroy();
  const atEnd = marks();
  const wanted = kept.slice();
  for (const [at, length] of changed) wanted.fill(1, at, at + length);
  const both = (kind) => [...new Set([...atStart[kind], ...atEnd[kind]])].sort((one, other) => one - other);
  return { called: both("called"), ways: both("ways"), changed, pieces: written(kept, wanted) };
}

// The numbers of the functions called so far, and of the ways gone in Python's evaluation loop.
function marks() {
  const found = { called: [], ways: [] };
  for (const [kind, number, { value }] of marked()) {
    const bits = kind === "ways" ? WORD_BITS : 1;
    for (let bit = 0; bit < bits; bit += 1) {
      if ((value >>> bit) & 1) found[kind].push(number * bits + bit);
    }
  }
  return found;
}

const forgetMarks = () => marked().forEach(([, , mark]) => { mark.value = 0; });

// So scripts/wasm.py and scripts/wasm_switch.py name their marks.
function marked() {
  const named = Object.entries(instance.exports).map(([name, mark]) => [...name.split(" "), mark]);
  return named
    .filter(([kind]) => kind === "called" || kind === "ways")
    .map(([kind, number, mark]) => [kind, Number(number), mark]);
}

writeFileSync(known.answer, JSON.stringify(await { keep, watch }[task]()));
