import { describe, expect, it } from "vitest";

import type { Property } from "../../trace";
import { frameAt, loss } from "../../trace/fixtures";
import { evidenceRecordsOf, evidenceValues, valuesText } from "./evidence-records";

describe("values in a line", () => {
  it("are all named up to three, otherwise two of them and how many more there are", () => {
    expect(valuesText(["a", "b", "c"], "en")).toBe("a, b, c");
    expect(valuesText(["a", "b", "c", "d"], "en")).toBe("a, b and 2 more");
    expect(valuesText(["a", "b", "c", "d", "e"], "zh")).toBe("a、b 及另外 3 条");
  });
});

describe("the records of a loss in several partitions", () => {
  const record = (value: string, offset: number) => ({ value, offset, epoch: 0, id: `r-${value}` });
  const property = {
    status: "violated",
    first_frame: 13,
    evidence: {
      partition: "t-0",
      offsets: [1],
      records: [record("m2", 1)],
      elsewhere: { "t-1": [record("z1", 0), record("z2", 1)] },
    },
  } as unknown as Property;

  it("are all named", () => {
    expect(evidenceValues(property)).toEqual(["m2", "z1", "z2"]);
  });

  it("can be shown in each partition", () => {
    const shown = evidenceRecordsOf(frameAt(loss, -1), property);

    expect(
      shown.map(({ values, selection }) => [
        values,
        selection.kind === "offsets" ? [selection.partition, selection.offsets] : null,
      ]),
    ).toEqual([
      [["m2"], ["t-0", [1]]],
      [
        ["z1", "z2"],
        ["t-1", [0, 1]],
      ],
    ]);
  });
});
