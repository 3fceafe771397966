// Has the site kept for times without a network (service-worker.js does the keeping), and offers a
// newer version when there is one. Without service workers the site is simply read online.

const SLOW = ["slow-2g", "2g", "3g"];
const ANSWERED = 300; // milliseconds; by then the first tap has its answer
const LATEST = 5_000; // milliseconds
const BETWEEN_CHECKS = 3_600_000; // milliseconds, on a page that stays open

const after = (time) => new Promise((resolve) => setTimeout(resolve, time));

const workers = navigator.serviceWorker;

async function start() {
  // A game that never starts may need the newer version that only this brings.
  await Promise.race([gameIsReady().then(() => after(ANSWERED)), after(LATEST)]);
  const later = document.querySelector("template[data-later]"); // docs/overrides/partials/app.html
  later?.replaceWith(later.content);
  if (workers) await keep();
}

async function keep() {
  const address = new URL("../service-worker.js", import.meta.url);
  const registration = await workers.register(address, { updateViaCache: "none" });
  watch(registration);
  await Promise.all([workers.ready, gameIsReady()]);
  await quiet();
  registration.active.postMessage(wish());
}

/* Keeping: politely. Where bytes are dear, only what has been visited is kept. */

function wish() {
  const { saveData = false, effectiveType = "" } = navigator.connection ?? {};
  if (!saveData && !SLOW.includes(effectiveType)) return { everything: true };
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  return { visited: [location.href, ...loaded] };
}

const QUIET = 2000; // milliseconds
const SIGNS = ["click", "keydown", "pointerdown", "scroll"];

// A reader who is busy is not to wait for what is for later.
const quiet = () => new Promise((resolve) => {
  let timer;
  const done = () => {
    for (const sign of SIGNS) removeEventListener(sign, wait, true);
    resolve();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(done, QUIET);
  };
  for (const sign of SIGNS) addEventListener(sign, wait, { capture: true, passive: true });
  wait();
});

// A reader who came to play is not to share the line with what is for later.
const gameIsReady = () => new Promise((resolve) => {
  const game = document.querySelector(".game[data-worker]");
  if (!game || game.dataset.outcome) resolve();
  else new MutationObserver(resolve).observe(game, { attributeFilter: ["data-outcome"] });
});

/* Newer versions: offered, and never taken before the reader says so or has left. */

function watch(registration) {
  const look = () => { if (registration.waiting && registration.active) offer(registration); };
  const follow = () => registration.installing?.addEventListener("statechange", look);
  registration.addEventListener("updatefound", follow);
  follow();
  look();
  let checked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - checked < BETWEEN_CHECKS) return;
    checked = Date.now();
    registration.update().catch(() => {});
  });
}

function offer(registration) {
  const notice = document.querySelector("[data-update]");
  if (notice.childElementCount) return;
  notice.append(document.getElementById("update-offer").content.cloneNode(true));
  notice.addEventListener("click", ({ target }) => {
    const { choice } = target.dataset;
    if (choice === "later") notice.replaceChildren();
    else if (choice === "now") reload(registration.waiting);
  });
}

// Another page may have taken the new version already; then nobody waits.
function reload(waiting) {
  if (!waiting) return location.reload();
  workers.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage({ activate: true });
}

// A page in a frame is somebody else's page: nothing is kept, or offered, there.
if (window.parent === window) {
  const begin = () => start().catch(console.info);
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}
