/** The run to compare with: another release, scenario, settings, or branch. */

import {
  branchSide,
  scenarioSide,
  settingsSide,
  versionSide,
  type OtherSide,
} from "../compare/other-side";
import { say } from "languages:compare";
import type { BranchNames } from "../session/branch-names";
import type { Configs } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import type { Catalogue, Lang } from "../trace";
import { nameOf } from "./other-branches";

/** A branch is identified by its newest frame. */
type Chosen =
  | { readonly kafka: string }
  | { readonly settings: string }
  | { readonly scenario: string }
  | { readonly tip: number };

export class ComparedRun {
  readonly #run: Run;
  #chosen = $state.raw<Chosen | null>(null);
  /** Whether the two runs differ at the playhead, in words; empty if that is not known. */
  standing = $state("");

  constructor(run: Run) {
    this.#run = run;
  }

  /** The selection as the value of an option; empty if nothing is compared. */
  get value(): string {
    const chosen = this.#chosen;
    if (chosen === null) return "";
    if ("scenario" in chosen) return `s${chosen.scenario}`;
    if ("settings" in chosen) return `c${chosen.settings}`;
    return "kafka" in chosen ? `v${chosen.kafka}` : `b${chosen.tip}`;
  }

  /** Restores the earlier runs and then selects an option's value, if any, so that none is created again. */
  async restore(value: string | null): Promise<void> {
    await this.#run.comparisons.restore();
    if (value !== null) await this.choose(value);
  }

  /** Selects by an option's value. If the run cannot be played, nothing is compared. */
  async choose(value: string): Promise<void> {
    const [kind, name] = [value.slice(0, 1), value.slice(1)];
    if (kind === "s" && (await this.#run.comparisons.playScenario(name)) !== null)
      this.#chosen = { scenario: name };
    else if (kind === "c" && this.#run.comparisons.settings?.session === name)
      this.#chosen = { settings: name };
    else if (kind === "b") this.#chosen = { tip: Number(name) };
    else if (kind === "v" && (await this.#run.comparisons.replayUnder(name)) !== null)
      this.#chosen = { kafka: name };
    else this.#chosen = null;
  }

  close(): void {
    this.#chosen = null;
  }

  /** What is announced of a position, with whether the other run differs there; a position that is only passed has no words. */
  appendedTo(words: string): string {
    return words === "" || this.#chosen === null || this.standing === ""
      ? words
      : `${words} ${this.standing}`;
  }

  /** The other run, if it is loaded. */
  side(names: BranchNames, catalogue: Catalogue, lang: Lang): OtherSide | null {
    const [run, chosen] = [this.#run, this.#chosen];
    const { versions, scenarios, settings } = run.comparisons;
    if (chosen === null) return null;
    if ("kafka" in chosen) {
      const other = versions.find((one) => one.kafka === chosen.kafka);
      return other === undefined ? null : versionSide(other);
    }
    if ("scenario" in chosen) {
      const other = scenarios.find((one) => one.id === chosen.scenario);
      return other === undefined ? null : scenarioSide(other, lang);
    }
    if ("settings" in chosen)
      return settings === null ? null : settingsSide(settings, namedSettings(settings.named));
    const branch = run.branches.find(
      (one) => one.tip === chosen.tip && one.tip !== run.branch?.tip,
    );
    return branch === undefined
      ? null
      : branchSide(run, branch, nameOf(run, branch, names, catalogue, lang));
  }

  /** The name of the run on the page, next to the other one. */
  ownName(title: string, lang: Lang): string {
    const chosen = this.#chosen;
    if (chosen === null || "kafka" in chosen) return `Kafka ${this.#run.kafka}`;
    if ("settings" in chosen) return namedSettings(this.#run.comparisons.settings?.was ?? {});
    return "tip" in chosen ? say(lang, "thisBranch") : title;
  }
}

/** The name of a run with these settings. */
export function namedSettings(configs: Configs): string {
  return Object.entries(configs)
    .map(([name, value]) => `${name} = ${value}`)
    .join(" · ");
}
