// Starts Python under Node, from the files in a folder, for scripts/runtime. Two things are asked of it,
// with what it has to know as JSON; its own answer goes to a file, as JSON too:
//
//   node python_memory.mjs keep FOLDER {"answer", "lock", "languages", "codes"}
//     starts Python, has the engine answer a little in every language, and writes the memory to
//     FOLDER/memory.bin; answers {size, pieces: [[start, length], …]}: the file holds the pieces one
//     after the other, and between them everything is zero.
//   node python_memory.mjs watch FOLDER {"answer", "lock", "memory", "source"}
//     starts from that memory with a watched wasm file (scripts/wasm.py), goes every way through the
//     engine (the source is that of scripts/engine_paths.py), and answers the functions called.
//
// Clocks and chance stand still, so that the same files give the same bytes.

import { readFileSync, writeFileSync } from "node:fs";

const [, , task, folder, told] = process.argv;
const known = JSON.parse(told);
process.argv.length = 1; // Python is told how its program is called, and would keep it

const GAP = 65_536; // bytes; shorter stretches of zeros are kept
const STILL = Date.UTC(1980, 0);
const TAPS = [{ tap: "1" }, { undo: true }, { redo: true }, { look_ahead: true }];

Date.now = () => STILL;
performance.now = () => 0;
Math.random = () => 0;
crypto.getRandomValues = (array) => array.fill(0);

let instance = null;

// As docs/assets/worker.js does it.
async function start(options) {
  const memory = options._loadSnapshot;
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (source, imports) => {
    const module = await WebAssembly.compile(source);
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === "GOT.func") imports[from][name].value = -1;
    }
    if (memory) new Uint8Array(imports.env.memory.buffer).set(memory.subarray(headOf(memory)));
    instance = await instantiate(module, imports);
    const exports = Object.fromEntries(
      Object.entries(instance.exports).filter(([name]) => !name.includes(" ")),
    );
    if (memory) exports.__wasm_apply_data_relocs = () => {};
    return { module, instance: { exports } };
  };
  const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
  const usual = { lockFileContents: known.lock, args: ["-S"], env: { PYTHONHASHSEED: "0" } };
  return loadPyodide({ indexURL: folder, ...usual, ...options });
}

const headOf = (memory) => new Uint32Array(memory.buffer, 0, 2)[1];

async function keep() {
  const python = await start({ _makeSnapshot: true });
  const view = python.pyimport("halfmoon.view");
  for (const language of known.languages) {
    for (const code of known.codes) play(view, language, [{ settings: {} }, { open: code }, ...TAPS]);
  }
  view.destroy();
  const collector = python.pyimport("gc");
  collector.collect();
  collector.destroy();
  const memory = python.makeMemorySnapshot();
  const pieces = [...piecesOf(memory)];
  const kept = pieces.map(([at, length]) => memory.subarray(at, at + length));
  writeFileSync(`${folder}/memory.bin`, Buffer.concat(kept));
  return { size: memory.length, pieces };
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

function* piecesOf(memory) {
  let start = 0;
  let end = 0; // of what is not zero
  for (let at = 0; at < memory.length; at += 1) {
    if (memory[at] === 0) continue;
    if (at - end >= GAP) {
      yield [start, end - start];
      start = at;
    }
    end = at + 1;
  }
  yield [start, end - start];
}

async function watch() {
  const memory = new Uint8Array(known.memory.size);
  const file = readFileSync(`${folder}/memory.bin`);
  let from = 0;
  for (const [at, length] of known.memory.pieces) {
    memory.set(file.subarray(from, from + length), at);
    from += length;
  }
  const python = await start({ _loadSnapshot: memory });
  const view = python.pyimport("halfmoon.view");
  play(view, "en", [{ settings: {} }, ...TAPS]);
  const called = new Set(calls());
  python.runPython(known.source);
  const goEveryWay = python.globals.get("go_every_way");
  calls(); // compiling is not the engine's work
  goEveryWay().destroy();
  calls().forEach((number) => called.add(number));
  return [...called].sort((one, other) => one - other);
}

// The numbers of the functions called since the last time.
function calls() {
  return Object.entries(instance.exports).flatMap(([name, mark]) => {
    if (!name.startsWith("called ") || !mark.value) return [];
    mark.value = 0;
    return [Number(name.slice("called ".length))];
  });
}

writeFileSync(known.answer, JSON.stringify(await { keep, watch }[task]()));
