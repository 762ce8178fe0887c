// @vitest-environment node
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

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
  it.each([
    ["src/layout/new.ts", "../service/api"],
    ["src/layout/new.ts", "../session/run.svelte"],
    ["src/layout/new.ts", "../view/stage/words"],
    ["src/layout/new.ts", "svelte"],
    ["src/trace/new.ts", "../layout/box"],
    ["src/trace/new.ts", "svelte/store"],
    ["src/trace/new.ts", "../service/api"],
    ["src/layout/new.ts", "../schema/openapi"],
    ["src/view/stage/New.svelte", "../../schema/openapi"],
    ["src/view/stage/new.ts", "../../service/api"],
    ["src/view/stage/new.ts", "../../session/run.svelte"],
    ["src/view/stage/New.svelte", "../../run/words"],
    ["src/view/embed/New.svelte", "../../pages/ui-settings"],
    ["src/messages/new.ts", "../service/api"],
    ["src/controls/New.svelte", "../service/api"],
    ["src/service/new.ts", "../session/run.svelte"],
    ["src/session/new.ts", "../run/words"],
    ["src/session/new.ts", "../view/stage"],
    ["src/compare/New.svelte", "../run/words"],
    ["src/run/New.svelte", "../pages/Page.svelte"],
  ])("%s may not import %s", async (file, source) => {
    const line = `import * as other from "${source}";`;
    const used = "export const kept = other;";

    const found = await broken(file, file.endsWith(".svelte") ? `${script(line)}\n{String(other)}` : `${line}\n${used}`);

    expect(found).toEqual(["no-restricted-imports"]);
  });

  it.each([
    ["src/layout/new.ts", "../trace"],
    ["src/trace/new.ts", "../schema/openapi"],
    ["src/service/new.ts", "../schema/openapi"],
    ["src/view/stage/new.ts", "../../layout/box"],
    ["src/view/embed/new.ts", "../stage/words"],
    ["src/session/new.ts", "../service/api"],
    ["src/run/new.ts", "../compare/side"],
    ["src/pages/new.ts", "../run/words"],
  ])("%s may import %s", async (file, source) => {
    expect(await broken(file, `import * as other from "${source}";\nexport const kept = other;`)).toEqual([]);
  });
});

describe("the service", () => {
  it.each(["src/pages/new.ts", "src/run/new.ts", "src/view/stage/new.ts", "src/layout/new.ts", "src/new.ts"])("is not asked by %s", async (file) => {
    expect(await broken(file, 'export const answer = fetch("/api/v1/scenarios");')).toEqual(["no-restricted-globals"]);
  });

  it("is asked by service/", async () => {
    expect(await broken("src/service/new.ts", 'export const answer = fetch("/api/v1/scenarios");')).toEqual([]);
  });
});

describe("layout", () => {
  it.each(["window", "document", "setTimeout", "localStorage"])("knows no %s", async (name) => {
    expect(await broken("src/layout/new.ts", `export const kept = ${name};`)).toEqual(["no-restricted-globals"]);
  });
});
