import { afterEach, describe, expect, it, vi } from "vitest";

import { readPublic } from "./shared-run";

describe("a public document", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    [410, "removed"],
    [404, "unavailable"],
    [500, "unavailable"],
  ])("that the service answers with %i is %s", async (status, kind) => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status })));

    await expect(readPublic("/s/x.json")).rejects.toMatchObject({ kind });
  });

  it("is asked for without cookies", async () => {
    const asked: (RequestInit | undefined)[] = [];
    vi.stubGlobal("fetch", (_: string, options?: RequestInit) => {
      asked.push(options);
      return Promise.resolve(new Response('{"sid": "x"}'));
    });

    expect(await readPublic("/s/x.json")).toEqual({ sid: "x" });
    expect(asked).toEqual([{ credentials: "omit" }]);
  });
});
