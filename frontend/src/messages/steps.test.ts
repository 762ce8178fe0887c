import { expect, it } from "vitest";

import { budgetName, barName } from "./steps";

it("names one fault of a budget in the singular, and several in the plural", () => {
  expect(budgetName("drop", "en", 1)).toBe("lost fetch response");
  expect(budgetName("drop", "en", 2)).toBe("lost fetch responses");
  expect(budgetName("crash", "en")).toBe("broker crashes");
  expect(budgetName("crash", "zh", 1)).toBe(budgetName("crash", "zh", 2));
});

it("names a step shortly in a bar of actions, whatever the bar is about", () => {
  expect(barName("crash", "en")).toBe("Crash");
  expect(barName("refresh", "en")).toBe("Refresh metadata");
  expect(barName("fail_controller", "en")).toBe("Fail over");
});
