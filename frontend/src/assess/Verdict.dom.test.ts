import { screen } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import { page, PAYMENTS } from "./page-fixture";
import Verdict from "./Verdict.svelte";

const OLDER = "If the release is 0.10.2 or older, an unclean election can lose more.";

function showAt(width: number, lang = "en"): void {
  vi.stubGlobal("innerWidth", width);
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const { kafka, ...rest } = page([PAYMENTS]);
  const why = { en: `Its Elr column. ${OLDER}`, zh: "有 Elr 一列。" };
  renderIn(lang)(Verdict, {
    props: {
      page: { ...rest, kafka: { ...kafka, why } },
      onnavigate: () => undefined,
      onpaste: null,
    },
  });
}

afterEach(() => vi.unstubAllGlobals());

describe("the way to the table", () => {
  it.each([390, 1440])("is the first link after the verdict, at %i px", (width) => {
    showAt(width);
    const title = screen.getByRole("heading", { level: 1 });
    const [first] = [...document.querySelectorAll<HTMLElement>("a, button, [tabindex='0']")].filter(
      (one) => (title.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );

    expect(first).toHaveTextContent("Skip to the table");
    first?.click();

    expect(document.activeElement?.closest("#verdicts")).not.toBeNull();
  });
});

describe("what is said of the release", () => {
  it.each([390, 1440])("names an older one that also fits, at %i px", (width) => {
    showAt(width);

    expect(screen.getByText(`Kafka 4.1: Its Elr column. ${OLDER}`)).toBeVisible();
  });

  it("is in the reader's language on a phone", () => {
    showAt(390, "zh");

    expect(screen.getByText(/^Kafka 4\.1：有 Elr 一列。$/)).toBeVisible();
  });
});
