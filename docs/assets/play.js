// The hands of the game: reports taps, keys and clicks to the engine in the worker, and shows what
// comes back. It holds no card, no rule and no sentence; those come from the engine and the page.

const STALLED_AFTER = 30_000; // milliseconds without a sign of life while loading
const STORED_SETTINGS = "half-moon.settings";
const SECOND_TAP_WITHIN = 400; // milliseconds
const GLIDE = 180; // milliseconds
const DRAGGED_FROM = 8; // pixels that a finger may stray while it taps
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const game = document.querySelector(".game");
const show = Object.fromEntries(
  [...game.querySelectorAll("[data-show]")].map((element) => [element.dataset.show, element]),
);
const hands = game.querySelector(".board-hands");
const places = new Map(
  [...hands.querySelectorAll("[data-place]")].map((button) => [button.dataset.place, button]),
);
const controls = Object.fromEntries(
  [...game.querySelectorAll("[data-do]")].map((element) => [element.dataset.do, element]),
);
const plays = [...game.querySelectorAll("[data-play]")];
const previews = [...game.querySelectorAll("[data-preview]")];
const board = game.querySelector(".game-board");
const language = document.documentElement.lang;

/* The worker */

let worker = null;
let ready = false;
let waiting = []; // messages for an engine that is not there yet
let asked = []; // what to do with each reply that is still to come, in order
let stall = 0;

function load() {
  const address = new URL(game.dataset.worker, location);
  address.searchParams.set("language", language);
  ready = false;
  show.failure.hidden = true;
  show.loading.hidden = false;
  worker = new Worker(address, { type: "module" });
  worker.onmessage = ({ data }) => receive(JSON.parse(data));
  worker.onerror = fail;
  expectProgress();
}

function receive(message) {
  if ("failed" in message) fail(message.failed);
  else if ("progress" in message) progress(message.progress);
  else if ("ready" in message) begin();
  else asked.shift()(message);
}

function expectProgress() {
  clearTimeout(stall);
  stall = setTimeout(fail, STALLED_AFTER);
}

function progress(part) {
  expectProgress();
  show.loading.querySelector("progress").value = part;
}

function fail(reason) {
  console.warn("The engine could not be loaded.", reason);
  clearTimeout(stall);
  worker.terminate();
  ready = false;
  asked = [];
  waiting = [];
  showWaitingTaps();
  show.loading.hidden = true;
  show.failure.hidden = false;
}

// Opens what the address names, then does what the player has asked for meanwhile.
function begin() {
  clearTimeout(stall);
  ready = true;
  show.loading.hidden = true;
  ask({ settings: engineSettings() }, () => {});
  open(linkInAddress() || game.dataset.deal);
  for (const message of waiting.splice(0)) ask(message);
}

function ask(message, then = render) {
  if (!ready) {
    waiting.push(message);
    showWaitingTaps();
    return;
  }
  asked.push(then);
  worker.postMessage(JSON.stringify(message));
}

// A proof that the game is stuck may take long: in short pieces, so that no tap has to wait.
function lookAhead({ searching }) {
  if (searching && asked.length === 0) ask({ look_ahead: true }, settle);
}

function settle(reply) {
  if (reply.outcome !== shown.outcome) render(reply);
  else lookAhead(reply);
}

function open(link) {
  ask({ open: link }, (reply) => {
    render(reply);
    // A bad link still leads to a game, and what is wrong with it stays to be read.
    if (reply.error && !reply.svg) ask({ open: game.dataset.deal }, (deal) => {
      render({ ...deal, error: reply.error });
    });
  });
}

/* What is shown */

let shown = { moves: 0, link: game.dataset.deal, outcome: "playing" };

