/** What was pasted, as long as the tab is open: a reload shows the same verdict again. The values of secrets are dropped before it is kept. */

import type { AssessmentQuestion } from "../service/assessments";

const KEY = "highwater-my-cluster";

export interface PasteMemory {
  readonly read: () => AssessmentQuestion | null;
  /** Keeps a question, in which there are no secrets; null forgets it. */
  readonly write: (question: AssessmentQuestion | null) => void;
}

function isQuestion(kept: unknown): kept is AssessmentQuestion {
  const files: unknown = (kept as AssessmentQuestion | null)?.files;
  return Array.isArray(files) && files.length > 0;
}

export const pasteMemory: PasteMemory = {
  read: () => {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
      return isQuestion(kept) ? kept : null;
    } catch {
      return null;
    }
  },
  write: (question) => {
    try {
      if (question === null) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(question));
    } catch {
      // Without storage, or if the text is too large for it, a reload begins with an empty page.
    }
  },
};
