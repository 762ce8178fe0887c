import { describe, expect, it } from "vitest";

import type { Setting } from "../service/api";
import { frameAt, loss } from "../trace/fixtures";
import {
  changedSettings,
  producersSettings,
  producing,
  settingOf,
  settingsOf,
  settingsSet,
} from "./settings";

const number: Setting = {
  name: "min.insync.replicas",
  kind: "number",
  default: 1,
  choices: [],
  minimum: 1,
  maximum: 9,
  topic_name: null,
  about: {},
  modelled: true,
};
const on: Setting = {
  name: "unclean.leader.election.enable",
  kind: "switch",
  default: false,
  choices: [],
  minimum: null,
  maximum: null,
  topic_name: null,
  about: {},
  modelled: true,
};
const configs = { "min.insync.replicas": 1, "unclean.leader.election.enable": true };

describe("the settings of a run", () => {
  it("are marked where they are not the release's defaults", () => {
    expect(settingsSet([number, on], configs)).toEqual(["unclean.leader.election.enable"]);
  });

  it("are those of the shown partition's topic", () => {
    const { state } = frameAt(loss, 1);
    const own = { "min.insync.replicas": 2 };
    const among = { ...state, topic_configs: { "a-b": own } };

    expect(settingsOf(among, "a-b-10")["min.insync.replicas"]).toBe(2);
    expect(settingsOf(among, "a-0")).toEqual(state.configs);
    expect(settingsOf(state, "a-b-10")).toEqual(state.configs);
  });

  it("are changed only where another value stands in the field", () => {
    expect(
      changedSettings([number, on], configs, {
        "min.insync.replicas": " 2 ",
        "unclean.leader.election.enable": "true",
      }),
    ).toEqual({ "min.insync.replicas": 2 });
    expect(
      changedSettings([number, on], configs, {
        "min.insync.replicas": "",
        "unclean.leader.election.enable": "false",
      }),
    ).toEqual({ "unclean.leader.election.enable": false });
    expect(changedSettings([number], configs, { "min.insync.replicas": "two" })).toEqual({
      "min.insync.replicas": "two",
    });
  });
});

describe("the settings of producers", () => {
  it("are what producers have asked for so far", () => {
    const frame = frameAt(loss, 1);
    const { clients } = frame.state;
    const first = clients.produced[0];
    if (first === undefined) throw new Error("nothing produced");
    const idempotent = {
      ...frame,
      state: {
        ...frame.state,
        acks: ["0", "all"],
        clients: { ...clients, produced: [{ ...first, producer_id: 7 }] },
      },
    };

    expect(producersSettings(frame)).toEqual({ acks: "all", "enable.idempotence": false });
    expect(producersSettings(idempotent)).toEqual({ acks: "0, all", "enable.idempotence": true });
  });

  it("are given to a step as its arguments, whose errors are theirs", () => {
    expect(producing({ acks: "all" })).toEqual({ acks: "all" });
    expect(producing({ acks: "1", "enable.idempotence": true })).toEqual({
      acks: 1,
      idempotent: true,
    });
    expect(["idempotent", "acks"].map(settingOf)).toEqual(["enable.idempotence", "acks"]);
  });
});
