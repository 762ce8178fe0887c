// @vitest-environment node
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import highwater from "./docusaurus/index.js";
import { momentOf } from "./share-addresses.js";

afterEach(() => vi.unstubAllGlobals());

describe("a link", () => {
  it("leads to its page, its picture and a file name", () => {
    expect(momentOf("https://h.example/s/7k2m?frame=12")).toEqual({
      page: "https://h.example/s/7k2m?frame=12",
      picture: "https://h.example/s/7k2m.svg?frame=12",
      player: "https://h.example/s/7k2m.html?frame=12",
      fileName: "7k2m-12",
    });
    expect(momentOf("https://h.example/e/v1/s/7k2m", 0).page).toBe(
      "https://h.example/s/7k2m?frame=0",
    );
  });

  it("keeps its level", () => {
    const message = {
      page: "https://h.example/s/7k2m?frame=12&level=message",
      picture: "https://h.example/s/7k2m.svg?frame=12&level=message",
      player: "https://h.example/s/7k2m.html?frame=12&level=message",
      fileName: "7k2m-12-message",
    };
    expect(momentOf("https://h.example/s/7k2m?frame=12&level=message")).toEqual(message);
    expect(momentOf("https://h.example/s/7k2m", 12, "message")).toEqual(message);
  });

  it("of a lesson names its step and its release", () => {
    expect(momentOf("https://h.example/lessons/two-rounds?step=3&message=2&kafka=0.11")).toEqual({
      page: "https://h.example/lessons/two-rounds?step=3&message=2&kafka=0.11",
      picture: "https://h.example/lessons/two-rounds.svg?step=3&message=2&kafka=0.11",
      player: "https://h.example/lessons/two-rounds.html?step=3&message=2&kafka=0.11",
      fileName: "two-rounds-3-2-0.11",
    });
  });

  it.each(["", "7k2m", "javascript:alert(1)", "https://h.example/x/7k2m"])(
    "%j is none to a share",
    (link) => {
      expect(() => momentOf(link)).toThrow("not a link to a run");
    },
  );
});

describe("the Docusaurus plug-in", () => {
  it("makes the pictures part of the site, and fails the build for those that are gone", async () => {
    const outDir = await mkdtemp(join(tmpdir(), "highwater-"));
    vi.stubGlobal("fetch", (address: string) =>
      Promise.resolve(
        address.includes("gone")
          ? new Response("", { status: 410 })
          : new Response(`<svg>${address}</svg>`),
      ),
    );

    await highwater({}, { download: ["https://h.example/s/7k2m?frame=12"] }).postBuild({ outDir });

    expect(await readFile(join(outDir, "highwater", "7k2m-12.svg"), "utf-8")).toContain(
      "/s/7k2m.svg?frame=12",
    );
    await expect(
      highwater({}, { download: ["https://h.example/s/gone"] }).postBuild({ outDir }),
    ).rejects.toThrow("deleted");
    await rm(outDir, { recursive: true });
  });

  it("makes the players part of the site if asked", async () => {
    const outDir = await mkdtemp(join(tmpdir(), "highwater-"));
    vi.stubGlobal("fetch", (address: string) => Promise.resolve(new Response(address)));
    const download = ["https://h.example/s/7k2m?frame=12"];
    const player = join(outDir, "highwater", "7k2m-12.html");

    await highwater({}, { download }).postBuild({ outDir });
    await expect(readFile(player, "utf-8")).rejects.toThrow("ENOENT");

    await highwater({}, { download, runs: true }).postBuild({ outDir });
    expect(await readFile(player, "utf-8")).toBe("https://h.example/s/7k2m.html?frame=12");
    await rm(outDir, { recursive: true });
  });

  it("gives the folder of its component", async () => {
    const component = await readFile(
      join(highwater({}).getThemePath(), "HighwaterReplay.js"),
      "utf-8",
    );

    expect(component).toContain("HighwaterReplay as default");
  });
});
