import { afterEach, describe, expect, it, vi } from "vitest";

import { ApiError, api, type MomentShown } from "../service/api";
import { browserClock } from "../session/clock";
import type { TabMemory } from "../session/tab-memory";
import { Presenting } from "./presenting.svelte";

const copy = vi.hoisted(() => ({ isStatic: false }));
vi.mock(import("../addresses"), async (original) => ({
  ...(await original()),
  get isStatic() {
    return copy.isStatic;
  },
}));

const MOMENT = {} as MomentShown;
const AWAY = new ApiError(0, "offline", "The service could not be reached.");

/** A presentation that ends; `answers` are those to its end, of which each is an error or none. */
async function ended(
  answers: readonly (Error | null)[],
): Promise<{ asked: number; waited: number[] }> {
  const waited: number[] = [];
  const begin = vi.spyOn(api, "createPresentation");
  begin.mockResolvedValue({ code: "c", token: "t" } as Awaited<
    ReturnType<typeof api.createPresentation>
  >);
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
  const presenting = new Presenting(() => Promise.resolve("session"), clock);
  presenting.show(MOMENT);
  await vi.waitFor(() => expect(begin).toHaveBeenCalled());
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
    expect(await ended([new ApiError(410, "gone", "It has ended.")])).toEqual({
      asked: 1,
      waited: [],
    });
  });
});

it("of a copy of the site begins no session: nobody could follow", async () => {
  copy.isStatic = true;
  const refused = new ApiError(501, "no_service", "It needs a service.");
  vi.spyOn(api, "createPresentation").mockRejectedValue(refused);
  const session = vi.fn(() => Promise.resolve("z1"));
  const presenting = new Presenting(session);
  presenting.show(MOMENT);

  await vi.waitFor(() => expect(presenting.problem).toBe("It needs a service."));
  expect(session).not.toHaveBeenCalled();
  copy.isStatic = false;
  vi.restoreAllMocks();
});

describe("a presentation after a reload of its page", () => {
  afterEach(() => vi.restoreAllMocks());

  function memory(): TabMemory {
    const kept = new Map<string, readonly string[]>();
    return { read: (key) => kept.get(key) ?? [], write: (key, names) => void kept.set(key, names) };
  }

  /** The code of a presentation that is shown in this tab. */
  async function shown(
    tab: TabMemory,
    session = "session",
  ): Promise<{ presenting: Presenting; code: string | null }> {
    const presenting = new Presenting(() => Promise.resolve(session), browserClock, tab);
    presenting.show(MOMENT);
    await vi.waitFor(() => expect(presenting.code).not.toBeNull());
    return { presenting, code: presenting.code };
  }

  /** The service, with a presentation `a` and then a presentation `b`. */
  function service(): { create: ReturnType<typeof vi.spyOn>; show: ReturnType<typeof vi.spyOn> } {
    vi.stubGlobal(
      "EventSource",
      class {
        addEventListener(): void {}
        close(): void {}
      },
    );
    const create = vi.spyOn(api, "createPresentation");
    for (const code of ["a", "b"])
      create.mockResolvedValueOnce({ code, token: `token of ${code}` } as Awaited<
        ReturnType<typeof api.createPresentation>
      >);
    vi.spyOn(api, "endPresentation").mockResolvedValue(undefined);
    return { create, show: vi.spyOn(api, "showMoment").mockResolvedValue(undefined) };
  }

  it("is the same one, and shows the moment of the new page", async () => {
    const { create, show } = service();
    const tab = memory();
    await shown(tab);

    const again = await shown(tab);

    expect(again.code).toBe("a");
    expect(show).toHaveBeenCalledExactlyOnceWith("a", "token of a", MOMENT);
    expect(create).toHaveBeenCalledOnce();
  });

  it("is another one if it has ended meanwhile", async () => {
    const { show } = service();
    const tab = memory();
    await shown(tab);
    show.mockRejectedValueOnce(new ApiError(410, "presentation_ended", "It has ended."));

    expect((await shown(tab)).code).toBe("b");
  });

  it("is another one after it was left", async () => {
    service();
    const tab = memory();
    const { presenting } = await shown(tab);

    presenting.leave();

    expect((await shown(tab)).code).toBe("b");
  });

  it("belongs to its run", async () => {
    service();
    const tab = memory();
    await shown(tab);

    expect((await shown(tab, "another session")).code).toBe("b");
  });
});
