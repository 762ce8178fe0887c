import { describe, expect, it } from "vitest";

import {
  inLanguage,
  languageCalled,
  languageIn,
  languageOf,
  LANGUAGES,
  nextLanguage,
} from "./languages";

describe("the languages", () => {
  it("are the folders, the default first", () => {
    expect(LANGUAGES[0]?.tag).toBe("en");
    expect(languageOf("zh")).toMatchObject({
      name: "中文",
      short: "中",
      formats: "zh-CN",
      plurals: {},
    });
    expect(languageOf("tlh").tag).toBe("en");
  });

  it.each([
    [["zh-CN", "en"], "zh"],
    [[null, "ZH_Hant_TW"], "zh"],
    [["qq-QQ", undefined, "zh"], "zh"],
    [["en-GB"], "en"],
    [["zhuang"], "en"],
    [[], "en"],
  ])("of %j the first that there is is %s", (asked, lang) => {
    expect(languageCalled(asked)).toBe(lang);
  });

  it("follow each other in a circle", () => {
    const tags = [...LANGUAGES.keys()].reduce<string[]>(
      (passed) => [...passed, nextLanguage(passed.at(-1) ?? "en").tag],
      ["en"],
    );

    expect(tags).toEqual([...LANGUAGES.map(({ tag }) => tag), "en"]);
  });

  it("quote an author in English where there are no words of theirs", () => {
    expect(inLanguage({ en: "a", zh: "b" }, "zh")).toBe("b");
    expect(inLanguage({ en: "a", zh: "b" }, "tlh")).toBe("a");
    expect(inLanguage({ zh: "b" }, "tlh")).toBe("b");
    expect(inLanguage("a", "zh")).toBe("a");
  });

  it.each([
    [{ en: "a", zh: "b" }, "zh", "zh"],
    [{ zh: "b", en: "a" }, "tlh", "en"],
    [{ answers: [], zh: "b" }, "tlh", "zh"],
    [{ answers: [] }, "zh", "zh"],
  ])(
    "edit what an author has written, %j, for somebody who reads %s, in %s",
    (words, lang, found) => {
      expect(languageIn(words, lang)).toBe(found);
    },
  );
});
