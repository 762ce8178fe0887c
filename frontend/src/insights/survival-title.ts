/** The title of the survival curves: a sentence about the drawn curves, which differ only in their column of the matrix. */

import { say } from "languages:insights";
import type { CampaignSummary } from "../service/api";
import type { Lang } from "../trace";
import { columnOf, drawnPoints, survivalAt, type Cell, type DrawnCurve } from "./campaign";
import { releaseText, share } from "./campaign-text";

/** The release of a curve, with the controller only if another curve has the same release and a different one. */
export function curveName(
  summary: CampaignSummary,
  curves: readonly DrawnCurve[],
  cell: Cell,
  lang: Lang,
): string {
  const same = curves.filter((one) => one.cell.settings.kafka === cell.settings.kafka);
  const isOfOneController = same.every(
    (one) => one.cell.settings.control === cell.settings.control,
  );
  const { name, kind, levels } = releaseText(columnOf(summary, cell), lang);
  return [name, isOfOneController ? levels : kind].join(" ").trim();
}

/**
 * The lowest and the highest curve at the last number of faults to which all are drawn. They are
 * said to differ only if their intervals do not overlap.
 */
export function survivalTitle(
  summary: CampaignSummary,
  curves: readonly DrawnCurve[],
  lang: Lang,
): string {
  const faults = Math.min(...curves.map(({ curve }) => drawnPoints(curve).at(-1)?.at ?? 0));
  const ends = curves
    .flatMap(({ cell, curve }) => {
      const point = survivalAt(curve, faults);
      return point === undefined
        ? []
        : [{ name: `${say(lang, "kafkaAxis")} ${curveName(summary, curves, cell, lang)}`, point }];
    })
    .sort((a, b) => a.point.survival - b.point.survival);
  const [worst] = ends;
  const best = ends.at(-1);
  if (worst === undefined || best === undefined) return say(lang, "survivalNone");
  const [low, high] = [worst, best].map(({ point }) => share(point.survival, lang));
  if (worst === best)
    return say(lang, "headline-survival", {
      faults,
      share: high,
      settings: best.name,
      low: share(best.point.low, lang),
      high: share(best.point.high, lang),
    });
  if (worst.point.high < best.point.low)
    return say(lang, "survivalDiffers", { faults, worst: worst.name, low, best: best.name, high });
  return low === high
    ? say(lang, "survivalEqual", { faults, share: high })
    : say(lang, "survivalSame", { faults, low, high });
}
