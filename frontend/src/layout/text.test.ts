import { describe, expect, it } from "vitest";

import { fitText, fitWords, textWidth, wrapText } from "./text";

describe("texts without a browser", () => {
  it("keeps the end of a name that is too long: names differ there", () => {
    expect(fitText("order-1042", 11.5, 50)).toMatch(/^o.*….*42$/);
  });

  it.each([
    ["fetch, response lost", 90, "fetch…"],
    ["session of broker 2 ends", 130, "session of broker 2…"],
    ["clean and unclean", 75, "clean and…"],
    ["broker 1 的会话结束", 100, "broker 1 的会话…"],
  ])("cuts words between words and at the end: %s", (text, width, expected) => {
    expect(fitWords(text, 11.5, width)).toBe(expected);
    expect(fitWords(text, 11.5, 400)).toBe(text);
  });

  it("cuts a single word at its end as well", () => {
    expect(fitWords("unacknowledged", 11.5, 50)).toMatch(/^una.*…$/);
  });

  it("counts a Chinese character as wide as it is high", () => {
    expect(textWidth("高水位", 10)).toBe(30);
  });

  it("breaks at spaces, and keeps every word", () => {
    const lines = wrapText("Broker 1 comes back and cuts its log", 14, 120);

    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(" ")).toBe("Broker 1 comes back and cuts its log");
  });

  it.each([
    ["caught up 10 s ago of 300 s", ["caught up 10 s ago of", "300 s"]],
    ["0.5 s 前追上，上限 10 s", ["0.5 s 前追上，上限", "10 s"]],
  ])("keeps a number and its unit on one line: %s", (text, expected) => {
    const width = textWidth(text, 11) - 5;

    expect(wrapText(text, 11, width).map((line) => line.replaceAll("\u00a0", " "))).toEqual(
      expected,
    );
  });

  it("breaks between Chinese characters, and begins no line with a closing mark", () => {
    const lines = wrapText("日志被截断到高水位，这条消息丢失了。", 14, 70);

    expect(lines.join("")).toBe("日志被截断到高水位，这条消息丢失了。");
    expect(lines.every((line) => !/^[，。]/.test(line))).toBe(true);
  });
});
