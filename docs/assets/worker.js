// The engine's side of the game: starts Python with the engine in it, then answers messages.
// Only JSON text crosses, in both directions. In comes {"table": 1, "message": {…}}, so that all
// boards of a page share one engine. To the page go {"progress": 0…1}, {"ready": true},
// {"failed": "…"} and the engine's replies, which are passed on as they are.
//
// RUNTIME stands above, put there by scripts/site_files.py: the manifest that scripts/runtime writes.

const language = new URL(import.meta.url).searchParams.get("language");

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const post = (message) => postMessage(JSON.stringify(message));
const fetchFile = self.fetch.bind(self);

// Starting Python once everything is there takes about as long as the last tenth of the way.
const STARTING = 0.1;
const BETWEEN_REPORTS = 100; // milliseconds
const MOST_PAGES = 65_536; // of memory, as the wasm file has it
const LIBRARY_AFTER = 3000; // milliseconds
const READ_AT_ONCE = 262_144; // bytes
const REHEARSED = 160; // taps
const QUIET = 300; // milliseconds
const BETWEEN_TAPS = 4; // milliseconds

const early = []; // questions from before there was somebody to answer them
self.onmessage = (question) => early.push(question);

async function start() {
  const folder = new URL(`../runtime/${RUNTIME.folder}/`, import.meta.url).href;
  const arrived = progressTo(RUNTIME.total);
  const sizes = new Map(RUNTIME.files.map(({ name, bytes }) => [name, bytes]));
  const counted = (name) => (loaded) => {
    arrived(sizes.get(name));
    return loaded;
  };
  // Everything is asked for at once; Pyodide itself would do so one after the other.
  const memory = new WebAssembly.Memory({ initial: RUNTIME.memory.pages, maximum: MOST_PAGES });
  const filled = fill(memory, `${folder}memory.bin`, arrived);
  const spare = filled.then(() => copied(memory, RUNTIME.memory.changed));
  const wasm = "pyodide.asm.wasm";
  const compiled = WebAssembly.compileStreaming(fetchFile(folder + wasm)).then(counted(wasm));
  const script = "pyodide.mjs";
  const scripted = import(folder + script).then(counted(script));
  const hopeless = handOver(folder, spare, compiled);
  const { loadPyodide } = await scripted;
  useMemory(memory, spare);
  const _loadSnapshot = Uint8Array.from(atob(RUNTIME.memory.head), (letter) => letter.charCodeAt());
  const options = { indexURL: folder, ...RUNTIME.options, _loadSnapshot };
  // Where a file is missing, or the wrong one, Pyodide would wait for ever.
  const [python] = await Promise.race([
    Promise.all([loadPyodide(options), spare, compiled]),
    hopeless,
  ]);
  self.python = python; // for those who look in from outside: tests and measurements
  const answer = answering(python);
  post({ ready: true });
  self.onmessage = answer;
  for (const question of early) answer(question);
  setTimeout(() => bringLibrary(python, folder).catch(() => {}), LIBRARY_AFTER);
}

// Pyodide asks for its files when it gets to them; they are on their way by then. What is returned
// fails when they do not fit together.
function handOver(folder, spare, compiled) {
  self.fetch = () => Promise.resolve(new Response());
  return new Promise((_, fail) => {
    WebAssembly.instantiateStreaming = async (_, imports) => {
      try {
        const [module] = await Promise.all([compiled, spare]);
        return { module, instance: await instantiated(module, imports, folder) };
      } catch (error) {
        fail(error);
        throw error;
      }
    };
  });
}

// Pyodide would make a memory of its own and prepare it, and then copy the kept one over it. Here it is
// given the kept one; what its preparations change there is put right again.
function useMemory(wasmMemory, spare) {
  const create = self._createPyodideModule;
  self._createPyodideModule = async (settings) => {
    const python = await create(Object.assign(settings, { wasmMemory }));
    for (const [at, bytes] of await spare) new Uint8Array(wasmMemory.buffer).set(bytes, at);
    return python;
  };
}

async function instantiated(module, imports, folder) {
  const { exports } = await WebAssembly.instantiate(module, withoutGraphics(module, imports));
  fetchWhenCalled(`${folder}secondary.wasm`, imports, exports);
  return { exports: ownExports(exports) };
}

// A table of graphics functions would have each of them compiled into a module of its own.
function withoutGraphics(module, imports) {
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from === "GOT.func") imports[from][name].value = -1;
  }
  return imports;
}

// What scripts/wasm.py has added is not Pyodide's; and the memory needs no preparation any more.
function ownExports(exports) {
  const own = Object.entries(exports).filter(([name]) => !name.includes(" "));
  return { ...Object.fromEntries(own), __wasm_apply_data_relocs() {} };
}

