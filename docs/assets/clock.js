// The time played: from the first tap to the end, and not while nobody is looking.

export class Clock {
  #timer = 0;
  #shown = 0; // the page comes with a clock at nought
  #forms = new Map(); // with and without hours: a browser takes long to make one
  seconds = 0;

  constructor(display) {
    this.display = display;
  }

  start() {
    this.#timer ||= setInterval(() => this.#tick(), 1000);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  reset(seconds = 0) {
    this.stop();
    this.seconds = seconds;
    this.#show();
  }

  #tick() {
    if (document.hidden) return;
    this.seconds += 1;
    this.#show();
  }

  #show() {
    if (this.#shown === this.seconds) return;
    this.#shown = this.seconds;
    const hour = this.seconds < 3600 ? undefined : "2-digit";
    if (!this.#forms.has(hour)) this.#forms.set(hour, newForm(hour));
    this.display.textContent = this.#forms.get(hour).format(this.seconds * 1000);
  }
}

// As the page's language writes times.
function newForm(hour) {
  return new Intl.DateTimeFormat(document.documentElement.lang, {
    hour, minute: "2-digit", second: "2-digit", timeZone: "UTC", hourCycle: "h23",
  });
}
