import { afterEach, describe, expect, it, vi } from "vitest";

import { api, ApiError } from "./api";

function answering(parts: readonly unknown[], status = 200): ReturnType<typeof vi.fn> {
  const left = [...parts];
  const fetching = vi.fn(() =>
    Promise.resolve(new Response(JSON.stringify(left.shift()), { status })),
  );
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

const entry = (frame: number): unknown => ({
  frame,
  parent: frame === 0 ? null : frame - 1,
  state: {},
  events: [],
  changes: [],
  properties: {},
});

afterEach(() => vi.unstubAllGlobals());

describe("a timeline", () => {
  it("arrives completely in parts, and reports the progress", async () => {
    const fetching = answering([
      { head: 2, total: 3, frames: [entry(0), entry(1)] },
      { head: 2, total: 3, frames: [entry(2)] },
    ]);
    const onprogress = vi.fn();

    const timeline = await api.readTimeline("s", 0, onprogress);

    expect(timeline.frames.map((frame) => frame.frame)).toEqual([0, 1, 2]);
    expect(fetching.mock.calls.map(([url]) => String(url))).toEqual([
      expect.stringContaining("from=0"),
      expect.stringContaining("from=2"),
    ]);
    expect(onprogress.mock.calls).toEqual([
      [2, 3],
      [3, 3],
    ]);
  });
});

describe("what the service refuses", () => {
  it("is an error with its code and its places", async () => {
    answering(
      [
        {
          code: "wrong_type",
          detail: "No.",
          errors: [{ where: "/steps/0", message: "a mapping" }],
        },
      ],
      422,
    );

    const error: unknown = await api.readSession("s").catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: "wrong_type",
      message: "No.",
      errors: [{ where: "/steps/0" }],
    });
  });

  it("is in the language of the page if a limit is exceeded", async () => {
    document.documentElement.lang = "zh-CN";
    answering(
      [
        {
          code: "limit_reached",
          detail: "Too long.",
          limit: "frames_a_session",
          number: 10_000,
          said: { en: "Too long.", zh: "太长。" },
        },
      ],
      422,
    );

    const error: unknown = await api.readSession("s").catch((caught: unknown) => caught);

    expect(error).toMatchObject({ message: "太长。", limit: "frames_a_session" });
    document.documentElement.lang = "en";
  });
});
