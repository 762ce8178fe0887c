import { describe, expect, it } from "vitest";

import { glossaryOf, meaningsIn, termPieces, termPiecesOf } from "./terms";
import { SILENT, type Catalogue } from "./catalogue";

const catalogue: Catalogue = {
  sources: {},
  languages: {
    en: {
      ...SILENT,
      terms: {
        ISR: "In sync.",
        "leader-epoch": "Counts leaders.",
        "partition-epoch": "Counts changes.",
        leader: "Decides.",
        "min-insync-replicas": "How many.",
      },
      term_words: {
        ISR: "ISR",
        "leader-epoch": "leader epoch|epoch",
        "partition-epoch": "partition epoch",
        leader: "leader|leaders",
        "min-insync-replicas": "min.insync.replicas",
      },
    },
    zh: {
      ...SILENT,
      terms: { ISR: "同步。", "high-watermark": "已提交到这里。" },
      term_words: { ISR: "ISR", "high-watermark": "高水位" },
    },
  },
};

function termsIn(text: string, lang = "en"): string[] {
  return termPieces(glossaryOf(catalogue, lang), text).flatMap((piece) =>
    piece.meaning === null ? [] : [`${piece.text}: ${piece.meaning}`],
  );
}

describe("the terms in a text", () => {
  it("are found by their words, the longest first, at the beginning of a sentence too", () => {
    expect(termsIn("Leader 1 begins epoch 2; the partition epoch is 3.")).toEqual([
      "Leader: Decides.",
      "epoch: Counts leaders.",
      "partition epoch: Counts changes.",
    ]);
    expect(termsIn("min.insync.replicas is 2.")).toEqual(["min.insync.replicas: How many."]);
  });

  it("are not found inside other words and names", () => {
    expect(
      termsIn("isr, ISRs, leadership, unclean.leader.election.enable, leader-epoch-checkpoint"),
    ).toEqual([]);
  });

  it("are not the names of clients, of which they are part everywhere else", () => {
    const pieces = termPieces(
      glossaryOf(catalogue, "en"),
      "Consumer leader reads m1 from leader 1.",
      undefined,
      new Set(["leader"]),
    );

    expect(pieces.map(({ text, meaning }) => [text, meaning])).toEqual([
      ["Consumer leader reads m1 from ", null],
      ["leader", "Decides."],
      [" 1.", null],
    ]);
  });

  it("are found between Chinese characters", () => {
    expect(termsIn("broker 1 的ISR和高水位", "zh")).toEqual([
      "ISR: 同步。",
      "高水位: 已提交到这里。",
    ]);
  });

  it("are explained where they are first named, and the text stays whole", () => {
    const pieces = termPieces(glossaryOf(catalogue, "en"), "The leader asks the leader.");

    expect(pieces.filter(({ meaning }) => meaning !== null)).toHaveLength(1);
    expect(pieces.map(({ text }) => text).join("")).toBe("The leader asks the leader.");
  });

  it("give their meanings alone for a label", () => {
    expect(meaningsIn(glossaryOf(catalogue, "en"), "leads, epoch 2, ISR {1}")).toEqual([
      "Counts leaders.",
      "In sync.",
    ]);
    expect(meaningsIn(glossaryOf(catalogue, "en"), "registers")).toEqual([]);
  });

  it("are explained once in texts that are read together", () => {
    const texts = termPiecesOf(glossaryOf(catalogue, "en"), [
      "The leader asks.",
      "The leader has an epoch.",
    ]);

    expect(
      texts.map((pieces) =>
        pieces.filter(({ meaning }) => meaning !== null).map(({ text }) => text),
      ),
    ).toEqual([["leader"], ["epoch"]]);
  });

  it("are none where there is no glossary", () => {
    const none: Catalogue = {
      sources: {},
      languages: { en: { ...SILENT, terms: {}, term_words: {} } },
    };

    expect(glossaryOf(none, "en")).toBeNull();
    expect(termPieces(null, "The leader.")).toEqual([{ text: "The leader.", meaning: null }]);
  });
});
