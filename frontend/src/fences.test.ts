// @vitest-environment node
import { readdirSync } from "node:fs";

import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const ROOMS = readdirSync(new URL(".", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const eslint = new ESLint({ cwd: new URL("..", import.meta.url).pathname });

/** The rules that a file of this name and text breaks. */
async function broken(filePath: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
}

function script(text: string): string {
  return `<script lang="ts">\n  ${text}\n</script>`;
}

describe("a room", () => {
  it.each(ROOMS)("%s has a fence", async (room) => {
    expect(await broken(`src/${room}/new.ts`, 'export * from "../no-such-room/words";')).toEqual([
      "no-restricted-imports",
    ]);
  });

  it.each(ROOMS.filter((room) => room !== "pages"))("%s may not import pages", async (room) => {
    expect(await broken(`src/${room}/new.ts`, 'export * from "../pages/address";')).toEqual([
      "no-restricted-imports",
    ]);
  });

  it.each([
    ["src/layout/new.ts", "../service/api"],
    ["src/layout/new.ts", "../session/run.svelte"],
    ["src/layout/new.ts", "../view/stage/words"],
    ["src/layout/new.ts", "svelte"],
    ["src/trace/new.ts", "../layout/rectangle"],
    ["src/trace/new.ts", "svelte/store"],
    ["src/trace/new.ts", "../service/api"],
    ["src/layout/new.ts", "../schema/openapi"],
    ["src/view/stage/New.svelte", "../../schema/openapi"],
    ["src/view/stage/new.ts", "../../service/api"],
    ["src/view/stage/new.ts", "../../session/run.svelte"],
    ["src/view/stage/New.svelte", "../../run/words"],
    ["src/view/embed/New.svelte", "../../site/ui-settings"],
    ["src/messages/new.ts", "../service/api"],
    ["src/controls/New.svelte", "../service/api"],
    ["src/service/new.ts", "../session/run.svelte"],
    ["src/session/new.ts", "../run/words"],
    ["src/session/new.ts", "../view/stage"],
    ["src/compare/New.svelte", "../run/words"],
    ["src/run/New.svelte", "../site/Page.svelte"],
    ["src/site/New.svelte", "../home/Home.svelte"],
    ["src/home/New.svelte", "../new-run/scenario-text"],
    ["src/new-run/New.svelte", "../session/run.svelte"],
    ["src/insights/New.svelte", "../run/words"],
    ["src/sharing/New.svelte", "../session/run.svelte"],
    ["src/pages/New.svelte", "../sharing/snippets"],
    // The whole name counts, not how it begins.
    ["src/layout/new.ts", "../tracery/box"],
  ])("%s may not import %s", async (file, source) => {
    const line = `import * as other from "${source}";`;
    const used = "export const kept = other;";

    const found = await broken(
      file,
      file.endsWith(".svelte") ? `${script(line)}\n{String(other)}` : `${line}\n${used}`,
    );

    expect(found).toEqual(["no-restricted-imports"]);
  });

  it.each([
    ["src/layout/new.ts", "../trace"],
    ["src/trace/new.ts", "../schema/openapi"],
    ["src/service/new.ts", "../schema/openapi"],
    ["src/view/stage/new.ts", "../../layout/rectangle"],
    ["src/view/embed/new.ts", "../stage/words"],
    ["src/session/new.ts", "../service/api"],
    ["src/run/new.ts", "../compare/side"],
    ["src/run/new.ts", "../view/logo/Logo.svelte"],
    ["src/pages/new.ts", "../run/words"],
    ["src/insights/new.ts", "../site/ui-settings"],
  ])("%s may import %s", async (file, source) => {
    expect(
      await broken(file, `import * as other from "${source}";\nexport const kept = other;`),
    ).toEqual([]);
  });
});

describe("the service", () => {
  it.each([
    "src/pages/new.ts",
    "src/run/new.ts",
    "src/view/stage/new.ts",
    "src/layout/new.ts",
    "src/new.ts",
  ])("is not asked by %s", async (file) => {
    expect(await broken(file, 'export const answer = fetch("/api/v1/scenarios");')).toEqual([
      "no-restricted-globals",
    ]);
  });

  it.each(["window.fetch", "globalThis.fetch", "new EventSource", "new XMLHttpRequest"])(
    "is not asked with %s",
    async (asking) => {
      const found = await broken(
        "src/run/new.ts",
        `export const answer = ${asking}("/api/v1/scenarios");`,
      );

      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^no-restricted-(globals|properties)$/);
    },
  );

  it("is asked by service/", async () => {
    expect(
      await broken("src/service/new.ts", 'export const answer = fetch("/api/v1/scenarios");'),
    ).toEqual([]);
  });
});

describe("layout", () => {
  it.each(["window", "document", "setTimeout", "localStorage"])("knows no %s", async (name) => {
    expect(await broken("src/layout/new.ts", `export const kept = ${name};`)).toEqual([
      "no-restricted-globals",
    ]);
  });
});

describe("a dialog", () => {
  it.each([
    "<dialog></dialog>",
    '<div role="dialog"></div>',
    '<section role="alertdialog"></section>',
  ])("is not made by %s", async (element) => {
    expect(await broken("src/run/New.svelte", element)).toHaveLength(1);
  });

  it("is made by one component", async () => {
    expect(await broken("src/controls/Dialog.svelte", "<dialog></dialog>")).toEqual([]);
  });
});

/** The sheets that a component cannot hold, each with the reason. All others are a component's own. */
const SHEETS: Readonly<Record<string, string>> = {
  "docs/code.css": "The documentation's pages are HTML from the service.",
  "docs/docs.css": "The documentation's pages are HTML from the service.",
  "site/site.css": "The documentation's pages have the same header as the page.",
  "styles/base.css": "Elements look alike on every page.",
  "styles/controls.css": "Controls look alike on every page.",
  "styles/tokens.css": "Every sheet and component takes its values from it.",
  "view/embed/embed.css":
    "The service also renders errors, and pictures without scripts, in an embed's page.",
  "view/figure/figure.css": "The service draws figures with it.",
  "view/logo/logo.css":
    "The service draws the logo in figures, and the documentation's pages contain it.",
  "view/playback/track.css": "The tracks of a run and of an embed look alike.",
  "view/stage/stage-motion.css": "The stages of a run, an embed and a presentation move alike.",
  "view/stage/stage.css": "The service draws figures with it, and several components contain logs.",
};

describe("a sheet outside components", () => {
  it("has a reason", () => {
    const found = readdirSync(new URL(".", import.meta.url), {
      recursive: true,
      encoding: "utf8",
    }).filter((file) => file.endsWith(".css"));

    expect(found.sort()).toEqual(Object.keys(SHEETS));
  });
});
