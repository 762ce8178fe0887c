import { describe, expect, it } from "vitest";

import { runOf } from "../session/fixtures";
import { loss } from "../trace/fixtures";
import { ComparedRun } from "./compared-run.svelte";

async function compared(): Promise<ComparedRun> {
  const beside = new ComparedRun(runOf(loss));
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
