/** The settings of a run: those that differ from their defaults, and the changes in a form. */

import type { Setting } from "../service/api";
import type { Configs, Producing } from "../session/comparison-runs.svelte";
import type { Frame } from "../trace";

/** Kafka's largest numbers mean that there is no limit. */
export function isUnlimited(value: unknown): boolean {
  return typeof value === "number" && value >= Number.MAX_SAFE_INTEGER;
}

/** The effective settings of a partition: those of its topic, and of the cluster for the others. */
export function settingsOf(state: Frame["state"], partition: string): Configs {
  const topic = partition.slice(0, partition.lastIndexOf("-"));
  return { ...(state.configs as Configs), ...state.topic_configs?.[topic] };
}

/** The effective settings that differ from the release's defaults. */
export function settingsSet(settings: readonly Setting[], configs: Configs): string[] {
  return settings
    .filter(
      (setting) => configs[setting.name] !== undefined && configs[setting.name] !== setting.default,
    )
    .map((setting) => setting.name);
}

/**
 * The fields that differ from the current values. A value that is not a number stays text, and the
 * service reports the error.
 */
export function changedSettings(
  settings: readonly Setting[],
  configs: Configs,
  edited: Readonly<Record<string, string>>,
): Configs {
  const changed: Record<string, number | boolean | string> = {};
  for (const setting of settings) {
    const text = edited[setting.name]?.trim();
    if (text === undefined || (text === "" && setting.kind === "number")) continue;
    const value =
      setting.kind === "switch"
        ? text === "true"
        : setting.kind === "number" && /^-?\d+$/.test(text)
          ? Number(text)
          : text;
    if (value !== (configs[setting.name] ?? setting.default)) changed[setting.name] = value;
  }
  return changed;
}

/** The settings that producers have used so far, by name; several acks are joined as text. */
export function producersSettings({ state }: Frame): Configs {
  return {
    acks: state.acks.join(", "),
    "enable.idempotence": state.clients.produced.some((one) => one.producer_id !== null),
  };
}

/** Changed producer settings as arguments of a step. */
export function producing(changed: Configs): Producing {
  const { acks, "enable.idempotence": idempotent } = changed;
  return {
    ...(acks === undefined ? {} : { acks: acks === "all" ? "all" : Number(acks) }),
    ...(idempotent === undefined ? {} : { idempotent: idempotent === true }),
  };
}

/** The setting that corresponds to a step's argument, if any. */
export function settingOf(argument: string): string {
  return argument === "idempotent" ? "enable.idempotence" : argument;
}
