/** The data that a run's page requests once, in addition to the run. Missing data is not shown. */

import {
  api,
  type Lesson,
  type Releases,
  type ListedLesson,
  type Setting,
  type StepForm,
} from "../service/api";
import type { Run } from "../session/run.svelte";

export class PageData {
  releases = $state.raw<Releases | null>(null);
  sourceAddresses = $state.raw<Readonly<Record<string, string>>>({});
  lessons = $state.raw<readonly ListedLesson[]>([]);
  /** The run's lesson; null if there is none. */
  lesson = $state.raw<Lesson | null>(null);
  forms = $state.raw<readonly StepForm[]>([]);
  settings = $state.raw<readonly Setting[] | null>(null);
  producerSettings = $state.raw<readonly Setting[]>([]);

  ask(run: Run): void {
    void api.readReleases().then((found) => (this.releases = found), ignore);
    void api.readSources(run.kafka).then((found) => (this.sourceAddresses = found), ignore);
    void api.readStepForms().then((found) => (this.forms = found), ignore);
    void api.readScenarios().then((found) => this.#foundLessons(found, run.scenario.id), ignore);
    const control = run.frames[0]?.state.controller.kind;
    if (control !== undefined)
      void api.readSettings(run.kafka, control).then((found) => this.#foundSettings(found), ignore);
  }

  #foundSettings({
    settings,
    producers,
  }: {
    readonly settings: readonly Setting[];
    readonly producers: readonly Setting[];
  }): void {
    this.settings = settings;
    this.producerSettings = producers;
  }

  #foundLessons(found: readonly ListedLesson[], own: string): void {
    this.lessons = found;
    if (found.some((lesson) => lesson.id === own))
      void api.readLesson(own).then((read) => (this.lesson = read), ignore);
  }
}

function ignore(): void {
  // The page works without it; a reload requests it again.
}
