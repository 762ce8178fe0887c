/** What the lists in the header of a run offer. */

import type { ListOption } from "../controls/list-option";
import { inLanguage } from "../language";
import { say as sayCompare } from "../messages/compare";
import { say as sayPage } from "../messages/pages";
import { CHAPTERS, type Releases, type ScenarioSummary } from "../service/api";
import type { Run } from "../session/run.svelte";
import type { Catalogue, Lang } from "../trace";
import { namedSettings } from "./beside.svelte";
import { branchName } from "./branch-name";
import { say } from "./words";

/** The lessons by chapter; first the run's own scenario, where it is none of them. */
export function lessonOptions(run: Run, title: string, lessons: readonly ScenarioSummary[], lang: Lang): ListOption[] {
  const own = run.scenario.id;
  const apart = lessons.some((lesson) => lesson.id === own) ? [] : [{ value: own, label: title }];
  const listed = CHAPTERS.flatMap((chapter) =>
    lessons
      .filter((lesson) => lesson.chapter === chapter)
      .map((lesson) => ({ value: lesson.id, label: lesson.id === own ? title : inLanguage(lesson.title, lang), group: sayPage(lang, chapter) })),
  );
  return [...apart, ...listed];
}

/** The releases: the one shown is offered though the menu may not have it. */
export function releaseOptions(releases: Releases | null, current: string, lang: Lang): ListOption[] {
  const menu = releases?.menu ?? [];
  const others = releases?.others ?? [];
  const apart = menu.includes(current) || others.includes(current) ? [] : [current];
  return [...[...apart, ...menu].map((name) => ({ value: name, label: name })), ...others.map((name) => ({ value: name, label: name, group: say(lang, "otherReleases") }))];
}

/** What can stand beside a run: nothing, the control run of its lesson, another release, another branch. */
export function besideOptions(run: Run, beside: string, controlRun: { readonly id: string; readonly title: string } | null, releases: Releases | null, catalogue: Catalogue, lang: Lang): ListOption[] {
  const control = controlRun === null ? [] : [{ value: `s${controlRun.id}`, label: sayCompare(lang, "controlRun", { title: controlRun.title }) }];
  const versions = (releases?.menu ?? []).filter((name) => name !== run.kafka).map((name) => ({ value: `v${name}`, label: `Kafka ${name}`, group: sayCompare(lang, "versions") }));
  const branches = run.branches
    .filter((branch) => branch.tip !== run.branch?.tip)
    .map((branch) => ({ value: `b${String(branch.tip)}`, label: branchName(run, branch, catalogue, lang), group: sayCompare(lang, "branches") }));
  const settings = run.otherSettings === null ? [] : [{ value: `c${run.otherSettings.session}`, label: namedSettings(run.otherSettings.named) }];
  return [{ value: "", label: sayCompare(lang, beside === "" ? "none" : "stop") }, ...control, ...versions, ...settings, ...branches];
}
