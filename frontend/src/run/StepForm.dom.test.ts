import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import type { StepForm as Declared } from "../service/api";
import type { Run } from "../session/run.svelte";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import StepForm from "./StepForm.svelte";

const produce: Declared = {
  name: "produce",
  arguments: [
    {
      name: "to",
      kind: "partition",
      required: true,
      nullable: false,
      default: null,
      choices: [],
      minimum: null,
      maximum: null,
    },
    {
      name: "values",
      kind: "values",
      required: true,
      nullable: false,
      default: null,
      choices: [],
      minimum: 1,
      maximum: 1000,
    },
  ],
};

function open(onact: () => Promise<void>): void {
  const run = { problem: null, places: [], busy: false } as unknown as Run;
  const props = {
    run,
    forms: [produce],
    frame: frameAt(loss, 0),
    choices: [],
    start: "produce" as const,
    looking: { partition: "t-0", broker: null },
    catalogue,
    onclose: () => undefined,
  };
  render(StepForm, { props: { ...props, onact } });
}

const type = (label: string, value: string): Promise<boolean> =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
const submit = (): Promise<boolean> =>
  fireEvent.submit(screen.getByRole("button", { name: "Do it" }));

describe("the form of a produce", () => {
  it("has an error at a number of records that it cannot use, and produces nothing", async () => {
    const onact = vi.fn(() => Promise.resolve());
    open(onact);

    await type("values", "m4");
    await type("how many", "1.5");
    await submit();

    expect(screen.getByLabelText("how many")).toHaveAccessibleDescription(
      "This must be a whole number from 1 to 1000.",
    );
    expect(onact).not.toHaveBeenCalled();
  });

  it("shows the number of the entered values until another one is entered", async () => {
    const onact = vi.fn(() => Promise.resolve());
    open(onact);

    await type("values", "q r");
    expect(screen.getByLabelText("how many")).toHaveValue("2");
    await type("values", "m4");
    await type("how many", "3");
    await submit();

    expect(onact).toHaveBeenCalledExactlyOnceWith({
      produce: { to: "t-0", values: ["m4", "m5", "m6"] },
    });
  });
});
