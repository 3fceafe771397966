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

async function start() {
  const manifest = await checked(await fetchFile(`${runtime}manifest.json`)).json();
  const arrived = progressTo(manifest.total);
  const sizes = new Map(manifest.files.map(({ name, bytes }) => [name, bytes]));
  const script = async (name) => {
    const module = await import(runtime + name);
    arrived(sizes.get(name));
    return module;
  };
  countFetches(arrived);
  // Pyodide would ask for its second script only after the first; this way both are on their way.
  const [{ loadPyodide }] = await Promise.all(["pyodide.mjs", "pyodide.asm.js"].map(script));
  answerWith(await loadPyodide({ indexURL: runtime, packages: ["halfmoon"] }));
  post({ ready: true });
}

function answerWith(python) {
  const view = python.pyimport("halfmoon.view");
  const tables = new Map(); // one for each board of the page
  self.onmessage = ({ data }) => {
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

// Pyodide fetches its other files itself; counting on the way costs no second download.
function countFetches(arrived) {
  self.fetch = async (...request) => {
    const response = checked(await fetchFile(...request));
    const counter = new TransformStream({
      transform(chunk, controller) {
        arrived(chunk.byteLength);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}

function checked(response) {
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response;
}

// A file that Pyodide waits for in vain must not leave the reader waiting too.
self.addEventListener("unhandledrejection", ({ reason }) => post({ failed: String(reason) }));
start().catch((error) => post({ failed: String(error) }));