/* The functions that no way through the engine calls are in a second file. Should one be called after
   all, then in the middle of something: so Python has to wait here while that file comes. */

function fetchWhenCalled(address, imports, primary) {
  const table = primary["shared table"];
  table.set(0, asWasm(() => {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new Error(`${request.status} ${address}`);
    new WebAssembly.Instance(new WebAssembly.Module(request.response), { ...imports, primary });
    table.set(0, asWasm(() => {}));
  }));
}

// A table takes no functions but those of modules: (module (func (import "a" "a")) (export "b" (func 0))).
const PASSED_ON = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 97, 0, 0, 7, 5, 1, 1, 98, 0, 0,
);

function asWasm(a) {
  return new WebAssembly.Instance(new WebAssembly.Module(PASSED_ON), { a: { a } }).exports.b;
}

function answering(python) {
  const view = python.pyimport("halfmoon.view");
  const tables = new Map(); // one for each board of the page
  let isRehearsed = false;
  let last = 0; // when something was asked last
  const quiet = async () => {
    do await pause(BETWEEN_TAPS); while (performance.now() - last < QUIET);
  };
  return ({ data }) => {
    last = performance.now();
    const { table, message } = JSON.parse(data);
    const [after, reply] = answered(view, tables.get(table) ?? view.new_table(language), message);
    tables.set(table, after);
    postMessage(reply);
    if (isRehearsed || !message.open) return;
    isRehearsed = true;
    rehearse(view, message, quiet).catch(() => {});
  };
}

// The table after a message, and the reply; the one before is given back.
function answered(view, table, message) {
  const both = view.answer(table, JSON.stringify(message));
  table.destroy();
  const [after, reply] = [both.get(0), both.get(1)];
  both.destroy();
  return [after, reply];
}

// A browser compiles well what it has run often. So while the reader looks at the board for the first
// time, all its places are tapped on a table that nobody sees, as long as the reader asks nothing.
async function rehearse(view, opening, quiet) {
  let table = view.new_table(language);
  for (let left = REHEARSED; left > 0; ) {
    await quiet();
    let reply;
    [table, reply] = answered(view, table, opening);
    const { places = [] } = JSON.parse(reply);
    if (!places.length) break; // a bad link: there is nothing to tap
    for (const { place } of places.slice(0, left)) {
      await quiet();
      [table] = answered(view, table, { tap: place });
    }
    left -= places.length;
  }
  table.destroy();
}

/* Files */

// All modules that the engine imports are in the memory; the library is for what nobody foresaw.
async function bringLibrary(python, folder) {
  const library = checked(await fetchFile(`${folder}python_stdlib.zip`, { priority: "low" }));
  const [major, minor] = RUNTIME.python.split(".");
  const path = `/lib/python${major}${minor}.zip`;
  python.FS.writeFile(path, new Uint8Array(await library.arrayBuffer()));
}

// The file holds the pieces of the memory that are not all zero, one after the other.
async function fill({ buffer }, address, arrived) {
  const memory = new Uint8Array(buffer);
  const reader = readerOf(checked(await fetchFile(address)).body);
  let room = new ArrayBuffer(READ_AT_ONCE);
  let rest = new Uint8Array();
  for (let [at, length] of RUNTIME.memory.pieces) {
    while (length) {
      if (!rest.length) {
        const { done, value } = await reader.read(new Uint8Array(room));
        if (done) throw new Error(`too short: ${address}`);
        [rest, room] = [value, value.buffer];
      }
      const part = rest.subarray(0, length);
      memory.set(part, at);
      arrived(part.length);
      rest = rest.subarray(part.length);
      at += part.length;
      length -= part.length;
    }
  }
}

// Into the same room again and again, where the browser can; others bring each piece in a room of its own.
function readerOf(body) {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}

const copied = ({ buffer }, pieces) =>
  pieces.map(([at, length]) => [at, new Uint8Array(buffer.slice(at, at + length))]);

function progressTo(total) {
  let loaded = 0;
  let reported = -Infinity;
  return (bytes) => {
    loaded += bytes;
    if (performance.now() - reported < BETWEEN_REPORTS) return;
    reported = performance.now();
    post({ progress: Math.min(loaded / total, 1) * (1 - STARTING) });
  };
}

function checked(response) {
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response;
}

// A file that Pyodide waits for in vain must not leave the reader waiting too.
self.addEventListener("unhandledrejection", ({ reason }) => post({ failed: String(reason) }));
start().catch((error) => post({ failed: String(error) }));
