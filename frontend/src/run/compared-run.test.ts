import { describe, expect, it } from "vitest";

import { api } from "../service/api";
import { Run } from "../session/run.svelte";
import { loss } from "../trace/fixtures";
import { ComparedRun } from "./compared-run.svelte";

const scenario = { id: "s", kafka: "0.10.2", title: { en: "A record vanishes" }, steps: [] };

async function compared(): Promise<ComparedRun> {
  const beside = new ComparedRun(
    new Run(
      api,
      null,
      "0.10.2",
      scenario,
      { title: scenario.title, summary: true, steps: [] },
      [...loss],
      0,
    ),
  );
  await beside.choose("b3");
  beside.standing = "different here: broker 1 (records)";
  return beside;
}

describe("what is announced of a position in a comparison", () => {
  it("ends with whether the other run differs there", async () => {
    expect((await compared()).appendedTo("Broker 1 fetches.")).toBe(
      "Broker 1 fetches. different here: broker 1 (records)",
    );
  });

  it("is nothing while positions are only passed", async () => {
    expect((await compared()).appendedTo("")).toBe("");
  });

  it("is the position alone once nothing is compared", async () => {
    const beside = await compared();

    beside.close();

    expect(beside.appendedTo("Broker 1 fetches.")).toBe("Broker 1 fetches.");
  });
});
