import { fireEvent, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { render, renderIn } from "../language/render-fixture";
import { ui } from "../site/ui-fixture";
import { catalogue, repair } from "../trace/fixtures";
import forms from "./fixtures/step-forms.json";
import NewRun from "./NewRun.svelte";
import { SMALL_CLUSTER } from "./scenario-text";
import { crash, draft, json, lastDraft, serve, wrong } from "./new-run-fixture";

describe("acting on the stage of what one builds", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => vi.unstubAllGlobals());

  it("adds what is done on the stage as the next step, and undo takes it away", async () => {
    const sent = serve({
      "POST /api/v1/drafts": () => json({ ...draft, choices: [crash] }),
    });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    const act = async (): Promise<void> => {
      const offered = await screen.findByRole("button", { name: "crash" });
      await vi.waitFor(() => expect(offered).toHaveAttribute("aria-disabled", "false"));
      await fireEvent.click(offered);
    };
    const rows = (): (string | null | undefined)[] =>
      screen.getAllByRole("button", { name: /^Edit step/ }).map((one) => one.ariaLabel);

    await act();
    await vi.waitFor(() => expect(rows()).toHaveLength(3));
    expect(sent.at(-1)?.body).toEqual({
      scenario_text: `${SMALL_CLUSTER}  - crash: {broker: 3}\n`,
      after: 3,
    });
    expect(screen.getByText("Step 3 added.")).toBeInTheDocument();

    // After the first step, and behind the note about it.
    await fireEvent.click(screen.getByRole("button", { name: "Add a note after step 1" }));
    await fireEvent.change(screen.getByRole("textbox", { name: "Note after step 1" }), {
      target: { value: "Look" },
    });
    await fireEvent.click(screen.getByRole("button", { name: "Show the cluster after step 1" }));
    expect(screen.getByText(/An action becomes step 2, before/)).toBeInTheDocument();
    await act();
    await vi.waitFor(() => expect(rows()).toHaveLength(4));
    expect(lastDraft(sent)).toMatch(/produce: .*\n {2}- note: Look\n {2}- crash: .*\n {2}- fetch/);
    expect(screen.getByRole("button", { name: "Show the cluster after step 2" })).toHaveAttribute(
      "aria-current",
      "step",
    );

    await fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(rows()).toHaveLength(3);
    expect(screen.getByRole("button", { name: "Show the cluster after step 1" })).toHaveAttribute(
      "aria-current",
      "step",
    );
    expect(screen.queryByText(/added/)).toBeNull();
  });

  it("adds nothing that is not possible, and says why", async () => {
    const answers = {
      "POST /api/v1/drafts": (body: unknown) =>
        (body as { after: number }).after < 3
          ? json({ ...draft, choices: [crash] })
          : json({
              ...draft,
              impossible: [{ item: 2, reason: { en: "it is down", zh: "已宕机" } }],
            }),
    };
    serve(answers);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    const offered = await screen.findByRole("button", { name: "crash" });

    await fireEvent.click(offered);

    expect(await screen.findByRole("alert")).toHaveTextContent("it is down");
    expect(screen.getAllByRole("button", { name: /^Edit step/ })).toHaveLength(2);
    expect(screen.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
  });

  it.each([
    ["possible", true, "crash: {broker: 3}"],
    ["not possible", false, "crash: {broker: 1}"],
  ])("adds a step behind the one shown, as offered if %s", async (_, enabled, step) => {
    const sent = serve({
      "POST /api/v1/drafts": () => json({ ...draft, choices: [{ ...crash, enabled }] }),
      "GET /api/v1/steps": () => json({ steps: forms }),
    });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await vi.waitFor(() => expect(screen.getByRole("button", { name: "+ step" })).toBeEnabled());
    await fireEvent.click(screen.getByRole("button", { name: "Show the cluster after step 1" }));
    await vi.waitFor(() => expect(sent.at(-1)?.body.after).toBe(1));
    await screen.findByText("the cluster after step 1");
    await fireEvent.change(screen.getByRole("combobox", { name: "Kind of step" }), {
      target: { value: "crash" },
    });

    await fireEvent.click(screen.getByRole("button", { name: "+ step" }));

    await vi.waitFor(() =>
      expect(sent.at(-1)?.body).toEqual({
        scenario_text: SMALL_CLUSTER.replace("  - fetch", `  - ${step}\n  - fetch`),
        after: 2,
      }),
    );
  });

  it("shows why a step is not possible beside it, and once", async () => {
    const refused = { ...(repair[0] as object), frame: 2, item: 1 };
    const impossible = [{ item: 1, reason: { en: "broker 2 is down", zh: "broker 2 已宕机" } }];
    serve({ "POST /api/v1/drafts": () => json({ ...draft, frame: refused, impossible }) });
    renderIn("zh")(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    const [, second] = (await screen.findAllByRole("button", { name: /^编辑/ })).map((one) =>
      one.closest("li"),
    );
    await vi.waitFor(() => expect(second).toHaveTextContent("无法执行：broker 2 已宕机。"));
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    expect(screen.getByText("步骤 2 之前的集群（该步骤无法执行）")).toBeInTheDocument();

    await fireEvent.click(screen.getByRole("tab", { name: "集群" }));
    expect(screen.getByText(/1 个步骤无法执行/)).toBeInTheDocument();
  });

  it("shows the state before a step with an error, and the error beside it", async () => {
    const problem = {
      where: "/scenario_text/steps/1/fetch/broker",
      message: "no",
      line: 17,
      column: 5,
    };
    const sent = serve({
      "POST /api/v1/drafts": (body) =>
        (body as { scenario_text: string }).scenario_text.includes("fetch")
          ? json({ ...wrong, errors: [problem] }, 422)
          : json(draft),
    });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    expect(
      await screen.findByText("the cluster before step 2, which is not possible"),
    ).toBeInTheDocument();
    expect(sent.at(-1)?.body).toEqual({
      scenario_text: SMALL_CLUSTER.replace("  - fetch: {broker: 2}\n", ""),
      after: 1,
    });
    expect(screen.getByRole("button", { name: /^Edit step 2/ }).closest("li")).toHaveTextContent(
      "✖ no",
    );
    expect(screen.getByRole("region", { name: "Stage" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Filter actions" })).toBeNull();
  });
});
