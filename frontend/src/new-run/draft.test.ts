import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiError, type DraftPreview } from "../service/api";
import { Draft } from "./draft.svelte";
import { changed } from "./draft-document";

const TEXT = 'id: mine\nkafka: "3.9"\nbrokers: [1]\n';
const preview = { kafka: "3.9" } as DraftPreview;

describe("a draft", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is one text for the form and the file, with one undo", () => {
    const draft = new Draft(TEXT, { checkDraft: () => Promise.resolve(preview) });

    draft.write(changed(draft.text, [[["kafka"], "4.1"]])); // the form
    draft.write(`${draft.text}seed: 2\n`); // the file

    expect(draft.shape?.kafka).toBe("4.1");
    draft.undo();
    draft.undo();
    expect(draft.text).toBe(TEXT);
    expect(draft.shape?.kafka).toBe("3.9");
    expect(draft.canUndo).toBe(false);
    draft.redo();
    expect(draft.shape?.kafka).toBe("4.1");
  });

  it("stays behind the last step while steps are added, and undo takes the playhead back", () => {
    const steps = (count: number): string => `${TEXT}steps:\n${"  - settle: {}\n".repeat(count)}`;
    const draft = new Draft(steps(2), { checkDraft: () => Promise.resolve(preview) });
    expect(draft.after).toBe(2);

    draft.write(steps(3));
    expect(draft.after).toBe(3);
    draft.show(1);
    draft.write(steps(4), 2);
    expect(draft.after).toBe(2);
    draft.undo();
    expect(draft.after).toBe(1);
    draft.undo();
    expect(draft.after).toBe(2);
    draft.redo();
    expect([draft.after, draft.text]).toEqual([1, steps(3)]);
  });

  it("is judged once it rests, and an answer to an earlier text is dropped", async () => {
    const answers: ((found: DraftPreview) => void)[] = [];
    const checkDraft = vi.fn(() => new Promise<DraftPreview>((resolve) => answers.push(resolve)));
    const draft = new Draft(TEXT, { checkDraft });

    draft.write(`${TEXT}a: 1\n`);
    draft.write(`${TEXT}b: 1\n`);
    vi.advanceTimersByTime(300);
    expect(checkDraft).toHaveBeenCalledOnce();
    draft.write(`${TEXT}c: 1\n`);
    vi.advanceTimersByTime(300);
    answers[1]?.({ ...preview, kafka: "new" });
    await vi.advanceTimersByTimeAsync(0);
    answers[0]?.({ ...preview, kafka: "old" });
    await vi.advanceTimersByTimeAsync(0);

    expect(draft.preview?.kafka).toBe("new");
    expect(draft.right).toBe(true);
  });

  it("keeps the last state that was right while something is wrong", async () => {
    const wrong = new ApiError(
      422,
      "invalid_scenario",
      "no",
      [{ where: "/scenario_text/seed", message: "seed must be an integer", line: 4, column: 7 }],
      null,
      "",
      7,
    );
    const draft = new Draft(TEXT, {
      checkDraft: (text) => (text === TEXT ? Promise.resolve(preview) : Promise.reject(wrong)),
    });
    await draft.check();

    draft.write(`${TEXT}seed: x\n`);
    await draft.check();

    expect(draft.problems).toEqual([
      { where: "/seed", message: "seed must be an integer", line: 4, column: 7 },
    ]);
    expect(draft.moreProblems).toBe(7);
    expect(draft.preview).toBe(preview);
    expect(draft.right).toBe(false);
  });
});
