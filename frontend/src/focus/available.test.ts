import { expect, it, vi } from "vitest";

import { availableIf } from "./available";

it("does nothing while it is unavailable, and is not disabled", () => {
  expect(availableIf(false, () => undefined)).toEqual({
    "aria-disabled": true,
    "data-unavailable": "",
    onclick: undefined,
  });
});

it("acts otherwise", () => {
  const act = vi.fn();

  availableIf(true, act).onclick?.();

  expect(act).toHaveBeenCalledOnce();
});
