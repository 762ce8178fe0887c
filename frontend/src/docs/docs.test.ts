import { describe, expect, it } from "vitest";

import { copied } from "./copied-text";
import { preferredAddress } from "./language";

describe("what is copied", () => {
  it("is the block", () => {
    expect(copied("a: 1\nb: 2\n", "yaml")).toBe("a: 1\nb: 2\n");
  });

  it("is the commands of a terminal, whole and without prompts", () => {
    const session = "$ highwater run s26 \\\n    --kafka 0.11\nfirst line\n$ highwater list\n";

    expect(copied(session, "console")).toBe(
      "highwater run s26 \\\n    --kafka 0.11\nhighwater list",
    );
  });
});

describe("the language that was chosen before", () => {
  it("is asked for where the address names none", () => {
    expect(preferredAddress(new URL("https://h/docs/how-to/share?x=1#a"), "en", "zh")).toBe(
      "https://h/docs/how-to/share?x=1&lang=zh#a",
    );
  });

  it("is not, where the address names one or the page has it", () => {
    expect(preferredAddress(new URL("https://h/docs?lang=en"), "en", "zh")).toBeNull();
    expect(preferredAddress(new URL("https://h/docs"), "zh", "zh")).toBeNull();
  });
});
