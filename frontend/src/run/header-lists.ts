/** The options of the lists in a run's header. */

import type { ListOption } from "../controls/list-option";
import { inLanguage } from "../language";
import { say as sayCompare } from "languages:compare";
import { say as sayPage } from "languages:pages";
import { CHAPTERS, type Releases, type ListedLesson } from "../service/api";
import type { BranchNames } from "../session/branch-names";
import type { Run } from "../session/run.svelte";
import type { Catalogue, Lang } from "../trace";
import { namedSettings } from "./compared-run.svelte";
import { nameOf } from "./other-branches";
import { say } from "languages:run";

/** The lessons by chapter; the run's own scenario comes first if it is not a lesson. */
export function lessonOptions(
  run: Run,
  title: string,
  lessons: readonly ListedLesson[],
  lang: Lang,
): ListOption[] {
  const own = run.scenario.id;
  const apart = lessons.some((lesson) => lesson.id === own) ? [] : [{ value: own, label: title }];
  const listed = CHAPTERS.flatMap((chapter) =>
    lessons
      .filter((lesson) => lesson.chapter === chapter)
      .map((lesson) => ({
        value: lesson.id,
        label: lesson.id === own ? title : inLanguage(lesson.title, lang),
        group: sayPage(lang, chapter),
      })),
  );
  return [...apart, ...listed];
}

/** The releases, including the shown one even if it is not on the menu. */
export function releaseOptions(
  releases: Releases | null,
  current: string,
  lang: Lang,
): ListOption[] {
  const menu = releases?.menu ?? [];
  const others = releases?.others ?? [];
  const apart = menu.includes(current) || others.includes(current) ? [] : [current];
  return [
    ...[...apart, ...menu].map((name) => ({ value: name, label: name })),
    ...others.map((name) => ({ value: name, label: name, group: say(lang, "otherReleases") })),
  ];
}

/** The possible comparisons: none, the lesson's control run, another release, another branch. */
export function besideOptions(
  run: Run,
  beside: string,
  controlRun: { readonly id: string; readonly title: string } | null,
  releases: Releases | null,
  names: BranchNames,
  catalogue: Catalogue,
  lang: Lang,
): ListOption[] {
  const control =
    controlRun === null
      ? []
      : [
          {
            value: `s${controlRun.id}`,
            label: sayCompare(lang, "controlRun", { title: controlRun.title }),
          },
        ];
  const versions = (releases?.menu ?? [])
    .filter((name) => name !== run.kafka)
    .map((name) => ({
      value: `v${name}`,
      label: `Kafka ${name}`,
      group: sayCompare(lang, "versions"),
    }));
  const branches = run.branches
    .filter((branch) => branch.tip !== run.branch?.tip)
    .map((branch) => ({
      value: `b${branch.tip}`,
      label: nameOf(run, branch, names, catalogue, lang),
      group: sayCompare(lang, "branches"),
    }));
  const replayed = run.comparisons.settings;
  const settings =
    replayed === null
      ? []
      : [{ value: `c${replayed.session}`, label: namedSettings(replayed.named) }];
  return [
    { value: "", label: sayCompare(lang, beside === "" ? "none" : "stop") },
    ...control,
    ...versions,
    ...settings,
    ...branches,
  ];
}
