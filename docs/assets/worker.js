// The engine's side of the game: loads Pyodide and the engine, then answers messages.
// Only JSON text crosses, in both directions. In comes {"table": 1, "message": {…}}, so that all
// boards of a page share one engine. To the page go {"progress": 0…1}, {"ready": true},
// {"failed": "…"} and the engine's replies, which are passed on as they are.

const runtime = new URL("../runtime/", import.meta.url).href;
const language = new URL(import.meta.url).searchParams.get("language");

const post = (message) => postMessage(JSON.stringify(message));
const fetchFile = self.fetch.bind(self);

// Starting Python once everything is there takes about as long as the last tenth of the way.
const STARTING = 0.1;

const KEPT_MEMORY = "half-moon.memory"; // a cache of its own, with one entry
const QUIET_BEFORE_KEEPING = 3000; // milliseconds without a message

async function start() {
  const manifest = await checked(await fetchFile(`${runtime}manifest.json`)).json();
  const folder = `${runtime}${manifest.folder}/`;
  const arrived = progressTo(manifest.total);
  const sizes = new Map(manifest.files.map(({ name, bytes }) => [name, bytes]));
  // Everything is asked for at once; Pyodide itself would do so one after the other.
  const memory = keptMemory(folder);
  const library = counted(`${folder}python_stdlib.zip`, arrived);
  const compiled = counted(`${folder}pyodide.asm.wasm`, arrived).then(WebAssembly.compileStreaming);
  const scripts = ["pyodide.mjs", "pyodide.asm.js"].map(async (name) => {
    const module = await import(folder + name);
    arrived(sizes.get(name));
    return module;
  });
  handOver(library, compiled);
  const [[{ loadPyodide }], _loadSnapshot] = await Promise.all([Promise.all(scripts), memory]);
  const options = {
    indexURL: folder,
    lockFileContents: manifest.lock,
    args: ["-S"], // there are no packages to look for
    // A memory can be kept of a Python that knows of it from its start.
    ...(_loadSnapshot ? { _loadSnapshot } : { _makeSnapshot: true }),
  };
  // Pyodide waits for ever where a file is missing: so the files are waited for as well.
  const [python] = await Promise.all([loadPyodide(options), library, compiled]);
  answerWith(python);
  post({ ready: true });
  if (_loadSnapshot) doubtMemory(false).catch(() => {});
  else keepMemory(python, folder);
}

// Pyodide asks for its files when it gets to them; they are on their way by then.
function handOver(library, compiled) {
  self.fetch = (address) =>
    String(address).endsWith(".zip") ? library : Promise.resolve(new Response());
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

function answerWith(python) {
  const view = python.pyimport("halfmoon.view");
  const tables = new Map(); // one for each board of the page
  self.onmessage = ({ data }) => {
    lastMessage = performance.now();
    const { table, message } = JSON.parse(data);
    const before = tables.get(table) ?? view.new_table(language);
    const answered = view.answer(before, JSON.stringify(message));
    before.destroy();
    tables.set(table, answered.get(0));
    postMessage(answered.get(1));
    answered.destroy();
  };
}

function progressTo(total) {
  let loaded = 0;
  return (bytes) => {
    loaded += bytes;
    post({ progress: Math.min(loaded / total, 1) * (1 - STARTING) });
  };
}

async function counted(address, arrived) {
  const response = checked(await fetchFile(address));
  const counter = new TransformStream({
    transform(chunk, controller) {
      arrived(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

function checked(response) {
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response;
}

/* The memory of a Python that has started, kept for the next visit: a third of the way is saved.
   It is only a copy, so whatever is wrong with it or with keeping it, Python starts as usual. */

let lastMessage = 0;

const memoryAddress = (folder) => `${folder}memory`;
const doubtAddress = `${runtime}doubt`;

// Marked as doubtful while it is tried: if that never ends, the next start does without it.
async function keptMemory(folder) {
  try {
    const cache = await caches.open(KEPT_MEMORY);
    const found = await cache.match(memoryAddress(folder));
    if (!found || (await cache.match(doubtAddress))) return null;
    doubtMemory(true).catch(() => {});
    const whole = new Uint8Array(Number(found.headers.get("X-Size")));
    whole.set(new Uint8Array(await found.arrayBuffer()));
    return whole;
  } catch {
    return null; // no such storage here, or it is forbidden
  }
}

async function doubtMemory(doubtful) {
  const cache = await caches.open(KEPT_MEMORY);
  await (doubtful ? cache.put(doubtAddress, new Response()) : cache.delete(doubtAddress));
}

function keepMemory(python, folder) {
  setTimeout(() => {
    if (performance.now() - lastMessage < QUIET_BEFORE_KEEPING) keepMemory(python, folder);
    else storeMemory(python, folder).catch(() => {}); // no room: the next start is as this one
  }, QUIET_BEFORE_KEEPING);
}

async function storeMemory(python, folder) {
  if (!self.caches) return;
  const memory = python.makeMemorySnapshot();
  let used = memory.length;
  while (memory[used - 1] === 0) used -= 1;
  const headers = { "X-Size": memory.length };
  await caches.delete(KEPT_MEMORY); // those of older runtimes too
  const cache = await caches.open(KEPT_MEMORY);
  await cache.put(memoryAddress(folder), new Response(memory.subarray(0, used), { headers }));
}

// A file that Pyodide waits for in vain must not leave the reader waiting too.
self.addEventListener("unhandledrejection", ({ reason }) => post({ failed: String(reason) }));
start().catch((error) => post({ failed: String(error) }));
