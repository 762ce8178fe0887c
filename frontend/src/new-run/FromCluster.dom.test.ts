import { fireEvent, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import FromCluster from "./FromCluster.svelte";

const error = (line: number) => ({
  where: "/files/0/text",
  message: "this line cannot be parsed",
  line,
  column: 1,
});

describe("an import", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["en", "9 lines cannot be parsed", "… and 7 more"],
    ["zh", "9 行无法解析", "……另有 7 个"],
  ] as const)(
    "counts all lines that cannot be parsed, listed or not (%s)",
    async (lang, counted, others) => {
      const problem = {
        status: 422,
        code: "unreadable_input",
        detail: "no",
        errors: [error(1), error(2)],
        more_errors: 7,
      };
      vi.stubGlobal("fetch", () =>
        Promise.resolve(new Response(JSON.stringify(problem), { status: 422 })),
      );
      const { container } = renderIn(lang)(FromCluster, { props: { onmade: () => undefined } });

      await fireEvent.input(container.querySelector("textarea") as HTMLTextAreaElement, {
        target: { value: "x" },
      });
      await fireEvent.click(container.querySelector("button.main") as HTMLButtonElement);

      const alert = await screen.findByRole("alert");
      expect(alert.textContent).toContain(counted);
      expect(alert.textContent).toContain(others);
      expect(alert.querySelectorAll("li")).toHaveLength(3);
    },
  );
});
