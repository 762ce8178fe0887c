import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { languageTags, readRoom } from "../languages.config";
import { sessionAddress } from "./run/address";
import { MENU, PAGES, visitTo } from "./pages/registry";

const at = (path: string): URL => new URL(path, "https://highwater.example");

describe("addresses", () => {
  it.each([
    ["/", "/", { search: "" }],
    ["/?q=isr", "/", { search: "?q=isr" }],
    ["/#z=1.abc", "/", { fragment: "#z=1.abc" }],
    ["/#lessons", "/", { search: "" }],
    ["/gallery", "/gallery", true],
    ["/insights", "/insights", true],
    ["/new/", "/new", { from: null }],
    ["/new?from=0abc&at=7", "/new", { from: { session: "0abc", at: 7 } }],
    ["/new?lesson=s26&kafka=0.11&at=7", "/new", { from: { lesson: "s26", kafka: "0.11", at: 7 } }],
    ["/new?from=0abc&at=x", "/new", { from: null }],
    [
      "/lessons/s26?kafka=0.11",
      "/lessons/:scenario",
      { scenario: "s26", kafka: "0.11", step: null, message: null, frame: null },
    ],
    [
      "/lessons/s27?play=1",
      "/lessons/:scenario",
      { scenario: "s27", kafka: null, step: null, message: null, frame: null },
    ],
    [
      "/lessons/s27?step=9&message=2",
      "/lessons/:scenario",
      { scenario: "s27", kafka: null, step: 9, message: 2, frame: null },
    ],
    ["/challenges", "/challenges", true],
    ["/challenges/power-of-two", "/challenges/:challenge", "power-of-two"],
    ["/articles/4", "/articles/:number", 4],
    ["/x/7k2m?frame=13", "/x/:session", { session: "7k2m", frame: 13 }],
    ["/x/7k2m", "/x/:session", { session: "7k2m", frame: null }],
    ["/s/7k2m?frame=0", "/s/:sid", { sid: "7k2m", frame: 0 }],
    ["/recordings/s27-0.10.2.2?frame=4", "/recordings/:name", { name: "s27-0.10.2.2", frame: 4 }],
    ["/p/ABCDE", "/p/:code", "abcde"],
  ])("%s", (path, page, asked) => {
    expect(visitTo(at(path))).toMatchObject({ page: { path: page }, asked });
  });

  it.each(["/articles/x", "/s", "/s/7k2m.svg", "/nowhere", "/x/a/b", "/gallery/a"])(
    "%s is no page",
    (path) => {
      expect(visitTo(at(path))).toBeNull();
    },
  );

  it.each(["1_0", "-1", "1e3", "٣", "99999999", ""])("a number written as %j is none", (number) => {
    expect(visitTo(at(`/s/a?frame=${number}`))?.asked).toMatchObject({ frame: null });
    expect(visitTo(at(`/lessons/a?step=${number}`))?.asked).toMatchObject({ step: null });
  });

  it("a session's address leads back to it", () => {
    expect(visitTo(at(sessionAddress("a b", 4)))?.asked).toEqual({ session: "a b", frame: 4 });
  });
});

describe("the service", () => {
  const source = [
    "pages/site",
    "pages/routes",
    "pages/lessons",
    "pages/share_page",
    "assessments/page",
  ]
    .map((name) => readFileSync(`../backend/${name}.py`, "utf8"))
    .join("\n");
  const pages = [
    ...source.matchAll(/SitePage\(\s*"(\S+)", "interface\/([\w-]+)", "(\w+)"(.*)/g),
  ].map(([, path = "", room = "", name = "", more = ""]) => ({
    path,
    room,
    name,
    part: /part="(\S+)"/.exec(more)?.[1] ?? "",
    inMenu: !more.includes("in_menu=False"),
  }));

  it("serves the pages of the application, and no other", () => {
    const served = [...source.matchAll(/api_route\("(\/\w+(?:\/\w+)?\/?)(?:\{\w+\})?"/g)];
    const paths = [...pages.map(({ path }) => path), ...served.map(([, room]) => room)];

    // `/lessons` leads to the list on the front page.
    expect([...new Set(paths)].sort()).toEqual(
      [...new Set([...PAGES.map(({ path }) => path.replace(/:\w+$/, "")), "/lessons"])].sort(),
    );
  });

  it.each(languageTags())("has the same menu in its own pages (%s)", (lang) => {
    expect(MENU.map(({ path, href, name }) => [path, href, name(lang)])).toEqual(
      pages
        .filter(({ inMenu }) => inMenu)
        .map(({ path, room, name, part }) => [path, path + part, readRoom(lang, room)[name]]),
    );
  });
});
