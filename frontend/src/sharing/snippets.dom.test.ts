import ts from "typescript";
import { describe, expect, it } from "vitest";

import {
  animationOf,
  embedOf,
  fileOf,
  linkOf,
  loopOf,
  pictureOf,
  pixelsOf,
  PLACES,
  snippetFor,
  type Shared,
} from "./snippets";

const SHARED: Shared = {
  url: "https://h.example/s/7k2m",
  embed_url: "https://h.example/e/v1/s/7k2m",
  svg_url: "https://h.example/s/7k2m.svg",
  title: 'A "record" & <b>[more]</b>',
  moment: { frame: 13, level: "story" },
  look: null,
  lang: null,
  pictureLang: null,
  height: 437,
  picture: { width: 800, height: 412 },
};

const LESSON: Shared = {
  ...SHARED,
  url: "https://h.example/lessons/two-rounds",
  embed_url: "https://h.example/e/v1/lessons/two-rounds",
  svg_url: "https://h.example/lessons/two-rounds.svg",
  moment: { step: 9, message: 2, kafka: "0.11" },
};

function parsed(html: string): HTMLElement {
  const host = document.createElement("div");
  host.innerHTML = html;
  return host;
}

describe("addresses", () => {
  it("carry the step, and a look or a language only where one is chosen", () => {
    expect(linkOf(SHARED)).toBe("https://h.example/s/7k2m?frame=13");
    expect(embedOf(SHARED)).toBe("https://h.example/e/v1/s/7k2m?frame=13");
    expect(pictureOf({ ...SHARED, look: "dark", pictureLang: "zh" })).toBe(
      "https://h.example/s/7k2m.svg?frame=13&theme=dark&lang=zh",
    );
  });

  it("keep what an address already carries", () => {
    expect(
      linkOf({
        url: "https://h.example/s/7k2m?lang=zh&frame=1",
        moment: { frame: 0, level: "story" },
      }),
    ).toBe("https://h.example/s/7k2m?lang=zh&frame=0");
  });

  it("carry the level where a message is shown", () => {
    const message: Shared = { ...SHARED, moment: { frame: 13, level: "message" } };
    expect(linkOf(message)).toBe("https://h.example/s/7k2m?frame=13&level=message");
    expect(embedOf(message)).toBe("https://h.example/e/v1/s/7k2m?frame=13&level=message");
    expect(pictureOf({ ...message, look: "dark" })).toBe(
      "https://h.example/s/7k2m.svg?frame=13&level=message&theme=dark",
    );
  });

  it("of files stand beside the page", () => {
    expect(fileOf(SHARED, "json", "zh")).toBe("https://h.example/s/7k2m.json");
    expect(fileOf(SHARED, "yaml", "zh")).toBe("https://h.example/s/7k2m.yaml");
    expect(fileOf(SHARED, "md", "zh")).toBe("https://h.example/s/7k2m.md?frame=13&lang=zh");
    expect(fileOf(SHARED, "mmd", "zh")).toBe("https://h.example/s/7k2m.mmd?lang=zh");
    expect(fileOf(SHARED, "html", "zh")).toBe("https://h.example/s/7k2m.html?frame=13&lang=zh");
    expect(fileOf(SHARED, "itf.json", "zh")).toBe(
      "https://h.example/s/7k2m.json?format=itf&lang=zh",
    );
  });

  it("of files that open at a moment carry its level", () => {
    const message: Shared = { ...SHARED, moment: { frame: 13, level: "message" } };
    expect(fileOf(message, "html", "zh")).toBe(
      "https://h.example/s/7k2m.html?frame=13&level=message&lang=zh",
    );
    expect(fileOf(message, "md", "zh")).toBe(
      "https://h.example/s/7k2m.md?frame=13&level=message&lang=zh",
    );
    expect(fileOf(message, "mmd", "zh")).toBe("https://h.example/s/7k2m.mmd?lang=zh");
  });

  it("of a step of a lesson carry its release, whatever they show", () => {
    expect(linkOf(LESSON)).toBe("https://h.example/lessons/two-rounds?step=9&message=2&kafka=0.11");
    expect(embedOf(LESSON)).toBe(
      "https://h.example/e/v1/lessons/two-rounds?step=9&message=2&kafka=0.11",
    );
    expect(fileOf(LESSON, "mmd", "zh")).toBe(
      "https://h.example/lessons/two-rounds.mmd?kafka=0.11&lang=zh",
    );
    expect(animationOf(LESSON, "3-12")).toBe(
      "https://h.example/lessons/two-rounds.svg?range=3-12&kafka=0.11",
    );
    expect(snippetFor("element", LESSON)).toContain(
      '<highwater-replay src="https://h.example/lessons/two-rounds?step=9&amp;message=2&amp;kafka=0.11" height="437">',
    );
  });

  it("of a loop keep the step and the look, as SVG and as GIF", () => {
    expect(loopOf({ ...SHARED, look: "dark" }, "svg")).toBe(
      "https://h.example/s/7k2m.svg?frame=13&theme=dark&loop=1",
    );
    expect(loopOf(LESSON, "gif")).toBe(
      "https://h.example/lessons/two-rounds.gif?step=9&message=2&kafka=0.11",
    );
  });

  it("of pictures keep the step and the look, and an animation its range", () => {
    expect(pixelsOf({ ...SHARED, look: "dark" })).toBe(
      "https://h.example/s/7k2m.png?frame=13&theme=dark&w=1600",
    );
    expect(animationOf({ ...SHARED, look: "dark" }, "3-12")).toBe(
      "https://h.example/s/7k2m.svg?range=3-12&theme=dark",
    );
  });

  it("of pictures carry the language of the page, and those of embeds follow the reader", () => {
    const chinese: Shared = { ...SHARED, pictureLang: "zh" };
    expect(pixelsOf(chinese)).toBe("https://h.example/s/7k2m.png?frame=13&lang=zh&w=1600");
    expect(animationOf(chinese, "3-12")).toBe("https://h.example/s/7k2m.svg?range=3-12&lang=zh");
    expect(embedOf(chinese)).toBe("https://h.example/e/v1/s/7k2m?frame=13");
    expect(snippetFor("markdown", chinese)).toContain(
      "(https://h.example/s/7k2m.svg?frame=13&lang=zh)](https://h.example/s/7k2m?frame=13)",
    );
  });
});

