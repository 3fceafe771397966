// The diagram maker: asks the engine for what the form says, and shows all that comes back. The page
// brings a whole diagram with it, so that everything works before the engine is there.

import "./page.js";
import { Engine } from "./engine.js";

const PAUSE = 250; // milliseconds without a key before the engine is asked
const SHARPNESS = 2; // pixels of a PNG for each unit of the drawing
const CAPTION_HEIGHT = 46; // pixels below the drawing, in docs/assets/embed.css

const root = document.querySelector(".maker");
const form = root.querySelector("form");
const { text: entry, indices, layout, next } = form.elements;
const show = Object.fromEntries(
  [...root.querySelectorAll("[data-show]")].map((element) => [element.dataset.show, element]),
);
const [noMove] = next.options;
const engine = new Engine(root.dataset);
const table = engine.newTable();
let made = JSON.parse(root.querySelector(".maker-made").textContent);
let waiting = 0;
let asked = 0;

/* Asking */

function wish() {
  return { text: entry.value, indices: indices.value, layout: layout.value, next: next.value };
}

function ask() {
  clearTimeout(waiting);
  if (engine.state !== "ready") return load();
  const number = ++asked;
  engine.ask(table, { diagram: wish() }, (reply) => {
    if (number === asked) answer(reply);
  });
}

function load() {
  show.failure.hidden = true;
  show.loading.hidden = false;
  engine.load();
}

function answer({ diagram, error = "" }) {
  show.problem.textContent = error;
  entry.setAttribute("aria-invalid", Boolean(error));
  show.result.inert = !diagram;
  if (!diagram) return;
  made = diagram;
  show.drawing.innerHTML = made.svg;
  history.replaceState(null, "", `#${made.link}`);
  showMade();
}

/* Showing */

function showMade() {
  const addresses = findAddresses();
  show.title.textContent = made.title;
  show.layouts.hidden = made.layouts.length < 2;
  show.link.textContent = addresses.play;
  show.link.href = addresses.play;
  for (const [language, words] of Object.entries(made.alternative_texts)) {
    show[`words-${language}`].textContent = words;
  }
  show.image.textContent = image();
  show.frame.textContent = frame(addresses);
  show.element.textContent = element(addresses);
  next.replaceChildren(noMove, ...made.next_moves.map(({ move, words }) => {
    return new Option(`${move}: ${words}`, move, false, move === made.next);
  }));
}

const escaped = (text) =>
  String(text).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

// An element as text; attributes without a value are left out.
function tag(name, attributes) {
  const parts = Object.entries(attributes)
    .filter(([, value]) => value !== "" && value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${parts.join("")}>`;
}

// The choices that differ from what a diagram is without them.
function choices() {
  return {
    indices: indices.selectedIndex ? indices.value : "",
    layout: made.layout === made.layouts[0] ? "" : made.layout,
    next: made.next,
  };
}

function findAddresses() {
  const play = new URL(root.getAttribute(`data-play-${made.game}`), location);
  const embed = new URL(root.dataset.embed, location);
  play.hash = embed.hash = made.link;
  for (const [name, value] of Object.entries(choices())) {
    if (value) embed.searchParams.set(name, value);
  }
  return { play: play.href, embed: embed.href, script: new URL(root.dataset.element, location).href };
}

const { lang } = document.documentElement;
const size = () => ({ width: Math.round(made.width), height: Math.round(made.height) });

function image() {
  const alt = `${made.title}. ${made.alternative_texts[lang]}`;
  return tag("img", { src: `${made.name}.svg`, ...size(), alt });
}

function frame({ embed }) {
  const { width, height } = size();
  const style = "border: 0; max-width: 100%";
  const attributes = { src: embed, width, height: height + CAPTION_HEIGHT, title: made.title, style };
  return `${tag("iframe", { ...attributes, loading: "lazy" })}</iframe>`;
}

function element({ play, script }) {
  const { code } = made;
  const moves = made.text.slice(code.length).trim();
  return [
    `<script src="${escaped(script)}" defer></` + "script>",
    tag("deal-diagram", { code, moves, lang, ...choices() }),
    `  ${tag("a", { href: play })}${code}</a>`,
    "</deal-diagram>",
  ].join("\n");
}

/* Taking away */

function download(content, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = `${made.name}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

const asSvg = (text) => new Blob([text], { type: "image/svg+xml" });

// Without the drawing's own style: that would paint it dark for those who like their pages dark.
async function asPng() {
  const drawing = new DOMParser().parseFromString(made.file, "image/svg+xml");
  drawing.querySelector("style")?.remove();
  const picture = new Image();
  picture.src = URL.createObjectURL(asSvg(new XMLSerializer().serializeToString(drawing)));
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(SHARPNESS * made.width);
  canvas.height = Math.round(SHARPNESS * made.height);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(picture.src);
  return new Promise((then) => { canvas.toBlob(then, "image/png"); });
}

const actions = {
  svg: () => download(asSvg(made.file), "svg"),
  png: async () => download(await asPng(), "png"),
  retry: load,
};

root.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.dataset.copies) copy(button);
  else actions[button?.dataset.do]?.();
});

async function copy(button) {
  await navigator.clipboard.writeText(show[button.dataset.copies].textContent);
  show.announce.textContent = button.querySelector("template").content.textContent;
  button.classList.add("is-copied");
  setTimeout(() => button.classList.remove("is-copied"), 2000);
}

/* Start */

function linkInAddress() {
  const link = location.hash.slice(1);
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

// A part of the page can be linked to as well.
function takeAddress() {
  const link = linkInAddress();
  if (!link || document.getElementById(link)) return;
  entry.value = link;
  next.value = "";
  ask();
}

form.addEventListener("submit", (event) => event.preventDefault());
entry.addEventListener("input", () => {
  next.value = ""; // it was a move of another position
  clearTimeout(waiting);
  waiting = setTimeout(ask, PAUSE);
});
form.addEventListener("change", ({ target }) => target !== entry && ask());
addEventListener("hashchange", takeAddress);

engine.addEventListener("progress", ({ detail }) => {
  show.loading.querySelector("progress").value = detail;
});
engine.addEventListener("ready", () => {
  show.loading.hidden = true;
  const { text, next: marked } = made;
  const shown = { text, indices: indices.options[0].value, layout: made.layout, next: marked };
  if (JSON.stringify(shown) !== JSON.stringify(wish())) ask();
});
engine.addEventListener("failed", () => {
  show.loading.hidden = true;
  show.failure.hidden = false;
});

root.querySelector(".maker-needs-script").hidden = false;
for (const button of root.querySelectorAll("[data-copies]")) button.hidden = !navigator.clipboard;
showMade();
takeAddress();
load();
