// @vitest-environment node
import { createContext, runInContext } from "node:vm";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";

import { catalogue, frameAt, loss, repair } from "./trace/fixtures";

/** The bundle as the service runs it: a bare context, where nothing of a browser or of Node is. */
let renderFigure: (frame: string, options: string) => string;

beforeAll(async () => {
  const built = await build({
    configFile: "vite.figure.config.ts",
    logLevel: "error",
    build: { write: false },
  });
  if (Array.isArray(built) || !("output" in built)) throw new Error("the bundle is not one file");
  const context = createContext({ self: {}, setTimeout: () => 0, queueMicrotask: () => undefined });
  runInContext(built.output[0].code, context);
  renderFigure = runInContext("renderFigure", context) as typeof renderFigure;
}, 60_000);

const ALLOWED = [
  "svg",
  "g",
  "rect",
  "circle",
  "path",
  "line",
  "text",
  "tspan",
  "title",
  "desc",
  "defs",
  "marker",
  "style",
];

function elements(svg: string): string[] {
  return [...new Set([...svg.matchAll(/<([a-zA-Z]+)/g)].map((match) => match[1] ?? ""))];
}

/** Enough of XML to find what would spoil a picture: every tag closed, nothing bare. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  const tag = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g;
  const rest = svg.replaceAll(
    tag,
    (_, close: string, name: string, _attributes: string, empty: string) => {
      if (close === "/") expect(open.pop()).toBe(name);
      else if (empty === "") open.push(name);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toContain("<");
  expect(rest.replaceAll(/&(?:amp|lt|gt|quot|#\d+);/g, "")).not.toContain("&");
}

describe("a figure", () => {
  it.each(["light", "dark"])("is one well-formed document of plain elements (%s)", (theme) => {
    const svg = renderFigure(
      JSON.stringify(frameAt(repair, 1)),
      JSON.stringify({ theme, catalogue, title: "Three brokers", steps: 34, kafka: "2.0.1" }),
    );

    expectWellFormed(svg);
    expect(elements(svg).filter((name) => !ALLOWED.includes(name))).toEqual([]);
    expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
    expect(svg).not.toContain("var(");
    expect(svg).not.toContain("light-dark(");
  });

  it.each([
    ["light", "#ffffff", "#14191f"],
    ["dark", "#151a21", "#e8edf2"],
  ])("has the colours of its theme (%s)", (theme, surface, ink) => {
    const svg = renderFigure(JSON.stringify(frameAt(repair, 1)), JSON.stringify({ theme }));

    expect(svg).toMatch(new RegExp(`\\.hw-paper \\{fill:${surface};`));
    expect(svg).toMatch(new RegExp(`\\.hw-name \\{[^}]*fill:${ink};`));
  });

  it.each([false, true])("draws no shape that its sheet does not name (card: %s)", (card) => {
    const svg = renderFigure(
      JSON.stringify(frameAt(loss, -1)),
      JSON.stringify({ theme: "light", catalogue, card }),
    );
    const [sheet = ""] = /<style>.*?<\/style>/.exec(svg) ?? [];
    const named = new Set([...sheet.matchAll(/\.([\w-]+)/g)].map(([, name]) => name));
    const shapes = [...svg.matchAll(/<(?:rect|circle|path)[^>]* class="([^"]*)"/g)];

    expect(shapes.length).toBeGreaterThan(5);
    expect(
      shapes.filter(([, classes = ""]) => !classes.split(" ").some((name) => named.has(name))),
    ).toEqual([]);
  });

  it("has no inline style in a page, whose policy forbids them, not even where records arrive", () => {
    const [frame, previous] = [frameAt(loss, 7), frameAt(loss, 4)];
    const svg = renderFigure(
      JSON.stringify(frame),
      JSON.stringify({ theme: "page", previous, steps: 14 }),
    );

    expect(svg).toContain("hw-cell-group");
    expect(svg).not.toMatch(/\bstyle=|<style/);
  });

  it("keeps the rows in the order of the start of the run", () => {
    const rows = (order: object): string[] =>
      [
        ...renderFigure(JSON.stringify(frameAt(loss, -1)), JSON.stringify(order)).matchAll(
          />(Broker \d)</g,
        ),
      ].map(([, name = ""]) => name);

    expect(rows({})).toEqual(["Broker 2", "Broker 1"]);
    expect(rows({ order: { "t-0": [1, 2] } })).toEqual(["Broker 1", "Broker 2"]);
  });

  it("has a description of what it shows", () => {
    const svg = renderFigure(
      JSON.stringify(frameAt(loss, -1)),
      JSON.stringify({ catalogue, title: "A record vanishes" }),
    );

    expect(svg).toMatch(/<title id="hw-title">A record vanishes<\/title>/);
    expect(svg).toMatch(/<desc id="hw-desc">Step 14\. Broker 2 comes back/);
    expect(svg).toContain("acknowledged at step 7 · lost at step 13 · last copy lost at step 14");
  });

  it("escapes every text, and omits characters that XML does not allow", () => {
    const frame = structuredClone(frameAt(loss, -1)) as unknown as {
      state: { clients: { produced: { value: string }[] } };
    };
    const evil = "</text><script>]]>&\b\ud800\uffff\"'";
    for (const record of frame.state.clients.produced) record.value = evil;

    const svg = renderFigure(
      JSON.stringify(frame),
      JSON.stringify({ title: evil, description: evil }),
    );

    expectWellFormed(svg);
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("]]>");
    // eslint-disable-next-line no-control-regex
    expect(svg).not.toMatch(/[\u0008\uffff]/);
  });

  it("takes steps from the branch, where frames are numbered otherwise", () => {
    const svg = renderFigure(
      JSON.stringify(frameAt(loss, -1)),
      JSON.stringify({ stepsOf: { 7: 5, 13: 8, 14: 9 } }),
    );

    expect(svg).toContain("acknowledged at step 5 · lost at step 8 · last copy lost at step 9");
  });
});
