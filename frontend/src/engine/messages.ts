/** What a page and its engine send each other. */

/** A request below `/api/v1`; the body is JSON. */
export interface Question {
  readonly id: number;
  /** An address that can be read until the answer is not needed any more; null if it always is. */
  readonly wanted: string | null;
  readonly method: string;
  readonly address: string;
  readonly body: string | null;
}

/**
 * What a worker answers, which is the fragment of its address: what somebody waits for while acting,
 * or what takes long.
 */
export type Role = "acting" | "computing";

export type Message =
  /** How many of the files' bytes have arrived. */
  | { readonly kind: "progress"; readonly bytes: number }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: string }
  /** The next part of a stream, before the end of its response. */
  | { readonly kind: "part"; readonly id: number; readonly text: string }
  /** A response: JSON, of an error a problem document. */
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly status: number;
      readonly body: string;
    };
