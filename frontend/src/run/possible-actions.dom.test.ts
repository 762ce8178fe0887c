import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import type { Choice } from "../service/api";
import { scenario, service, words } from "../session/fixtures";
import { Run } from "../session/run.svelte";
import { loss } from "../trace/fixtures";
import Choices from "./Choices.svelte";
import { viewOf } from "./run-page-fixture";

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

let offered: readonly Choice[] = [];

async function offer(choices: readonly Choice[], run: Run): Promise<void> {
  offered = choices;
  await run.refreshChoices();
}

function show(): Run {
  offered = [];
  const readChoices = () => Promise.resolve([...offered]);
  const last = loss.length - 1;
  const run = new Run(service({ readChoices }), "7h3k", "0.10.2", scenario, words, [...loss], last);
  render(Choices, { props: { view: viewOf(run) } });
  return run;
}

async function filter(text: string): Promise<void> {
  await fireEvent.input(screen.getByRole("searchbox"), { target: { value: text } });
}

describe("the possible actions", () => {
  it("are not said to be missing until they are loaded", async () => {
    const run = show();

    expect(screen.queryByText(NONE)).toBeNull();
    await filter("crash");
    expect(screen.queryByText(NONE)).toBeNull();
    await offer([crash], run);
    expect(screen.getByRole("button", { name: "crash" })).toBeVisible();
  });

  it("are said to be missing if none has the typed words", async () => {
    await offer([crash], show());

    await filter("isolate");

    expect(screen.getByText(NONE)).toBeVisible();
  });
});
