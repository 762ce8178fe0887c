import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import type { Choice } from "../service/api";
import { catalogue } from "../trace/fixtures";
import Choices from "./Choices.svelte";

const crash: Choice = {
  actor: "1",
  step: { crash: { broker: 1 } },
  enabled: true,
  rank: 0,
  row: 7,
  reason: null,
  reason_code: null,
  reason_numbers: {},
};
const NONE = "No matching action.";

function show(choices: readonly Choice[]) {
  const props = {
    choices,
    catalogue,
    busy: false,
    selectedBroker: null,
    partition: null,
    forms: [],
    fileAddress: "/new",
    onact: () => undefined,
    onform: () => undefined,
    onward: null,
  };
  return render(Choices, { props });
}

async function filter(text: string): Promise<void> {
  await fireEvent.input(screen.getByRole("searchbox"), { target: { value: text } });
}

describe("the possible actions", () => {
  it("are not said to be missing until they are loaded", async () => {
    const { rerender } = show([]);

    expect(screen.queryByText(NONE)).toBeNull();
    await filter("crash");
    expect(screen.queryByText(NONE)).toBeNull();
    await rerender({ choices: [crash] });
    expect(screen.getByRole("button", { name: "crash" })).toBeVisible();
  });

  it("are said to be missing if none has the typed words", async () => {
    show([crash]);

    await filter("isolate");

    expect(screen.getByText(NONE)).toBeVisible();
  });
});
