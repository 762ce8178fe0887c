/** The settings of a run: which differ from their defaults, and what a person has changed in a form. */

import type { Setting } from "../service/api";
import type { Configs } from "../session/run.svelte";

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
