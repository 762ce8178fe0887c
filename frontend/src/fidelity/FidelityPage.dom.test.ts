import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import { api, type Fidelity } from "../service/api";
import { ui } from "../site/ui-fixture";
import FidelityPage from "./FidelityPage.svelte";

const TOLD: Fidelity = {
  sections: [{ name: "modelled", paragraphs: [], rows: [["fetch", "A loop.", "KIP-903"]] }],
  translations: {
    zh: [{ name: "modelled", paragraphs: [], rows: [["拉取", "循环进行。", "KIP-903"]] }],
  },
  recordings: [],
  releases: [],
  cases: 1,
  cases_in_part: 0,
};
const NOTE = "以下内容为英文原文，与代码一同维护。";

function show(told: Fidelity): void {
  vi.spyOn(api, "readFidelity").mockResolvedValue(told);
  renderIn("zh")(FidelityPage, {
    props: { ui },
  });
}

describe("the page of fidelity in Chinese", () => {
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
  });

  it("has its rows in Chinese", async () => {
    show(TOLD);

    expect((await screen.findByText("拉取")).closest("[lang]")).toHaveAttribute("lang", "zh");
    expect(screen.queryByText(NOTE)).toBeNull();
  });

  it("has them in English, with a note, if they are not translated", async () => {
    show({ ...TOLD, translations: {} });

    expect((await screen.findByText("fetch")).closest("[lang]")).toHaveAttribute("lang", "en");
    expect(screen.getByText(NOTE)).toBeInTheDocument();
  });
});
