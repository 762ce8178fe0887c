/** For tests: the result of a search that finds nothing. */

import type { SearchResult } from "../service/search";

export function searchResult(given: Partial<SearchResult> = {}): SearchResult {
  return {
    property: "NoAckedRecordLost",
    verdict: "cut",
    complete: false,
    limit: "states",
    exercised: true,
    scope: {
      tried: ["crash", "isr_expiration", "unclean"],
      left_out: [
        { step: "reassign", reason: "budget", why: "" },
        { step: "long_poll", reason: "part", why: "" },
        { step: "consume", reason: "budget", why: "" },
      ],
    },
    grain: "step",
    depth: 2,
    states: 12,
    transitions: 30,
    seconds: 1,
    cpu_seconds: 1,
    steps: [],
    continuation: 0,
    ending: null,
    scenario: null,
    shrunk: false,
    prevented_by: [],
    point_of_no_return: null,
    return_until: null,
    return_step: null,
    rescue_bound: { depth: 8, states: 2000 },
    ...given,
  };
}
