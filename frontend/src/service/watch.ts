/** A live cluster that the service watches: its readings as they happen, and a partition in one of them. */

import { to } from "../addresses";
import type { components } from "../schema/openapi";
import type { FrameEntry } from "../trace";
import { ask } from "./api";

type Schemas = components["schemas"];
export type Reading = Schemas["ReadingRead"];
export type WatchedPartition = Omit<Schemas["WatchedPartitionRead"], "frame"> & {
  readonly frame: FrameEntry | null;
};
type News = Schemas["ReadingsRead"];

export interface WatchListener {
  readonly onnews: (news: News) => void;
  /** `ended`: the service watches nothing. `again`: it does not respond; the browser asks again. */
  readonly onstate: (state: "there" | "again" | "ended") => void;
}

/** Listens until the returned function is called. After a reconnect, every reading comes again. */
export function listenToReadings(listener: WatchListener): () => void {
  const source = new EventSource(to("/api/v1/watch/events"));
  source.addEventListener("open", () => listener.onstate("there"));
  source.addEventListener("error", () =>
    listener.onstate(source.readyState === EventSource.CLOSED ? "ended" : "again"),
  );
  source.addEventListener("watch", (event) =>
    listener.onnews(JSON.parse((event as MessageEvent<string>).data) as News),
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
