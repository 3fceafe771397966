// The time played: from the first tap to the end, and not while nobody is looking.

export class Clock {
  #timer = 0;
  seconds = 0;

  constructor(display) {
    this.display = display;
    this.#show();
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

  // As the page's language writes times.
  #show() {
    const form = { minute: "2-digit", second: "2-digit", timeZone: "UTC", hourCycle: "h23" };
    if (this.seconds >= 3600) form.hour = "2-digit";
    const { lang } = document.documentElement;
    this.display.textContent = new Intl.DateTimeFormat(lang, form).format(this.seconds * 1000);
  }
}
