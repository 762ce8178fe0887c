/**
 * `/embed/v1.js`: the `<highwater-replay>` element for other sites' pages.
 * docs/reference/element.md describes its interface, version 1, which is only ever extended.
 *
 *   <highwater-replay src="https://…/s/ID" step="12" height="437">
 *     <a href="https://…/s/ID?frame=12"><img src="https://…/s/ID.svg?frame=12" alt="…" width="800" height="412"></a>
 *   </highwater-replay>
 *
 * The source is the link of a share, or that of a lesson (`https://…/lessons/ID?kafka=0.11`), whose
 * `step` is a step of its story.
 *
 * The content stays as a picture until it is clicked; with loading="eager", or without content, the
 * player loads immediately. The player is in a shadow root: the content that a host's framework
 * rendered, and the element's attributes, are never changed. Nothing is stored, and no global is
 * defined.
 */

import { playerAddress } from "./view/embed/address";
import { hostTheme, THEME_MARKS, type Theme } from "./view/embed/host-theme";

const HEIGHT_MIN = 120;
const HEIGHT_MAX = 4000;
/** What a run with two brokers needs at this width (px), and how much more at the narrowest. */
const WIDE = { width: 800, height: 540 };
const NARROW = { width: 320, factor: 1.5 };
/** What the player has below its picture: its controls, and a line that a longer sentence takes. */
const BELOW_PICTURE = 72;
/** The longest time (ms) that a host's background may take to change. */
const AFTER_TRANSITIONS_MS = 450;
const SHEET =
  ":host{display:block}:host([hidden]){display:none}iframe{display:block;width:100%;border:0;color-scheme:normal}@media print{iframe{break-inside:avoid}}";
/** The picture inside never widens the page. Every rule of the host takes precedence. */
const POSTER_SHEET = ":where(highwater-replay) :where(img){max-width:100%;height:auto}";
const EVENTS: readonly string[] = ["ready", "step", "state", "error"];

class HighwaterReplay extends HTMLElement {
  static readonly observedAttributes = ["src", "step", "theme", "height", "lang"];

