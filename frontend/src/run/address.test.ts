import { describe, expect, it, vi } from "vitest";

import {
  addressOfLesson,
  addressOfRun,
  lessonAddress,
  lessonIn,
  levelOf,
  sessionAddress,
  withPlace,
} from "./address";

const PLACE = { lesson: "s26", kafka: null, step: 9, message: null };
const HERE = "https://h.example/lessons/s26?lang=zh&play=1&step=4&message=2&beside=v0.11";

describe("the address of a lesson", () => {
  it.each([
    [PLACE, "/lessons/s26?step=9"],
    [{ ...PLACE, step: 0 }, "/lessons/s26"],
    [{ ...PLACE, message: 3, kafka: "0.11" }, "/lessons/s26?step=9&message=3&kafka=0.11"],
  ])("is its moment: %j", (place, address) => {
    expect(lessonAddress(place)).toBe(address);
  });

  it("keeps the language, and drops what applies only at the start", () => {
    const shown = withPlace(HERE, addressOfLesson(PLACE), "");

    expect(shown.href).toBe("https://h.example/lessons/s26?step=9&lang=zh");
  });
});

describe("the address of a run that began in a lesson", () => {
  const shown = withPlace(HERE, addressOfRun("0abc", 40, "story", PLACE), "v0.11");

  it("names its frame and the lesson", () => {
    expect(shown.href).toBe(
      "https://h.example/x/0abc?frame=40&lesson=s26&step=9&beside=v0.11&lang=zh",
    );
  });

  it("leads back to the lesson", () => {
    expect(lessonIn(shown.searchParams)).toEqual(PLACE);
    expect(lessonIn(new URLSearchParams("lesson=../x"))).toBeNull();
    expect(lessonIn(new URLSearchParams("frame=4"))).toBeNull();
  });
});

describe("the address of a run in a copy without a service", () => {
  it("is a file's, which names the run, and loses it on the way back to the lesson", async () => {
    vi.doMock("../addresses", () => ({
      to: (path: string) => path.replace(/^\/x\/([^?]+)/, "/site/x?run=$1"),
    }));
    vi.resetModules();
    const copied = await import("./address");
    vi.doUnmock("../addresses");
    // The files that follow have the same modules.
    vi.resetModules();

    const run = withPlace(HERE, copied.addressOfRun("z1", 40, "story", PLACE), "");
    expect(run.pathname + run.search).toBe("/site/x?run=z1&frame=40&lesson=s26&step=9&lang=zh");
    expect(copied.sessionAddress("z1", 3)).toBe("/site/x?run=z1&frame=3");
    const back = withPlace(run.href, copied.addressOfLesson(PLACE), "");
    expect(back.pathname + back.search).toBe("/lessons/s26?step=9&lang=zh");
  });
});

describe("the level in an address", () => {
  it.each([
    ["", "story"],
    ["level=message", "message"],
    ["step=4&message=2", "message"],
    ["level=story", "story"],
    ["level=x", "story"],
  ])("%j opens at %s", (search, level) => {
    expect(levelOf(new URLSearchParams(search))).toBe(level);
  });

  it("is there only for messages", () => {
    expect(sessionAddress("a b", 4)).toBe("/x/a%20b?frame=4");
    expect(sessionAddress("a b", 4, "message")).toBe("/x/a%20b?frame=4&level=message");
    expect(sessionAddress("a b", null, "message")).toBe("/x/a%20b");
  });
});
