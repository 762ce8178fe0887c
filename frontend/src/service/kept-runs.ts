/**
 * The runs and shares of this browser, with their keys. The keys are stored only here; without its
 * key, a run can still be read and copied.
 */

import type { Translated } from "../trace";
import { store, storedDocument } from "./stored";

/** A run that was created here. */
export interface KeptRun {
  readonly session: string;
  /** The right to act on it. */
  readonly key: string;
  readonly title: Translated;
  readonly kafka: string;
  /** In ms, as returned by `Date.now`. */
  readonly made: number;
  /** Whether it has user steps, so that it appears in the list. */
  readonly acted: boolean;
  /** The user's name for it. */
  readonly name: string | null;
}

/** A share that was created here. */
export interface KeptShare {
  readonly sid: string;
  /** The right to delete it. */
  readonly token: string;
  readonly title: string;
  readonly made: number;
  readonly name: string | null;
}

interface Kept {
  readonly runs: readonly KeptRun[];
  readonly shares: readonly KeptShare[];
}

const KEY = "highwater-made-here";
/** Runs without user steps, such as opened lessons, are dropped first. */
const MOST_RUNS = 400;
const MOST_SHARES = 400;

/** If storage is unavailable or full, keys last as long as the page. */
let instead: Kept | null = null;

function read(): Kept {
  if (instead !== null) return instead;
  const { runs, shares } = storedDocument(KEY) as Partial<Kept>;
  return {
    runs: Array.isArray(runs) ? runs : [],
    shares: Array.isArray(shares) ? shares : [],
  };
}

function write(changed: Partial<Kept>): void {
  const kept = { ...read(), ...changed };
  if (!store(KEY, JSON.stringify(kept))) instead = kept;
}

function runsBut(session: string): readonly KeptRun[] {
  return read().runs.filter((run) => run.session !== session);
}

function sharesBut(sid: string): readonly KeptShare[] {
  return read().shares.filter((share) => share.sid !== sid);
}

function changeRun(session: string, changed: Partial<KeptRun>): void {
  write({
    runs: read().runs.map((run) => (run.session === session ? { ...run, ...changed } : run)),
  });
}

/** The newest runs; if there are too many, those without user steps are dropped first. */
function withRoom(runs: readonly KeptRun[]): readonly KeptRun[] {
  if (runs.length <= MOST_RUNS) return runs;
  const leaving = runs.findLastIndex((run) => !run.acted);
  return runs.filter((_, index) => index !== (leaving === -1 ? runs.length - 1 : leaving));
}

export function keepRun(run: KeptRun): void {
  write({ runs: withRoom([run, ...runsBut(run.session)]) });
}

/** The key of a run; null if it was not created here. */
export function keyOf(session: string): string | null {
  return read().runs.find((run) => run.session === session)?.key ?? null;
}

/** Marks a run as having user steps, so that it appears in the list. */
export function noteActed(session: string): void {
  if (read().runs.some((run) => run.session === session && !run.acted))
    changeRun(session, { acted: true });
}

export function keepShare(share: KeptShare): void {
  write({ shares: [share, ...sharesBut(share.sid)].slice(0, MOST_SHARES) });
}

/** The runs with user steps, newest first. */
export function listRuns(): readonly KeptRun[] {
  return read().runs.filter((run) => run.acted);
}

export function listShares(): readonly KeptShare[] {
  return read().shares;
}

export function renameRun(session: string, name: string): void {
  changeRun(session, { name: called(name) });
}

export function renameShare(sid: string, name: string): void {
  const renamed = { name: called(name) };
  write({
    shares: read().shares.map((share) => (share.sid === sid ? { ...share, ...renamed } : share)),
  });
}

/** Forgets its key: from now on this browser can only read it. */
export function forgetRun(session: string): void {
  write({ runs: runsBut(session) });
}

export function forgetShare(sid: string): void {
  write({ shares: sharesBut(sid) });
}

function called(name: string): string | null {
  const trimmed = name.trim().slice(0, 80);
  return trimmed === "" ? null : trimmed;
}
