/** What a page and its engine send each other. */

/** A request below `/api/v1`; the body is JSON. */
export interface Question {
  readonly id: number;
  readonly method: string;
  readonly address: string;
  readonly body: string | null;
}

export type Message =
  /** How many of the files' bytes have arrived. */
  | { readonly kind: "progress"; readonly bytes: number }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: string }
  /** A response: JSON, of an error a problem document. */
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly status: number;
      readonly body: string;
    };
