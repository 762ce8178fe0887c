import { describe, expect, it } from "vitest";

import { ApiError } from "../service/api";
import { canRetry, kindOf } from "./failures";

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
  ] as const)("a %i of a %s is %s", (status, what, kind) => {
    expect(kindOf(problem(status), what)).toBe(kind);
  });

  it("what is not the service's is a failure of ours", () => {
    expect(kindOf(new TypeError("x"), "other")).toBe("failed");
  });

  it("nobody is asked to try again for what stays away", () => {
    expect(canRetry("gone")).toBe(false);
    expect(canRetry("notFound")).toBe(false);
    expect(canRetry("offline")).toBe(true);
  });
});
