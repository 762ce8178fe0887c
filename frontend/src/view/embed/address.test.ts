import { describe, expect, it } from "vitest";

import { playerAddress } from "./address";

const none = { step: null, theme: null, lang: null };

describe("the player's address", () => {
  it("is the share's, on the share's own site", () => {
    expect(playerAddress("https://a.example/s/7h3k", "https://b.example/", none)?.href).toBe(
      "https://a.example/e/v1/s/7h3k",
    );
  });

  it("keeps the link's frame, unless another one is asked for", () => {
    expect(
      playerAddress("https://a.example/s/7h3k?frame=4", "https://b.example/", none)?.search,
    ).toBe("?frame=4");
    expect(
      playerAddress("https://a.example/s/7h3k?frame=4", "https://b.example/", {
        ...none,
        step: "9",
      })?.search,
    ).toBe("?frame=9");
  });

  it("keeps the link's level, unless another one is asked for", () => {
    expect(
      playerAddress("https://a.example/s/7h3k?frame=4&level=message", "https://b.example/", none)
        ?.search,
    ).toBe("?frame=4&level=message");
    expect(
      playerAddress("https://a.example/s/7h3k?frame=4", "https://b.example/", {
        ...none,
        level: "message",
      })?.search,
    ).toBe("?frame=4&level=message");
  });

  it("is the lesson's at the step and the release of its link, or at another step", () => {
    const link = "https://a.example/lessons/kip-101-data-loss?step=4&message=2&kafka=0.10.2";
    expect(playerAddress(link, "https://b.example/", none)?.href).toBe(
      "https://a.example/e/v1/lessons/kip-101-data-loss?step=4&message=2&kafka=0.10.2",
    );
    expect(
      playerAddress(link, "https://b.example/", { ...none, step: "9", level: "message" })?.search,
    ).toBe("?step=9&kafka=0.10.2");
  });

  it.each([
    "javascript:alert(1)",
    "https://a.example/x/7h3k",
    "https://a.example/s/../x",
    "data:text/html,hi",
    "https://a.example/s/%2e%2e",
  ])("is nothing for %s", (src) => {
    expect(playerAddress(src, "https://b.example/", none)).toBeNull();
  });
});
