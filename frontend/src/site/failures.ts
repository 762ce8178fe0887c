/** Selects the page that explains an error, and the actions that it offers. */

import { ApiError } from "../service/api";
import { FullStateLinkError } from "../service/full-state-link";

export type FailureKind =
  | "notFound"
  | "expired"
  | "gone"
  | "outdated"
  | "offline"
  | "busy"
  | "damaged"
  | "takenDown"
  | "unavailable"
  | "linkDamaged"
  | "linkNewer"
  | "failed";

/** `what` is the requested kind: a missing session has expired. */
export function kindOf(error: unknown, what: "session" | "other"): FailureKind {
  if (error instanceof FullStateLinkError)
    return error.kind === "newer" ? "linkNewer" : "linkDamaged";
  if (!(error instanceof ApiError)) return "failed";
  if (error.status === 0) return "offline";
  if (error.status === 404 || error.status === 422)
    return what === "session" && error.status === 404 ? "expired" : "notFound";
  if (error.code === "share_damaged") return "damaged";
  if (error.code === "taken_down") return "takenDown";
  if (error.status === 410) return "gone";
  if (error.code === "engine_changed") return "outdated";
  if (error.status === 429 || error.code === "busy") return "busy";
  return error.status === 503 || error.status === 507 ? "unavailable" : "failed";
}

/** Whether a retry can help. */
export function canRetry(kind: FailureKind): boolean {
  return kind === "offline" || kind === "busy" || kind === "unavailable" || kind === "failed";
}

/** The stable code for error reports; null if the service gave none. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}

/** The service's error for the address of this page, if it sent an error page; otherwise null. */
export function servedError(page: HTMLElement | null): ApiError | null {
  const { status, code, reason } = page?.dataset ?? {};
  return status === undefined
    ? null
    : new ApiError(Number(status), code ?? "error", "", [], null, reason);
}
