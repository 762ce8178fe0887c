import { describe, expect, it } from "vitest";

import { embedOf, fileOf, linkOf, pictureOf, snippetFor, type Shared } from "./snippets";

const SHARED: Shared = {
  url: "https://h.example/s/7k2m",
  embed_url: "https://h.example/e/v1/s/7k2m",
  svg_url: "https://h.example/s/7k2m.svg",
  title: 'A "record" & <b>[more]</b>',
  at: 13,
  look: null,
  lang: null,
};

function parsed(html: string): HTMLElement {
  const host = document.createElement("div");
  host.innerHTML = html;
  return host;
}

describe("addresses", () => {
  it("carry the step, and a look or a language only where one is chosen", () => {
    expect(linkOf(SHARED)).toBe("https://h.example/s/7k2m?step=13");
    expect(embedOf(SHARED)).toBe("https://h.example/e/v1/s/7k2m?step=13");
    expect(pictureOf({ ...SHARED, look: "dark", lang: "zh" })).toBe("https://h.example/s/7k2m.svg?step=13&theme=dark&lang=zh");
  });

  it("keep what an address already carries", () => {
    expect(linkOf({ url: "https://h.example/s/7k2m?lang=zh&step=1", at: 0 })).toBe("https://h.example/s/7k2m?lang=zh&step=0");
  });

  it("of files stand beside the page", () => {
    expect(fileOf(SHARED.url, "json")).toBe("https://h.example/s/7k2m.json");
    expect(fileOf(SHARED.url, "md", "zh")).toBe("https://h.example/s/7k2m.md?lang=zh");
  });
});

describe("code to paste", () => {
  it("is a frame that keeps its title, whatever is in it", () => {
    const frame = parsed(snippetFor("html", { ...SHARED, look: "light" })).querySelector("iframe");
    expect(frame?.title).toBe(SHARED.title);
    expect(frame?.getAttribute("src")).toBe("https://h.example/e/v1/s/7k2m?step=13&theme=light");
    expect(frame?.getAttribute("sandbox")).not.toContain("allow-same-origin");
  });

  it("is a picture with a link in Markdown, its brackets escaped", () => {
    expect(snippetFor("markdown", SHARED)).toBe(
      '[![A "record" & \\<b\\>\\[more\\]\\</b\\>](https://h.example/s/7k2m.svg?step=13)](https://h.example/s/7k2m?step=13)',
    );
  });

  it("is our element around a picture that stands in for it", () => {
    const host = parsed(snippetFor("element", { ...SHARED, look: "dark", lang: "zh" }));
    const element = host.querySelector("highwater-replay");
    expect(element?.getAttribute("step")).toBe("13");
    expect(element?.getAttribute("theme")).toBe("dark");
    expect(element?.getAttribute("lang")).toBe("zh");
    expect(element?.querySelector("a img")?.getAttribute("alt")).toBe(SHARED.title);
    expect(host.querySelector("script")?.getAttribute("src")).toBe("https://h.example/embed/v1.js");
  });
});
