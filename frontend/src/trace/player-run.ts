/** The data of an embed, as the service sends it: a run's outline, and its frames in parts. */

import type { components } from "../schema/openapi";
import type { CatalogueTexts } from "./catalogue";
import type { FrameEntry, TraceEvent } from "./frame";

type Schemas = components["schemas"];

/** The data in the page. */
export type PlayerRun = Omit<Schemas["PlayerRun"], "part"> & { readonly part: PlayerPart };
/** Frames that are loaded on demand. */
export type PlayerPart = Omit<Schemas["PlayerPart"], "frames" | "texts"> & {
  readonly frames: readonly PlayerFrame[];
  readonly texts: Pick<CatalogueTexts, "events" | "properties" | "values">;
};
/** The keys of a frame that an embed draws. */
interface PlayerFrame extends Pick<
  FrameEntry,
  "frame" | "step" | "headline" | "state" | "patch" | "properties"
> {
  readonly events: readonly Pick<TraceEvent, "kind" | "variant" | "numbers" | "subject">[];
}
