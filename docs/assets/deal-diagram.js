// <deal-diagram code="HM1-N-AAAAAAB" moves="1-8 8-5-3" lang="nl"> shows a position in any page.
//
//     <script src="https://…/assets/deal-diagram.js" defer></script>
//     <deal-diagram code="HM1-N-AAAAAAB"><a href="https://…">HM1-N-AAAAAAB</a></deal-diagram>
//
// Also understood: indices, layout, next. What stands inside the element is shown until the diagram
// is there. A plain script and not a module, because a module needs a server that allows it.

(() => {
  const script = document.currentScript ?? document.querySelector('script[src$="/deal-diagram.js"]');
  const site = new URL("..", script.src);
  const CHOICES = ["indices", "layout", "next"];

  const STYLE = `
    :host { display: block; }
    :host([hidden]) { display: none; }
    iframe { display: block; width: 100%; border: 0; color-scheme: inherit; }
    :host([data-drawn]) slot { display: none; }
  `;

  const MOST_MISSED = 3; // then something else is wrong, and what there is is shown

  class DealDiagram extends HTMLElement {
    static observedAttributes = ["code", "moves", "lang", ...CHOICES];
    #frame = document.createElement("iframe");
    #shown = "";
    #missed = 0;

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      const style = document.createElement("style");
      style.textContent = STYLE;
      this.#frame.loading = "lazy";
      root.append(style, document.createElement("slot"), this.#frame);
    }

    connectedCallback() {
      addEventListener("message", this.#listen);
      this.#show();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#listen);
      this.#shown = "";
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#show();
    }

    get address() {
      const address = new URL("embed/", site);
      const language = this.closest("[lang]")?.lang.split("-")[0];
      if (language) address.searchParams.set("lang", language.toLowerCase());
      for (const name of CHOICES) {
        if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
      }
      const moves = (this.getAttribute("moves") ?? "").trim().split(/[\s.]+/).filter(Boolean);
      address.hash = [this.getAttribute("code") ?? "", ...(moves.length ? [moves.join(".")] : [])].join("/");
      return address;
    }

    #show() {
      const { href } = this.address;
      if (href === this.#shown) return;
      // Not by src a second time: that would add a step to the history of the page around it.
      if (this.#shown && this.#frame.contentWindow) this.#frame.contentWindow.location.replace(href);
      else this.#frame.src = href;
      this.#shown = href;
      this.#missed = 0;
      this.#frame.title = this.getAttribute("code") ?? "";
    }

    #listen = ({ source, origin, data }) => {
      if (source !== this.#frame.contentWindow || origin !== site.origin) return;
      if (data?.type !== "deal-diagram") return;
      if (data.hash !== new URL(this.#shown).hash && this.#missed < MOST_MISSED) {
        // On its way to the page of a language, the frame has gone on with the position before.
        this.#missed += 1;
        source.location.replace(this.#shown);
        return;
      }
      this.#frame.style.height = `${data.height}px`;
      this.#frame.title = data.title;
      this.toggleAttribute("data-drawn", true);
    };
  }

  if (!customElements.get("deal-diagram")) customElements.define("deal-diagram", DealDiagram);
})();
