// One board: a drawing from the engine and, laid over it, a button for each place. It reports taps
// and drags, and shows what comes back. It holds no card, no rule and no sentence.

import { setAttribute, setText } from "./change.js";

const SECOND_TAP_WITHIN = 400; // milliseconds
const GLIDE = 180; // milliseconds
const DRAGGED_FROM = 8; // pixels that a finger may stray while it taps
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const PLACE_BEGINS = /(?=<g class="place")/; // in a drawing, which has nothing but its end after them

const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

// An element that is in no page yet.
function inert(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.firstElementChild;
}

const tagOf = (text) => text.slice(0, text.indexOf(">"));
const hasSameTag = (one, other) => one.cloneNode().isEqualNode(other.cloneNode());

export class Board {
  #lastTap = { place: "", time: 0 };
  #drag = null; // {place, id, x, y, ghost}: where a finger went down, and what it carries
  #dropped = -Infinity;
  #parts = []; // the drawing that is shown: its frame and its places, as the engine gave them
  #boxes = new Map(); // and where the buttons are

  // `report` is given the messages {tap}, {send} and {drag}; `press` the names "undo" and "redo".
  constructor(element, { report, press }) {
    this.element = element;
    this.drawing = element.querySelector(".board-drawing");
    this.hands = element.querySelector(".board-hands");
    this.report = report;
    this.press = press;
    this.places = new Map();
    for (const button of this.hands.querySelectorAll("[data-place]")) {
      this.places.set(button.dataset.place, button);
    }
    this.#listen();
  }

  // The style sheet decides which layout there is room for.
  get layout() {
    return getComputedStyle(this.drawing).getPropertyValue("--layout").trim();
  }

  // The observer tells of the first layout as well: to ask for it here would have the page laid out now.
  onLayoutChange(then) {
    let layout;
    new ResizeObserver(() => {
      const before = layout;
      layout = this.layout;
      if (before !== undefined && layout !== before) then();
    }).observe(this.element);
  }

  focus() {
    this.places.values().next().value?.focus({ preventScroll: true });
  }

  /* What is shown */

  show(reply) {
    // What still moves is done: to go on with it would take time from the next tap.
    for (const animation of this.drawing.getAnimations({ subtree: true })) animation.finish();
    const leaving = reply.taken.map((place) => this.#topOf(place)?.cloneNode(true));
    const from = this.#topOf(reply.moved[0])?.getBoundingClientRect();
    this.#draw(reply);
    reply.taken.forEach((place, index) => this.#take(place, leaving[index]));
    for (const place of reply.returned) this.#topOf(place)?.classList.add("is-returning");
    if (from) this.#glide(this.#topOf(reply.moved[1]), from);
    for (const place of reply.places) this.#showPlace(place);
  }

  // Taps that the engine has not answered yet look selected, so that nobody taps again.
  showWaiting(taps) {
    for (const [place, button] of this.places) {
      button.classList.toggle("is-waiting", taps.includes(place));
    }
  }

  // Most replies change a place or two; the others are left as they are, with what moves in them.
  #draw({ svg, places, settings }) {
    const parts = svg.split(PLACE_BEGINS);
    const before = this.#parts;
    this.#parts = parts;
    const frame = inert(parts[0]);
    if (!before.length && this.#isBuilt(frame, settings)) return;
    if (before.length !== parts.length || tagOf(before[0]) !== tagOf(parts[0])) {
      this.drawing.innerHTML = svg;
      return;
    }
    const shown = this.drawing.firstElementChild;
    for (const name of ["title", "desc"]) {
      setText(shown.querySelector(name), frame.querySelector(name).textContent);
    }
    places.forEach(({ place }, index) => {
      const part = parts[index + 1]; // after the frame
      if (part === before[index + 1]) return;
      const fresh = inert(`<svg>${part}`).firstElementChild;
      const stale = this.#drawn(place);
      // With another child, the browser would lay out the whole drawing.
      if (tagOf(before[index + 1]) === tagOf(part)) stale.replaceChildren(...fresh.childNodes);
      else stale.replaceWith(fresh);
    });
  }

  // A page comes with the drawing of its deal in every layout, made by the same engine.
  #isBuilt(frame, { indices }) {
    const saysTheSame = (svg) => ["title", "desc"].every(
      (name) => svg.querySelector(name)?.textContent === frame.querySelector(name).textContent,
    );
    const built = [...this.drawing.children].find(
      (svg) => hasSameTag(svg, frame) && saysTheSame(svg) && !svg.querySelector(".selected"),
    );
    if (!built || indices !== "local") return false;
    // Not put in anew, which would have it laid out once more.
    for (const svg of [...this.drawing.children]) if (svg !== built) svg.remove();
    return true;
  }

  #showPlace({ place, label, empty, selected, box }) {
    const button = this.places.get(place) ?? this.#newButton(place);
    if (String(this.#boxes.get(place)) !== String(box)) {
      const [left, top, width, height] = box.map((part) => `${part}%`);
      Object.assign(button.style, { left, top, width, height });
      this.#boxes.set(place, box);
    }
    setAttribute(button, "aria-label", label);
    setAttribute(button, "aria-pressed", selected);
    setAttribute(button, "aria-disabled", empty);
  }

  #newButton(place) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.place = place;
    this.hands.append(button);
    this.places.set(place, button);
    return button;
  }

