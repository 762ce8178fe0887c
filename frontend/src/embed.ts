/**
 * The page that other sites frame: one script, and a shared run of which the page has the beginning
 * (view/embed/branch.svelte.ts). The picture of the moment stands there before the script.
 *
 * It may stand in a sandbox with an origin of its own. So it keeps nothing, never takes the focus,
 * and speaks with its host by messages only (view/embed/host.ts).
 */

import { mount } from "svelte";

import "./styles/tokens.css";
import "./styles/base.css";
import "./view/figure/figure.css";
import "./view/embed/embed.css";
import { languageCalled, languageOf, type Lang } from "./language";
import { MissingError, readPublic } from "./service/shared-run";
import { Branch, type Part, type SharedRun } from "./view/embed/branch.svelte";
import Embed from "./view/embed/Embed.svelte";
import { connectHost, handOn, post } from "./view/embed/host";
import Notice from "./view/embed/Notice.svelte";
import { embedWord } from "./view/embed/words";

const query = new URLSearchParams(location.search);
const lang: Lang = languageCalled([query.get("lang"), document.documentElement.lang || navigator.language]);

function start(): void {
  document.documentElement.lang = languageOf(lang).formats;

  const target = document.getElementById("embed");
  // The service answered with a page that says what is wrong: that page is what is to be seen.
  if (target === null || document.querySelector(".problem") !== null) return;

  try {
    const island = document.getElementById("highwater-run")?.textContent;
    if (!island) throw new MissingError("unavailable");
    show(target, JSON.parse(island) as SharedRun);
  } catch (error) {
    const kind = error instanceof MissingError ? error.kind : "unavailable";
    target.replaceChildren();
    mount(Notice, { target, props: { kind, lang } });
    post("error", { code: kind, message: embedWord(lang, kind) });
    if (!(error instanceof MissingError)) console.error(error);
  }
}

function show(target: HTMLElement, run: SharedRun): void {
  const branch = new Branch(run, lang, (from, to) => readPublic<Part>(`/e/v1/s/${run.sid}/frames.json?from=${String(from)}&to=${String(to)}&lang=${lang}`));
  const link = new URL(run.link ?? `/s/${run.sid}`, location.href);
  if (query.has("lang")) link.searchParams.set("lang", lang);

  target.replaceChildren();
  const host = connectHost();
  let ready = false;
  const player = mount(Embed, {
    target,
    props: {
      branch,
      lang,
      startAt: run.at,
      link: link.href,
      autoplay: query.get("autoplay") === "1",
      onstep: (position: number) => post("step", { index: position, frame: branch.numbers[position] ?? 0, step: branch.steps[position] ?? 0 }),
      onplaying: (playing: boolean, speed: number) => post("state", { playing, speed }),
      onkey: handOn,
      onheight: (height: number) => {
        host.resize(height);
        if (ready) return;
        ready = true;
        post("ready", { version: 1, steps: branch.steps.at(-1) ?? 0, frames: branch.numbers.length, width: innerWidth, height });
      },
    },
  });
  host.listen({
    goto: (frame) => player.goTo(branch.positionOf(frame)),
    play: player.play,
    pause: player.pause,
    setSpeed: player.setSpeed,
    setTheme: (chosen) => {
      // A theme that the address pins stays.
      if (isThemePinned()) return;
      if (chosen === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = chosen;
    },
  });
}

function isThemePinned(): boolean {
  return query.get("theme") === "light" || query.get("theme") === "dark";
}

start();
