import { cleanup, fireEvent, screen } from "@testing-library/svelte";
import type { ComponentProps } from "svelte";
import { describe, expect, it, vi } from "vitest";

import { render } from "../../language/render-fixture";
import type { Property } from "../../trace";
import { catalogue } from "../../trace/fixtures";
import PropertiesStrip from "./PropertiesStrip.svelte";

const holds = {
  status: "holds",
  first_frame: null,
  until_frame: null,
  evidence: {},
} as unknown as Property;
const violated = {
  ...holds,
  status: "violated",
  first_frame: 7,
  evidence: { records: [{ offset: 1, epoch: 0, value: "m2", id: "r2" }], acked_frame: 4 },
} as unknown as Property;

interface Shown {
  stale?: ComponentProps<typeof PropertiesStrip>["stale"];
  lostUnpromised?: readonly string[];
  folded?: boolean;
}

function show(lost: Property, { stale = [], lostUnpromised = ["z1"], folded = true }: Shown = {}) {
  const properties = { NoAckedRecordLost: lost, LogMatching: holds, ConsistentRead: holds };
  const unpromised = { lost: lostUnpromised, atRisk: [] };
  const onjump = vi.fn();
  render(PropertiesStrip, {
    props: {
      properties,
      folded,
      stale,
      lone: [],
      unpromised,
      catalogue,
      depthOf: (frame: number) => frame,
      onjump,
    },
  });
  return { onjump };
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

describe("the whole list", () => {
  it("names the step that first exercised each property, as a link to it", async () => {
    const onjump = vi.fn();
    render(PropertiesStrip, {
      props: {
        properties: {
          NoAckedRecordLost: violated,
          LogMatching: holds,
          ConsistentRead: { ...holds, status: "not_exercised" } as unknown as Property,
          LeaderInIsr: holds,
        },
        folded: false,
        stale: [],
        lone: [],
        unpromised: { lost: [], atRisk: [] },
        catalogue,
        depthOf: (frame: number) => frame * 10,
        exercisedAt: (name: string) => ({ NoAckedRecordLost: 4, LogMatching: 0 })[name] ?? null,
        onjump,
      },
    });
    expect(screen.queryByRole("button", { name: /^exercised/ })).toBeNull();

    await fireEvent.click(screen.getByRole("button", { name: /more/ }));

    expect(screen.getByText("3 of 4 properties exercised so far")).toBeVisible();
    const links = screen.getAllByRole("button", { name: /^exercised/ });
    expect(links.map((one) => one.closest("li")?.querySelector(".title")?.textContent)).toEqual([
      "An acknowledged record is lost",
      expect.stringMatching(/log/i),
    ]);
    expect(links.map((one) => one.textContent)).toEqual([
      "exercised from step 40 ›",
      "exercised from the start ›",
    ]);
    await fireEvent.click(links[0] as HTMLElement);
    expect(onjump).toHaveBeenCalledWith(4);
  });
});

describe("the strip of a violated property", () => {
  it("names every lost record, many of them by their number", () => {
    const record = (value: string) => ({ offset: 1, epoch: 0, value, id: value });
    const evidence = {
      records: [record("m1"), record("m2"), record("m3")],
      elsewhere: { "t-1": [record("z1"), record("z2")] },
      acked_frame: 4,
    };
    const properties = { NoAckedRecordLost: { ...violated, evidence } as unknown as Property };
    render(PropertiesStrip, {
      props: {
        properties,
        folded: false,
        stale: [],
        lone: [],
        unpromised: { lost: [], atRisk: [] },
        catalogue,
        depthOf: (frame: number) => frame,
      },
    });

    expect(
      screen.getByRole("button", { name: /^m1, m2 and 3 more, first at step 7/ }),
    ).toBeVisible();
  });

  it("names the acknowledgement of a record that is alone", () => {
    render(PropertiesStrip, {
      props: {
        properties: { NoAckedRecordLost: violated },
        folded: false,
        stale: [],
        lone: [],
        unpromised: { lost: [], atRisk: [] },
        catalogue,
        depthOf: (frame: number) => frame,
      },
    });

    expect(screen.getByRole("button", { name: /^m2, acked at step 4/ })).toBeVisible();
  });
});

describe("a property that was violated and holds again", () => {
  const mended = { ...violated, until_frame: 9 } as unknown as Property;
  const { en, zh } = catalogue.languages;
  const AckedRecordAtRisk = {
    title: "No acknowledged record is at risk",
    violated_title: "An acknowledged record is at risk",
    sentence: "",
  };
  const known = {
    ...catalogue,
    languages: { en: { ...en, properties: { ...en?.properties, AckedRecordAtRisk } }, zh },
  } as unknown as typeof catalogue;
  const strip = (
    properties: Record<string, Property>,
    about: Partial<ComponentProps<typeof PropertiesStrip>> = {},
  ) =>
    render(PropertiesStrip, {
      props: {
        properties,
        folded: false,
        stale: [],
        lone: [],
        unpromised: { lost: [], atRisk: [] },
        catalogue: known,
        depthOf: (frame: number) => frame,
        ...about,
      },
    });

  it("says what holds, and when it was violated", async () => {
    strip({ NoAckedRecordLost: holds, AckedRecordAtRisk: mended });
    expect(screen.queryByText("No acknowledged record is at risk")).toBeNull();

    await fireEvent.click(screen.getByRole("button", { name: "show 1 more" }));

    expect(screen.getByText("No acknowledged record is at risk")).toBeVisible();
    expect(screen.getByRole("button", { name: /^was violated at step 7/ })).toBeVisible();
    expect(screen.queryByText("An acknowledged record is at risk")).toBeNull();
  });

  it("counts what a state so far could have violated, when it is open", async () => {
    const idle = { ...holds, status: "not_exercised" } as unknown as Property;
    strip({ NoAckedRecordLost: holds, LogMatching: holds, OneLeaderPerEpoch: idle });
    expect(screen.queryByText(/exercised so far/)).toBeNull();

    await fireEvent.click(screen.getByRole("button", { name: /^show 1 more/ }));

    expect(screen.getByText("2 of 3 properties exercised so far")).toBeVisible();
  });

  it("has a mark of its own", () => {
    strip({
      NoAckedRecordLost: mended,
      ConsistentRead: { ...holds, status: "not_exercised" } as unknown as Property,
    });

    const markOf = (title: string) => screen.getByText(title).closest("li")?.classList;
    expect(markOf("No acknowledged record is lost")).toContain("past");
    expect(markOf("No acknowledged record is lost")).not.toContain("quiet");
    expect(markOf("Consistent reads")).toContain("quiet");
  });

  it("says so in the only line, but names no past risk there", () => {
    strip({ NoAckedRecordLost: holds, AckedRecordAtRisk: mended }, { folded: true });
    expect(screen.getByText("No acknowledged record is lost")).toBeVisible();
    expect(screen.queryByText("No acknowledged record is at risk")).toBeNull();
    cleanup();

    strip({ NoAckedRecordLost: holds, ConsistentRead: mended }, { folded: true });
    expect(screen.getByText("Consistent reads")).toBeVisible();
    expect(screen.getByText("was violated")).toBeVisible();
  });

  it("does not speak for records that were not promised", async () => {
    strip(
      { NoAckedRecordLost: holds, AckedRecordAtRisk: mended },
      { unpromised: { lost: [], atRisk: ["m9"] } },
    );

    await fireEvent.click(screen.getByRole("button", { name: "show 1 more" }));

    expect(screen.getByText("No acks=all record is at risk")).toBeVisible();
  });
});

describe("the strip while a leader does not know that it was deposed", () => {
  const stale = [{ broker: 1, partitions: ["t-0", "t-1"], since: 4 }];

  it("says so, and leads to the step since which", async () => {
    const { onjump } = show(holds, { stale, lostUnpromised: [], folded: false });

    expect(screen.getByText("Broker 1 still believes that it leads t-0, t-1")).toBeVisible();
    await fireEvent.click(screen.getByRole("button", { name: /^since step 4/ }));

    expect(onjump).toHaveBeenCalledWith(4);
  });

  it("names no step that is unknown", () => {
    show(holds, {
      stale: [{ broker: 1, partitions: ["t-0"], since: null }],
      lostUnpromised: [],
      folded: false,
    });

    expect(screen.queryByRole("button", { name: /^since/ })).toBeNull();
  });

  it("says so in its only line instead of what holds, but names a violation or a loss first", async () => {
    show(holds, { stale, lostUnpromised: [] });
    expect(screen.getByText("Broker 1: stale leader")).toBeVisible();
    expect(screen.queryByText("No acknowledged record is lost")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: /^show/ }));
    expect(screen.getByText("Broker 1 still believes that it leads t-0, t-1")).toBeVisible();
    expect(screen.getByText("No acknowledged record is lost")).toBeVisible();
    cleanup();

    show(holds, { stale });
    expect(screen.getByText(/z1/)).toBeVisible();
    expect(screen.queryByText(/stale/)).toBeNull();
    cleanup();

    show(violated, { stale, lostUnpromised: [] });
    expect(screen.getByText("An acknowledged record is lost")).toBeVisible();
    expect(screen.queryByText(/stale/)).toBeNull();
  });
});
