/** Finds the release that fixed what a lesson shows, from the lesson's expectations. */

import type { ScenarioDocument } from "../service/api";

const LOWEST = /^>=([\d.]+)/;

/** The first release for which the author expects no violated property; null if there is none. */
export function fixedIn(scenario: Pick<ScenarioDocument, "kafka" | "steps">): string | null {
  const expected = scenario.steps.flatMap(({ expect }) =>
    typeof expect === "object" && expect !== null
      ? [expect as { readonly kafka?: unknown; readonly violated?: unknown }]
      : [],
  );
  const fails = expected.some(({ violated }) => Array.isArray(violated) && violated.length > 0);
  if (!fails) return null;
  const ranges = expected.flatMap(({ kafka, violated }) =>
    Array.isArray(kafka) && Array.isArray(violated) && violated.length === 0 ? [kafka] : [],
  );
  const release = LOWEST.exec(String(ranges.at(-1)?.at(-1) ?? ""))?.[1] ?? null;
  return release === scenario.kafka ? null : release;
}
