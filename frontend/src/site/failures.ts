/** Selects the page that explains an error, and the actions that it offers. */

import { ApiError } from "../service/api";
import { FullStateLinkError } from "../service/full-state-link";
import { NO_SERVICE } from "../service/transport";

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
  | "noService"
  | "failed";

/** The kinds of the service's errors by status or code: the first row that fits counts. */
const KINDS: readonly {
  readonly kind: FailureKind;
  readonly statuses?: readonly number[];
  readonly code?: string;
}[] = [
  { kind: "offline", statuses: [0] },
  { kind: "notFound", statuses: [404, 422] },
  { kind: "damaged", code: "share_damaged" },
  { kind: "takenDown", code: "taken_down" },
  { kind: "gone", statuses: [410] },
  { kind: "outdated", code: "engine_changed" },
  { kind: "noService", code: NO_SERVICE },
  { kind: "busy", statuses: [429], code: "busy" },
  { kind: "unavailable", statuses: [503, 507] },
];

/** `what` is the requested kind: a missing session has expired. */
export function kindOf(error: unknown, what: "session" | "other"): FailureKind {
  if (error instanceof FullStateLinkError)
    return error.kind === "newer" ? "linkNewer" : "linkDamaged";
  if (!(error instanceof ApiError)) return "failed";
  if (what === "session" && error.status === 404) return "expired";
  const row = KINDS.find(
    ({ statuses, code }) => statuses?.includes(error.status) === true || code === error.code,
  );
  return row?.kind ?? "failed";
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
