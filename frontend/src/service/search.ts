/** A search for a failure: one request whose response is a stream of server-sent events. */

import { ApiError, brokenOff } from "./api";
import { eventsOf } from "./event-stream";
import type { components } from "../schema/openapi";

type Schemas = components["schemas"];
export type SearchQuestion = Partial<Schemas["SearchCreate"]>;
export type SearchableFault = Schemas["SearchableFaultRead"];
export type SearchProgress = Schemas["SearchProgress"];
export type SearchResult = Schemas["SearchRead"];

export interface SearchListener {
  /** The id with which the search can be stopped. */
  readonly onstarted: (id: string) => void;
  readonly onprogress: (progress: SearchProgress) => void;
}

/**
 * Searches until there is a result or `signal` aborts; reports progress meanwhile. The same search
 * joins the one that runs, as after a reload of the page.
 */
export async function searchFrom(
  session: string,
  question: SearchQuestion,
  { onstarted, onprogress }: SearchListener,
  signal: AbortSignal,
): Promise<SearchResult> {
  for await (const { event, data } of eventsOf(`/sessions/${session}/searches`, question, signal)) {
    if (event === "started") onstarted((JSON.parse(data) as { id: string }).id);
    if (event === "progress") onprogress(JSON.parse(data) as SearchProgress);
    if (event === "result") return JSON.parse(data) as SearchResult;
    if (event === "error")
      throw new ApiError(0, "search_failed", (JSON.parse(data) as { detail: string }).detail);
  }
  throw brokenOff();
}
