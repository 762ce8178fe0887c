import { describe, expect, it } from "vitest";

import { fixedIn } from "./fixed-release";

const lost = { expect: { kafka: ["<0.11"], violated: ["NoAckedRecordLost"] } };

describe("the release that repaired what a lesson shows", () => {
  it("is the first for which the author expects nothing to be violated", () => {
    expect(
      fixedIn({
        kafka: "0.10.2",
        steps: [
          { crash: { broker: 1 } },
          lost,
          { expect: { kafka: [">=0.11 <2.2"], violated: [] } },
        ],
      }),
    ).toBe("0.11");
  });

  it.each([
    ["nothing fails", [{ expect: { kafka: [">=0.11"], violated: [] } }]],
    ["nothing repairs it", [lost, { expect: { kafka: [">=0.11"], leader: 1 } }]],
    ["nothing is expected", [{ crash: { broker: 1 } }]],
  ])("is none where %s", (_, steps) => {
    expect(fixedIn({ kafka: "0.10.2", steps })).toBeNull();
  });
});
