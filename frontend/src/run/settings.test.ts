import { describe, expect, it } from "vitest";

import type { Setting } from "../service/api";
import { changedSettings, settingsSet } from "./settings";

const number: Setting = { name: "min.insync.replicas", kind: "number", default: 1, choices: [], minimum: 1, maximum: 9, topic_name: null };
const on: Setting = { name: "unclean.leader.election.enable", kind: "switch", default: false, choices: [], minimum: null, maximum: null, topic_name: null };
const configs = { "min.insync.replicas": 1, "unclean.leader.election.enable": true };

describe("the settings of a run", () => {
  it("are marked where they are not the release's defaults", () => {
    expect(settingsSet([number, on], configs)).toEqual(["unclean.leader.election.enable"]);
  });

  it("are changed only where another value stands in the field", () => {
    expect(changedSettings([number, on], configs, { "min.insync.replicas": " 2 ", "unclean.leader.election.enable": "true" })).toEqual({ "min.insync.replicas": 2 });
    expect(changedSettings([number, on], configs, { "min.insync.replicas": "", "unclean.leader.election.enable": "false" })).toEqual({ "unclean.leader.election.enable": false });
    expect(changedSettings([number], configs, { "min.insync.replicas": "two" })).toEqual({ "min.insync.replicas": "two" });
  });
});
