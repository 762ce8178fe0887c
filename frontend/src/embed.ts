/**
 * The page that other sites embed: one script, and a shared run of which the page contains a part
 * (view/embed/branch.svelte.ts). The picture of the step is shown before the script loads.
 *
 * It may run in a sandbox with an opaque origin. It therefore stores nothing, never takes the
 * focus, and communicates with its host only by messages (view/embed/host.ts).
 */

import { mount } from "svelte";

import "./styles/tokens.css";
import "./styles/base.css";
import "./view/figure/figure.css";
import "./view/embed/embed.css";
import { isStatic, to } from "./addresses";
import { languageCalled, languageOf, type Lang } from "./language";
import { languageContext } from "./language/context";
import { MissingError, readPublic } from "./service/shared-run";
import type { PlayerPart, PlayerRun } from "./trace";
import { Branch } from "./view/embed/branch.svelte";
import Embed from "./view/embed/Embed.svelte";
import { connectHost, handOn, post } from "./view/embed/host";
import Notice from "./view/embed/Notice.svelte";
import { say as embedWord } from "languages:embed";

const query = new URLSearchParams(location.search);
const lang: Lang = languageCalled([
  query.get("lang"),
  document.documentElement.lang || navigator.language,
]);
const context = languageContext(lang);

function start(): void {
  document.documentElement.lang = languageOf(lang).formats;

  const target = document.getElementById("embed");
  // The service returned an error page, which must stay visible.
  if (target === null || document.querySelector(".problem") !== null) return;

  try {
    const island = document.getElementById("highwater-run")?.textContent;
    if (!island) throw new MissingError("unavailable");
    const run = JSON.parse(island) as PlayerRun;
    const kafka = query.get("kafka");
    if (isStatic && kafka !== null && kafka !== run.kafka) throw new MissingError("otherRelease");
    show(target, run);
  } catch (error) {
    const kind = error instanceof MissingError ? error.kind : "unavailable";
    target.replaceChildren();
    mount(Notice, { target, props: { kind }, context });
    post("error", { code: kind, message: embedWord(lang, kind) });
    if (!(error instanceof MissingError)) console.error(error);
  }
}

function show(target: HTMLElement, run: PlayerRun): void {
  const branch = new Branch(run, lang, (first, end) =>
    readPublic<PlayerPart>(
      withQuery(
        to(`/e/v1${run.path}/frames.json`),
        `from=${String(first)}&to=${String(end)}&lang=${lang}`,
        run,
      ),
    ),
  );
  const link =
    run.path === "" ? null : new URL(run.link ?? withQuery(to(run.path), "", run), location.href);
  if (query.has("lang")) link?.searchParams.set("lang", lang);

  // A copy of the site has one page for all moments of a lesson.
  const step = isStatic ? query.get("step") : null;
  const message = step === null ? null : query.get("message");
  const startAt = step === null ? run.at : branch.positionOfMoment(Number(step), message);

  target.replaceChildren();
  const host = connectHost();
  let ready = false;
  const player = mount(Embed, {
    target,
    context,
    props: {
      branch,
      startAt,
      level: message === null ? run.level : "message",
      link: link?.href ?? null,
      autoplay: query.get("autoplay") === "1",
      onstep: (position: number) =>
        post("step", {
          index: position,
          frame: branch.numbers[position] ?? 0,
          step: branch.steps[position] ?? 0,
        }),
      onplaying: (playing: boolean, speed: number) => post("state", { playing, speed }),
      onkey: handOn,
      onheight: (height: number) => {
        host.resize(height);
        if (ready) return;
        ready = true;
        post("ready", {
          version: 1,
          steps: branch.steps.at(-1) ?? 0,
          frames: branch.numbers.length,
          width: innerWidth,
          height,
        });
      },
    },
  });
  host.listen({
    goto: (number) => player.goTo(branch.positionAt(number)),
    play: player.play,
    pause: player.pause,
    setSpeed: player.setSpeed,
    setTheme: (chosen) => {
      // A theme in the address takes precedence.
      if (isThemePinned()) return;
      if (chosen === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = chosen;
    },
  });
}

/** The path with the query that it needs to mean the run. */
function withQuery(path: string, query: string, run: Pick<PlayerRun, "query">): string {
  const parts = [query, run.query].filter((part) => part !== "");
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

function isThemePinned(): boolean {
  return query.get("theme") === "light" || query.get("theme") === "dark";
}

start();
