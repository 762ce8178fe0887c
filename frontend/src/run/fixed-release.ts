/** Finds the release that fixed what a lesson shows, from the lesson's expectations. */

import type { ScenarioDocument } from "../service/api";

const LOWEST = /^>=([\d.]+)/;

/** The first release for which the author expects no violated property; null if there is none. */
export function fixedIn(scenario: Pick<ScenarioDocument, "kafka" | "steps">): string | null {
  const expected = scenario.steps.flatMap(({ expect }) => (typeof expect === "object" && expect !== null ? [expect as { readonly kafka?: unknown; readonly violated?: unknown }] : []));
  const fails = expected.some(({ violated }) => Array.isArray(violated) && violated.length > 0);
  if (!fails) return null;
  const last = expected.filter(({ kafka, violated }) => typeof kafka === "string" && Array.isArray(violated) && violated.length === 0).at(-1);
  const release = LOWEST.exec(String(last?.kafka ?? ""))?.[1] ?? null;
  return release === scenario.kafka ? null : release;
}
