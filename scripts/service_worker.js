// Keeps the site for times without a network. SITE stands above, put there by scripts/offline.py:
// {files: {address below the root: hash of the content}, languages: ["pl/", …]}.
//
// A file is kept under its address together with its hash. So two versions of the site share what
// they have in common, and whatever else may lie in the store is never taken for a page.

const ROOT = self.registration.scope;
const STORE = `half-moon ${ROOT}`;
const COMPLETE = `${ROOT}?complete`; // kept as soon as everything else has been
const AT_ONCE = 4;
const QUIET = 1_500; // milliseconds

const files = new Map(Object.entries(SITE.files));
const addressOf = (path) => ROOT + path;
const keyOf = (path) => `${ROOT}${path}?${files.get(path)}`;

// Once, since each page asks for twenty files; a store that could not be opened is tried again.
let store = null;
function openStore() {
  store ??= caches.open(STORE).catch((error) => {
    store = null;
    throw error;
  });
  return store;
}

// The path of an address below the root, as the list of files has it; undefined for others.
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  if (!`${origin}${pathname}`.startsWith(ROOT)) return undefined;
  return `${origin}${pathname}`.slice(ROOT.length).replace(/(^|\/)index\.html$/, "$1");
}

const languageOf = (path) => SITE.languages.find((folder) => `${path}/`.startsWith(folder)) ?? "";

/* Keeping */

async function hashOf(response) {
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  const start = new Uint8Array(digest, 0, 8);
  return Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Keeps an answer if it is the file of this version, whole and unharmed; tells whether it was.
async function keep(path, response) {
  if (!response.ok) return false;
  // A page that came by a detour would be refused as the answer to a click.
  const copy = response.redirected ? new Response(response.clone().body, response) : response.clone();
  if ((await hashOf(response)) !== files.get(path)) return false;
  await (await openStore()).put(keyOf(path), copy);
  return true;
}

async function download(path) {
  const ask = (cache) => fetch(addressOf(path), { cache, priority: "low" });
  // What the page has just loaded need not travel twice; what is stale there is asked for anew.
  return (await keep(path, await ask("default"))) || keep(path, await ask("reload"));
}

// Whoever opens a page is not to share the line, or the machine, with what is for later.
let asked = -QUIET; // when a page asked for something last

async function quiet() {
  for (let left; (left = asked + QUIET - performance.now()) > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, left));
  }
}

// Downloads what is missing of these files, and tells whether all of them are kept now.
async function fill(paths) {
  const kept = new Set((await (await openStore()).keys()).map(({ url }) => url));
  const missing = paths.filter((path) => !kept.has(keyOf(path)));
  const left = missing.values();
  let whole = true;
  const work = async () => {
    for (const path of left) {
      await quiet();
      if (!(await download(path))) whole = false;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return whole;
}

// The language that is being read first, then what a game needs, then the other languages.
function inOrder(language) {
  const rank = (path) => {
    if (path.startsWith("runtime/")) return 1;
    return path.startsWith("assets/") || languageOf(path) === language ? 0 : 2;
  };
  return [...files.keys()].sort((one, other) => rank(one) - rank(other));
}

async function fillAll(language = "") {
  const whole = await fill(inOrder(language));
  if (whole) await (await openStore()).put(COMPLETE, new Response());
  return whole;
}

/* Answering */

async function lookUp(path) {
  try {
    return await (await openStore()).match(keyOf(path), { ignoreVary: true });
  } catch {
    return undefined; // a broken store must not stand between the reader and the network
  }
}

async function answer(path, event) {
  const kept = await lookUp(path);
  // A script is told its address by its answer; one that was asked with a query needs that too.
  if (kept) return kept.url === event.request.url ? kept : new Response(kept.body, kept);
  const response = await fetch(event.request);
  event.waitUntil(keep(path, response.clone()).catch(() => {}));
  return response;
}

// A page that the site does not have: the host says so, or without a network the kept page does.
async function answerUnknown(path, request) {
  if (files.has(`${path}/`)) return Response.redirect(addressOf(`${path}/`));
  try {
    return await fetch(request);
  } catch (error) {
    const page = await lookUp(`${languageOf(path)}404.html`);
    if (!page) throw error;
    return new Response(page.body, { status: 404, headers: page.headers });
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method !== "GET" || path === undefined || request.cache === "reload") return;
  asked = performance.now();
  if (files.has(path)) event.respondWith(answer(path, event));
  else if (request.mode === "navigate") event.respondWith(answerUnknown(path, request));
});

/* Coming and going */

// A first visit has nothing to wait for. A new version is ready when it has all that the old one had.
async function install() {
  if (!self.registration.active) return;
  const kept = (await (await openStore()).keys()).map(({ url }) => url);
  const had = new Set(kept.map(pathOf));
  const wanted = [...files.keys()].filter((path) => kept.includes(COMPLETE) || had.has(path));
  if (!(await fill(wanted))) throw new Error("the site is just being changed");
}

async function tidy() {
  const wanted = new Set([COMPLETE, ...[...files.keys()].map(keyOf)]);
  const store = await openStore();
  const old = (await store.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(old.map((request) => store.delete(request)));
}

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().catch(() => {}).then(() => self.clients.claim()));
});

// Where a game has been played, the runtime is here already, though the page does not know its files.
function filesOf(visited) {
  const paths = new Set(visited.map(pathOf));
  const played = paths.has("assets/worker.js");
  return [...files.keys()].filter(
    (path) => paths.has(path) || (played && path.startsWith("runtime/")),
  );
}

let filling = null; // several pages may ask at the same time

self.addEventListener("message", (event) => {
  const { activate, everything, visited } = event.data;
  if (activate) self.skipWaiting();
  if (!everything && !visited) return;
  const language = languageOf(pathOf(event.source.url) ?? "");
  const filled = everything ? (filling ??= fillAll(language)) : fill(filesOf(visited));
  // Without a network, or without room, what is missing is asked for at the next visit.
  event.waitUntil(filled.catch(() => {}).then(() => { filling = null; }));
});
