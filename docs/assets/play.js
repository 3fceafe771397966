// The play page: the game, the address that always names its position, time, settings, codes,
// sharing, and stepping through what has been played.

import "./page.js";
import { Clock } from "./clock.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { Replay } from "./replay.js";
import { bindSettings, engineSettings, store, stored } from "./settings.js";

const TODAY = "today"; // the link to the deal of the day

const root = document.querySelector(".game");
const { deal, worker, stalledAfter } = root.dataset;
const SAVED = `half-moon.game.${root.dataset.game}`;
const otherLanguages = document.querySelectorAll("a[hreflang]");

/* The address */

const linkInAddress = () => {
  const link = location.hash.slice(1);
  if (document.getElementById(link)) return ""; // a part of this page
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
};

const today = () => {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
};

const start = linkInAddress() || deal;
const saved = stored(SAVED); // {link, seconds, left}: the last game, and the one left for it
const engine = new Engine({ address: worker, stalledAfter });
const game = new Game(root, engine, {
  start: start === TODAY ? deal : start,
  deal,
  settings: engineSettings,
});
const { show, controls } = game;
const clock = new Clock(show.time);

let stepping = false; // while the browser's own buttons are at work, no step is added to them

// The time played goes with the address, so that reloading does not turn the clock back.
function keepAddress(link, push) {
  isUnnamed = false;
  const state = { link, seconds: clock.seconds };
  if (push) history.pushState(state, "", `#${link}`);
  else history.replaceState(state, "", `#${link}`);
  for (const other of otherLanguages) other.hash = link;
}

// Browsers take their time over an address, and the first one only adds what the page opens with anyway: so
// it is written when the game has begun.
const FIRST_ADDRESS_AFTER = 500; // milliseconds
let isUnnamed = !history.state && !location.hash;

function nameFirst() {
  if (isUnnamed) keepAddress(deal, false);
}

const isInAddress = (link) =>
  isUnnamed ? link === deal : history.state?.link === link && linkInAddress() === link;

const secondsPlayed = (link) =>
  [history.state, leftGame(link)]
    .filter((kept) => kept?.link === link)
    .reduce((most, { seconds }) => Math.max(most, seconds), 0);

game.addEventListener("shown", ({ detail: { reply, before } }) => {
  if (before) nameFirst();
  else setTimeout(nameFirst, FIRST_ADDRESS_AFTER);
  if (reply.code !== before?.code) {
    if (before && history.state?.link === before.link) keepAddress(before.link, false);
    clock.reset(secondsPlayed(reply.link));
  }
  if (reply.outcome !== "playing") clock.stop();
  if (reply.outcome === "won") won = reply;
  seen.add(reply.link);
  if (reply.moves) save(reply);
  arrived ??= reply.link;
  show.saved.hidden = (reply.moves > 0 && reply.link !== arrived) || !stillLeft();
  showText(reply);
  // Last, since the browser lays the page out for it.
  if (!isInAddress(reply.link)) keepAddress(reply.link, before && before.link !== reply.link && !stepping);
  stepping = false;
});

addEventListener("popstate", () => {
  isUnnamed = false; // from here on, no address at all means what the page opens with
  const link = linkInAddress() || (location.hash ? "" : deal);
  if (link === TODAY) openToday();
  else if (link && link !== game.shown?.link) {
    stepping = true;
    game.open(link);
  } else if (game.shown) keepAddress(game.shown.link, false);
});

addEventListener("pagehide", () => {
  if (!game.shown) return;
  keepAddress(game.shown.link, false);
  // A browser that reloads the page forgets what was added to its history just now.
  if (game.shown.moves) save(game.shown);
});

engine.addEventListener("failed", () => clock.stop());

game.addEventListener("touched", () => {
  if (game.shown?.outcome === "playing" || !game.shown) clock.start();
});

/* Saved games. A link wins over the game that was left; that one is offered back, and not lost. */

