/**
 * The engine of this page, if its build has one: asked for, loaded, and then asked. It is loaded
 * only after a reader has agreed to the download.
 */

import type { Message, Question } from "../engine/messages";
import { store, stored as kept } from "./stored";

/** What is shown about it. */
export type EngineState =
  /** Nothing has asked for it, or it is ready. */
  | { readonly kind: "quiet" }
  /** A reader is asked whether to load this many bytes; `away` if the service did not respond. */
  | { readonly kind: "asking"; readonly bytes: number; readonly away: boolean }
  /** The part of its files that has arrived; of all of them, it starts. */
  | { readonly kind: "loading"; readonly part: number }
  | { readonly kind: "failed" };

/** Why a request was not answered. */
export class EngineError extends Error {
  constructor(readonly kind: "declined" | "failed") {
    super(kind);
  }
}

interface Files {
  readonly folder: string;
  readonly bytes: number;
  /** Its requests as `backend.in_page.engine` lists them: "GET /sessions/{id}/story". */
  readonly answers: readonly string[];
}

const stated =
  typeof document === "undefined"
    ? null
    : (document.querySelector<HTMLMetaElement>("meta[name=highwater-engine]")?.content ?? null);
/** Of the address with which the page was opened: a copy states a relative one, and changes it. */
const list = stated === null ? null : new URL(stated, document.baseURI);

/** Whether this page can answer by itself. */
export const hasEngine = list !== null && typeof Worker === "function";
/** A reader is asked once in this browser. */
const AGREED = "highwater-engine";
/** A copy of a run that only the service has. */
const OF_SERVICE = /"session":"[^z]/;

/** The ids of the runs that a page has made. No id of the service begins so. */
export function isOfPage(session: string): boolean {
  return /^z[0-9a-z]{25}$/.test(session);
}

function pattern(request: string): RegExp {
  const ofPage = request.replace("/sessions/{id}", "/sessions/z[0-9a-z]{25}");
  return new RegExp(`^${ofPage.replace(/\{[a-z_]+\}/g, "[^/]+")}$`);
}

class PageEngine {
  state = $state.raw<EngineState>({ kind: "quiet" });
  #files: Promise<Files> | null = null;
  #worker: Promise<Worker> | null = null;
  #decide: ((agreed: boolean) => void) | null = null;
  #asked = 0;
  readonly #waiting = new Map<
    number,
    { readonly answer: (response: Response) => void; readonly fail: (error: unknown) => void }
  >();

  /**
   * Whether it answers a request; of runs, only those of a page. Throws an `EngineError` if the list
   * of its requests does not arrive.
   */
  async answers(path: string, { method = "GET", body }: RequestInit): Promise<boolean> {
    if (!hasEngine || (typeof body === "string" && OF_SERVICE.test(body))) return false;
    const asked = `${method} ${path.split("?")[0] ?? ""}`;
    return (await this.#read()).answers.some((known) => pattern(known).test(asked));
  }

  /** The response to a request; `address` begins below `/api/v1`. Throws an `EngineError`. */
  async send(address: string, init: RequestInit, away = false): Promise<Response> {
    this.#worker ??= this.#load(away);
    const worker = await this.#worker.catch((error: unknown) => {
      this.#worker = null;
      throw error;
    });
    const id = (this.#asked += 1);
    return new Promise((answer, fail) => {
      this.#waiting.set(id, { answer, fail });
      const body = typeof init.body === "string" ? init.body : null;
      worker.postMessage({ id, method: init.method ?? "GET", address, body } satisfies Question);
    });
  }

  /** The reader's answer to the question whether to load it. */
  decide(agreed: boolean): void {
    this.#decide?.(agreed);
    this.#decide = null;
  }

  /** Closes the notice of a failure. */
  dismiss(): void {
    this.state = { kind: "quiet" };
  }

  async #load(away: boolean): Promise<Worker> {
    try {
      const files = await this.#read();
      if (!(await this.#isAgreed(files.bytes, away))) throw new EngineError("declined");
      store(AGREED, "1");
      this.state = { kind: "loading", part: 0 };
      const worker = await this.#started(
        new URL(`${files.folder}/worker.js`, list ?? ""),
        files.bytes,
      );
      this.state = { kind: "quiet" };
      return worker;
    } catch (error) {
      if (error instanceof EngineError && error.kind === "declined") {
        this.state = { kind: "quiet" };
        throw error;
      }
      this.state = { kind: "failed" };
      throw new EngineError("failed");
    }
  }

  #read(): Promise<Files> {
    this.#files ??= (async () => {
      if (list === null) throw new EngineError("failed");
      return (await (await fetch(list)).json()) as Files;
    })().catch(() => {
      this.#files = null;
      throw new EngineError("failed");
    });
    return this.#files;
  }

  async #isAgreed(bytes: number, away: boolean): Promise<boolean> {
    if (kept(AGREED) !== null && !away) return true;
    this.state = { kind: "asking", bytes, away };
    return new Promise((resolve) => (this.#decide = resolve));
  }

  #started(script: URL, bytes: number): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(script, { type: "module" });
      const fail = (): void => {
        worker.terminate();
        const error = new EngineError("failed");
        reject(error);
        this.#worker = null;
        for (const { fail: failed } of this.#waiting.values()) failed(error);
        this.#waiting.clear();
      };
      worker.addEventListener("error", fail);
      worker.addEventListener("message", ({ data }: MessageEvent<Message>) => {
        if (data.kind === "progress") this.state = { kind: "loading", part: data.bytes / bytes };
        else if (data.kind === "ready") resolve(worker);
        else if (data.kind === "failed") fail();
        else {
          const type = data.status < 400 ? "application/json" : "application/problem+json";
          const response = new Response(data.body, {
            status: data.status,
            headers: { "Content-Type": type },
          });
          this.#waiting.get(data.id)?.answer(response);
          this.#waiting.delete(data.id);
        }
      });
    });
  }
}

export const pageEngine = new PageEngine();
