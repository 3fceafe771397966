// A diagram that has become a board, in its place on the page. One engine serves all of them.

import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { Replay } from "./replay.js";
import { engineSettings } from "./settings.js";

const template = document.getElementById("inline-game");
let engine = null;

export function playHere(figure) {
  open(figure, figure.dataset.link);
}

export function replayHere(figure) {
  const { game, root } = open(figure, figure.dataset.replay);
  root.classList.add("is-replay");
  new Replay(root.querySelector(".replay"), game, root.querySelector(".replay-moves"));
  game.addEventListener("shown", () => game.ask({ go: 0 }), { once: true });
}

function open(figure, link) {
  const still = figure.querySelector(".diagram-drawing");
  const links = figure.querySelector(".diagram-links");
  const root = template.content.firstElementChild.cloneNode(true);
  const board = root.querySelector(".game-board");
  board.classList.add(...still.classList);
  board.classList.remove("diagram-drawing");
  root.querySelector(".board-drawing").append(...[...still.children].map((svg) => svg.cloneNode(true)));
  still.hidden = true;
  links.hidden = true;
  still.after(root);

  engine ??= new Engine(template.dataset);
  const game = new Game(root, engine, { start: link, settings: engineSettings });
  game.actions.restart = () => game.open(link);
  game.actions.close = () => {
    root.remove();
    still.hidden = false;
    links.hidden = false;
    figure.querySelector(".diagram-play").focus();
  };
  const away = root.querySelector(".inline-away");
  const playPage = figure.querySelector(".diagram-play").href.split("#")[0];
  game.addEventListener("shown", ({ detail: { reply } }) => {
    away.href = `${playPage}#${reply.link}`;
  });
  game.addEventListener("shown", () => game.board.focus(), { once: true });
  game.load();
  return { game, root };
}