const leftGames = [saved, saved.left ?? {}].filter(({ link }) => link);
const leftGame = (link) => leftGames.find((left) => left.link === link);
const seen = new Set(); // links to the positions shown so far: what has been gone on with is not left
const stillLeft = () => leftGames.find(({ link }) => !seen.has(link));
let arrived = history.state ? "" : null; // the link that the reader came with, and not back to
let won = null; // the reply that told of it: stepping through that game leaves nothing unfinished

function save({ link, code, total, outcome }) {
  const { link: leftLink, seconds } = stillLeft() ?? {};
  const left = leftLink ? { link: leftLink, seconds } : undefined;
  const isOver = outcome === "won" || (won?.code === code && won.total === total);
  if (isOver) store(SAVED, { ...left });
  else store(SAVED, { link, seconds: clock.seconds, left });
}

/* Other deals */

const chance = () =>
  [...crypto.getRandomValues(new Uint32Array(2))]
    .map((number) => number.toString(16).padStart(8, "0"))
    .join("");

function openToday() {
  game.ask({ day: { game: root.dataset.game, date: today() } });
}

Object.assign(game.actions, {
  restart: () => game.ask({ restart: true }, (reply) => {
    clock.reset();
    game.render(reply);
  }),
  new: () => game.ask({ new: { game: root.dataset.game, chance: chance() } }),
  today: openToday,
  elsewhere: ({ game: other, link }) => {
    if (game.shown) game.ask({ open: game.shown.link }, () => {}); // for whoever comes back
    location.assign(`${root.getAttribute(`data-play-${other}`)}#${link}`);
  },
  saved: () => {
    const { link, seconds } = stillLeft();
    game.ask({ open: link }, (reply) => {
      if (reply.code === game.shown.code) clock.reset(seconds);
      game.render(reply);
    });
  },
  legal: (button) => game.open(button.dataset.link),
  share,
  copy: () => copy(game.shown.text, controls.copy),
  download,
});

controls.open.addEventListener("submit", (event) => {
  event.preventDefault();
  const entry = controls.open.elements.code;
  game.ask({ open: entry.value }, (reply) => {
    show["code-problem"].textContent = reply.error ?? "";
    entry.setAttribute("aria-invalid", Boolean(reply.error));
    if (reply.error) return;
    entry.value = "";
    entry.closest("details").open = false;
    game.render(reply);
    game.board.focus();
  });
});

/* Sharing and keeping */

function showText(reply) {
  if (isOpen()) show.text.value = reply.text;
  show.steps.hidden = reply.total === 0;
}

async function share() {
  const { summary } = game.shown;
  const url = location.href;
  if (navigator.share) {
    try {
      await navigator.share({ text: summary, url });
    } catch {
      // Sharing was called off: nothing to do.
    }
  } else await copy(`${summary}\n${url}`, controls.share);
}

// What it says afterwards stands in the page, in its language.
async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  const { textContent: said } = button.querySelector("template").content;
  show.announce.textContent = said;
  button.classList.add("is-copied");
  setTimeout(() => button.classList.remove("is-copied"), 2000);
}

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${game.shown.text}\n`], { type: "text/plain" }));
  link.download = `${game.shown.code}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/* Stepping through the game */

const isOpen = () => show.steps.open;
const replay = new Replay(root.querySelector(".replay"), game, show["move-list"], isOpen);

show.steps.addEventListener("toggle", () => {
  if (isOpen()) {
    if (game.shown) showText(game.shown);
    replay.listMoves();
  } else replay.stop();
});

/* Start */

bindSettings(controls.settings, () => game.applySettings());
if (start !== deal) root.classList.add("is-awaiting-deal");
// It asks for the layout, which may take a while; the worker can only begin when the page has a moment before.
new ResizeObserver((_, observer) => {
  observer.disconnect();
  game.load();
}).observe(root);
if (start === TODAY) openToday();
