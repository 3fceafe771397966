// A diagram inside another page. What it shows stands in the address: after the # a code and moves, as
// in every link to a position; before it the choices, as in ?indices=french. The page around it is
// told how high it is.

import { Engine } from "./engine.js";

const CHOICES = ["indices", "next"];
const MESSAGE = "deal-diagram"; // docs/assets/deal-diagram.js listens for it

const page = document.documentElement;
const figure = document.querySelector("figure");
const show = Object.fromEntries(
  [...figure.querySelectorAll("[data-show]")].map((element) => [element.dataset.show, element]),
);
const query = new URLSearchParams(location.search);

/* Language: the element that makes frames knows one address, and says the language in it. */

const wanted = query.get("lang");
const other = document.querySelector(`link[hreflang="${CSS.escape(wanted ?? page.lang)}"]`);
const elsewhere = Boolean(other) && wanted !== null && wanted !== page.lang;
if (elsewhere) location.replace(other.href + location.search + location.hash);

/* Colours follow the reader, or what the page around it says */

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => { page.dataset.mdColorScheme = dark.matches ? "slate" : "default"; };
dark.addEventListener("change", paint);
paint();

/* What is drawn */

const engine = new Engine(figure.dataset);
const table = engine.newTable();
const chosen = Object.fromEntries(
  CHOICES.filter((name) => query.has(name)).map((name) => [name, query.get(name)]),
);

function link() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function draw() {
  say("loading");
  if (engine.state === "ready") ask();
  else engine.load();
}

function ask() {
  const text = link();
  const layout = query.get("layout");
  const wish = { text, ...chosen, ...(layout && { layout }) };
  engine.ask(table, { diagram: wish }, ({ diagram, error }) => {
    if (text !== link()) return;
    say(error ? "problem" : null, error);
    show.drawing.replaceChildren();
    if (!diagram) return engine.stop();
    insert(diagram);
    if (layout) return engine.stop();
    // The style sheet picks the layout that there is room for.
    const others = diagram.layouts.filter((name) => name !== diagram.layout);
    for (const name of others) add({ ...wish, text: diagram.link, layout: name });
    if (!others.length) engine.stop();
  });
}

function add(wish) {
  engine.ask(table, { diagram: wish }, ({ diagram }) => {
    if (diagram) insert(diagram);
    if (engine.isIdle) engine.stop();
  });
}

function insert({ svg, layout, game, link: position, title }) {
  show.drawing.classList.add(`has-${layout}`);
  show.drawing.insertAdjacentHTML("beforeend", svg);
  show.title.textContent = title;
  show.title.href = `${figure.getAttribute(`data-play-${game}`)}#${position}`;
  document.title = title;
  tell();
}

function say(name, text) {
  for (const note of ["loading", "problem", "failure"]) show[note].hidden = note !== name;
  if (text) show[name].textContent = text;
}

engine.addEventListener("ready", ask);
engine.addEventListener("failed", () => say("failure"));
figure.querySelector("[data-do=retry]").addEventListener("click", draw);
addEventListener("hashchange", draw);

/* How high it is */

function tell() {
  if (parent === window) return;
  const height = Math.ceil(figure.getBoundingClientRect().height);
  const { hash } = location;
  parent.postMessage({ type: MESSAGE, height, title: document.title, hash }, "*");
}

if (!elsewhere) {
  show.title.textContent = link().split("/")[0] || show.title.textContent;
  new ResizeObserver(tell).observe(figure);
  draw();
}
