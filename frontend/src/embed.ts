/**
 * The page that other sites frame: one script and one shared run that is in the page already.
 *
 * It may stand in a sandbox with an origin of its own. So it keeps nothing, asks for nothing that
 * it was given, never takes the focus, and speaks with its host by messages only (view/embed/host.ts).
 */

import { mount } from "svelte";

import "./styles/tokens.css";
import "./styles/base.css";
import "./view/embed/embed.css";
import { inLanguage, languageCalled, languageOf } from "./language";
import { MissingError, readPublic } from "./service/shared-run";
import { readFrames, type Translated, type Catalogue, type FrameEntry, type Lang, type StoryStep } from "./trace";
import Embed from "./view/embed/Embed.svelte";
import { connectHost, post } from "./view/embed/host";
import Notice from "./view/embed/Notice.svelte";
import { embedWord } from "./view/embed/words";

interface SharedRun {
  readonly sid: string;
  readonly at: number;
  readonly frames: readonly FrameEntry[];
  readonly story: readonly StoryStep[];
  readonly kafka: string;
  readonly title?: Translated | string;
  readonly catalogue?: Catalogue;
}

const query = new URLSearchParams(location.search);
const lang: Lang = languageCalled([query.get("lang"), document.documentElement.lang || navigator.language]);
const sid = /\/s\/([^/?#]+)/.exec(location.pathname)?.[1] ?? "";

/** What the service put into the page under this id; undefined where it did not. */
function inlined<T>(...ids: string[]): T | undefined {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null);
  return element?.textContent ? (JSON.parse(element.textContent) as T) : undefined;
}

async function start(): Promise<void> {
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  document.documentElement.lang = languageOf(lang).formats;

  const target = document.getElementById("embed");
  // The service answered with a page that says what is wrong: that page is what is to be seen.
  if (target === null || document.querySelector(".problem") !== null) return;

  try {
    const share = inlined<SharedRun>("highwater-share", "share") ?? (await readPublic<SharedRun>(`/s/${sid}.json`));
    const catalogue = share.catalogue ?? inlined<Catalogue>("highwater-catalogue", "catalogue") ?? (await readPublic<Catalogue>("/api/v1/catalogue"));
    show(target, share, catalogue);
  } catch (error) {
    const kind = error instanceof MissingError ? error.kind : "unavailable";
    target.replaceChildren();
    mount(Notice, { target, props: { kind, lang } });
    post("error", { code: kind, message: embedWord(lang, kind) });
    if (!(error instanceof MissingError)) console.error(error);
  }
}

function show(target: HTMLElement, share: SharedRun, catalogue: Catalogue): void {
  const frames = readFrames(share.frames);
  if (frames.length === 0) throw new MissingError("unavailable");
  const asked = query.get("step");
  const wanted = asked !== null && /^\d{1,6}$/.test(asked) ? Number(asked) : share.at;
  const startAt = nearest(frames.map((frame) => frame.frame), wanted);

  target.replaceChildren();
  const link = new URL(`/s/${share.sid}`, location.href);
  if (query.has("lang")) link.searchParams.set("lang", lang);
  const host = connectHost();
  let ready = false;
  const player = mount(Embed, {
    target,
    props: {
      frames,
      story: share.story,
      kafka: share.kafka,
      title: inLanguage(share.title ?? document.title, lang),
      catalogue,
      lang,
      startAt,
      link: link.href,
      autoplay: query.get("autoplay") === "1",
      onstep: (position: number, frame: { frame: number; depth: number }) => post("step", { index: position, frame: frame.frame, step: frame.depth }),
      onplaying: (playing: boolean, speed: number) => post("state", { playing, speed }),
      onheight: (height: number) => {
        host.resize(height);
        if (ready) return;
        ready = true;
        post("ready", { version: 1, steps: frames.length - 1, width: innerWidth, height });
      },
    },
  });
  host.listen({
    goto: (frame) => player.goTo(nearest(frames.map((entry) => entry.frame), frame)),
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

/** The position of a frame number on the branch; of the last one before it, where it is on another. */
function nearest(numbers: readonly number[], wanted: number): number {
  const exact = numbers.indexOf(wanted);
  if (exact >= 0) return exact;
  return Math.max(0, numbers.filter((number) => number <= wanted).length - 1);
}

void start();
