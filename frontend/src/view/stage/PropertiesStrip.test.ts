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

describe("the strip of a violated property", () => {
  it("names every lost record, many of them by their number", () => {
    const record = (value: string) => ({ offset: 1, epoch: 0, value, id: value });
    const evidence = { records: [record("m1"), record("m2"), record("m3")], elsewhere: { "t-1": [record("z1"), record("z2")] }, acked_frame: 4 };
    const properties = { NoAckedRecordLost: { ...violated, evidence } as unknown as Property };
    render(PropertiesStrip, { props: { properties, folded: false, lone: [], unpromised: { lost: [], atRisk: [] }, catalogue, lang: "en" as const, depthOf: (frame: number) => frame } });

    expect(screen.getByRole("button", { name: /^m1, m2 and 3 more, first at step 7/ })).toBeVisible();
  });

  it("names the acknowledgement of a record that is alone", () => {
    render(PropertiesStrip, { props: { properties: { NoAckedRecordLost: violated }, folded: false, lone: [], unpromised: { lost: [], atRisk: [] }, catalogue, lang: "en" as const, depthOf: (frame: number) => frame } });

    expect(screen.getByRole("button", { name: /^m2, acked at step 4/ })).toBeVisible();
  });
});
