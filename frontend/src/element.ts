/**
 * `/embed/v1.js`: the `<highwater-replay>` element for other people's pages.
 *
 *   <highwater-replay src="https://…/s/ID" step="12" theme="auto">
 *     <a href="https://…/s/ID?step=12"><img src="https://…/s/ID.svg?step=12" alt="…"></a>
 *   </highwater-replay>
 *
 * What is inside stays as a picture until it is clicked; with loading="eager", or with nothing
 * inside, the player is there at once. Attributes: src, step, theme (auto, light, dark), lang,
 * height (else as tall as the run), loading, title. Methods: goto, play, pause. Events:
 * highwater-ready, highwater-step. Nothing is stored and no global is made.
 */

import { playerAddress } from "./view/embed/address";

const HEIGHT_MIN = 120;
const HEIGHT_MAX = 4000;
const HEIGHT_AT_FIRST = 420;

type Theme = "light" | "dark" | null;

/** The theme that the page around shows, by the marks that documentation sites set; null where it sets none. */
function hostTheme(): Theme {
  const root = document.documentElement;
  const body = document.body;
  const said =
    root.dataset.theme ?? body.dataset.mdColorScheme ?? root.dataset.mdColorScheme ?? root.dataset.bsTheme ?? root.dataset.colorMode ?? "";
  if (/dark|slate|night/i.test(said)) return "dark";
  if (/light|default|day/i.test(said)) return "light";
  for (const element of [root, body]) {
    if (element.classList.contains("dark") || element.classList.contains("theme-dark")) return "dark";
    if (element.classList.contains("light") || element.classList.contains("theme-light")) return "light";
  }
  return null;
}

class HighwaterReplay extends HTMLElement {
  static readonly observedAttributes = ["src", "step", "theme", "height"];

  #frame: HTMLIFrameElement | null = null;
  #poster: Node[] = [];
  #observer: MutationObserver | null = null;
  readonly #onMessage = (event: MessageEvent): void => this.#receive(event);
  readonly #onClick = (event: MouseEvent): void => {
    // A new tab, a download: the link inside does what it says.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    this.#open(true);
  };

  connectedCallback(): void {
    this.style.display ||= "block";
    window.addEventListener("message", this.#onMessage);
    if (this.getAttribute("loading") === "eager" || this.childElementCount === 0) this.#open(false);
    else this.addEventListener("click", this.#onClick);
  }

  disconnectedCallback(): void {
    window.removeEventListener("message", this.#onMessage);
    this.removeEventListener("click", this.#onClick);
    this.#observer?.disconnect();
    this.#observer = null;
    this.#close();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (this.#frame === null || before === after) return;
    if (name === "step" && after !== null) this.goto(Number(after));
    else if (name === "theme") this.#sendTheme();
    else if (name === "height") this.#setHeight(Number(after));
    else if (name === "src") {
      this.#close();
      this.#open(false);
    }
  }

  goto(step: number): void {
    this.#send("goto", { step });
  }

  play(): void {
    this.#send("play", {});
  }

  pause(): void {
    this.#send("pause", {});
  }

  #open(chosen: boolean): void {
    if (this.#frame !== null) return;
    const theme = this.getAttribute("theme");
    const address = playerAddress(this.getAttribute("src") ?? "", document.baseURI, {
      step: this.getAttribute("step"),
      theme: theme === "light" || theme === "dark" ? theme : null,
      lang: this.getAttribute("lang"),
    });
    if (address === null) return;

    this.removeEventListener("click", this.#onClick);
    const frame = document.createElement("iframe");
    frame.src = address.href;
    frame.title = this.getAttribute("title") ?? this.querySelector("img")?.alt ?? "Highwater";
    frame.loading = chosen ? "eager" : "lazy";
    frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox");
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    Object.assign(frame.style, { display: "block", width: "100%", border: "0", colorScheme: "normal" });
    this.#frame = frame;
    this.#setHeight(Number(this.getAttribute("height") ?? this.offsetHeight) || HEIGHT_AT_FIRST);
    this.#poster = [...this.childNodes];
    this.replaceChildren(frame);

    this.#observer = new MutationObserver(() => this.#sendTheme());
    for (const element of [document.documentElement, document.body]) {
      this.#observer.observe(element, { attributes: true, attributeFilter: ["class", "data-theme", "data-md-color-scheme", "data-bs-theme", "data-color-mode"] });
    }
  }

  /** Puts the picture back, so that a page that comes and goes finds it as it was. */
  #close(): void {
    if (this.#frame === null) return;
    this.#frame = null;
    this.replaceChildren(...this.#poster);
  }

  #setHeight(height: number): void {
    if (this.#frame === null || !Number.isFinite(height)) return;
    this.#frame.style.height = `${Math.round(Math.max(HEIGHT_MIN, Math.min(HEIGHT_MAX, height)))}px`;
  }

  #sendTheme(): void {
    const chosen = this.getAttribute("theme");
    const theme = chosen === "light" || chosen === "dark" ? chosen : hostTheme();
    this.#send("setTheme", { theme: theme ?? "auto" });
  }

  #send(type: string, payload: Record<string, unknown>): void {
    this.#frame?.contentWindow?.postMessage({ highwater: 1, type, payload }, "*");
  }

  #receive(event: MessageEvent): void {
    if (this.#frame === null || event.source !== this.#frame.contentWindow) return;
    // The sandbox that this element sets gives the player an origin without a name.
    if (event.origin !== "null" && event.origin !== new URL(this.#frame.src).origin) return;
    const { highwater, type, payload } = (event.data ?? {}) as { highwater?: unknown; type?: unknown; payload?: Record<string, unknown> };
    if (highwater !== 1 || typeof payload !== "object") return;
    if ((type === "resize" || type === "ready") && !this.hasAttribute("height")) this.#setHeight(Number(payload.height));
    if (type === "ready") {
      this.#sendTheme();
      this.dispatchEvent(new CustomEvent("highwater-ready", { detail: payload, bubbles: true }));
    } else if (type === "step") {
      this.dispatchEvent(new CustomEvent("highwater-step", { detail: payload, bubbles: true }));
    }
  }
}

/** For pages that allow scripts but no elements of their own: the script's place becomes the player's. */
function upgradeScripts(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>("script[data-highwater]")) {
    const id = script.dataset.highwater ?? "";
    delete script.dataset.highwater;
    const replay = document.createElement("highwater-replay");
    replay.setAttribute("src", new URL(`/s/${id}`, script.src).href);
    for (const name of ["step", "theme", "height", "lang"]) {
      const value = script.dataset[name];
      if (value !== undefined) replay.setAttribute(name, value);
    }
    script.after(replay);
  }
}

if (customElements.get("highwater-replay") === undefined) customElements.define("highwater-replay", HighwaterReplay);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", upgradeScripts);
else upgradeScripts();
