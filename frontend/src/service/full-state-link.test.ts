import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { FullStateLinkError, packed, unpacked } from "./full-state-link";

interface Vectors {
  readonly links: readonly {
    readonly name: string;
    readonly fragment: string;
    readonly run: unknown;
  }[];
  readonly refused: readonly {
    readonly name: string;
    readonly fragment: string;
    readonly kind: string;
  }[];
}
const { links, refused } = JSON.parse(
  readFileSync("../tests/full_state_links.json", "utf-8"),
) as Vectors;

describe("full-state links", () => {
  it.each(links)("$name is read", async ({ fragment, run }) => {
    expect(await unpacked(`#${fragment}`)).toEqual(run);
  });

  it.each(links)("$name comes back", async ({ run }) => {
    const fragment = await packed(run);

    expect(fragment).toMatch(/^z=1\.[A-Za-z0-9_-]+$/);
    expect(await unpacked(fragment)).toEqual(run);
  });

  it.each(refused)("$name is refused", async ({ fragment, kind }) => {
    await expect(unpacked(fragment)).rejects.toEqual(new FullStateLinkError(kind as "damaged"));
    await expect(unpacked(fragment)).rejects.toMatchObject({ kind });
  });

  it("what inflates without end is not read to its end", async () => {
    const huge = await packed({ zeros: "0".repeat(2_000_000) });

    expect(huge.length).toBeLessThan(4000);
    await expect(unpacked(huge)).rejects.toMatchObject({ kind: "damaged" });
  });
});
