/** Describes ranges of releases in words. */

import { say } from "../messages/learning";
import type { Lang } from "../trace";

/** Which of the releases are marked: "up to 0.10.2", "0.11 to 2.0.0, from 2.7". */
export function rangesIn(versions: readonly string[], marked: readonly boolean[], lang: Lang): string {
  if (marked.every((one) => one)) return say(lang, "everyVersion");
  const ranges: string[] = [];
  for (let first = 0; first < versions.length; first += 1) {
    if (marked[first] !== true) continue;
    let last = first;
    while (marked[last + 1] === true) last += 1;
    const from = versions[first] ?? "";
    const to = versions[last] ?? "";
    if (first === last) ranges.push(from);
    else if (first === 0) ranges.push(say(lang, "upTo", { version: to }));
    else if (last === versions.length - 1) ranges.push(say(lang, "fromOn", { version: from }));
    else ranges.push(say(lang, "fromTo", { from, to }));
    first = last;
  }
  return ranges.length === 0 ? say(lang, "noVersion") : ranges.join(say(lang, "comma"));
}
