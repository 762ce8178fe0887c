import { describe, expect, it } from "vitest";

import {
  changeText,
  formulaPieces,
  messageName,
  propertyText,
  ruleText,
  sentence,
  stepLabel,
  termText,
  textsIn,
  type Catalogue,
} from "./catalogue";
import { catalogue, frameAt, loss, repair } from "./fixtures";
import { headlineOf, type TraceEvent } from "./frame";

/** An event of the catalogue below, which is not one of the engine. */
const event = (
  kind: string,
  variant: string | null,
  numbers: TraceEvent["numbers"],
): TraceEvent => ({
  kind: kind as TraceEvent["kind"],
  ...(variant === null ? {} : { variant }),
  numbers,
  rule: null,
  sources: [],
  subject: {},
});

describe("a sentence", () => {
  const told = (cut: string, all: string) => ({
    ...textsIn(catalogue, "en"),
    events: { Cut: { text: cut, formula: null }, "Cut-full": { text: all, formula: null } },
  });
  const texts: Catalogue = {
    sources: {},
    languages: { en: told("cut", "cut all"), zh: told("截断", "全部截断") },
  };

  it("is the variant's, else the kind's", () => {
    expect(sentence(texts, event("Cut", "full", {}), "en")).toBe("cut all");
    expect(sentence(texts, event("Cut", "unheard", {}), "en")).toBe("cut");
    expect(sentence(texts, event("Cut", null, {}), "zh")).toBe("截断");
  });

  it("is English where the catalogue does not have the language", () => {
    expect(sentence(texts, event("Cut", null, {}), "tlh")).toBe("cut");
  });

  it("is the event's name where the catalogue is silent", () => {
    expect(sentence(texts, event("Unheard", null, {}), "en")).toBe("Unheard");
  });

  it("says how an acknowledged record vanished", () => {
    const headline = headlineOf(frameAt(loss, -1));

    expect(headline === undefined ? "" : sentence(catalogue, headline, "en")).toContain(
      "m2 is now on no replica",
    );
  });

  it("has its formula with the numbers put in", () => {
    const headline = headlineOf(frameAt(repair, 2));

    const formula = headline === undefined ? null : formulaPieces(catalogue, headline, "en");
    expect(formula?.map(({ text }) => text).join("")).toBe("min(3, 5) = 3");
  });
});

describe("what a step is called", () => {
  const steps = {
    produce: "produce",
    "produce-acks": "produce with acks",
    "produce-idempotent": "produce, idempotent",
    "elect-unclean": "elect, unclean",
  };
  const words = { sources: {}, languages: { en: { steps } } } as unknown as Catalogue;

  it("tells two ways of doing the same thing apart", () => {
    const produce = { to: "t-0", values: ["m2"], acks: "all", as: "p1" };
    expect(stepLabel(words, { produce }, "en")).toBe("produce with acks");
    expect(stepLabel(words, { produce: { ...produce, idempotent: true } }, "en")).toBe(
      "produce, idempotent",
    );
    expect(stepLabel(words, { elect: { partition: "t-0", kind: "unclean" } }, "en")).toBe(
      "elect, unclean",
    );
  });
});

describe("a changed value", () => {
  const select = {
    select: "control",
    variants: { zookeeper: "znode version", kraft: "partition epoch" },
    default: "kraft",
  };
  const changes = { partition_epoch: [select], copies: ["copies of ", { value: "subject" }] };
  const texts = { changes } as unknown as Catalogue["languages"][string];
  const words: Catalogue = { sources: {}, languages: { en: texts } };

  it("has the name that it has in this kind of controller, and its owner if the name includes it", () => {
    expect(changeText(words, "partition_epoch", null, "zookeeper", "en")).toEqual({
      text: "znode version",
      namesSubject: false,
    });
    expect(changeText(words, "partition_epoch", null, "kraft", "en")).toEqual({
      text: "partition epoch",
      namesSubject: false,
    });
    expect(changeText(words, "copies", "m1", "kraft", "en")).toEqual({
      text: "copies of m1",
      namesSubject: true,
    });
  });
});

describe("what the catalogue does not know", () => {
  const silent: Catalogue = { sources: {}, languages: {} };

  it("is said by its name", () => {
    expect(propertyText(silent, "NoAckedRecordLost", "title", "en")).toBe("NoAckedRecordLost");
    expect(messageName(silent, "fetch_request", "en")).toBe("fetch_request");
    expect(stepLabel(silent, { crash: { broker: 1 } }, "en")).toBe("crash");
    expect(changeText(silent, "isr", null, "kraft", "en")).toEqual({
      text: "isr",
      namesSubject: false,
    });
    expect([ruleText(silent, "KIP-101", "en"), termText(silent, "ISR", "en")]).toEqual([
      null,
      null,
    ]);
  });
});

describe("the headline", () => {
  const first = event("FetchParked", null, {});
  const last = event("ProduceAcknowledged", "all", {});

  it("is the event that the frame names, wherever it stands", () => {
    expect(headlineOf({ events: [first, last], headline: 1 })).toBe(last);
  });

  it("is nothing in a frame without events", () => {
    expect(headlineOf({ events: [], headline: 0 })).toBeUndefined();
  });
});
