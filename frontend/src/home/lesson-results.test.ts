import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";

import type { LessonLibrary } from "../service/api";
import LessonResults from "./LessonResults.svelte";

describe("the results of a search", () => {
  afterEach(cleanup);

  it("lead to what is left out, although no lesson has the words", () => {
    const title = { en: "retention and deleted records", zh: "保留策略和删除的消息" };
    const leftOut = [{ id: "retention", title, means: title, address: "/fidelity?q=retention.%2A" }];
    render(LessonResults, { props: { library: { versions: [] } as unknown as LessonLibrary, lessons: [], found: [], leftOut, title: "retention", progress: { done: [], left: null } as never, lang: "zh" } });

    expect(screen.getByRole("link", { name: "没有模拟：保留策略和删除的消息" })).toHaveAttribute("href", "/fidelity?q=retention.%2A");
  });
});
