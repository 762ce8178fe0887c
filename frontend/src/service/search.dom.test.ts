import { afterEach, describe, expect, it, vi } from "vitest";

import { takeEvents } from "./event-stream";
import { searchFrom } from "./search";

function answer(parts: readonly string[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });
  return new Response(body, { status: 200 });
}

const ignored = { onstarted: vi.fn(), onprogress: vi.fn() };

afterEach(() => vi.unstubAllGlobals());

describe("events of a search", () => {
  it("come whole, however they were cut on the way", () => {
    const first = takeEvents("event: progress\ndata: {}\n\nevent: res");

    expect(first.events).toEqual([{ event: "progress", data: "{}" }]);
    expect(takeEvents(`${first.rest}ult\ndata: {"a": 1}\n\n`)).toEqual({
      events: [{ event: "result", data: '{"a": 1}' }],
      rest: "",
    });
  });

  it("tell how far it is, and then what it found", async () => {
    vi.stubGlobal("fetch", () =>
      Promise.resolve(
        answer([
          'event: started\ndata: {"id":"7a"}\n\nevent: progress\ndata: {"depth":1,"sta',
          'tes":7}\n\nevent: result\ndata: {"verdict":"cut"}\n\n',
        ]),
      ),
    );
    const [onstarted, onprogress] = [vi.fn(), vi.fn()];

    const result = await searchFrom(
      "s",
      {},
      { onstarted, onprogress },
      new AbortController().signal,
    );

    expect(onstarted).toHaveBeenCalledWith("7a");
    expect(onprogress).toHaveBeenCalledWith({ depth: 1, states: 7 });
    expect(result.verdict).toBe("cut");
  });

  it("that stop without a result are an error, not a result", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(answer(["event: progress\ndata: {}\n\n"])));

    await expect(searchFrom("s", {}, ignored, new AbortController().signal)).rejects.toMatchObject({
      code: "broken_off",
    });
  });

  it("that the service rejects show the reason", async () => {
    const busy = new Response(JSON.stringify({ code: "busy", detail: "Others are searching." }), {
      status: 503,
    });
    vi.stubGlobal("fetch", () => Promise.resolve(busy));

    await expect(searchFrom("s", {}, ignored, new AbortController().signal)).rejects.toMatchObject({
      code: "busy",
      message: "Others are searching.",
    });
  });
});