describe("code to paste", () => {
  it("is an iframe that keeps its title, whatever is in it", () => {
    const iframe = parsed(snippetFor("html", { ...SHARED, look: "light" })).querySelector("iframe");
    expect(iframe?.title).toBe(SHARED.title);
    expect(iframe?.getAttribute("src")).toBe("https://h.example/e/v1/s/7k2m?frame=13&theme=light");
    expect(iframe?.getAttribute("sandbox")?.split(" ")).toEqual([
      "allow-scripts",
      "allow-same-origin",
      "allow-popups",
      "allow-popups-to-escape-sandbox",
    ]);
    expect(iframe?.style.height).toBe("437px");
    expect(iframe?.getAttribute("height")).toBe("437");
  });

  it("is a picture with a link in Markdown, its brackets escaped", () => {
    expect(snippetFor("markdown", SHARED)).toBe(
      '[![A "record" & \\<b\\>\\[more\\]\\</b\\>](https://h.example/s/7k2m.svg?frame=13)](https://h.example/s/7k2m?frame=13)',
    );
  });

  it("is our element around a picture that stands in for it", () => {
    const host = parsed(snippetFor("element", { ...SHARED, look: "dark", lang: "zh" }));
    const element = host.querySelector("highwater-replay");
    expect(element?.getAttribute("step")).toBe("13");
    expect(element?.getAttribute("theme")).toBe("dark");
    expect(element?.getAttribute("lang")).toBe("zh");
    const picture = element?.querySelector<HTMLImageElement>("a img");
    expect(picture?.getAttribute("alt")).toBe(SHARED.title);
    expect(picture?.getAttribute("width")).toBe("800");
    expect(picture?.getAttribute("height")).toBe("412");
    expect(picture?.style.maxWidth).toBe("100%");
    expect(element?.getAttribute("height")).toBe("437");
    expect(host.querySelector("script")?.getAttribute("src")).toBe("https://h.example/embed/v1.js");
  });

  it("is two pictures for two themes in a README, and one where a theme is chosen", () => {
    const host = parsed(snippetFor("github", SHARED));
    expect(host.querySelector("picture source")?.getAttribute("srcset")).toContain("theme=dark");
    expect(host.querySelector("picture img")?.getAttribute("src")).toContain("theme=light");
    expect(host.querySelector("a")?.getAttribute("href")).toBe("https://h.example/s/7k2m?frame=13");

    expect(
      parsed(snippetFor("github", { ...SHARED, look: "dark" })).querySelector("picture"),
    ).toBeNull();
  });

  it("is valid JSX in MDX", () => {
    const { diagnostics = [], outputText } = ts.transpileModule(snippetFor("mdx", SHARED), {
      reportDiagnostics: true,
      fileName: "a.tsx",
      compilerOptions: { jsx: ts.JsxEmit.React },
    });

    expect(diagnostics).toEqual([]);
    expect(outputText).toContain('height: "437px"');
    expect(outputText).toContain(JSON.stringify(SHARED.title));
  });

  it("names no element that Vue does not know, in VitePress", () => {
    const code = snippetFor("vitepress", SHARED);

    expect(code).toContain('<component is="highwater-replay" src="https://h.example/s/7k2m"');
    expect(code).not.toContain("<highwater-replay");
    expect(code.match(/<script/g)).toHaveLength(1);
  });

  it.each(PLACES)("opens a message in %s, and the story without a word", (place) => {
    expect(snippetFor(place, { ...SHARED, moment: { frame: 13, level: "message" } })).toMatch(
      /level="?message/,
    );
    expect(snippetFor(place, SHARED)).not.toContain("level");
  });

  it("escapes the quotes of a title for Hugo", () => {
    expect(snippetFor("hugo", SHARED)).toContain('title="A \\"record\\" & <b>[more]</b>"');
  });

  it("stands indented below its directives in Sphinx, a PNG for what is not HTML", () => {
    const [raw = "", other = ""] = snippetFor("sphinx", SHARED).split(".. only:: not html");

    expect(
      raw
        .split("\n")
        .slice(1)
        .every((line) => line === "" || line.startsWith("   ")),
    ).toBe(true);
    expect(other).toContain("   .. image:: https://h.example/s/7k2m.png?frame=13&theme=light\n");
    expect(other).toContain("      :target: https://h.example/s/7k2m?frame=13");
  });

  it.each(PLACES)("has a height for %s before it is measured, where it needs one", (place) => {
    expect(snippetFor(place, { ...SHARED, height: null, picture: null })).not.toMatch(
      /null|NaN|undefined/,
    );
  });
});
