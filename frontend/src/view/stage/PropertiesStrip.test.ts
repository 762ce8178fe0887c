import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { Property } from "../../trace";
import { catalogue } from "../../trace/fixtures";
import PropertiesStrip from "./PropertiesStrip.svelte";

const holds = { status: "holds", first_frame: null, until_frame: null, evidence: {} } as unknown as Property;
const violated = { ...holds, status: "violated", first_frame: 7, evidence: { records: [{ offset: 1, epoch: 0, value: "m2", id: "r2" }], acked_frame: 4 } } as unknown as Property;

function show(lost: Property) {
  const properties = { NoAckedRecordLost: lost, LogMatching: holds, ConsistentRead: holds };
  const unpromised = { lost: ["z1"], atRisk: [] };
  render(PropertiesStrip, { props: { properties, folded: true, lone: [], unpromised, catalogue, lang: "en" as const, depthOf: (frame: number) => frame } });
}

describe("the folded strip, which has room for one property", () => {
  it("names an unpromised record that is lost", () => {
    show(holds);

    expect(screen.getByText(/z1/)).toBeVisible();
    expect(screen.queryByText("No acknowledged record is lost")).toBeNull();
  });

  it("names the loss of a record that was promised instead", () => {
    show(violated);

    expect(screen.getByText("An acknowledged record is lost")).toBeVisible();
    expect(screen.queryByText(/z1/)).toBeNull();
  });
});
