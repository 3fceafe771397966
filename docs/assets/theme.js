// The theme's own script does the search, the menus and the choice of colours. Reading and playing
// need none of it, and at its start it reads an index of all pages: so it is loaded at the first sign
// of a reader who may want it. A game is played without it.

const SIGNS = ["pointerover", "focusin", "keydown", "scroll"];
const NEEDS_IT = "[for=__search], [for^=__palette]";

const { theme } = document.querySelector("script[data-theme]").dataset; // its address

let pressed = null; // a button of the theme's, pressed before the theme could know

function notice({ target }) {
  if (!target.closest?.(".game")) load();
}

function load() {
  for (const sign of SIGNS) removeEventListener(sign, notice, true);
  addEventListener("click", hold, true);
  const script = document.createElement("script");
  script.src = theme;
  script.addEventListener("load", begin);
  document.head.append(script);
}

function hold(event) {
  pressed = event.target.closest?.(NEEDS_IT);
  if (!pressed) return;
  event.preventDefault();
  event.stopPropagation();
}

function begin() {
  // It would fetch a sitemap from beside each page that these links name.
  const links = document.querySelectorAll("link[rel=alternate]");
  for (const link of links) link.rel = "";
  document.dispatchEvent(new Event("DOMContentLoaded")); // which it waits for, and which has been
  for (const link of links) link.rel = "alternate";
  // It adds the colour of the mood that the reader chose, where only the first one counts that is there.
  for (const meta of document.querySelectorAll("meta[name=theme-color][media]")) meta.remove();
  removeEventListener("click", hold, true);
  pressed?.click();
}

for (const sign of SIGNS) addEventListener(sign, notice, true);
if (location.search) load(); // a search, or what it found, to be marked on this page
