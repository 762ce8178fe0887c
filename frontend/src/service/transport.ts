/**
 * The one place that sends requests about `/api/v1`. A copy of the site has files instead. What the
 * page's own engine answers goes there if there is no service, or if it does not respond.
 */

import { fileOf, isStatic, plainResponse, to } from "../addresses";
import { languageCalled } from "../language";
import { say } from "languages:requests";
import { EngineError, isOfPage, pageEngine } from "./page-engine.svelte";

/** A problem's code where nothing can do what was asked: a copy of the site without a service. */
export const NO_SERVICE = "no_service";
const NOT_IMPLEMENTED = 501;
const NOT_FOUND = 404;
const RUN = /^\/sessions\/([^/?]+)/;

/** Sends a request; `path` begins below `/api/v1`. Rejects if the network fails. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const run = RUN.exec(path)?.[1];
  if (!isStatic && (run === undefined || !isOfPage(run))) return byService(path, init);
  const file = isStatic ? await fileFor(path, init) : null;
  // Lessons under releases of which there is no file are played here.
  if (file !== null && file.status !== NOT_FOUND) return file;
  try {
    if (!(await pageEngine.answers(path, init))) return file ?? unanswered("noService");
    return await pageEngine.send(path, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    return unanswered(error instanceof EngineError ? error.kind : "failed");
  }
}

/** The response of a copy's file; null if none answers such a request. */
async function fileFor(path: string, init: RequestInit): Promise<Response | null> {
  const file = (init.method ?? "GET") === "GET" ? fileOf(path) : null;
  return file === null ? null : plainResponse(await fetch(file));
}

/** The service's response. If there is none, a reader may continue without it, but not search. */
async function byService(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(to(`/api/v1${path}`), init);
  } catch (error) {
    const answered =
      init.signal?.aborted !== true &&
      !path.startsWith("/search?") &&
      (await pageEngine.answers(path, init).catch(() => false));
    if (!answered) throw error;
    return await pageEngine.send(path, init, true).catch(() => {
      throw error;
    });
  }
}

function unanswered(why: "noService" | "declined" | "failed"): Response {
  const detail = say(languageCalled([document.documentElement.lang]), why);
  return Response.json({ code: NO_SERVICE, detail }, { status: NOT_IMPLEMENTED });
}
