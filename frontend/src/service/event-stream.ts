/** A response that is a stream of server-sent events. */

import { brokenOff, problemOf, unreachable } from "./api";
import { send } from "./transport";

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

/** The events of the response to a POST request, until it ends or `signal` aborts. */
export async function* eventsOf(
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const response = await send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw unreachable();
  });
  if (!response.ok || response.body === null) throw await problemOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let arrived = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw brokenOff();
      });
      if (done) return;
      const taken = takeEvents(arrived + value);
      arrived = taken.rest;
      yield* taken.events;
    }
  } finally {
    // A reader that has enough ends the request; one that was aborted has done so.
    reader.cancel().catch(() => undefined);
  }
}
