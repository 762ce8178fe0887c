/**
 * A presentation of a run: sends the position of the playhead to followers. The newest moment wins.
 * The tab remembers it until it is left, so that it goes on after the page was reloaded.
 */

import {
  ApiError,
  api,
  errorMessage,
  listenTo,
  type Audience,
  type MomentShown,
} from "../service/api";
import { isStatic, to } from "../addresses";
import { browserClock, type Clock } from "../session/clock";
import { tabMemory, type TabMemory } from "../session/tab-memory";

/** The waiting times (ms) after failed requests to end a presentation, which followers wait for. */
const RETRIES_MS: readonly number[] = [500, 2_000, 8_000, 30_000];
const NO_LONGER_THERE: readonly number[] = [404, 410];

interface Link {
  readonly code: string;
  readonly token: string;
}

export class Presenting {
  code = $state<string | null>(null);
  audience = $state.raw<Audience | null>(null);
  /** Why others cannot follow; null if they can. */
  problem = $state<string | null>(null);

  #link: Link | null = null;
  #session: string | null = null;
  #wanted: MomentShown | null = null;
  #telling = false;
  #left = false;
  #stop: () => void = () => undefined;

  constructor(
    /** The presented run's session: that of a lesson begins now. Null for a stored run. */
    private readonly session: () => Promise<string | null>,
    private readonly clock: Clock = browserClock,
    private readonly memory: TabMemory = tabMemory,
  ) {}

  get url(): string {
    return location.origin + to(`/p/${this.code ?? ""}`);
  }

  /** Shows a moment to all followers; the first call creates the link, or finds that of this tab. */
  show(moment: MomentShown): void {
    this.#wanted = moment;
    if (!this.#telling && !this.#left) void this.#tell();
  }

  /** Ends the presentation for all followers. */
  leave(): void {
    this.#left = true;
    this.#stop();
    this.memory.write(this.#key, []);
    if (this.#link !== null) void this.#end(this.#link);
  }

  async #tell(): Promise<void> {
    this.#telling = true;
    try {
      // Without a service, a session would only be made to be refused a link.
      this.#session ??= isStatic ? "" : await this.session();
      while (this.#wanted !== null && !this.#left) {
        const moment: MomentShown = this.#wanted;
        this.#wanted = null;
        if (this.#session === null) return;
        if (this.#link === null) await this.#begin(this.#session, moment);
        else await api.showMoment(this.#link.code, this.#link.token, moment);
        this.problem = null;
      }
    } catch (error) {
      this.problem = errorMessage(error);
    } finally {
      this.#telling = false;
    }
  }

  async #begin(session: string, moment: MomentShown): Promise<void> {
    const { code, token } =
      (await this.#resumed(moment)) ?? (await api.createPresentation(session, moment));
    this.#link = { code, token };
    if (this.#left) {
      await this.#end(this.#link);
      return;
    }
    this.memory.write(this.#key, [code, token]);
    this.code = code;
    this.#stop = listenTo(code, "presenter", {
      onscene: () => undefined,
      onaudience: (audience) => (this.audience = audience),
      onstate: () => undefined,
    });
  }

  /** The presentation from before a reload, with its new moment; null if there is none any more. */
  async #resumed(moment: MomentShown): Promise<Link | null> {
    const [code, token] = this.memory.read(this.#key);
    if (code === undefined || token === undefined) return null;
    try {
      await api.showMoment(code, token, moment);
      return { code, token };
    } catch (error) {
      if (hasEnded(error)) return null;
      throw error;
    }
  }

  get #key(): string {
    return `presented ${this.#session ?? ""}`;
  }

  async #end(link: Link): Promise<void> {
    for (const wait of RETRIES_MS) {
      try {
        await api.endPresentation(link.code, link.token);
        return;
      } catch (error) {
        if (hasEnded(error)) return;
        await new Promise<void>((resolve) => this.clock.after(wait, resolve));
      }
    }
    // The service ends it after a day without changes.
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && NO_LONGER_THERE.includes(error.status);
}
