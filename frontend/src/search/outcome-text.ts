/** The result of a search that found nothing, as a sentence about its grain. */

import type { useSay } from "languages:search";

import type { Lang } from "../language";
import type { SearchResult } from "../service/search";
import { numbersOf } from "./presets";

type Say = ReturnType<typeof useSay>;

export function outcomeText(result: SearchResult, say: Say, lang: Lang): string {
  const numbers = numbersOf(result, lang);
  const outcome =
    result.verdict === "cut"
      ? say("cut", { ...numbers, limit: result.limit })
      : result.verdict === "not_exercised"
        ? say("unexercised", numbers)
        : say(result.complete ? "complete" : "none", numbers);
  return say("ofGrain", { grain: result.grain, outcome });
}
