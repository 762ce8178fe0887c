/** What stands below the run to be compared with it: another release, another scenario, other settings, or another branch. */

import { branchSide, scenarioSide, settingsSide, versionSide, type OtherSide } from "../compare/side";
import { say } from "../messages/compare";
import type { Configs, Run } from "../session/run.svelte";
import type { Catalogue, Lang } from "../trace";
import { branchName } from "./branch-name";

/** A branch is named by its newest frame. */
type Chosen = { readonly kafka: string } | { readonly settings: string } | { readonly scenario: string } | { readonly tip: number };

export class Beside {
  readonly #run: Run;
  #chosen = $state.raw<Chosen | null>(null);

  constructor(run: Run) {
    this.#run = run;
  }

  /** The choice as the value of an option; empty where nothing stands below. */
  get value(): string {
    const chosen = this.#chosen;
    if (chosen === null) return "";
    if ("scenario" in chosen) return `s${chosen.scenario}`;
    if ("settings" in chosen) return `c${chosen.settings}`;
    return "kafka" in chosen ? `v${chosen.kafka}` : `b${String(chosen.tip)}`;
  }

  /** Takes an option's value. What cannot be played leaves nothing below. */
  async choose(value: string): Promise<void> {
    const [kind, name] = [value.slice(0, 1), value.slice(1)];
    if (kind === "s" && (await this.#run.playBeside(name)) !== null) this.#chosen = { scenario: name };
    else if (kind === "c" && this.#run.otherSettings?.session === name) this.#chosen = { settings: name };
    else if (kind === "b") this.#chosen = { tip: Number(name) };
    else if (kind === "v" && (await this.#run.replayUnder(name)) !== null) this.#chosen = { kafka: name };
    else this.#chosen = null;
  }

  close(): void {
    this.#chosen = null;
  }

  /** The other run, where it is there. */
  side(catalogue: Catalogue, lang: Lang): OtherSide | null {
    const [run, chosen] = [this.#run, this.#chosen];
    if (chosen === null) return null;
    if ("kafka" in chosen) {
      const other = run.others.find((one) => one.kafka === chosen.kafka);
      return other === undefined ? null : versionSide(other);
    }
    if ("scenario" in chosen) {
      const other = run.scenarios.find((one) => one.id === chosen.scenario);
      return other === undefined ? null : scenarioSide(other, lang);
    }
    if ("settings" in chosen) return run.otherSettings === null ? null : settingsSide(run.otherSettings, namedSettings(run.otherSettings.named));
    const branch = run.branches.find((one) => one.tip === chosen.tip && one.tip !== run.branch?.tip);
    return branch === undefined ? null : branchSide(run, branch, branchName(run, branch, catalogue, lang));
  }

  /** What the run on the page is called beside the other one. */
  ownName(title: string, lang: Lang): string {
    const chosen = this.#chosen;
    if (chosen === null || "kafka" in chosen) return `Kafka ${this.#run.kafka}`;
    if ("settings" in chosen) return namedSettings(this.#run.otherSettings?.was ?? {});
    return "tip" in chosen ? say(lang, "thisBranch") : title;
  }
}

/** Settings and their values, as a name for the run that has them. */
export function namedSettings(configs: Configs): string {
  return Object.entries(configs)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(" · ");
}
