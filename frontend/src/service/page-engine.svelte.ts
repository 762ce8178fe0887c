/**
 * The engine of this page, if its build has one: asked for, loaded, and then asked. It is loaded
 * only after a reader has agreed to the download.
 */

import type { Message, Question, Role } from "../engine/messages";
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
  /** How many a worker downloads. */
  readonly bytes: Readonly<Record<Role, number>>;
  /** Its requests as `backend.in_page` lists them: "GET /sessions/{id}/story". */
  readonly answers: Readonly<Record<Role, readonly string[]>>;
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
const STOPPING = /^\/(?:sessions\/z[0-9a-z]{25}|assessments)\/searches\/(\d+)$/;
const NO_CONTENT = 204;

/** The ids of the runs that a page has made. No id of the service begins so. */
export function isOfPage(session: string): boolean {
  return /^z[0-9a-z]{25}$/.test(session);
}

/** Whether a request is about this address. Of runs, only those of a page are. */
function isAt(address: string, asked: string): boolean {
  const [parts, given] = [address.split("/"), asked.split("/")];
  return (
    parts.length === given.length &&
    parts.every((part, index) => {
      const name = given[index] ?? "";
      if (part === "{id}" && parts[1] === "sessions") return isOfPage(name);
      return part === name || (part.startsWith("{") && name !== "");
    })
  );
}

/** A request that a worker has not answered yet. */
interface Waiting {
  readonly role: Role;
  readonly answer: (response: Response) => void;
  readonly fail: (error: unknown) => void;
  /** The rest of its stream, once that has begun. */
  stream: ReadableStreamDefaultController<Uint8Array> | null;
  /** The worker goes on while this address can be read. */
  readonly wanted: string | null;
}

const encoder = new TextEncoder();

class PageEngine {
  state = $state.raw<EngineState>({ kind: "quiet" });
  #files: Promise<Files> | null = null;
  readonly #workers = new Map<Role, Promise<Worker>>();
  #decide: ((agreed: boolean) => void) | null = null;
  /** Whether the reader was asked on this page, and agreed: the other worker needs no question. */
  #hasAgreed = false;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Whether it answers a request; `path` begins below `/api/v1`. */
  async answers(path: string, init: RequestInit): Promise<boolean> {
    return (await this.#roleFor(path, init)) !== null;
  }

  /** The response to a request that it answers. Throws an `EngineError`, or why it was aborted. */
  async send(path: string, init: RequestInit, away = false): Promise<Response> {
    const stopped = STOPPING.exec(path)?.[1];
    if (stopped !== undefined) {
      this.#unwanted(Number(stopped));
      return new Response(null, { status: NO_CONTENT });
    }
    const role = (await this.#roleFor(path, init)) ?? "acting";
    const worker = await this.#worker(role, away);
    init.signal?.throwIfAborted();
    const id = (this.#asked += 1);
    const wanted = role === "computing" ? URL.createObjectURL(new Blob([])) : null;
    init.signal?.addEventListener("abort", () => this.#unwanted(id));
    return new Promise((answer, fail) => {
      this.#waiting.set(id, { role, answer, fail, stream: null, wanted });
      const body = typeof init.body === "string" ? init.body : null;
      const method = init.method ?? "GET";
      worker.postMessage({ id, wanted, method, address: path, body } satisfies Question);
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

  /** The worker for a request; null if none answers it. */
  async #roleFor(path: string, { method = "GET", body }: RequestInit): Promise<Role | null> {
    if (list === null || !hasEngine) return null;
    if (typeof body === "string" && OF_SERVICE.test(body)) return null;
    if (STOPPING.test(path)) return "computing";
    const [address = ""] = path.split("?");
    const { answers } = await this.#list(list);
    const roles = Object.keys(answers) as Role[];
    return (
      roles.find((role) => answers[role].some((one) => isAt(one, `${method} ${address}`))) ?? null
    );
  }

  /** What the engine's build states about it. */
  async #list(address: URL): Promise<Files> {
    this.#files ??= fetch(address).then((response) => response.json() as Promise<Files>);
    return this.#files.catch((error: unknown) => {
      this.#files = null;
      throw error;
    });
  }

  /** Lets a computation end. */
  #unwanted(id: number): void {
    const address = this.#waiting.get(id)?.wanted ?? null;
    if (address !== null) URL.revokeObjectURL(address);
  }

  #worker(role: Role, away: boolean): Promise<Worker> {
    const known = this.#workers.get(role);
    if (known !== undefined) return known;
    const worker = this.#load(role, away);
    this.#workers.set(role, worker);
    worker.catch(() => this.#workers.delete(role));
    return worker;
  }

  async #load(role: Role, away: boolean): Promise<Worker> {
    try {
      if (list === null) throw new EngineError("failed");
      const { folder, bytes } = await this.#list(list);
      this.#hasAgreed = await this.#isAgreed(bytes[role], away);
      if (!this.#hasAgreed) throw new EngineError("declined");
      store(AGREED, "1");
      this.state = { kind: "loading", part: 0 };
      const script = new URL(`${folder}/worker.js#${role}`, list);
      const worker = await this.#started(role, script, bytes[role]);
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

  async #isAgreed(bytes: number, away: boolean): Promise<boolean> {
    if (this.#hasAgreed || (kept(AGREED) !== null && !away)) return true;
    this.state = { kind: "asking", bytes, away };
    return new Promise((resolve) => (this.#decide = resolve));
  }

  #started(role: Role, script: URL, bytes: number): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(script, { type: "module" });
      const fail = (): void => {
        worker.terminate();
        this.#workers.delete(role);
        const error = new EngineError("failed");
        reject(error);
        for (const [id, waiting] of this.#waiting) {
          if (waiting.role !== role) continue;
          this.#unwanted(id);
          this.#waiting.delete(id);
          waiting.stream?.error(error);
          waiting.fail(error);
        }
      };
      worker.addEventListener("error", fail);
      worker.addEventListener("message", ({ data }: MessageEvent<Message>) => {
        if (data.kind === "progress") this.state = { kind: "loading", part: data.bytes / bytes };
        else if (data.kind === "ready") resolve(worker);
        else if (data.kind === "failed") fail();
        else if (data.kind === "part") this.#continue(data.id, data.text);
        else this.#finish(data);
      });
    });
  }

  /** The next part of a stream. The first event of each is its id. */
  #continue(id: number, text: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.stream ??= this.#begin(id, waiting);
    waiting.stream.enqueue(encoder.encode(text));
  }

  #begin(id: number, { answer }: Waiting): ReadableStreamDefaultController<Uint8Array> {
    let begun: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        begun = stream;
      },
      cancel: () => {
        this.#unwanted(id);
        this.#waiting.delete(id);
      },
    });
    if (begun === undefined) throw new EngineError("failed");
    const started = `event: started\ndata: ${JSON.stringify({ id: String(id) })}\n\n`;
    begun.enqueue(encoder.encode(started));
    answer(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
    return begun;
  }

  #finish({ id, status, body }: Message & { readonly kind: "answer" }): void {
    const waiting = this.#waiting.get(id);
    this.#unwanted(id);
    this.#waiting.delete(id);
    if (waiting === undefined) return;
    if (waiting.stream !== null) {
      waiting.stream.close();
      return;
    }
    const type = status < 400 ? "application/json" : "application/problem+json";
    waiting.answer(new Response(body, { status, headers: { "Content-Type": type } }));
  }
}

export const pageEngine = new PageEngine();
