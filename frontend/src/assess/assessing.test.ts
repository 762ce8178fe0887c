import { describe, expect, it, vi } from "vitest";

import type { AssessmentPage, AssessmentQuestion, Searches } from "../service/assessments";
import { Assessing } from "./assessing.svelte";
import { kind, page, PAYMENTS } from "./page-fixture";
import type { PasteMemory } from "./paste-memory";
import { Searching } from "./searching.svelte";

const ASKED: AssessmentQuestion = { files: [{ name: "pasted", text: "Topic: t" }] };
const PASTED = page([PAYMENTS]);

interface Asked {
  readonly question: AssessmentQuestion;
  readonly onpage: (page: AssessmentPage) => void;
  readonly answer: (page: AssessmentPage) => void;
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
}

function service() {
  const asked: Asked[] = [];
  const ask = vi.fn(
    (
      question: AssessmentQuestion,
      onpage: (page: AssessmentPage) => void,
      signal: AbortSignal,
    ): Promise<AssessmentPage> =>
      new Promise((answer, fail) => asked.push({ question, onpage, answer, fail, signal })),
  );
  const search = vi.fn((_question: AssessmentQuestion, partition: string): Promise<Searches> =>
    Promise.resolve({ partition, searches: [], running: null, is_interrupted: false }),
  );
  return { asked, ask, search, assessing: new Assessing(ask, new Searching(search)) };
}

describe("a cluster that is assessed", () => {
  it("shows the cells as they come, and no old one after a setting was changed", async () => {
    const { asked, assessing } = service();
    const read = assessing.read(ASKED);
    asked[0]?.onpage(PASTED);
    expect(assessing.page?.kinds[0]?.cells.power_loss.verdict).toBe("can_lose");
    asked[0]?.answer(PASTED);
    await read;

    void assessing.change("acks", "1");

    expect(asked[1]?.question.settings).toEqual({ acks: "1" });
    expect(assessing.page?.kinds[0]?.cells.power_loss.verdict).toBeNull();
    expect(assessing.page?.is_complete).toBe(false);
  });

  it("takes a change back by the pasted value, without asking again", async () => {
    const { asked, assessing } = service();
    const read = assessing.read(ASKED);
    asked[0]?.answer(PASTED);
    await read;
    const changed = assessing.change("acks", "1");
    asked[1]?.answer(page([]));
    await changed;

    await assessing.change("acks", "all");

    expect(assessing.isChanged).toBe(false);
    expect(assessing.page).toBe(PASTED);
    expect(asked).toHaveLength(2);
  });

  it("ignores the answer to an earlier question, which it has ended", async () => {
    const { asked, assessing } = service();
    const read = assessing.read(ASKED);
    asked[0]?.answer(PASTED);
    await read;
    const first = assessing.change("acks", "1");
    const second = assessing.change("acks", "0");

    expect(asked[1]?.signal.aborted).toBe(true);
    asked[1]?.answer(page([]));
    await first;
    expect(assessing.page?.kinds).toHaveLength(1);
    asked[2]?.answer(PASTED);
    await second;
    expect(assessing.page).toBe(PASTED);
  });

  it("searches by itself once the table is complete, and again under other settings", async () => {
    const { asked, search, assessing } = service();
    const read = assessing.read(ASKED);
    asked[0]?.onpage(PASTED);
    expect(search).not.toHaveBeenCalled();
    asked[0]?.answer(page([PAYMENTS, kind(["orders-0"])]));
    await read;
    expect(search.mock.calls.map(([, partition]) => partition)).toEqual(["payments-3"]);
    expect(assessing.shared?.searched).toEqual(["payments-3"]);

    assessing.selected = "orders-0";
    const changed = assessing.change("acks", "1");
    expect(assessing.searching.found).toEqual([]);
    asked[1]?.answer(page([PAYMENTS, kind(["orders-0"])]));
    await changed;

    expect(search.mock.calls[1]?.[0].settings).toEqual({ acks: "1" });
    expect(search.mock.calls[1]?.[1]).toBe("orders-0");
  });

  it("asks with the racks that differ from the pasted ones, and takes them back", async () => {
    const { asked, assessing } = service();
    const racks = [
      { broker: 1, rack: "a", pasted: "a" },
      { broker: 2, rack: null, pasted: null },
    ];
    const read = assessing.read(ASKED);
    asked[0]?.answer(page([PAYMENTS], { racks }));
    await read;

    void assessing.place({ 1: "", 2: "b" });
    expect(asked[1]?.question.racks).toEqual({ 1: "", 2: "b" });
    expect(assessing.isChanged).toBe(true);
    await assessing.place({ 1: "a", 2: "" });

    expect(assessing.isChanged).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it("keeps what is computed when it is stopped, and says so", () => {
    const { asked, assessing } = service();
    void assessing.read(ASKED);
    asked[0]?.onpage(PASTED);

    assessing.stop();

    expect(asked[0]?.signal.aborted).toBe(true);
    expect(assessing.stopped).toBe(true);
    expect(assessing.page).toBe(PASTED);
  });

  it("has the reason why there is no verdict", async () => {
    const { asked, assessing } = service();
    const read = assessing.read(ASKED);
    const error = new Error("9 lines cannot be parsed");
    asked[0]?.fail(error);
    await read;

    expect(assessing.failed).toBe(error);
    expect(assessing.page).toBeNull();
  });
});

function tab() {
  let kept: AssessmentQuestion | null = null;
  const memory: PasteMemory = { read: () => kept, write: (question) => (kept = question) };
  return memory;
}

const HIDDEN: AssessmentQuestion = { files: [{ name: "pasted", text: "password=…" }] };
const settled = () => new Promise((done) => setTimeout(done));

describe("what a tab keeps", () => {
  it("is the text without secrets, with the changed settings, and a reload asks it again", async () => {
    const [{ asked, ask }, memory] = [service(), tab()];
    const hide = vi.fn(() => Promise.resolve({ ...HIDDEN, kafka: "3.9" }));
    const before = new Assessing(ask, new Searching(), memory, hide);
    void before.read({ files: [{ name: "pasted", text: "password=x" }], kafka: "3.9" });
    expect(memory.read(), "not before the secrets are dropped").toBeNull();
    await settled();
    asked[0]?.answer(PASTED);
    await settled();
    void before.change("acks", "1");

    const after = new Assessing(ask, new Searching(), memory, hide);
    void after.restore();

    expect(memory.read()).toEqual({ ...HIDDEN, kafka: "3.9", settings: { acks: "1" }, racks: {} });
    expect(asked.at(-1)?.question).toEqual({
      ...HIDDEN,
      kafka: "3.9",
      settings: { acks: "1" },
      racks: {},
    });
    expect(after.changes).toEqual({ acks: "1" });
    expect(hide).toHaveBeenCalledTimes(1);
  });

  it("is nothing if the secrets cannot be dropped, and never the text before", async () => {
    const [{ ask }, memory] = [service(), tab()];
    memory.write(HIDDEN);
    const assessing = new Assessing(ask, new Searching(), memory, () =>
      Promise.reject(new Error("gone")),
    );

    void assessing.read(ASKED);
    await settled();

    expect(memory.read()).toBeNull();
  });
});
