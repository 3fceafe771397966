// One game on a page: a board, what is said about it, and the buttons that act on it. The play page
// has one; on other pages a diagram can become one. What is shown goes into [data-show], what can
// be done stands at [data-do].

import { Board } from "./board.js";
import { setAttribute, setText } from "./change.js";

const ANNOUNCED_AFTER = 400; // milliseconds; what is there sooner need not be waited for
const NOTHING = () => {};

export class Game extends EventTarget {
  #waiting = []; // what has been asked of an engine that is not ready yet
  #settings;
  #progress = 0; // of the engine's loading, from 0 to 1
  #announcement = 0;

  // `start` is the link to open first, `deal` what to open where that link is bad; `settings` tells
  // the engine's settings when asked.
  constructor(root, engine, { start, deal = start, settings = () => ({}) }) {
    super();
    this.root = root;
    this.engine = engine;
    this.table = engine.newTable();
    this.start = start;
    this.deal = deal;
    this.#settings = settings;
    this.shown = null; // the last reply that showed a position
    this.show = this.#named("show");
    this.controls = this.#named("do");
    this.board = new Board(root.querySelector(".game-board"), {
      report: (message) => this.#report(message),
      press: (name) => this.#press(this.controls[name]),
    });
    this.actions = {
      undo: () => this.ask({ undo: true }),
      redo: () => this.ask({ redo: true }),
      restart: () => this.ask({ restart: true }),
      play: (button) => this.ask({ play: button.dataset.play }),
      retry: () => this.#retry(),
    };
    this.#listen();
  }

  load() {
    const { state } = this.engine;
    this.show.failure.hidden = true;
    if (state !== "ready") this.#announceLoading();
    if (canBeAsked(this.engine)) this.#begin();
    else this.engine.load(); // and then it can be
  }

  ask(message, then = (reply) => this.render(reply)) {
    if (canBeAsked(this.engine)) this.engine.ask(this.table, message, then);
    if (this.engine.state === "ready") return;
    this.#waiting.push([message, then]);
    this.#showWaiting();
  }

  open(link) {
    this.ask({ open: link });
  }

  applySettings() {
    if (!canBeAsked(this.engine)) return;
    this.ask({ settings: this.#engineSettings() }, (reply) => reply.svg && this.render(reply));
  }

  render(reply) {
    const { game: own } = this.root.dataset;
    if (own && reply.svg && reply.game !== own) {
      this.actions.elsewhere(reply);
      return;
    }
    this.#showProblem(reply);
    if (!reply.svg) return;
    const before = this.shown;
    this.board.show(reply);
    for (const key of ["code", "score", "moves", "redeals", "message", "hint"]) {
      if (this.show[key]) setText(this.show[key], reply[key]);
    }
    // Said again where it is the same: it has happened again.
    if (this.show.announce) this.show.announce.textContent = reply.announce;
    this.root.dataset.outcome = reply.outcome;
    enable(this.controls.undo, reply.can_undo);
    enable(this.controls.redo, reply.can_redo);
    for (const button of this.root.querySelectorAll("[data-play]")) {
      enable(button, reply.can_play.includes(button.dataset.play));
    }
    this.shown = reply;
    this.root.classList.remove("is-awaiting-deal");
    for (const panel of this.root.querySelectorAll("[data-preview]")) this.#preview(panel);
    this.dispatchEvent(new CustomEvent("shown", { detail: { reply, before } }));
    this.#lookAhead(reply);
  }

  #named(kind) {
    const elements = [...this.root.querySelectorAll(`[data-${kind}]`)];
    return Object.fromEntries(elements.map((element) => [element.dataset[kind], element]));
  }

  #listen() {
    const { root, engine } = this;
    engine.addEventListener("progress", ({ detail }) => {
      this.#progress = detail;
      if (!this.show.loading.hidden) this.#showProgress();
    });
    engine.addEventListener("loading", () => this.#begin());
    engine.addEventListener("ready", () => this.#ready());
    engine.addEventListener("failed", () => this.#fail());
    root.addEventListener("click", ({ target }) => this.#press(target.closest("button[data-do]")));
    for (const panel of root.querySelectorAll("[data-preview]")) {
      panel.addEventListener("toggle", () => this.#preview(panel));
    }
    this.board.onLayoutChange(() => this.applySettings());
  }

  #begin() {
    const unasked = this.#waiting.splice(0);
    this.ask({ settings: this.#engineSettings() }, NOTHING);
    const link = this.shown?.link ?? this.start;
    // A bad link still leads to a game, and what is wrong with it stays to be read.
    if (link !== this.deal) this.ask({ open: this.deal }, NOTHING);
    this.open(link);
    for (const [message, then] of unasked) this.ask(message, then);
  }

  #announceLoading() {
    this.#progress = 0;
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => {
      this.show.loading.hidden = false;
      this.#showProgress();
    }, ANNOUNCED_AFTER);
  }

  #showProgress() {
    this.show.loading.querySelector("progress").value = this.#progress;
  }

  #endLoading() {
    clearTimeout(this.#announcement);
    this.show.loading.hidden = true;
  }

  #ready() {
    this.#endLoading();
    this.show.failure.hidden = true;
    this.#waiting = [];
    this.#showWaiting();
  }

  // The button that was pressed disappears; the focus goes where the game goes on.
  #retry() {
    this.board.hands.focus();
    this.load();
  }

  #fail() {
    this.#waiting = [];
    this.#showWaiting();
    this.#endLoading();
    this.show.failure.hidden = false;
  }

  #engineSettings() {
    return { ...this.#settings(), layout: this.board.layout };
  }

  #report(message) {
    if (this.root.classList.contains("is-awaiting-deal")) return;
    this.dispatchEvent(new Event("touched"));
    // A card that was carried to its goal need not be shown on the way once more.
    if (message.drag) this.ask(message, (reply) => this.render({ ...reply, moved: [] }));
    else this.ask(message);
  }

  #press(button) {
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    this.actions[button.dataset.do]?.(button);
  }

  #showWaiting() {
    this.board.showWaiting(this.#waiting.flatMap(([{ tap, send }]) => tap ?? send ?? []));
  }

  #showProblem({ error = "", legal_link: legal = "" }) {
    if (!this.show.problem) return;
    if (error) this.show.problem.textContent = error; // to be said again
    else setText(this.show.problem, "");
    if (!this.show.legal) return;
    this.show.legal.hidden = !legal;
    this.show.legal.dataset.link = legal;
  }

  // What a move would bring up is drawn only while somebody looks at it.
  #preview(panel) {
    if (!panel.open || this.engine.state !== "ready") return;
    this.ask({ preview: panel.dataset.preview }, ({ preview }) => {
      this.show.preview.innerHTML = preview;
    });
  }

  // A proof that the game is stuck may take long: in short pieces, so that no tap has to wait.
  #lookAhead({ searching }) {
    if (!searching || !this.engine.isIdle) return;
    this.ask({ look_ahead: true }, (reply) => {
      if (reply.outcome !== this.shown.outcome) this.render(reply);
      else this.#lookAhead(reply);
    });
  }
}

const canBeAsked = ({ state }) => state === "loading" || state === "ready";

// Not the disabled attribute: a button that is switched off while it has the focus would lose it.
function enable(button, possible) {
  if (button) setAttribute(button, "aria-disabled", !possible);
}
