// Steps through a game: to its beginning and end, one move on or back, by itself, by a slider, or by
// a click in the list of moves. The engine's undo and redo do the work.

const PACE = { slow: 2500, medium: 1200, fast: 500 }; // milliseconds a move

export class Replay {
  #timer = 0;
  #whole = ""; // the link to the end of the game that is stepped through
  #listed = null; // the same for the game whose moves are in the list

  // `player` has the buttons [data-replay] and the fields; the <ol> `list` gets the moves in words
  // while `isOpen` says that it can be seen.
  constructor(player, game, list, isOpen = () => true) {
    this.player = player;
    this.game = game;
    this.list = list;
    this.isOpen = isOpen;
    this.slider = player.querySelector("input[type=range]");
    this.pace = player.querySelector("select");
    this.buttons = Object.fromEntries(
      [...player.querySelectorAll("[data-replay]")].map((button) => [button.dataset.replay, button]),
    );
    this.#listen();
  }

  get at() {
    return this.game.shown?.moves ?? 0;
  }

  get total() {
    return this.game.shown?.total ?? 0;
  }

  go(count) {
    this.game.ask({ go: Math.max(0, Math.min(count, this.total)) });
  }

  // Only where the moves are others than those listed: a button that has the focus is to keep it.
  listMoves() {
    const whole = this.#whole;
    if (!this.isOpen() || this.#listed === whole) return;
    this.game.ask({ moves: true }, ({ move_list: moves = [] }) => {
      this.list.replaceChildren(...moves.map(itemOf));
      this.#listed = whole;
      this.#showCurrent();
    });
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.buttons.play.setAttribute("aria-pressed", "false");
  }

  #start() {
    if (this.at >= this.total) this.go(0);
    this.#timer = setInterval(() => this.#next(), PACE[this.pace.value]);
    this.buttons.play.setAttribute("aria-pressed", "true");
  }

  #next() {
    if (this.at >= this.total) this.stop();
    else this.game.ask({ redo: true });
  }

  #listen() {
    const steps = {
      first: () => this.go(0),
      back: () => this.go(this.at - 1),
      forward: () => this.go(this.at + 1),
      last: () => this.go(this.total),
    };
    for (const [name, button] of Object.entries(this.buttons)) {
      button.addEventListener("click", () => {
        if (name === "play") {
          if (this.#timer) this.stop();
          else this.#start();
          return;
        }
        this.stop();
        steps[name]();
      });
    }
    this.slider.addEventListener("input", () => {
      this.stop();
      this.go(Number(this.slider.value));
    });
    this.pace.addEventListener("change", () => {
      if (!this.#timer) return;
      this.stop();
      this.#start();
    });
    this.list.addEventListener("click", ({ target }) => {
      const move = target.closest("[data-move]");
      if (!move) return;
      this.stop();
      this.go(Number(move.dataset.move));
    });
    this.game.addEventListener("shown", () => this.#show());
  }

  #show() {
    if (this.at === this.total) this.#whole = this.game.shown.link;
    this.slider.max = this.total;
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `${this.at} / ${this.total}`);
    const can = { first: this.at > 0, back: this.at > 0, forward: this.at < this.total,
      last: this.at < this.total, play: this.total > 0 };
    for (const [name, button] of Object.entries(this.buttons)) {
      button.setAttribute("aria-disabled", !can[name]);
    }
    this.#showCurrent();
    this.listMoves();
  }

  #showCurrent() {
    for (const move of this.list.querySelectorAll("[data-move]")) {
      const current = Number(move.dataset.move) === this.at;
      if (current) move.setAttribute("aria-current", "step");
      else move.removeAttribute("aria-current");
    }
  }
}

function itemOf(words, index) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.move = index + 1;
  button.textContent = words;
  const item = document.createElement("li");
  item.append(button);
  return item;
}
