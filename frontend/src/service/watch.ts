/** What the service watches: the readings of a live cluster, or a recording, as they happen, and a partition in one of them. */

import { to } from "../addresses";
import type { components } from "../schema/openapi";
import type { FrameEntry } from "../trace";
import { ask } from "./api";

type Schemas = components["schemas"];
export type Reading = Schemas["ReadingRead"];
export type RecordedStep = Schemas["RecordedStepRead"];
export type WatchedPartition = Omit<Schemas["WatchedPartitionRead"], "frame" | "engine_frame"> & {
  readonly frame: FrameEntry | null;
  readonly engine_frame: FrameEntry | null;
};
export type News = Schemas["ReadingsRead"];
export type Mirrored = Schemas["MirrorRead"];

export interface Listener<T> {
  readonly onnews: (news: T) => void;
  /** `ended`: the service watches nothing. `again`: it does not respond; the browser asks again. */
  readonly onstate: (state: "there" | "again" | "ended") => void;
}

/** Listens until the returned function is called. After a reconnect, every reading comes again. */
export const listenToReadings = (listener: Listener<News>): (() => void) =>
  listen("/api/v1/watch/events", "watch", listener);

/** Listens until the returned function is called. Each event has the whole recording. */
export const listenToRecording = (listener: Listener<Mirrored>): (() => void) =>
  listen("/api/v1/watch/recording/events", "recording", listener);

function listen<T>(address: string, name: string, listener: Listener<T>): () => void {
  const source = new EventSource(to(address));
  source.addEventListener("open", () => listener.onstate("there"));
  source.addEventListener("error", () =>
    listener.onstate(source.readyState === EventSource.CLOSED ? "ended" : "again"),
  );
  source.addEventListener(name, (event) =>
    listener.onnews(JSON.parse((event as MessageEvent<string>).data) as T),
  );
  return () => source.close();
}

export const readWatchedPartition = (
  reading: number,
  partition: string,
): Promise<WatchedPartition> =>
  ask<WatchedPartition>(
    "GET",
    `/watch/readings/${String(reading)}/partitions/${encodeURIComponent(partition)}`,
  );

export const readRecordedStep = (number: number): Promise<WatchedPartition> =>
  ask<WatchedPartition>("GET", `/watch/recording/steps/${String(number)}`);
