import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";

/** The addresses of a page at this address whose head states this. */
async function addressesAt(here: string, stated: Readonly<Record<string, string>>) {
  for (const [name, content] of Object.entries(stated)) {
    const meta = document.createElement("meta");
    meta.name = `highwater-${name}`;
    meta.content = content;
    document.head.append(meta);
  }
  history.replaceState(null, "", here);
  vi.resetModules();
  return import(".");
}

afterEach(() => {
  document.head.replaceChildren();
  history.replaceState(null, "", "/");
  vi.resetModules();
});

const COPY = { static: "../../", files: "/versions /versions/*/settings?control /runs/*?v" };

describe("addresses", () => {
  it("are those of the service, which is at the root of its host", async () => {
    const { to, pathOf, isStatic, fileOf } = await addressesAt("/lessons/x?lang=zh", {});
    expect(to("/docs?lang=zh")).toBe("/docs?lang=zh");
    expect(pathOf(new URL("https://a.example/lessons/x"))).toBe("/lessons/x");
    expect([isStatic, fileOf("/versions")]).toEqual([false, null]);
  });

  it("begin with the path of a copy", async () => {
    const { to, pathOf } = await addressesAt("/site/lessons/x/", COPY);
    expect(to("/lessons/y?step=2#end")).toBe("/site/lessons/y?step=2#end");
    expect(to("/")).toBe("/site/");
    expect(pathOf(new URL("https://a.example/site"))).toBe("/");
    expect(pathOf(new URL("https://a.example/site/lessons/y"))).toBe("/lessons/y");
    expect(pathOf(new URL("https://a.example/sites/lessons/y"))).toBeNull();
  });

  it("of a copy at the root of a host are the same as in the service", async () => {
    const { to, pathOf } = await addressesAt("/lessons/x/", COPY);
    expect(to("/lessons/y")).toBe("/lessons/y");
    expect(pathOf(new URL("https://a.example/"))).toBe("/");
  });

  it("lead to the files of a language and a theme", async () => {
    const { to } = await addressesAt("/site/lessons/x/", COPY);
    expect(to("/docs?lang=zh")).toBe("/site/zh/docs");
    expect(to("/docs/how-to/share?lang=zh#links")).toBe("/site/zh/docs/how-to/share#links");
    expect(to("/docs/how-to/share?lang=en")).toBe("/site/docs/how-to/share?lang=en");
    expect(to("/lessons/y.svg?theme=light&lang=en")).toBe("/site/lessons/y.svg");
    expect(to("/lessons/y.svg?theme=dark&lang=zh")).toBe("/site/zh/lessons/y~theme=dark.svg");
    // The application reads its language from the address.
    expect(to("/lessons/y?lang=zh")).toBe("/site/lessons/y?lang=zh");
  });

  it("of pictures in code to paste are those of a copy's files", async () => {
    await addressesAt("/site/lessons/x/", COPY);
    const { pictureOf } = await import("../sharing/snippets");
    const shown = {
      svg_url: "https://a.example/site/lessons/y.svg",
      moment: { step: 9, message: null, kafka: "0.11" },
    };
    expect(pictureOf({ ...shown, look: null, pictureLang: null })).toBe(
      "https://a.example/site/lessons/y.svg",
    );
    expect(pictureOf({ ...shown, look: "dark", pictureLang: "zh" })).toBe(
      "https://a.example/site/zh/lessons/y~theme=dark.svg",
    );
  });

  it("of all runs of the reader are one file of a copy", async () => {
    const { to, pathOf } = await addressesAt("/site/lessons/x/", COPY);
    expect(to("/x/z1?frame=4&level=message")).toBe("/site/x?run=z1&frame=4&level=message");
    expect(pathOf(new URL(to("/x/z1"), "https://a.example"))).toBe("/x/z1");
    expect(pathOf(new URL("https://a.example/site/x/z1?frame=2"))).toBe("/x/z1");
  });

  it("of a copy's files are listed in its pages", async () => {
    const { fileOf } = await addressesAt("/site/lessons/x/", COPY);
    expect(fileOf("/versions")).toBe("/site/api/v1/versions.json.gz");
    expect(fileOf("/versions/3.9/settings?control=kraft")).toBe(
      "/site/api/v1/versions/3.9/settings~control=kraft.json.gz",
    );
    expect(fileOf("/versions/3.9/settings")).toBeNull();
    expect(fileOf("/runs/3.9/choices?v=ab")).toBeNull();
    expect(fileOf("/sessions/1")).toBeNull();
  });

  it("settle on those that the service has", async () => {
    const { settleAddress } = await addressesAt("/site/lessons/x/?step=3#a", COPY);
    document.head.insertAdjacentHTML("beforeend", '<link rel="icon" href="../../icon.svg" />');
    settleAddress();
    expect(location.pathname + location.search + location.hash).toBe("/site/lessons/x?step=3#a");
    const icon = document.querySelector("link")?.href;
    expect(icon).toBe(new URL("/site/icon.svg", location.href).href);
  });

  it("settle on the lesson that a file in the folder of a language is about", async () => {
    const { settleAddress } = await addressesAt("/site/zh/lessons/x/?step=3", {
      static: "../../../",
      address: "/lessons/x?lang=zh",
    });
    settleAddress();
    expect(location.pathname + location.search).toBe("/site/lessons/x?lang=zh&step=3");
  });

  it("keep the slash of the front page", async () => {
    const { settleAddress } = await addressesAt("/site/?wrong=lost", { static: "./" });
    settleAddress();
    expect(location.pathname).toBe("/site/");
  });
});

describe("a copy's file", () => {
  it("is read whether or not its server has decompressed it", async () => {
    const { plainResponse } = await addressesAt("/", {});
    const plain = JSON.stringify({ title: "日志" });
    for (const sent of [plain, gzipSync(plain)])
      expect(await (await plainResponse(new Response(sent))).json()).toEqual({ title: "日志" });
  });
});
