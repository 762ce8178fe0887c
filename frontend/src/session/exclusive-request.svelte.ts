/** The requests of a run that must not overlap: one at a time, and the error of the last one. */

import { ApiError, errorMessage, type Problem } from "../service/api";

export class ExclusiveRequest {
  /** Whether a request is pending. Others are ignored until it ends. */
  busy = $state(false);
  /** What went wrong; null if nothing did. */
  error = $state.raw<unknown>(null);
  /** The places of the errors in the request; empty if unknown. */
  places = $state.raw<readonly Problem[]>([]);

  get problem(): string | null {
    return this.error === null ? null : errorMessage(this.error);
  }

  /** Waits for a request. Returns null if another one is pending or it failed; then `problem` states why. */
  async perform<T>(request: () => Promise<T>): Promise<T | null> {
    if (this.busy) return null;
    this.busy = true;
    this.error = null;
    this.places = [];
    try {
      return await request();
    } catch (error) {
      this.error = error;
      this.places = error instanceof ApiError ? error.errors : [];
      return null;
    } finally {
      this.busy = false;
    }
  }
}