function render(reply) {
  show.problem.textContent = reply.error ?? "";
  if (!reply.svg) return;
  const leaving = reply.taken.map((place) => topOf(place)?.cloneNode(true));
  const from = topOf(reply.moved[0])?.getBoundingClientRect();
  show.drawing.innerHTML = reply.svg;
  move(leaving, from, reply);
  for (const place of reply.places) renderPlace(place);
  for (const key of ["code", "score", "moves", "redeals", "message", "announce"]) {
    if (show[key]) show[key].textContent = reply[key];
  }
  game.dataset.outcome = reply.outcome;
  enable(controls.undo, reply.can_undo);
  enable(controls.redo, reply.can_redo);
  for (const button of plays) enable(button, reply.can_play.includes(button.dataset.play));
  for (const panel of previews) preview(panel);
  if (reply.code !== shown.code) clock.reset(secondsInAddress(reply.link));
  if (reply.outcome !== "playing") clock.stop();
  shown = reply;
  keepAddress();
  game.classList.remove("is-awaiting-deal");
  lookAhead(reply);
}

// What a move would bring up is drawn only while somebody looks at it.
function preview(panel) {
  if (!panel.open || !ready) return;
  ask({ preview: panel.dataset.preview }, ({ preview }) => {
    show.preview.innerHTML = preview;
  });
}

function renderPlace({ place, label, empty, selected }) {
  const button = places.get(place);
  button.setAttribute("aria-label", label);
  button.setAttribute("aria-pressed", selected);
  button.setAttribute("aria-disabled", empty);
  button.classList.remove("is-waiting");
}

function showWaitingTaps() {
  const taps = waiting.flatMap((message) => message.tap ?? []);
  for (const [place, button] of places) {
    button.classList.toggle("is-waiting", taps.includes(place));
  }
}

// Not the disabled attribute: a button that is switched off while it has the focus would lose it.
function enable(button, possible) {
  button.setAttribute("aria-disabled", !possible);
}

/* Motion */

const topOf = (place) => [...(drawn(place)?.querySelectorAll(".card") ?? [])].at(-1);
const drawn = (place) =>
  place && show.drawing.querySelector(`.place[data-place="${CSS.escape(place)}"]`);

// Taken cards lift and fade while the next ones turn up; undo plays it backwards.
function move(leaving, from, { taken, returned, moved }) {
  taken.forEach((place, index) => {
    topOf(place)?.classList.add("is-turning");
    if (leaving[index]) fadeOut(leaving[index], place);
  });
  for (const place of returned) topOf(place)?.classList.add("is-returning");
  if (from) glide(topOf(moved[1]), from);
}

// The browser has the card at its goal already; it is shown on its way there.
function glide(card, from) {
  if (!card || !mayMove()) return;
  const to = card.getBoundingClientRect();
  const scale = card.ownerSVGElement.viewBox.baseVal.width / show.drawing.clientWidth;
  const [right, down] = [(from.x - to.x) * scale, (from.y - to.y) * scale];
  card.animate([{ translate: `${right}px ${down}px` }, { translate: "0 0" }],
    { duration: GLIDE, easing: "ease-out" });
}

const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

function fadeOut(card, place) {
  card.classList.add("is-leaving");
  card.setAttribute("aria-hidden", "true");
  card.addEventListener("animationend", () => card.remove());
  if (mayMove()) drawn(place).append(card);
}

/* Time */

const clock = {
  seconds: 0,
  timer: 0,
  start() {
    this.timer ||= setInterval(() => this.tick(), 1000);
  },
  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  },
  reset(seconds) {
    this.stop();
    this.seconds = seconds;
    this.show();
  },
  tick() {
    if (document.hidden) return;
    this.seconds += 1;
    this.show();
  },
  show() {
    const form = { minute: "numeric", second: "2-digit", timeZone: "UTC", hourCycle: "h23" };
    if (this.seconds >= 3600) form.hour = "numeric";
    const moment = new Date(this.seconds * 1000);
    show.time.textContent = new Intl.DateTimeFormat(language, form).format(moment);
  },
};

/* The address always names the position. */