  #drawn(place) {
    return place && this.drawing.querySelector(`.place[data-place="${CSS.escape(place)}"]`);
  }

  #topOf(place) {
    return [...(this.#drawn(place)?.querySelectorAll(".card:not(.is-leaving)") ?? [])].at(-1);
  }

  /* Motion explains: a taken card lifts and fades while the next one turns up. */

  #take(place, card) {
    this.#topOf(place)?.classList.add("is-turning");
    if (!card || !mayMove()) return;
    card.classList.add("is-leaving");
    card.setAttribute("aria-hidden", "true");
    card.addEventListener("animationend", () => card.remove());
    this.#drawn(place).append(card);
  }

  // The card is at its goal already; it is shown on its way there.
  #glide(card, from) {
    if (!card || !mayMove()) return;
    const to = card.getBoundingClientRect();
    const scale = card.ownerSVGElement.viewBox.baseVal.width / this.drawing.clientWidth;
    const [right, down] = [(from.x - to.x) * scale, (from.y - to.y) * scale];
    const path = [{ translate: `${right}px ${down}px` }, { translate: "0 0" }];
    card.animate(path, { duration: GLIDE, easing: "ease-out" });
  }

  /* Hands */

  #listen() {
    const { hands } = this;
    // The click that ends a drag is no tap.
    hands.addEventListener("click", (event) => this.#swallowDrop(event), { capture: true });
    hands.addEventListener("click", (event) => this.#tap(event));
    hands.addEventListener("keydown", (event) => this.#key(event));
    if (!this.element.classList.contains("is-draggable")) return;
    hands.addEventListener("pointerdown", (event) => this.#pickUp(event));
    hands.addEventListener("touchmove", (event) => this.#keepFromFling(event), { passive: false });
    addEventListener("pointermove", (event) => this.#carry(event));
    addEventListener("pointerup", (event) => this.#putDown(event));
    addEventListener("pointercancel", () => this.#letGo());
  }

  #tap({ target }) {
    const button = target.closest("[data-place]");
    if (!button) return;
    const { place } = button.dataset;
    const time = performance.now();
    const isSecond =
      this.#lastTap.place === place && time - this.#lastTap.time < SECOND_TAP_WITHIN;
    this.#lastTap = isSecond ? { place: "", time } : { place, time };
    this.report(isSecond ? { send: place } : { tap: place });
  }

  // Keys work while the board has the focus, so that they never get in a reader's way elsewhere.
  #key(event) {
    if (event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = event.ctrlKey || event.metaKey;
    const pressed = command
      ? { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key]
      : { u: "undo", r: "redo" }[key];
    if (pressed) this.press(pressed);
    else if (key in ARROWS && !command) this.#focusNext(event.target, ARROWS[key]);
    else {
      // The theme's own hotkeys would leave the page.
      if (event.key.length === 1 && !command) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // The nearest place in a direction; how far it lies aside counts double.
  #focusNext(from, [right, down]) {
    const centre = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
      [offsetLeft + offsetWidth / 2, offsetTop + offsetHeight / 2];
    const [x, y] = centre(from);
    let nearest = null;
    let least = Infinity;
    for (const button of this.places.values()) {
      const [otherX, otherY] = centre(button);
      const ahead = (otherX - x) * right + (otherY - y) * down;
      const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
      if (ahead <= from.offsetWidth / 2 || ahead + 2 * aside >= least) continue;
      [nearest, least] = [button, ahead + 2 * aside];
    }
    nearest?.focus();
  }

  /* Dragging, where a card moves from place to place */

  #pickUp({ target, pointerId, clientX, clientY, button }) {
    // Of two fingers the later one carries; and what it does is a tap again, until it has dragged.
    this.#letGo();
    this.#dropped = -Infinity;
    const from = target.closest("[data-place]");
    if (!from || button) return;
    this.#drag = { place: from.dataset.place, id: pointerId, x: clientX, y: clientY, ghost: null };
  }

  #carry({ pointerId, clientX, clientY }) {
    const drag = this.#drag;
    if (drag?.id !== pointerId) return;
    const [right, down] = [clientX - drag.x, clientY - drag.y];
    if (!drag.ghost && Math.hypot(right, down) < DRAGGED_FROM) return;
    drag.ghost ??= this.#liftTop(drag.place);
    if (drag.ghost) drag.ghost.style.translate = `${right}px ${down}px`;
  }

  // A swift drag would end in a fling, and a tap that comes then would only stop that, and be lost.
  #keepFromFling(event) {
    if (this.#drag?.ghost && event.cancelable) event.preventDefault();
  }

  #putDown({ pointerId, clientX, clientY }) {
    if (this.#drag?.id !== pointerId) return;
    const { place, ghost } = this.#letGo();
    const goal = document.elementFromPoint(clientX, clientY)?.closest("[data-place]");
    if (!ghost || !this.hands.contains(goal) || goal.dataset.place === place) return;
    this.report({ drag: [place, goal.dataset.place] });
  }

  #letGo() {
    const drag = this.#drag ?? {};
    drag.ghost?.remove();
    if (drag.ghost) this.#dropped = performance.now();
    this.#drag = null;
    return drag;
  }

  #swallowDrop(event) {
    if (performance.now() - this.#dropped < SECOND_TAP_WITHIN) event.stopImmediatePropagation();
    this.#dropped = -Infinity;
  }

  // A picture of the top card, over the page, that follows the finger.
  #liftTop(place) {
    const card = this.#topOf(place);
    if (!card) return null;
    const { left, top, width } = card.getBoundingClientRect();
    const ghost = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    ghost.setAttribute("class", "board ghost");
    ghost.setAttribute("viewBox", "0 0 60 84");
    ghost.append(card.cloneNode(true));
    Object.assign(ghost.style, {
      left: `${left + scrollX}px`, top: `${top + scrollY}px`, width: `${width}px`,
    });
    document.body.append(ghost);
    return ghost;
  }
}
