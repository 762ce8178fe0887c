/** The settings of a run: which differ from their defaults, and what a person has changed in a form. */

import type { Setting } from "../service/api";
import type { Configs, Producing } from "../session/run.svelte";
import type { Frame } from "../trace";

/** Kafka's largest numbers stand for no limit at all. */
export function isUnlimited(value: unknown): boolean {
  return typeof value === "number" && value >= Number.MAX_SAFE_INTEGER;
}

/** The settings in force that are not the release's defaults. */
export function settingsSet(settings: readonly Setting[], configs: Configs): string[] {
  return settings.filter((setting) => configs[setting.name] !== undefined && configs[setting.name] !== setting.default).map((setting) => setting.name);
}

/** What stands in the fields and is not so now. What is no number stays text: the service says what is wrong. */
export function changedSettings(settings: readonly Setting[], configs: Configs, edited: Readonly<Record<string, string>>): Configs {
  const changed: Record<string, number | boolean | string> = {};
  for (const setting of settings) {
    const text = edited[setting.name]?.trim();
    if (text === undefined || (text === "" && setting.kind === "number")) continue;
    const value = setting.kind === "switch" ? text === "true" : setting.kind === "number" && /^-?\d+$/.test(text) ? Number(text) : text;
    if (value !== (configs[setting.name] ?? setting.default)) changed[setting.name] = value;
  }
  return changed;
}

/** What producers have asked for so far, by the names of their settings; of several acks all, as text. */
export function producersSettings({ state }: Frame): Configs {
  return { acks: state.acks.join(", "), "enable.idempotence": state.clients.produced.some((one) => (one.producer_id ?? null) !== null) };
}

/** Changed settings of producers as a step has them. */
export function producing(changed: Configs): Producing {
  const { acks, "enable.idempotence": idempotent } = changed;
  return { ...(acks === undefined ? {} : { acks: acks === "all" ? "all" : Number(acks) }), ...(idempotent === undefined ? {} : { idempotent: idempotent === true }) };
}

/** The setting that an argument of a step is, where it is one. */
export function settingOf(argument: string): string {
  return argument === "idempotent" ? "enable.idempotence" : argument;
}
