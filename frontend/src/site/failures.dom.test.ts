import { describe, expect, it } from "vitest";

import { ApiError } from "../service/api";
import { canRetry, kindOf, servedError } from "./failures";

const problem = (status: number): ApiError => new ApiError(status, "code", "detail");

describe("failures", () => {
  it.each([
    [404, "other", "notFound"],
    [404, "session", "expired"],
    [422, "session", "notFound"],
    [410, "other", "gone"],
    [0, "other", "offline"],
    [429, "other", "busy"],
    [500, "session", "failed"],
    [503, "session", "unavailable"],
    [507, "other", "unavailable"],
  ] as const)("a %i of a %s is %s", (status, what, kind) => {
    expect(kindOf(problem(status), what)).toBe(kind);
  });

  it("a run of another engine is outdated", () => {
    expect(kindOf(new ApiError(409, "engine_changed", "detail"), "session")).toBe("outdated");
  });

  it("a share that is not shown has a reason", () => {
    expect(kindOf(new ApiError(500, "share_damaged", "detail"), "other")).toBe("damaged");
    expect(kindOf(new ApiError(410, "taken_down", "detail"), "other")).toBe("takenDown");
    expect(canRetry("damaged")).toBe(false);
  });

  it("a page that came as an error's says which", () => {
    const page = document.createElement("main");
    expect(servedError(page)).toBeNull();
    expect(servedError(null)).toBeNull();

    page.dataset.status = "410";
    page.dataset.code = "taken_down";
    page.dataset.reason = "privacy";

    expect(servedError(page)).toMatchObject({ status: 410, code: "taken_down", reason: "privacy" });
  });

  it("what is not the service's is a failure of ours", () => {
    expect(kindOf(new TypeError("x"), "other")).toBe("failed");
  });

  it("permanent errors offer no retry", () => {
    expect(canRetry("gone")).toBe(false);
    expect(canRetry("notFound")).toBe(false);
    expect(canRetry("offline")).toBe(true);
  });
});
