/** The HTTP API as functions. Every response is typed, and every failure is an `ApiError`. */

import { to } from "../addresses";
import type { Translated, Catalogue, FrameEntry, Frame, Step } from "../trace";
import { readFrames } from "../trace";

import { inLanguage, languageCalled, type Lang } from "../language";
import { say } from "languages:requests";
import type { components } from "../schema/openapi";
import type { Level } from "../trace/story";
import { forgetShare, keepRun, keyOf, noteActed } from "./kept-runs";
import { send } from "./transport";

type Schemas = components["schemas"];

/** One error in a request, and what is allowed there. */
export type Problem = Schemas["ProblemPlace"];

/** An error of the service; status 0 if the service could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly errors: readonly Problem[] = [],
    /** The name of the exceeded limit; the message is then in the page's language. */
    readonly limit: string | null = null,
    /** Why a share was taken down; empty for other errors. */
    readonly reason = "",
    /** The number of further errors, which are not in `errors`. */
    readonly moreErrors = 0,
  ) {
    super(detail);
  }
}

/** The metrics of a state and the log lines of a step. */
export type OperatorWords = Schemas["OperatorWords"];
export type OperatorReference = Schemas["OperatorReference"];

/** Content of a document that only the engine interprets. */
export interface ScenarioDocument {
  readonly id: string;
  /** The version that it was written for. */
  readonly kafka: string;
  readonly metadata_version?: string;
  readonly inter_broker_protocol_version?: string;
  /** The rules that it turns on or off. */
  readonly rules?: Readonly<Record<string, boolean>>;
  readonly title: Translated;
  /** The id or alias of the scenario to compare this one with. */
  readonly control_run?: string;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

/** A document of the service, with the page's types of the frames and the scenario in it. */
type Read<Name extends keyof Schemas> = {
  [Field in keyof Schemas[Name]]: Schemas[Name][Field] extends readonly Schemas["FrameEntry"][]
    ? readonly FrameEntry[]
    : Field extends "scenario"
      ? ScenarioDocument
      : Schemas[Name][Field];
};
/** The same with its frames unpacked. */
type Unpacked<Name extends "LessonRunRead" | "TryRead"> = Omit<Read<Name>, "frames"> & {
  readonly frames: readonly Frame[];
};

/** The author's texts that apply to the run's release, as determined by the service. */
export type Words = Schemas["WordsRead"];

/** The selectable Kafka releases: those on the menu, and the other lines. */
export interface Releases {
  readonly menu: readonly string[];
  readonly others: readonly string[];
}

/** A lesson with how it ends in each release and what goes wrong in it. */
export type ListedLesson = Schemas["ListedScenarioRead"];
export type Mishap = ListedLesson["mishaps"][number];
/** Every lesson, in teaching order. */
export type LessonLibrary = Omit<Schemas["ScenarioListRead"], "scenarios"> & {
  readonly lessons: readonly ListedLesson[];
};
/** The learning path with its steps, notes and answers. */
export type LessonPlan = Schemas["LessonPlanRead"];
export type Fidelity = Schemas["FidelityRead"];
/** A value that was read on a real cluster, and the engine's value. */
export type Compared = Schemas["ComparedRead"];
/** A run of a real cluster, replayed. */
export type RecordedRun = Read<"RecordedRunRead">;
export type OwnCampaigns = Schemas["OwnCampaignListRead"];
/** What the search of the site finds, best first. */
export type SiteSearchResult = Schemas["SiteSearchRead"];
export type FoundEntry = SiteSearchResult["hits"][number] & { readonly picture: Picture | null };
export type FoundKind = FoundEntry["kind"];
/** A shipped scenario, with the claims of articles that it shows. */
export type Lesson = Schemas["ScenarioRead"];
export type LessonClaim = Schemas["LessonClaimRead"];
/** A shipped scenario under one release, played to its end. */
export type SimpleView = Read<"SimpleView">;
export type LessonRun = Unpacked<"LessonRunRead">;
/** A lesson under two releases, as the front page plays it: a frame for each step. */
export type FrontPage = Omit<Schemas["FrontPageRead"], "runs"> & {
  readonly runs: readonly { readonly kafka: string; readonly frames: readonly Frame[] }[];
};
/** The end of a few logs after one step. */
export type Picture = Schemas["PictureDocument"];
export type Assessment = Schemas["ClaimRead"]["assessment"];
export type Watch = Schemas["WatchRead"];
export type ArticleSummary = Omit<Schemas["ArticleSummaryRead"], "assessments"> & {
  readonly assessments: Readonly<Record<Assessment, number>>;
};
export type ArticleRead = Omit<Schemas["ArticleRead"], "article"> & {
  readonly article: ArticleSummary;
};
export type Searched = Schemas["SearchedRead"];
export type Challenge = Schemas["ChallengeRead"];
export type Move = Schemas["MoveRead"];
/** The result of a challenge's moves. */
export type Try = Unpacked<"TryRead">;
/** The chapters, in order. */
export const CHAPTERS: readonly ListedLesson["chapter"][] = ["basics", "truncation", "failures"];
export type Session = Read<"SessionRead">;
/** The branch of a run to edit, up to a frame: of a session, or of a lesson that was only read. */
export type EditedBranch = { readonly at: number } & (
  { readonly session: string } | { readonly lesson: string; readonly kafka: string }
);
export type Choice = Omit<Schemas["ChoiceDocument"], "step"> & { readonly step: Step };
/** The arguments of a step. */
export type StepForm = Schemas["StepFormDocument"];
/** A setting in one release. */
export type Setting = Schemas["SettingDocument"];
/** The response to an action: its frames, missing frames of other clients, and the next choices. */
export type Acted = Read<"ActionRead">;
/** A run created from a share: `at` is the frame at which the share was opened. */
export type Fork = Session & Pick<Schemas["ForkRead"], "at">;
/** A share in the gallery. */
/** A lesson that the project shows in the gallery. */
export type OwnRun = Schemas["OwnRunRead"];
export type ListedShare = Schemas["ListedShareRead"];
export type NewShare = Schemas["ShareCreated"];
/**
 * The request for a share: the branch that ends at `end`, opened at `at`, and its author's texts.
 */
export type ShareBody = Pick<Schemas["ShareCreate"], "session" | "at"> &
  Partial<Schemas["ShareCreate"]>;
export type Share = Read<"ShareRead">;
/** A Kafka release, with the controllers that it supports. */
export type VersionSummary = Schemas["VersionRead"];
/** A valid scenario and its initial state. */
export type DraftPreview = Omit<Read<"DraftRead">, "frame"> & { readonly frame: Frame };
/** A scenario created from the output of a real cluster. */
export type Imported = Schemas["ImportRead"];
export type Comparison = Schemas["ComparisonDocument"];
type CampaignRun = Schemas["CampaignRunRead"];
export type LossRow = Schemas["SharedLoss"];
export type FaultRow = Schemas["SharedFault"];
export type CauseRow = Schemas["SharedCause"];
export type Insights = Schemas["SharedSummary"];
export type CampaignSummary = Schemas["CampaignSummary"];
export type OwnCampaign = Schemas["OwnCampaignRead"];
export type SearchSummary = Schemas["SearchSummary"];
export type ListedSearch = Schemas["SearchEntryRead"];

/** What a presenter shows. */
export type MomentShown = Schemas["MomentShown"];
export type AskedQuestion = Schemas["QuestionRead"];
export type Audience = Schemas["AudienceRead"];
/** The scene that followers see. */
export type Scene = Read<"SceneRead">;

/**
 * An error's document. Every key can be missing: a proxy may respond instead of the service. A
 * refused action and a share that was taken down have a reason.
 */
type ProblemDocument = Partial<Schemas["Problem"]> & { readonly reason?: string };

/** The message of one error in a request, in the reader's language if the service has it. */
export function problemMessage(
  { message, said }: Pick<Problem, "message" | "said">,
  lang: Lang,
): string {
  return inLanguage(said ?? message, lang);
}

/** The text of an error for the page. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MOST_FRAMES = 500;
const TRIES = 3;

export async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  let response: Response;
  try {
    response = await send(path, {
      method,
      ...(body === undefined
        ? { headers }
        : {
            headers: { "Content-Type": "application/json", ...headers },
            body: JSON.stringify(body),
          }),
    });
  } catch {
    throw unreachable();
  }
  if (response.status === 204) return undefined as T;
  if (!response.ok) throw await problemOf(response);
  return (await response.json().catch(() => null)) as T;
}

/** The error of a request without a response, which no service has put into words. */
export function unreachable(): ApiError {
  return new ApiError(0, "unreachable", say(readersLanguage(), "unreachable"));
}

/** A response that ended before its result, put into words. */
export function brokenOff(): ApiError {
  return new ApiError(0, "broken_off", say(readersLanguage(), "brokenOff"));
}

function readersLanguage(): Lang {
  return languageCalled([document.documentElement.lang]);
}

/** The service's error for a request. */
export async function problemOf(response: Response): Promise<ApiError> {
  const problem = ((await response.json().catch(() => null)) ?? {}) as ProblemDocument;
  const said = problem.said?.[readersLanguage()];
  const detail = said ?? problem.detail ?? problem.title ?? response.statusText;
  return new ApiError(
    response.status,
    problem.code ?? "error",
    detail,
    problem.errors ?? [],
    problem.limit ?? null,
    problem.reason ?? "",
    problem.more_errors ?? 0,
  );
}

/** What changes only with the build, at an address that may be kept for good. */
function ofThisRelease(path: string): string {
  const release = document.querySelector<HTMLMetaElement>("meta[name=highwater-release]")?.content;
  return release === undefined ? path : `${path}?v=${release}`;
}

function lessonFile(id: string, kafka: string | null, part = ""): string {
  const run = kafka === null ? "run" : `runs/${encodeURIComponent(kafka)}${part}`;
  return ofThisRelease(`/scenarios/${encodeURIComponent(id)}/${run}`);
}

/** Retries after a network failure; only for idempotent requests. */
export async function askAgain<T>(asking: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asking();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0 || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

/** Creates a run that belongs to this browser. */
async function own<Made extends Session>(
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Made> {
  const made = await ask<Made & { readonly owner_key: string }>("POST", path, {
    ...body,
    owned: true,
  });
  keepRun({
    session: made.id,
    key: made.owner_key,
    title: made.words.title,
    kafka: made.kafka,
    made: Date.now(),
    acted: false,
    name: null,
  });
  return made;
}

function ownerOf(session: string): Record<string, string> {
  const key = keyOf(session);
  return key === null ? {} : { Authorization: `Bearer ${key}` };
}

export interface Timeline {
  readonly head: number;
  readonly total: number;
  readonly frames: Frame[];
}

export const api = {
  readCatalogue: () => ask<Catalogue>("GET", "/catalogue"),
  readScenarios: async () =>
    (await ask<Schemas["ScenarioListRead"]>("GET", "/scenarios")).scenarios,
  readLibrary: async (): Promise<LessonLibrary> => {
    const { scenarios, ...rest } = await ask<Schemas["ScenarioListRead"]>("GET", "/scenarios");
    return { lessons: scenarios, ...rest };
  },
  /** Everything on this site that the words name; only of one kind if it is given. */
  search: (
    words: string,
    lang: Lang,
    { kind, asTyped, limit }: { kind: FoundKind | null; asTyped: boolean; limit: number },
  ) => {
    const query = new URLSearchParams({ q: words, lang, limit: String(limit) });
    if (kind !== null) query.set("kind", kind);
    if (asTyped) query.set("as_typed", "true");
    return ask<SiteSearchResult>("GET", `/search?${query.toString()}`);
  },
  readLesson: (id: string) => ask<Lesson>("GET", `/scenarios/${encodeURIComponent(id)}`),
  /** The file of a shipped scenario, unchanged. */
  readScenarioText: async (id: string) => (await api.readLesson(id)).text,
  /** The run of a lesson under a release; null for the one for which it was written. */
  readLessonRun: async (id: string, kafka: string | null): Promise<LessonRun> => {
    const run = await ask<Read<"LessonRunRead">>("GET", lessonFile(id, kafka));
    return { ...run, frames: readFrames(run.frames) };
  },
  readFrontPage: async (): Promise<FrontPage> => {
    const story = await ask<Schemas["FrontPageRead"]>("GET", "/front-page");
    return {
      ...story,
      runs: story.runs.map(({ kafka, frames }) => ({
        kafka,
        frames: readFrames(frames as readonly FrameEntry[]),
      })),
    };
  },
  /** The possible and impossible steps after each of its frames. */
  readLessonChoices: (id: string, kafka: string) =>
    ask<Choice[][]>("GET", lessonFile(id, kafka, "/choices")),
  /** What an operator of a real cluster would see in each of its frames. */
  readLessonWords: (id: string, kafka: string) =>
    ask<OperatorWords[]>("GET", lessonFile(id, kafka, "/words")),
  /** The comparison with another release of it, or with another lesson. */
  compareLesson: (id: string, kafka: string, other: string) =>
    ask<Comparison>("GET", lessonFile(id, kafka, `/comparisons/${encodeURIComponent(other)}`)),
  readArticles: async () =>
    (await ask<{ articles: ArticleSummary[] }>("GET", "/articles")).articles,
  readArticle: (number: number) => ask<ArticleRead>("GET", `/articles/${String(number)}`),
  readLessonPlan: () => ask<LessonPlan>("GET", "/lesson-plan"),
  readFidelity: () => ask<Fidelity>("GET", "/fidelity"),
  readRecording: (name: string) =>
    ask<RecordedRun>("GET", `/recordings/${encodeURIComponent(name)}`),
  readChallenges: async () =>
    (await ask<Schemas["ChallengeListRead"]>("GET", "/challenges")).challenges,
  readChallenge: (id: string) => ask<Challenge>("GET", `/challenges/${encodeURIComponent(id)}`),
  tryChallenge: async (id: string, moves: readonly Step[]): Promise<Try> => {
    const path = `/challenges/${encodeURIComponent(id)}`;
    const tried = await (moves.length === 0
      ? ask<Read<"TryRead">>("GET", ofThisRelease(`${path}/start`))
      : ask<Read<"TryRead">>("POST", `${path}/tries`, { moves }));
    return { ...tried, frames: readFrames(tried.frames) };
  },
  readReleases: async (): Promise<Releases> => {
    const { versions, others } = await ask<Schemas["VersionListRead"]>("GET", "/versions");
    return { menu: versions.map((version) => version.kafka), others };
  },
  readVersions: async (): Promise<readonly VersionSummary[]> =>
    (await ask<Schemas["VersionListRead"]>("GET", "/versions")).versions,
  /** The errors in a scenario file, or its state after its first `after` steps. */
  checkDraft: async (text: string, after: number): Promise<DraftPreview> => {
    const draft = await ask<Read<"DraftRead">>("POST", "/drafts", { scenario_text: text, after });
    const [frame] = readFrames([draft.frame as FrameEntry]);
    if (frame === undefined) throw new ApiError(500, "error", "There is no frame.");
    return { ...draft, frame };
  },
  importCluster: (body: {
    readonly files: readonly { readonly name: string; readonly text: string }[];
    readonly kafka?: string;
  }) => ask<Imported>("POST", "/imports", body),
  readScenarioSchema: () => ask<unknown>("GET", "/schemas/scenario"),
  /** The branch of a run up to a frame, as a file. */
  readBranchFile: async ({ at, ...of }: EditedBranch) => {
    const session =
      "session" in of
        ? of.session
        : (await api.createSession({ scenario_id: of.lesson, kafka: of.kafka })).id;
    return (
      await ask<Schemas["BranchFileRead"]>("GET", `/sessions/${session}/file?at=${String(at)}`)
    ).scenario_text;
  },
  /** Source in events → its address, for one release. */
  readSources: async (kafka: string) =>
    (await ask<Schemas["SourceListRead"]>("GET", `/versions/${encodeURIComponent(kafka)}/sources`))
      .sources,
  /** Every metric and log line that runs show. */
  readOperatorReference: () => ask<Schemas["OperatorReference"]>("GET", "/operator-words"),
  readLimits: async () => (await ask<Schemas["LimitListRead"]>("GET", "/limits")).limits,
  readStepForms: async () => (await ask<Schemas["StepFormListRead"]>("GET", "/steps")).steps,
  /** The settings of a release under a controller, and of its producers, with their defaults. */
  readSettings: (kafka: string, control: string) =>
    ask<Schemas["SettingListRead"]>(
      "GET",
      `/versions/${encodeURIComponent(kafka)}/settings?control=${control}`,
    ),
  readCampaign: () => ask<CampaignSummary>("GET", "/insights/campaign"),
  readOwnCampaigns: () => ask<OwnCampaigns>("GET", "/insights/campaigns"),
  readOwnCampaign: (id: string) => ask<CampaignSummary>("GET", `/insights/campaigns/${id}`),
  /** A row of the shipped campaign, as a scenario. */
  readCampaignRun: async (cell: number, seed: number) =>
    (await ask<CampaignRun>("GET", `/insights/campaign/runs/${String(cell)}/${String(seed)}`))
      .scenario,
  readOwnCampaignRun: async (id: string, cell: number, seed: number) =>
    (
      await ask<CampaignRun>(
        "GET",
        `/insights/campaigns/${id}/runs/${String(cell)}/${String(seed)}`,
      )
    ).scenario,
  readSearchedGrids: async () =>
    (await ask<Schemas["SearchListRead"]>("GET", "/insights/searches")).searches,
  readSearchedGrid: (id: string) => ask<SearchSummary>("GET", `/insights/searches/${id}`),
  /** A row of any campaign, from its grid. */
  playCampaignRun: async (grid: CampaignSummary["grid"], cell: number, seed: number) =>
    (await ask<CampaignRun>("POST", "/insights/runs", { grid, cell, seed })).scenario,
  readInsights: () => ask<Insights>("GET", "/insights/summary"),
  readSearchableFaults: async () =>
    (await ask<Schemas["SearchableFaultListRead"]>("GET", "/searches/faults")).faults,
  /** A run that belongs to this browser: nobody else can act on it. */
  createSession: (body: Readonly<Record<string, unknown>>) => own<Session>("/sessions", body),
  readSession: (id: string) => ask<Session>("GET", `/sessions/${id}`),
  readChoices: (id: string, after: number) =>
    ask<Choice[]>("GET", `/sessions/${id}/choices?after=${after}`),
  /** The story of the branch through a frame. */
  readStory: (id: string, at: number) =>
    ask<Schemas["StoryRead"]>("GET", `/sessions/${id}/story?at=${at}`),
  /** What an operator of a real cluster would see in a frame. */
  readOperatorWords: (id: string, at: number) =>
    ask<OperatorWords>("GET", `/sessions/${id}/words?at=${at}`),
  readShareOperatorWords: (sid: string, at: number) =>
    ask<OperatorWords>("GET", `/shares/${sid}/words?at=${at}`),
  readRecordingOperatorWords: (name: string, at: number) =>
    ask<OperatorWords>("GET", `/recordings/${encodeURIComponent(name)}/words?at=${at}`),
  /** The branch that ends at `end` as its scenario and steps, for a full-state link. */
  readRunForLink: (id: string, at: number, end: number, level: Level) =>
    ask<Schemas["RunLinkRead"]>("GET", `/sessions/${id}/link?at=${at}&end=${end}&level=${level}`),
  /**
   * Performs a step. The same step after the same frame is performed only once; `known` is the
   * number of frames that the client has.
   */
  act: (id: string, after: number, step: Step, known: number) =>
    askAgain(() =>
      ask<Acted>("POST", `/sessions/${id}/actions`, { after, step, known }, ownerOf(id)),
    ).then((acted) => {
      noteActed(id);
      return acted;
    }),
  compare: (id: string, question: unknown) =>
    ask<Comparison>("POST", `/sessions/${id}/comparisons`, question),
  createShare: (body: ShareBody, key: string) =>
    askAgain(() => ask<NewShare>("POST", "/shares", body, { "Idempotency-Key": key })),
  /** The story of the branch through a frame, for a share with all branches. */
  readShareStory: (sid: string, at: number) =>
    ask<Schemas["StoryRead"]>("GET", `/shares/${sid}/story?at=${at}`),
  /** Listed shares, newest first; `after` is `next` of the previous page. */
  readOwnRuns: () => ask<Schemas["OwnRunListRead"]>("GET", "/gallery/own"),
  readGallery: (after: string | null) =>
    ask<Schemas["GalleryRead"]>("GET", `/gallery${after === null ? "" : `?after=${after}`}`),
  readShare: (sid: string) => ask<Share>("GET", `/shares/${sid}`),
  /** The search ends with what it has examined. */
  stopSearch: (session: string, id: string) =>
    ask<undefined>("DELETE", `/sessions/${session}/searches/${id}`),
  createPresentation: (session: string, moment: MomentShown) =>
    ask<Schemas["PresentationCreated"]>("POST", "/presentations", { session, moment }),
  showMoment: (code: string, token: string, moment: MomentShown) =>
    ask<undefined>("PUT", `/presentations/${code}`, moment, { Authorization: `Bearer ${token}` }),
  endPresentation: (code: string, token: string) =>
    ask<undefined>("DELETE", `/presentations/${code}`, undefined, {
      Authorization: `Bearer ${token}`,
    }),
  /** What a presentation shows now; after its end, what it showed last. */
  readScene: (code: string) =>
    ask<Scene>("GET", `/presentations/${encodeURIComponent(code)}/scene`),
  /** The run up to what a presentation showed last, as a run of this browser that ends there. */
  forkPresentation: (code: string) => own<Session>(`/presentations/${code}/fork`, {}),
  vote: (code: string, vote: Schemas["VoteCreate"]) =>
    ask<undefined>("POST", `/presentations/${code}/votes`, vote),
  deleteShare: async (sid: string, token: string): Promise<void> => {
    await ask<undefined>("DELETE", `/shares/${sid}`, undefined, {
      Authorization: `Bearer ${token}`,
    });
    forgetShare(sid);
  },
  forkShare: (sid: string) => own<Fork>(`/shares/${sid}/fork`, {}),
  /** All frames from `from` on, in as many requests as necessary; reports the number loaded. */
  readTimeline: async (
    id: string,
    from: number,
    onprogress?: (read: number, total: number) => void,
  ): Promise<Timeline> => {
    const frames: Frame[] = [];
    for (let first = from; ;) {
      const part = await ask<Read<"TimelineRead">>(
        "GET",
        `/sessions/${id}/timeline?from=${first}&to=${first + MOST_FRAMES}`,
      );
      frames.push(...readFrames(part.frames));
      first += part.frames.length;
      onprogress?.(first, part.total);
      if (part.frames.length === 0 || first >= part.total)
        return { head: part.head, total: part.total, frames };
    }
  },
};

export type Api = typeof api;

export interface PresentationListener {
  readonly onscene: (scene: Scene) => void;
  readonly onaudience: (audience: Audience) => void;
  readonly onstate: (state: "there" | "again" | "ended") => void;
}

/**
 * Follows a presentation until the returned function is called. The browser reconnects by itself,
 * and the service then sends the complete scene, so nothing is missed.
 */
export function listenTo(
  code: string,
  as: "follower" | "presenter",
  listener: PresentationListener,
): () => void {
  const source = new EventSource(
    to(`/api/v1/presentations/${encodeURIComponent(code)}/events?as=${as}`),
  );
  source.addEventListener("open", () => listener.onstate("there"));
  source.addEventListener("error", () => {
    // If there is no such presentation, the response's status makes the browser stop reconnecting.
    listener.onstate(source.readyState === EventSource.CLOSED ? "ended" : "again");
  });
  source.addEventListener("scene", (event) =>
    listener.onscene(JSON.parse((event as MessageEvent<string>).data) as Scene),
  );
  source.addEventListener("audience", (event) =>
    listener.onaudience(JSON.parse((event as MessageEvent<string>).data) as Audience),
  );
  return () => source.close();
}
