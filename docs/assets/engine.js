// The engine as a page sees it: one worker, in which every board of the page has its own table.
// It tells its state by the events "loading", "progress" (detail: 0 to 1), "ready" and "failed". From
// "loading" on it can be asked; the answers come after "ready".

const STALLED_AFTER = 30_000; // milliseconds without a sign of life while loading

// The play page starts a worker in its head, long before this script is there, and keeps what it says.
function earlyWorker() {
  const early = window.earlyWorker;
  window.earlyWorker = null;
  return early;
}

function newWorker(path) {
  const address = new URL(path, location);
  address.searchParams.set("language", document.documentElement.lang);
  return new Worker(address, { type: "module" });
}

export class Engine extends EventTarget {
  #worker = null;
  #stall = 0;
  #asked = []; // what to do with each reply that is still to come, in order
  #tables = 0;

  constructor({ address, stalledAfter = STALLED_AFTER }) {
    super();
    this.address = address;
    this.stalledAfter = Number(stalledAfter);
    this.state = "absent"; // then "loading", "ready" or "failed"
  }

  newTable() {
    this.#tables += 1;
    return this.#tables;
  }

  load() {
    if (this.state === "loading" || this.state === "ready") return;
    this.state = "loading";
    this.#expectProgress();
    const { worker, heard } = earlyWorker() ?? { worker: newWorker(this.address), heard: [] };
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    for (const event of heard) worker[`on${event.type}`](event);
    this.dispatchEvent(new Event("loading"));
  }

  ask(table, message, then) {
    this.#asked.push(then);
    if (this.state === "ready") this.#expectProgress(); // a worker that has died says nothing
    this.#worker.postMessage(JSON.stringify({ table, message }));
  }

  // Gives back what it holds; it can be loaded again.
  stop() {
    clearTimeout(this.#stall);
    this.#worker?.terminate();
    this.#asked = [];
    this.state = "absent";
  }

  get isIdle() {
    return this.#asked.length === 0;
  }

  #receive(message) {
    if ("failed" in message) this.#fail(message.failed);
    else if ("progress" in message) this.#progress(message.progress);
    else if ("ready" in message) this.#begin();
    else this.#answered(message);
  }

  #answered(reply) {
    clearTimeout(this.#stall);
    this.#asked.shift()(reply);
    if (!this.isIdle) this.#expectProgress();
  }

  #expectProgress() {
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => this.#fail("no progress"), this.stalledAfter);
  }

  #progress(detail) {
    this.#expectProgress();
    this.dispatchEvent(new CustomEvent("progress", { detail }));
  }

  #begin() {
    clearTimeout(this.#stall);
    if (!this.isIdle) this.#expectProgress();
    this.state = "ready";
    this.dispatchEvent(new Event("ready"));
  }

  #fail(reason) {
    if (this.state === "failed") return;
    console.info(reason);
    clearTimeout(this.#stall);
    this.#worker.terminate();
    this.#asked = [];
    this.state = "failed";
    this.dispatchEvent(new Event("failed"));
  }
}
