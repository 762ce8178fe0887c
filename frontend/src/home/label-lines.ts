/** The line of each label above an axis, so that no label covers another. */

/** A label's extent along the axis (px). */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** If there is room, the labels use this many lines in turn. */
export const USUAL_LINES = 3;
const GAP = 6;

/** One line for each label, from the top. If a label has no room on its usual line, it goes to the next one that has, perhaps below the usual lines. */
export function labelLines(labels: readonly Extent[]): number[] {
  const placed: { readonly label: Extent; readonly line: number }[] = [];
  for (const [place, label] of labels.entries()) {
    const isFree = (line: number): boolean =>
      placed.every(
        (one) =>
          one.line !== line || one.label.to + GAP <= label.from || label.to + GAP <= one.label.from,
      );
    const usual = Array.from({ length: USUAL_LINES }, (_, next) => (place + next) % USUAL_LINES);
    let line = usual.find(isFree) ?? USUAL_LINES;
    while (!isFree(line)) line += 1;
    placed.push({ label, line });
  }
  return placed.map(({ line }) => line);
}
