/**
 * The service, as functions. What it answers is typed by its OpenAPI document (`npm run types`); where that
 * says only "an object", the engine's own types stand in. Every failure is an `ApiError`.
 */

import type { Bilingual, Catalogue, Frame, FrameEntry, Numbers, Step } from "../trace";

import type { components } from "./schema";

type Schemas = components["schemas"];
type Replace<Whole, Part> = Omit<Whole, keyof Part> & Part;

export type Place = Schemas["ProblemPlace"];
export type Version = Pick<Schemas["VersionRead"], "kafka" | "controls" | "default_control" | "rules">;
export type Insights = Schemas["SummaryRead"];
export type NewSession = Schemas["SessionCreate"];
export type NewShare = Schemas["ShareCreated"];

/** A scenario file as data; only what the pages read of it is named. */
export interface ScenarioDocument {
  readonly id: string;
  readonly title: Bilingual;
  readonly steps: readonly Step[];
}

export type ListedScenario = Replace<Schemas["ListedScenarioRead"], { readonly thumbnail?: Frame | null }>;
export type Scenario = Replace<Schemas["ScenarioRead"], { readonly scenario: ScenarioDocument }>;
export type Session = Replace<Schemas["SessionRead"], { readonly scenario: ScenarioDocument }>;
/** A session made from a share; `at` is the frame that the share was opened at. */
export type Fork = Replace<Schemas["ForkRead"], { readonly scenario: ScenarioDocument }>;
export type TimelinePart = Replace<Schemas["TimelineRead"], { readonly frames: readonly FrameEntry[] }>;
export type Acted = Replace<Schemas["ActionRead"], { readonly frames: readonly FrameEntry[] }>;
export type Share = Replace<Schemas["ShareRead"], { readonly scenario: ScenarioDocument; readonly frames: readonly FrameEntry[] }>;

export interface Choice {
  readonly step: Step;
  /** A broker's id as text, a client's name, `controller`, `network` or `time`. */
  readonly actor: string;
  readonly enabled: boolean;
  /** In English, for where the catalogue has no words for the code. */
  readonly reason: string | null;
  readonly reason_code: string | null;
  readonly reason_numbers: Numbers;
}

/** Why a step cannot be done now, for the catalogue to say. */
export interface Reason {
  readonly code: string;
  readonly numbers: Numbers;
}

/** What the service said was wrong; status 0 where it could not be reached. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly errors: readonly Place[] = [],
    readonly reason: Reason | null = null,
  ) {
    super(detail);
  }
}

export interface Api {
  createSession(body: NewSession): Promise<Session>;
  readSession(id: string): Promise<Session>;
  /** Does a step after a frame, once, however often it is asked for: a lost answer is asked for again. */
  act(id: string, after: number, step: Step): Promise<Acted>;
  /** Frames `from` to `to`, at most 500 apart, both included. */
  readTimeline(id: string, from: number, to: number): Promise<TimelinePart>;
  readChoices(id: string, after: number): Promise<readonly Choice[]>;
  createShare(session: string, at: number, idempotencyKey: string): Promise<NewShare>;
  readShare(sid: string): Promise<Share>;
  deleteShare(sid: string, token: string): Promise<void>;
  forkShare(sid: string): Promise<Fork>;
  readScenarios(): Promise<readonly ListedScenario[]>;
  readScenario(id: string): Promise<Scenario>;
  readVersions(): Promise<readonly Version[]>;
  readCatalogue(): Promise<Catalogue>;
  readInsights(): Promise<Insights>;
}

/** What the client needs of the world; a test hands in its own. */
export interface World {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly wait: (ms: number) => Promise<void>;
}

const browser: World = {
  fetch: (path, init) => fetch(path, init),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

const TRIES = 4;
const FIRST_WAIT_MS = 200;

interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask<Answer>(world: World, method: string, path: string, { body, headers }: Asked = {}): Promise<Answer> {
  const response = await reach(world, path, {
    method,
    headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const document: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok) throw failure(response, document);
  if (document === undefined && response.status !== 204) throw new ApiError(0, "unreadable", "The answer of the service cannot be read.");
  return document as Answer;
}

async function reach(world: World, path: string, init: RequestInit): Promise<Response> {
  try {
    return await world.fetch(`/api/v1${path}`, init);
  } catch {
    throw new ApiError(0, "unreachable", "The service cannot be reached.");
  }
}

function failure(response: Response, document: unknown): ApiError {
  const problem = (typeof document === "object" && document !== null ? document : {}) as Partial<
    Schemas["Problem"] & { reason_code: string | null; numbers: Numbers }
  >;
  const reason = problem.reason_code ? { code: problem.reason_code, numbers: problem.numbers ?? {} } : null;
  return new ApiError(response.status, problem.code ?? "unexpected", problem.detail ?? response.statusText, problem.errors ?? [], reason);
}

/** Asks again while nothing comes back: only for what the service takes for the same request. */
async function insist<Answer>(world: World, asking: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asking();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0 || attempt === TRIES) throw error;
      await world.wait(FIRST_WAIT_MS * 2 ** (attempt - 1));
    }
  }
}

export function createApi(world: World = browser): Api {
  const get = <Answer>(path: string): Promise<Answer> => ask<Answer>(world, "GET", path);
  const post = <Answer>(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    ask<Answer>(world, "POST", path, { body, headers });
  const named = encodeURIComponent;

  return {
    createSession: (body) => post("/sessions", body),
    readSession: (id) => get(`/sessions/${named(id)}`),
    act: (id, after, step) => insist(world, () => post(`/sessions/${named(id)}/actions`, { after, step })),
    readTimeline: (id, from, to) => get(`/sessions/${named(id)}/timeline?from=${String(from)}&to=${String(to)}`),
    readChoices: (id, after) => get(`/sessions/${named(id)}/choices?after=${String(after)}`),
    createShare: (session, at, idempotencyKey) =>
      insist(world, () => post("/shares", { session, at }, { "Idempotency-Key": idempotencyKey })),
    readShare: (sid) => get(`/shares/${named(sid)}`),
    deleteShare: (sid, token) => ask(world, "DELETE", `/shares/${named(sid)}`, { headers: { Authorization: `Bearer ${token}` } }),
    forkShare: (sid) => post(`/shares/${named(sid)}/fork`, {}),
    readScenarios: async () => (await get<{ scenarios: readonly ListedScenario[] }>("/scenarios")).scenarios,
    readScenario: (id) => get(`/scenarios/${named(id)}`),
    readVersions: async () => (await get<{ versions: readonly Version[] }>("/versions")).versions,
    readCatalogue: () => get("/catalogue"),
    readInsights: () => get("/insights/summary"),
  };
}

export const api: Api = createApi();
