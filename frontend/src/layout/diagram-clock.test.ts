import { describe, expect, it } from "vitest";

import { layoutClock } from "./diagram-clock";

const hour = (at: number, time: number) => ({ at, time, text: `${time}.0 s` });
const slot = (at: number, text = "1.511 s") => ({ at, text, room: 36 });
const playhead = (at: number) => ({ at, text: "16.511 s" });

describe("the times below the diagram", () => {
  it("leave out the length of folded time that the playhead's time would cover", () => {
    expect(layoutClock(playhead(100), [slot(60), slot(160), slot(20)], []).idle).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("leave out an hour that meets the playhead's time, folded time or another hour", () => {
    const { hours } = layoutClock(
      playhead(100),
      [slot(200)],
      [hour(110, 1), hour(210, 2), hour(300, 3), hour(320, 4), hour(400, 4)],
    );

    expect(hours.map(({ at }) => at)).toEqual([300, 400]);
  });

  it("have each hour once", () => {
    expect(
      layoutClock(playhead(0), [], [hour(100, 5), hour(200, 5), hour(300, 6)]).hours.map(
        ({ at }) => at,
      ),
    ).toEqual([100, 300]);
  });

  it("leave out a length that meets the one before it", () => {
    expect(layoutClock(playhead(500), [slot(100, "123.456 s"), slot(140)], []).idle).toEqual([
      true,
      false,
    ]);
  });
});
