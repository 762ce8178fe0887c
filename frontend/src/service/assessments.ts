/** The verdict about a cluster: one request whose response is a stream of the page's document, until every cell is computed. */

import type { components } from "../schema/openapi";
import type { Lang } from "../language";
import { ApiError, ask, askAgain, brokenOff, type OperatorWords } from "./api";
import { eventsOf } from "./event-stream";

type Schemas = components["schemas"];
export type AssessmentPage = Schemas["AssessmentPage"];
export type Kind = Schemas["AssessedKind"];
export type Cell = Schemas["AssessedCell"];
export type Failure = keyof Kind["cells"];
export type Setting = Schemas["AssessedSetting"];
export type KnownLoss = Schemas["KnownLoss"];
export type Searched = Schemas["AssessedSearch"];
export type Searches = Schemas["AssessedSearches"];
export type BrokerRack = Schemas["AssessedRack"];
type Report = Schemas["AssessmentReport"];

/** The failures in the order of the document, which is that of the table's columns. */
export function failuresOf(kinds: readonly Kind[]): readonly Failure[] {
  return Object.keys(kinds[0]?.cells ?? {}) as Failure[];
}

export interface AssessmentQuestion {
  readonly files?: readonly { readonly name: string; readonly text: string }[];
  /** In place of files: the number of a reading of the cluster that the service watches. */
  readonly reading?: number;
  readonly kafka?: string;
  readonly down?: readonly number[];
  /** The changed settings, by their names in the document. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The changed racks, by broker; an empty one is unknown. */
  readonly racks?: Readonly<Record<string, string>>;
}

/** A question, and the partitions whose searches its report or its link contains. */
export interface SharedQuestion extends AssessmentQuestion {
  readonly searched: readonly string[];
}

/**
 * Asks for the verdict until it is complete or `signal` aborts; reports the document meanwhile.
 * Throws an `ApiError`, with the place of each line that cannot be parsed.
 */
export async function assess(
  question: AssessmentQuestion,
  onpage: (page: AssessmentPage) => void,
  signal: AbortSignal,
): Promise<AssessmentPage> {
  for await (const { event, data } of eventsOf("/assessments", question, signal)) {
    if (event === "progress") onpage(JSON.parse(data) as AssessmentPage);
    if (event === "result") return JSON.parse(data) as AssessmentPage;
    if (event === "error")
      throw new ApiError(0, "assessment_failed", (JSON.parse(data) as { detail: string }).detail);
  }
  throw brokenOff();
}

/**
 * Searches a partition until every question has its answer or `signal` aborts; reports what is known
 * meanwhile. Throws an `ApiError`.
 */
export async function searchPartition(
  question: AssessmentQuestion,
  partition: string,
  told: {
    readonly onstarted: (id: string) => void;
    readonly onprogress: (searches: Searches) => void;
  },
  signal: AbortSignal,
): Promise<Searches> {
  const asked = { ...question, partition };
  for await (const { event, data } of eventsOf("/assessments/searches", asked, signal)) {
    if (event === "started") told.onstarted((JSON.parse(data) as { id: string }).id);
    if (event === "progress") told.onprogress(JSON.parse(data) as Searches);
    if (event === "result") return JSON.parse(data) as Searches;
    if (event === "error")
      throw new ApiError(0, "search_failed", (JSON.parse(data) as { detail: string }).detail);
  }
  throw brokenOff();
}

/** Ends a search; its response is what it has examined. */
export const stopPartitionSearch = (id: string): Promise<undefined> =>
  ask<undefined>("DELETE", `/assessments/searches/${id}`);

/** The same question without the values of secrets, which the page may keep. */
export async function withoutSecrets(question: AssessmentQuestion): Promise<AssessmentQuestion> {
  const kept = await ask<Schemas["KeptFiles"]>("POST", "/assessments/without-secrets", question);
  return { ...question, files: kept.files };
}

/** What an operator sees in a scenario’s first state, and in its run. */
export const readWords = (scenario: Readonly<Record<string, unknown>>): Promise<OperatorWords> =>
  ask<OperatorWords>("POST", "/assessments/words", { scenario });

/** A verdict as it was shared. */
export const readAssessment = (sid: string): Promise<AssessmentPage> =>
  ask<AssessmentPage>("GET", `/assessments/shares/${sid}`);

/** The report in Markdown of a question, or of a verdict that was shared. */
export async function reportOf(
  question: SharedQuestion | null,
  sid: string | null,
  lang: Lang,
): Promise<string> {
  const { markdown } =
    question === null
      ? await ask<Report>("GET", `/assessments/shares/${sid ?? ""}/report?lang=${lang}`)
      : await ask<Report>("POST", `/assessments/report?lang=${lang}`, question);
  return markdown;
}

/** Stores a verdict. The same key stores it once. */
export const shareAssessment = (
  question: SharedQuestion,
  key: string,
): Promise<Schemas["AssessmentShared"]> =>
  askAgain(() => ask("POST", "/assessments/shares", question, { "Idempotency-Key": key }));

export const deleteAssessment = (sid: string, token: string): Promise<undefined> =>
  ask<undefined>("DELETE", `/assessments/shares/${sid}`, undefined, {
    Authorization: `Bearer ${token}`,
  });
