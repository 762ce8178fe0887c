/** Opening a full-state link: the run in it is sent to the service, which plays it again. */

import { ApiError, type Api, type Session } from "./api";
import type { Level } from "../trace/story";
import { FullStateLinkError, unpacked } from "./full-state-link";

interface Opened {
  readonly session: Session;
  /** Where the link opens. */
  readonly at: number;
  readonly level: Level;
}

/** Throws a `FullStateLinkError` where it is no run, and an `ApiError` where the service cannot play it. */
export async function openFullStateLink(api: Pick<Api, "createSession">, fragment: string): Promise<Opened> {
  const run = await unpacked(fragment);
  try {
    const session = await api.createSession({ run });
    return { session, at: Math.min(Number(run.at), session.frames - 1), level: run.level === "message" ? "message" : "story" };
  } catch (error) {
    // What can be read and is no run was changed on its way; past a limit the service says which.
    if (error instanceof ApiError && error.status === 422 && error.limit === null) throw new FullStateLinkError("damaged");
    throw error;
  }
}
