import { describe, expect, it } from "vitest";

import { fill, formula, pieces, sentence, type Catalogue } from "./catalogue";
import { catalogue, frameAt, loss, repair } from "./fixtures";
import { headlineOf, type TraceEvent } from "./frame";

const event = (kind: string, variant: string | null, numbers: TraceEvent["numbers"]): TraceEvent => ({
  kind,
  ...(variant === null ? {} : { variant }),
  numbers,
  rule: null,
  sources: [],
  evidence: {},
});

describe("the narration's templates", () => {
  it("puts numbers in, joins lists by commas and writes null as a dash", () => {
    expect(fill("{broker}: {values}, {epoch}, {gone}", { broker: 1, values: ["m1", "m2"], epoch: null })).toBe("1: m1, m2, –, –");
  });

  it("says of a long list its beginning and its end, as the engine does", () => {
    const values = Array.from({ length: 11 }, (_, number) => `m${String(number)}`);

    expect(fill("{values}", { values })).toBe("m0, m1, m2, … m10");
    expect(fill("{values}", { values: values.slice(1) })).toBe(values.slice(1).join(", "));
  });

  it("takes doubled braces for braces", () => {
    expect(fill("ISR {{{isr}}}", { isr: [1, 2] })).toBe("ISR {1, 2}");
  });

  it("keeps what was put in apart from the words around it", () => {
    expect(pieces("Broker {broker} stops.", { broker: 2 })).toEqual([
      { text: "Broker ", name: null },
      { text: "2", name: "broker" },
      { text: " stops.", name: null },
    ]);
  });

  it("never reads what was put in as a template", () => {
    expect(fill("{value}", { value: "{broker}" })).toBe("{broker}");
  });
});

describe("a sentence", () => {
  const texts = { ...catalogue, events: { Cut: { en: "cut", zh: "截断" }, "Cut.full": { en: "cut all", zh: "全部截断" } } } satisfies Catalogue;

  it("is the variant's, else the kind's", () => {
    expect(sentence(texts, event("Cut", "full", {}), "en")).toBe("cut all");
    expect(sentence(texts, event("Cut", "unheard", {}), "en")).toBe("cut");
    expect(sentence(texts, event("Cut", null, {}), "zh")).toBe("截断");
  });

  it("is the event's name where the catalogue is silent", () => {
    expect(sentence(texts, event("Unheard", null, {}), "en")).toBe("Unheard");
  });

  it("says how an acknowledged record vanished", () => {
    const headline = headlineOf(frameAt(loss, -1));

    expect(headline === undefined ? "" : sentence(catalogue, headline, "en")).toContain("m2 is now on no replica");
  });

  it("has its formula with the numbers put in", () => {
    const headline = headlineOf(frameAt(repair, 2));

    expect(headline === undefined ? "" : formula(catalogue, headline, "en")).toBe("min(3, 5) = 3");
  });
});

describe("the headline", () => {
  const first = event("FetchParked", null, {});
  const last = event("ProduceAcknowledged", "all", {});

  it("is the event that the frame names, wherever it stands", () => {
    expect(headlineOf({ events: [first, last], headline: 1 })).toBe(last);
  });

  it("is the first where a stored frame names none", () => {
    expect(headlineOf({ events: [first, last] })).toBe(first);
  });
});
