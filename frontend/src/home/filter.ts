/**
 * The lessons that are shown. The filter is in the address, so that it can be shared and revisited.
 */

import type { LessonLibrary, ListedLesson, Mishap } from "../service/api";

export type Filter =
  | { readonly by: "nothing" }
  | { readonly by: "all" }
  | { readonly by: "mishap"; readonly mishap: Mishap }
  | { readonly by: "kip"; readonly kip: string }
  | { readonly by: "version"; readonly kafka: string }
  | { readonly by: "article"; readonly article: number };

export const MISHAPS: readonly Mishap[] = ["lost", "diverged", "leaderless", "went_back", "shrank"];

/** The filter in an address; the first one if there are several. */
export function filterOf(search: string): Filter {
  const asked = new URLSearchParams(search);
  const mishap = MISHAPS.find((one) => one === asked.get("wrong"));
  if (mishap !== undefined) return { by: "mishap", mishap };
  const kip = asked.get("kip");
  if (kip !== null) return { by: "kip", kip };
  const kafka = asked.get("kafka");
  if (kafka !== null) return { by: "version", kafka };
  const article = asked.get("article") ?? "";
  if (/^\d{1,2}$/.test(article)) return { by: "article", article: Number(article) };
  return asked.has("all") ? { by: "all" } : { by: "nothing" };
}

/** The lessons of a filter, in teaching order. */
export function filtered(
  { lessons }: Pick<LessonLibrary, "lessons">,
  filter: Filter,
): readonly ListedLesson[] {
  switch (filter.by) {
    case "mishap":
      return lessons.filter((lesson) => lesson.mishaps.includes(filter.mishap));
    case "kip":
      return lessons.filter((lesson) => lesson.kips.includes(filter.kip));
    case "version":
      return lessons.filter((lesson) => lesson.changes.includes(filter.kafka));
    case "article":
      return lessons.filter((lesson) => lesson.articles.includes(filter.article));
    case "all":
      return lessons;
    default:
      return [];
  }
}