const linkInAddress = () => {
  const link = location.hash.slice(1);
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
};

// The time played goes with the address, so that reloading does not turn the clock back.
const secondsInAddress = (link) =>
  history.state?.link === link ? history.state.seconds : 0;

function keepAddress() {
  const { link } = shown;
  history.replaceState({ link, seconds: clock.seconds }, "", `#${link}`);
}

addEventListener("popstate", () => {
  const link = linkInAddress();
  if (link && link !== shown.link) open(link);
});

addEventListener("pagehide", keepAddressOnLeaving);
function keepAddressOnLeaving() {
  if (shown.svg) keepAddress();
}

// A game that is left for another one stays one step back.
function leaveGame(message, then) {
  if (shown.moves) history.pushState(null, "", location.hash);
  ask(message, then);
}

/* Settings */

const settings = controls.settings;

function engineSettings() {
  const chosen = { layout: layoutShown() };
  for (const field of settings.elements) {
    if ("looks" in field.dataset) continue;
    chosen[field.name] = field.type === "checkbox" ? field.checked : field.value;
  }
  return chosen;
}

// The style sheet decides which layout there is room for.
const layoutShown = () => getComputedStyle(show.drawing).getPropertyValue("--layout").trim();

let layout = layoutShown();
new ResizeObserver(() => {
  if (layout === layoutShown()) return;
  layout = layoutShown();
  if (ready) ask({ settings: engineSettings() });
}).observe(board);

function applyLooks() {
  for (const field of settings.querySelectorAll("[data-looks]")) {
    document.documentElement.toggleAttribute(`data-${field.name}`, field.checked);
  }
}

function restoreSettings() {
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem(STORED_SETTINGS)) ?? {};
  } catch {
    // Nothing usable is stored, or storing is forbidden: the page's own settings stand.
  }
  for (const field of settings.elements) {
    if (!(field.name in stored)) continue;
    if (field.type === "checkbox") field.checked = stored[field.name] === true;
    else if ([...field.options].some(({ value }) => value === stored[field.name])) {
      field.value = stored[field.name];
    }
  }
  applyLooks();
}

settings.addEventListener("change", () => {
  const { layout: _, ...chosen } = engineSettings();
  for (const field of settings.querySelectorAll("[data-looks]")) chosen[field.name] = field.checked;
  try {
    localStorage.setItem(STORED_SETTINGS, JSON.stringify(chosen));
  } catch {
    // They hold for this visit, then.
  }
  applyLooks();
  if (ready) ask({ settings: engineSettings() });
});

/* Hands */

hands.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-place]");
  if (!button || game.classList.contains("is-awaiting-deal")) return;
  if (button.getAttribute("aria-disabled") !== "true") clock.start();
  const { place } = button.dataset;
  ask(isSecondTap(place) ? { send: place } : { tap: place });
});

let lastTap = { place: "", time: 0 };

function isSecondTap(place) {
  const time = performance.now();
  const second = lastTap.place === place && time - lastTap.time < SECOND_TAP_WITHIN;
  lastTap = second ? { place: "", time } : { place, time };
  return second;
}

/* Dragging, where a card moves from place to place */

let drag = null; // {place, id, x, y, ghost}: where a finger went down, and what it carries

hands.addEventListener("pointerdown", ({ target, pointerId, clientX, clientY, button }) => {
  const from = target.closest("[data-place]");
  if (!from || button || !board.classList.contains("is-draggable")) return;
  drag = { place: from.dataset.place, id: pointerId, x: clientX, y: clientY, ghost: null };
});

addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
  if (drag?.id !== pointerId) return;
  const [right, down] = [clientX - drag.x, clientY - drag.y];
  if (!drag.ghost && Math.hypot(right, down) < DRAGGED_FROM) return;
  drag.ghost ??= liftTop(drag.place);
  if (drag.ghost) drag.ghost.style.translate = `${right}px ${down}px`;
});

