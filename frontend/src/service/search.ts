/** A search for a failure: one request whose response is a stream of server-sent events. */

import { ApiError, problemOf, unreachable } from "./api";
import type { components } from "../schema/openapi";

type Schemas = components["schemas"];
export type SearchQuestion = Partial<Schemas["SearchCreate"]>;
export type SearchableFault = Schemas["SearchableFaultRead"];
export type SearchProgress = Schemas["SearchProgress"];
export type SearchResult = Schemas["SearchRead"];

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Removes complete events from the front of the buffer; the rest is incomplete. */
export function takeEvents(text: string): {
  readonly events: ServerEvent[];
  readonly rest: string;
} {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.flatMap((block) => {
    const fields = new Map(
      block
        .split("\n")
        .map((line) => [
          line.slice(0, line.indexOf(":")),
          line.slice(line.indexOf(":") + 1).trimStart(),
        ]),
    );
    const [event, data] = [fields.get("event"), fields.get("data")];
    return event === undefined || data === undefined ? [] : [{ event, data }];
  });
  return { events, rest };
}

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
  const response = await fetch(`/api/v1/sessions/${session}/searches`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw unreachable();
  });
  if (!response.ok || response.body === null) throw await problemOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let arrived = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new ApiError(0, "search_failed", "The search ended early.");
    const taken = takeEvents(arrived + value);
    arrived = taken.rest;
    for (const { event, data } of taken.events) {
      if (event === "started") onstarted((JSON.parse(data) as { id: string }).id);
      if (event === "progress") onprogress(JSON.parse(data) as SearchProgress);
      if (event === "result") return JSON.parse(data) as SearchResult;
      if (event === "error")
        throw new ApiError(0, "search_failed", (JSON.parse(data) as { detail: string }).detail);
    }
  }
}
