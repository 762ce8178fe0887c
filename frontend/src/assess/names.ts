/** Names and numbers of partitions, as people write several of them. */

import { languageOf, type Lang } from "../language";

/** A number for a sentence: a large one with separators, a small one as a number, for its plural. */
export function counted(count: number, lang: Lang): number | string {
  return count < 1000 ? count : count.toLocaleString(languageOf(lang).formats);
}

/** A partition's topic and number. */
function parts(name: string): readonly [string, string] {
  const at = name.lastIndexOf("-");
  return [name.slice(0, at), name.slice(at)];
}

/** The names with each topic once: orders-0, -4, audit-1. */
export function shortNames(names: readonly string[]): readonly string[] {
  let before = "";
  return names.map((name) => {
    const [topic, number] = parts(name);
    const isSame = topic === before;
    before = topic;
    return isSame ? number : name;
  });
}
