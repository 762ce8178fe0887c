import { afterEach, describe, expect, it, vi } from "vitest";

import { ApiError, api, type MomentShown } from "../service/api";
import { Presenting } from "./presenting.svelte";

const MOMENT = {} as MomentShown;
const AWAY = new ApiError(0, "offline", "The service could not be reached.");

/** A presentation that ends; `answers` are those to its end, of which each is an error or none. */
async function ended(answers: readonly (Error | null)[]): Promise<{ asked: number; waited: number[] }> {
  const waited: number[] = [];
  vi.spyOn(api, "createPresentation").mockResolvedValue({ code: "c", token: "t" } as Awaited<ReturnType<typeof api.createPresentation>>);
  const end = vi.spyOn(api, "endPresentation");
  for (const answer of answers) {
    if (answer === null) end.mockResolvedValueOnce(undefined);
    else end.mockRejectedValueOnce(answer);
  }
  const clock = {
    after: (ms: number, then: () => void) => {
      waited.push(ms);
      then();
      return () => undefined;
    },
  };
  const presenting = new Presenting("session", clock);
  presenting.show(MOMENT);
  presenting.leave();
  await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(answers.length));
  await Promise.resolve();
  return { asked: end.mock.calls.length, waited };
}

describe("the end of a presentation", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is sent once if the service accepts it", async () => {
    expect(await ended([null])).toEqual({ asked: 1, waited: [] });
  });

  it("is sent again, later and later, while the service cannot be reached", async () => {
    expect(await ended([AWAY, AWAY, null])).toEqual({ asked: 3, waited: [500, 2_000] });
  });

  it("is not sent again if there is no such presentation any more", async () => {
    expect(await ended([new ApiError(410, "gone", "It has ended.")])).toEqual({ asked: 1, waited: [] });
  });
});
