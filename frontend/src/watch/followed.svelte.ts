/** What a service sends while a page follows it: the state of the connection, opened once. */

import type { Listener } from "../service/watch";

export abstract class Followed<News> {
  state = $state<"connecting" | "there" | "again" | "ended">("connecting");
  #close: (() => void) | null = null;

  constructor(private readonly listen: (listener: Listener<News>) => () => void) {}

  /** Takes what is new, in the order in which the service sent it. */
  protected abstract take(news: News): void;

  /** Listens until the returned function is called. */
  open(): () => void {
    this.#close ??= this.listen({
      onstate: (state) => (this.state = state),
      onnews: (news) => {
        this.state = "there";
        this.take(news);
      },
    });
    return () => {
      this.#close?.();
      this.#close = null;
    };
  }
}