addEventListener("pointercancel", () => drop());
addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
  if (drag?.id !== pointerId) return;
  const { place, ghost } = drop();
  const goal = document.elementFromPoint(clientX, clientY)?.closest(".board-hands [data-place]");
  if (!ghost || !goal || goal.dataset.place === place) return;
  clock.start();
  ask({ drag: [place, goal.dataset.place] }, (reply) => render({ ...reply, moved: [] }));
});

// The click that ends a drag is no tap.
hands.addEventListener("click", (event) => {
  if (dropped && performance.now() - dropped < SECOND_TAP_WITHIN) event.stopImmediatePropagation();
  dropped = 0;
}, { capture: true });

let dropped = 0;

function drop() {
  const ended = drag ?? {};
  ended.ghost?.remove();
  if (ended.ghost) dropped = performance.now();
  drag = null;
  return ended;
}

// A picture of the top card, over the board, that follows the finger.
function liftTop(place) {
  const card = topOf(place);
  if (!card) return null;
  const box = card.getBoundingClientRect();
  const ghost = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  ghost.setAttribute("class", "board ghost");
  ghost.setAttribute("viewBox", "0 0 60 84");
  ghost.append(card.cloneNode(true));
  Object.assign(ghost.style, {
    left: `${box.left + scrollX}px`, top: `${box.top + scrollY}px`, width: `${box.width}px`,
  });
  document.body.append(ghost);
  return ghost;
}

const chance = () =>
  [...crypto.getRandomValues(new Uint32Array(2))]
    .map((number) => number.toString(16).padStart(8, "0"))
    .join("");

const actions = {
  undo: () => ask({ undo: true }),
  redo: () => ask({ redo: true }),
  restart: () => leaveGame({ restart: true }, (reply) => {
    clock.reset(0);
    render(reply);
  }),
  play: ({ dataset }) => ask({ play: dataset.play }),
  new: () => leaveGame({ new: { game: game.dataset.game, chance: chance() } }),
  retry: load,
};

for (const panel of previews) panel.addEventListener("toggle", () => preview(panel));

game.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-do]");
  if (button && button.getAttribute("aria-disabled") !== "true") actions[button.dataset.do](button);
});

controls.open.addEventListener("submit", (event) => {
  event.preventDefault();
  const entry = controls.open.elements.code;
  leaveGame({ open: entry.value }, (reply) => {
    show["code-problem"].textContent = reply.error ?? "";
    entry.setAttribute("aria-invalid", Boolean(reply.error));
    if (reply.error) return;
    entry.value = "";
    entry.closest("details").open = false;
    render(reply);
    places.values().next().value.focus();
  });
});

// Keys work while the board has the focus, so that they never get in a reader's way elsewhere.
hands.addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey) return;
  if (key in ARROWS && !command) focusNext(event.target, ARROWS[key]);
  else if (key === "u" && !command) controls.undo.click();
  else if (key === "r" && !command) controls.redo.click();
  else if (key === "z" && command) (event.shiftKey ? controls.redo : controls.undo).click();
  else if (key === "y" && command) controls.redo.click();
  else {
    if (event.key.length === 1 && !command) event.stopPropagation(); // the theme's own hotkeys
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});

// The nearest place in a direction; how far it lies aside counts double.
function focusNext(from, [right, down]) {
  const centre = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
    [offsetLeft + offsetWidth / 2, offsetTop + offsetHeight / 2];
  const [x, y] = centre(from);
  let nearest = null;
  let least = Infinity;
  for (const button of places.values()) {
    const [otherX, otherY] = centre(button);
    const ahead = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (ahead <= from.offsetWidth / 2 || ahead + 2 * aside >= least) continue;
    [nearest, least] = [button, ahead + 2 * aside];
  }
  nearest?.focus();
}

/* Start */

restoreSettings();
clock.show();
if (![``, game.dataset.deal].includes(linkInAddress())) game.classList.add("is-awaiting-deal");
load();
