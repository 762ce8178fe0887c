/** Opens a full-state link: the run is sent to the service, which replays it. */

import { ApiError, type Api, type Session } from "./api";
import type { Level } from "../trace/story";
import { FullStateLinkError, unpacked } from "./full-state-link";

interface Opened {
  readonly session: Session;
  /** The frame at which the link opens. */
  readonly at: number;
  readonly level: Level;
}

/**
 * Throws a `FullStateLinkError` if it is not a run, and an `ApiError` if the service cannot play
 * it.
 */
export async function openFullStateLink(
  api: Pick<Api, "createSession">,
  fragment: string,
): Promise<Opened> {
  const run = await unpacked(fragment);
  try {
    const session = await api.createSession({ run });
    return {
      session,
      at: Math.min(Number(run.at), session.frames - 1),
      level: run.level === "message" ? "message" : "story",
    };
  } catch (error) {
    // A readable link without a valid run was altered; for an exceeded limit, the service's message
    // is kept.
    if (error instanceof ApiError && error.status === 422 && error.limit === null)
      throw new FullStateLinkError("damaged");
    throw error;
  }
}
