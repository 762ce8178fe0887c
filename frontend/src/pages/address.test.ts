import { describe, expect, it } from "vitest";

import { sessionAddress } from "../run/address";
import { placeOf } from "./address";

const at = (path: string): URL => new URL(path, "https://highwater.example");

describe("addresses", () => {
  it.each([
    ["/", { page: "home", search: "" }],
    ["/?q=isr", { page: "home", search: "?q=isr" }],
    ["/#z=1.abc", { page: "link", fragment: "#z=1.abc" }],
    ["/#lessons", { page: "home", search: "" }],
    ["/gallery", { page: "gallery" }],
    ["/insights", { page: "insights" }],
    ["/new/", { page: "new", from: null }],
    ["/new?from=0abc&at=7", { page: "new", from: { session: "0abc", at: 7 } }],
    ["/new?from=0abc&at=x", { page: "new", from: null }],
    [
      "/lessons/s26?kafka=0.11",
      { page: "lesson", scenario: "s26", kafka: "0.11", step: null, plays: false },
    ],
    [
      "/lessons/s27?play=1",
      { page: "lesson", scenario: "s27", kafka: null, step: null, plays: true },
    ],
    [
      "/lessons/s27?step=9",
      { page: "lesson", scenario: "s27", kafka: null, step: 9, plays: false },
    ],
    ["/fidelity", { page: "fidelity" }],
    ["/challenges", { page: "challenges" }],
    ["/challenges/power-of-two", { page: "challenge", challenge: "power-of-two" }],
    ["/articles", { page: "articles" }],
    ["/articles/4", { page: "article", number: 4 }],
    ["/articles/x", { page: "unknown" }],
    ["/x/7k2m?frame=13", { page: "session", session: "7k2m", frame: 13 }],
    ["/x/7k2m", { page: "session", session: "7k2m", frame: null }],
    ["/s/7k2m?frame=0", { page: "share", sid: "7k2m", frame: 0 }],
    ["/recordings/s27-0.10.2.2?frame=4", { page: "recording", name: "s27-0.10.2.2", frame: 4 }],
    ["/s", { page: "unknown" }],
    ["/nowhere", { page: "unknown" }],
    ["/x/a/b", { page: "unknown" }],
  ])("%s", (path, place) => {
    expect(placeOf(at(path))).toEqual(place);
  });

  it.each(["1_0", "-1", "1e3", "٣", "99999999", ""])("a number written as %j is none", (number) => {
    expect(placeOf(at(`/s/a?frame=${number}`))).toMatchObject({ frame: null });
    expect(placeOf(at(`/lessons/a?step=${number}`))).toMatchObject({ step: null });
  });

  it("a session's address leads back to it", () => {
    expect(placeOf(at(sessionAddress("a b", 4)))).toEqual({
      page: "session",
      session: "a b",
      frame: 4,
    });
  });
});