  #root: ShadowRoot | null = null;
  #iframe: HTMLIFrameElement | null = null;
  #observer: MutationObserver | null = null;
  #wanted: number | null = null;
  #widthAtHeight = 0;
  readonly #inSight = new IntersectionObserver(() => this.#grow());
  #later: ReturnType<typeof setTimeout> | undefined;
  readonly #onMessage = (event: MessageEvent): void => this.#receive(event);
  readonly #onScheme = (): void => this.#sendTheme();
  readonly #onClick = (event: MouseEvent): void => {
    // With a modifier key (new tab, download), the link inside works as usual.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0)
      return;
    event.preventDefault();
    this.#open(true);
  };

  connectedCallback(): void {
    this.#root ??= this.#withRoot();
    window.addEventListener("message", this.#onMessage);
    if (this.getAttribute("loading") === "eager" || this.childElementCount === 0) this.#open(false);
    else this.addEventListener("click", this.#onClick);
  }

  disconnectedCallback(): void {
    window.removeEventListener("message", this.#onMessage);
    this.removeEventListener("click", this.#onClick);
    this.#close();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (this.#iframe === null || before === after) return;
    if (name === "step" && after !== null) this.goto(Number(after));
    else if (name === "theme") this.#sendTheme();
    else if (name === "height") this.#setHeight(Number(after));
    else if (name === "src" || name === "lang") {
      this.#close();
      this.#open(false);
    }
  }

  /** Goes to a frame of a share, or to a step of a lesson, by its number as in the `step` attribute. */
  goto(number: number): void {
    this.#send("goto", { step: number });
  }

  play(): void {
    this.#send("play", {});
  }

  pause(): void {
    this.#send("pause", {});
  }

  /** 1 is reading speed; from 0.25 to 16. */
  setSpeed(speed: number): void {
    this.#send("setSpeed", { speed });
  }

  #withRoot(): ShadowRoot {
    const root = this.attachShadow({ mode: "closed" });
    // Constructed style sheets are not inline styles, so the host's content security policy allows
    // them.
    root.adoptedStyleSheets = [sheet(SHEET)];
    root.append(document.createElement("slot"));
    return root;
  }

  #open(chosen: boolean): void {
    if (this.#iframe !== null || this.#root === null) return;
    const theme = this.#pinned();
    const address = playerAddress(this.getAttribute("src") ?? "", document.baseURI, {
      step: this.getAttribute("step"),
      level: this.getAttribute("level"),
      theme,
      scheme: theme === null ? hostTheme(this) : null,
      lang: this.getAttribute("lang"),
      autoplay: this.hasAttribute("autoplay") ? "1" : null,
    });
    if (address === null) return;

    this.removeEventListener("click", this.#onClick);
    const iframe = document.createElement("iframe");
    iframe.src = address.href;
    iframe.title = this.getAttribute("title") ?? this.querySelector("img")?.alt ?? "Highwater";
    iframe.loading = chosen ? "eager" : "lazy";
    iframe.setAttribute("sandbox", sandboxOf(address));
    iframe.referrerPolicy = "strict-origin-when-cross-origin";
    this.#iframe = iframe;
    this.#setHeight(Number(this.getAttribute("height")) || this.#expectedHeight());
    this.#inSight.observe(this);
    this.#root.replaceChildren(iframe);
    // Move the focus from the clicked picture to the player that replaced it.
    if (chosen) iframe.focus();

    this.#observer = new MutationObserver(() => this.#sendTheme());
    for (const element of [document.documentElement, document.body])
      this.#observer.observe(element, { attributes: true, attributeFilter: [...THEME_MARKS] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.#onScheme);
  }

  /**
   * Shows the picture again, so that a page that removes and re-adds the element finds it
   * unchanged.
   */
  #close(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#inSight.disconnect();
    this.#wanted = null;
    clearTimeout(this.#later);
    matchMedia("(prefers-color-scheme: dark)").removeEventListener("change", this.#onScheme);
    if (this.#iframe === null) return;
    this.#iframe = null;
    this.#root?.replaceChildren(document.createElement("slot"));
  }

  /** The height to reserve before the player has reported it, by the width and the picture. */
  #expectedHeight(): number {
    const picture = this.querySelector("img");
    const ratio = Number(picture?.getAttribute("height")) / Number(picture?.getAttribute("width"));
    const wide = Number.isFinite(ratio) ? ratio * WIDE.width + BELOW_PICTURE : WIDE.height;
    const narrow = (WIDE.width - this.offsetWidth) / (WIDE.width - NARROW.width);
    return wide * (1 + (NARROW.factor - 1) * Math.max(0, Math.min(1, narrow)));
  }

  /**
   * Takes the height that the player requested as soon as nothing in sight moves. Until then, the
   * player fits what matters into the reserved height.
   */
  #grow(): void {
    if (this.#wanted === null || this.hasAttribute("height")) return;
    const moves = this.getBoundingClientRect().bottom < innerHeight;
    if (moves && this.offsetWidth === this.#widthAtHeight) return;
    this.#setHeight(this.#wanted);
    this.#wanted = null;
  }

  #setHeight(height: number): void {
    if (this.#iframe === null || !Number.isFinite(height)) return;
    this.#widthAtHeight = this.offsetWidth;
    this.#iframe.style.height = `${Math.round(Math.max(HEIGHT_MIN, Math.min(HEIGHT_MAX, height)))}px`;
  }

  #pinned(): Theme | null {
    const theme = this.getAttribute("theme");
    return theme === "light" || theme === "dark" ? theme : null;
  }

  #sendTheme(): void {
    const send = (): void => this.#send("setTheme", { theme: this.#pinned() ?? hostTheme(this) });
    send();
    clearTimeout(this.#later);
    this.#later = setTimeout(send, AFTER_TRANSITIONS_MS);
  }

  #send(type: string, payload: Record<string, unknown>): void {
    this.#iframe?.contentWindow?.postMessage({ highwater: 1, type, payload }, "*");
  }

  #receive(event: MessageEvent): void {
    if (this.#iframe === null || event.source !== this.#iframe.contentWindow) return;
    // In a page of its own origin, the player has an opaque one.
    if (event.origin !== "null" && event.origin !== new URL(this.#iframe.src).origin) return;
    const message = playerMessage(event.data);
    if (message === null) return;
    const { type, payload } = message;
    if (type === "resize" || type === "ready") {
      this.#wanted = Number(payload.height);
      this.#grow();
    }
    if (type === "ready") this.#sendTheme();
    if (type === "key") this.#press(payload);
    else if (EVENTS.includes(type))
      this.dispatchEvent(new CustomEvent(`highwater-${type}`, { detail: payload, bubbles: true }));
  }

  /** A key that the player does not use, dispatched on this element, so that slides can use it. */
  #press({ key, code, keyCode, shiftKey, altKey }: Record<string, unknown>): void {
    if (typeof key !== "string" || typeof code !== "string") return;
    const init = {
      key,
      code,
      keyCode: Number(keyCode) || 0,
      which: Number(keyCode) || 0,
      shiftKey: shiftKey === true,
      altKey: altKey === true,
    };
    this.dispatchEvent(
      new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true, composed: true }),
    );
  }
}

/**
 * With its own origin, the player is loaded once for all elements. In a page of that origin, it
 * could then touch the page.
 */
function sandboxOf({ origin }: URL): string {
  const isolated = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
  return origin === location.origin ? isolated : `${isolated} allow-same-origin`;
}

/** A message of the player; null if the data are something else. */
function playerMessage(
  data: unknown,
): { readonly type: string; readonly payload: Record<string, unknown> } | null {
  const { highwater, type, payload } = (data ?? {}) as Record<string, unknown>;
  if (highwater !== 1 || typeof type !== "string") return null;
  if (typeof payload !== "object" || payload === null) return null;
  return { type, payload: payload as Record<string, unknown> };
}

function sheet(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}

/** For pages that allow scripts but no custom elements: the player replaces the script element. */
function upgradeScripts(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>("script[data-highwater]")) {
    const id = script.dataset.highwater ?? "";
    delete script.dataset.highwater;
    const replay = document.createElement("highwater-replay");
    replay.setAttribute("src", new URL(`../s/${id}`, script.src).href);
    for (const name of ["step", "level", "theme", "height", "lang"]) {
      const value = script.dataset[name];
      if (value !== undefined) replay.setAttribute(name, value);
    }
    script.after(replay);
  }
}

/** Several scripts on one page, even from several services, define the element only once. */
if (customElements.get("highwater-replay") === undefined) {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(POSTER_SHEET)];
  customElements.define("highwater-replay", HighwaterReplay);
}
if (document.readyState === "loading")
  document.addEventListener("DOMContentLoaded", upgradeScripts);
else upgradeScripts();
