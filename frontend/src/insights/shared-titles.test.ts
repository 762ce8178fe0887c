import { describe, expect, it } from "vitest";

import { LANGUAGES } from "../language";
import type { Insights } from "../service/api";
import {
  causesTitle,
  faultsTitle,
  lessonsTitle,
  settingsTitle,
  versionsTitle,
} from "./shared-titles";

const summary = (parts: {
  loss?: unknown[];
  faults?: unknown[];
  causes?: unknown[];
  lessons?: unknown[];
}) => ({ loss: [], faults: [], causes: [], lessons: [], ...parts }) as unknown as Insights;
const version = (kafka: string, runs: number, lost: number) => ({
  dimension: "version",
  kafka,
  runs,
  lost,
});
const acks = (value: string, runs: number, lost: number) => ({
  dimension: "acks",
  acks: value,
  runs,
  lost,
});
const fault = (name: string, last: number) => ({ fault: name, last_before_loss: last });
const cause = (name: string, runs: number) => ({ cause: name, runs, lost_acks_all: 0 });
const lesson = (en: string, shares: number) => ({ title: { en, zh: en }, shares });
const TITLES = [versionsTitle, settingsTitle, faultsTitle, causesTitle, lessonsTitle];

describe("the titles of shared runs", () => {
  it("state that there are no shared runs yet", () => {
    expect(TITLES.map((title) => title(summary({}), "en"))).toEqual([
      "No release has enough runs yet",
      "No setting has enough runs yet",
      "No fault that led to a loss has enough runs yet",
      "No cause of a loss has enough runs yet",
      "No lesson has been shared often enough yet",
    ]);
  });

  it("count what was lost, and in how many releases and with how many settings", () => {
    const some = summary({
      loss: [version("3.9", 30, 0), version("0.10.2", 12, 3), acks("1", 20, 5), acks("all", 22, 0)],
    });
    expect(versionsTitle(some, "en")).toBe(
      "3 of 42 shared runs lost a record acknowledged with acks=all, in 1 of 2 releases",
    );
    expect(settingsTitle(some, "en")).toBe("Shared runs lost a record with 1 of 2 settings");
  });

  it("state that nothing differs", () => {
    const none = summary({
      loss: [version("3.9", 30, 0), acks("1", 20, 0), acks("all", 10, 0)],
      faults: [fault("crash", 0)],
    });
    expect(versionsTitle(none, "en")).toBe(
      "None of 30 shared runs lost a record acknowledged with acks=all, in 1 release",
    );
    expect(settingsTitle(none, "en")).toBe(
      "No shared run lost a record with any of 2 settings: no difference",
    );
    expect(faultsTitle(none, "en")).toBe(
      "In none of these runs was a fault followed by a loss with acks=all",
    );
    expect(settingsTitle(summary({ loss: [acks("1", 20, 1), acks("all", 10, 2)] }), "en")).toBe(
      "Shared runs lost a record with each of 2 settings: no difference",
    );
  });

  it("name what came first, and whatever is as frequent", () => {
    expect(faultsTitle(summary({ faults: [fault("crash", 2), fault("pause", 5)] }), "en")).toMatch(
      /^In 5 shared runs, the last fault before the loss was .*pause.*, more often than any other fault$/,
    );
    expect(
      faultsTitle(
        summary({ faults: [fault("crash", 2), fault("pause", 2), fault("cut", 1)] }),
        "en",
      ),
    ).toMatch(
      /^In 2 shared runs each, the last fault before the loss was one of: .*crash.*, .*pause.*$/,
    );
    expect(lessonsTitle(summary({ lessons: [lesson("A", 10), lesson("B", 12)] }), "en")).toBe(
      "“B” was shared most often: 12 times",
    );
    expect(lessonsTitle(summary({ lessons: [lesson("A", 12), lesson("B", 12)] }), "en")).toBe(
      "2 lessons were shared most often: 12 times each",
    );
  });

  it("name the most frequent of the known causes, and never count unknown ones as one", () => {
    const title = (...causes: unknown[]) => causesTitle(summary({ causes }), "en");
    expect(title(cause("unknown", 20), cause("disk_loss", 10), cause("power_loss", 12))).toBe(
      "Most frequent known cause of a loss: power loss, in 12 shared runs",
    );
    expect(title(cause("disk_loss", 10), cause("power_loss", 10))).toBe(
      "Most frequent known causes of a loss: disk loss, power loss, in 10 shared runs each",
    );
    expect(title(cause("unknown", 20))).toBe("The cause of the loss is unknown in 20 shared runs");
  });

  it("name no rate in any language", () => {
    const all = summary({
      loss: [version("3.9", 30, 3), acks("1", 20, 1)],
      faults: [fault("crash", 2)],
      causes: [cause("power_loss", 12)],
      lessons: [lesson("A", 10)],
    });
    for (const { tag } of LANGUAGES)
      for (const title of TITLES) expect(title(all, tag)).not.toMatch(/%|％/);
  });
});
