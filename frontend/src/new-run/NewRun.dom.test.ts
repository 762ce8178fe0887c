import { fireEvent, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { render, renderIn } from "../language/render-fixture";
import { keepRun, keepShare, keyOf } from "../service/kept-runs";
import { ui } from "../site/ui-fixture";
import { textsIn } from "../trace";
import { catalogue, repair } from "../trace/fixtures";
import forms from "./fixtures/step-forms.json";
import NewRun from "./NewRun.svelte";
import { SMALL_CLUSTER } from "./scenario-text";
import { draft, editCluster, json, lastDraft, right, serve, wrong } from "./new-run-fixture";

describe("building one's own", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => vi.unstubAllGlobals());

  it("starts with a valid cluster, which can be run unchanged", async () => {
    const sent = serve({
      ...right,
      "POST /api/v1/sessions": () =>
        json(
          { id: "abc", kafka: "3.9", owner_key: "k", words: { title: { en: "Mine", zh: "我的" } } },
          201,
        ),
    });
    const onstart = vi.fn();
    render(NewRun, { props: { ui, catalogue, onstart } });
    await vi.waitFor(() =>
      expect(screen.getByRole("region", { name: "Stage" })).toHaveTextContent("Broker 1"),
    );

    await fireEvent.click(screen.getByRole("button", { name: "Run it" }));

    await vi.waitFor(() => expect(onstart).toHaveBeenCalledWith("abc", null));
    expect(sent.at(-1)?.body).toEqual({ scenario_text: SMALL_CLUSTER, owned: true });
    expect(keyOf("abc")).toBe("k");
  });

  it("leads the keyboard past the buttons of the steps to the stage", async () => {
    serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    await fireEvent.click(await screen.findByRole("link", { name: "Skip to the stage" }));

    expect(screen.getByRole("heading", { name: "Stage" })).toHaveFocus();
  });

  it("keeps the button focusable while the service starts the run", async () => {
    serve({ ...right, "POST /api/v1/sessions": () => new Promise<Response>(() => undefined) });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await vi.waitFor(() =>
      expect(screen.getByRole("region", { name: "Stage" })).toHaveTextContent("Broker 1"),
    );
    const run = screen.getByRole("button", { name: "Run it" });

    await fireEvent.click(run);

    // A disabled button would lose the focus, and it would not come back.
    expect(run).toHaveAttribute("aria-disabled", "true");
    expect(run).toBeEnabled();
  });

  it("offers nothing to edit until the file of a run is there", async () => {
    const sent = serve({
      ...right,
      "GET /api/v1/sessions/mine/file?at=7": () =>
        json({ scenario_text: "scenario: 1\nid: mine\n" }),
    });

    render(NewRun, {
      props: { ui, catalogue, from: { session: "mine", at: 7 }, onstart: () => undefined },
    });

    expect(screen.queryByRole("tab")).toBeNull();
    expect(screen.getByRole("button", { name: "Run it" })).toHaveAttribute("aria-disabled", "true");
    expect(await screen.findByRole("tab", { name: "File" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await vi.waitFor(() => expect(lastDraft(sent)).toBe("scenario: 1\nid: mine\n"));
  });

  it("writes what the form changes into the file, and undo takes it back", async () => {
    const sent = serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    await editCluster();
    await fireEvent.click(await screen.findByRole("button", { name: "+ broker" }));
    await vi.waitFor(() =>
      expect(lastDraft(sent)).toBe(
        SMALL_CLUSTER.replace("[1, 2, 3]\nconfigs", "[1, 2, 3, 4]\nconfigs"),
      ),
    );

    await fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    await vi.waitFor(() => expect(lastDraft(sent)).toBe(SMALL_CLUSTER));
  });

  it.each(["en", "zh"])("says what a setting means, in %s", async (lang) => {
    const setting = {
      name: "min.insync.replicas",
      kind: "number",
      default: 1,
      least: 1,
      most: 9,
      choices: [],
      scopes: ["cluster"],
    };
    serve({
      ...right,
      "GET /api/v1/versions/3.9/settings?control=kraft": () => json({ settings: [setting] }),
    });
    renderIn(lang)(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await editCluster(lang === "en" ? "Cluster" : "集群");

    expect(
      await screen.findByText(
        lang === "en" ? "acks=all needs 2 in-sync replicas" : "acks=all 需要 2 个同步副本",
      ),
    ).toBeInTheDocument();

    const field = screen.getByRole("textbox", { name: "min.insync.replicas" });
    await fireEvent.change(field, { target: { value: "two" } });
    await vi.waitFor(() => expect(screen.queryByText(/^acks=all (needs|需要)/)).toBeNull());
  });

  it("moves steps, adds a note in place and takes a step away", async () => {
    const sent = serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    await fireEvent.click(await screen.findByRole("button", { name: "Move step 2 up" }));
    await fireEvent.click(screen.getByRole("button", { name: "Add a note after step 1" }));
    const note = screen.getByRole("textbox", { name: "Note after step 1" });
    expect(note).toHaveValue("");
    expect(note).toHaveAttribute("placeholder", "What happens here, and why?");
    await fireEvent.change(note, { target: { value: "Look here" } });
    expect(screen.getByRole("textbox", { name: "Note after step 1" })).toHaveValue("Look here");
    expect(screen.queryByRole("button", { name: "Show the cluster after step 3" })).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Remove step 2" }));

    await vi.waitFor(() =>
      expect(lastDraft(sent)).toMatch(
        /steps:\n {2}- fetch: \{broker: 2\}\n {2}- note: Look here\n$/,
      ),
    );
  });

  it("edits the arguments of a step in place, and keeps the playhead", async () => {
    const sent = serve({ ...right, "GET /api/v1/steps": () => json({ steps: forms }) });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await fireEvent.click(
      await screen.findByRole("button", { name: "Show the cluster after step 2" }),
    );
    await vi.waitFor(() => expect(sent.at(-1)?.body.after).toBe(2));
    // Its response is there: the form offers what the state before the step has.
    await new Promise((done) => setTimeout(done));

    await fireEvent.click(screen.getByRole("button", { name: /^Edit step 1: / }));
    await fireEvent.input(screen.getByRole("textbox", { name: "values" }), {
      target: { value: "m7" },
    });
    await fireEvent.click(screen.getByRole("button", { name: "Apply" }));

    await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await vi.waitFor(() =>
      expect(sent.at(-1)?.body).toEqual({
        scenario_text: SMALL_CLUSTER.replace("[m6]", "[m7]"),
        after: 2,
      }),
    );
  });

  it.each([
    ["en", "My run", "step"],
    ["zh", "我的运行", "步骤"],
  ])("has no word of the file's format in the form, in %s", async (lang, title, step) => {
    const text = `${SMALL_CLUSTER}  - expect: {violated: [NoAckedRecordLost]}\n`;
    const sent = serve({
      ...right,
      "GET /api/v1/steps": () => json({ steps: forms }),
      "GET /api/v1/sessions/mine/file?at=7": () => json({ scenario_text: text }),
    });
    const mine = { session: "mine", at: 7 };
    const { unmount } = renderIn(lang)(NewRun, {
      props: { ui, catalogue, onstart: () => undefined },
    });
    expect(await screen.findByDisplayValue(title)).toBeInTheDocument();
    expect(lastDraft(sent)).toBe(SMALL_CLUSTER.replace("My run", title));
    unmount();

    renderIn(lang)(NewRun, { props: { ui, catalogue, from: mine, onstart: () => undefined } });
    const [steps] = await screen.findAllByRole("tab");
    await fireEvent.click(steps as HTMLElement);
    await screen.findByRole("button", { name: `+ ${step}` });
    await vi.waitFor(() => expect(screen.getAllByRole("option").length).toBeGreaterThan(10));

    const form = screen.getByRole("tabpanel").textContent;
    expect(form).not.toMatch(/[a-z]+_[a-z]+|NoAckedRecordLost|[{}]/);
  });

  it.each([
    [
      "en",
      "Expectation Kafka ≥2.7 · t-0: leader 1; ISR 1, 2; broker 1: log m1 · m2 e1, LEO 2, HW 1; acked m1; nothing is lost; An acknowledged record is lost",
      "Expectation c1 has read nothing; nothing is violated",
    ],
    [
      "zh",
      "预期 Kafka ≥2.7 · t-0：leader 1；ISR 1、2；broker 1：日志 m1 · m2 e1、LEO 2、HW 1；已确认 m1；没有消息丢失；一条已确认的消息丢失了",
      "预期 c1 什么也没读到；没有违反任何性质",
    ],
  ])("says what the author expects, in %s", async (lang, expected, other) => {
    const text = `${SMALL_CLUSTER}  - expect:
      kafka: ">=2.7"
      partition: t-0
      leader: 1
      isr: [1, 2]
      replicas: {1: {log: "m1 m2/1", leo: 2, hw: 1}}
      acked: [m1]
      lost: []
      violated: [NoAckedRecordLost]
  - expect: {read: {c1: []}, violated: []}
`;
    serve({
      ...right,
      "GET /api/v1/steps": () => json({ steps: forms }),
      "GET /api/v1/sessions/mine/file?at=7": () => json({ scenario_text: text }),
    });
    const changes = { leader: "leader", isr: "ISR", log_end_offset: "LEO", high_watermark: "HW" };
    const languages = { [lang]: { ...textsIn(catalogue, lang), changes } };
    renderIn(lang)(NewRun, {
      props: {
        ui,
        catalogue: { ...catalogue, languages },
        from: { session: "mine", at: 7 },
        onstart: () => undefined,
      },
    });

    const [steps] = await screen.findAllByRole("tab");
    await fireEvent.click(steps as HTMLElement);
    const panel = within(screen.getByRole("tabpanel"));
    await vi.waitFor(() => expect(panel.getAllByRole("listitem")).toHaveLength(5));
    const rows = panel.getAllByRole("listitem");
    expect(rows[3]).toHaveTextContent(expected);
    expect(rows[4]).toHaveTextContent(other);
    expect(within(rows[4] as HTMLElement).getAllByRole("button")[0]).toHaveAccessibleName(
      new RegExp(other.split(" ").slice(1).join(" ")),
    );
  });

  it("shows the end of the steps, and beside the cluster's form the state before them", async () => {
    const sent = serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await vi.waitFor(() => expect(sent.at(-1)?.body.after).toBe(2));
    const stepOne = screen.getByRole("button", { name: "Show the cluster after step 1" });
    await fireEvent.click(stepOne);
    await vi.waitFor(() => expect(sent.at(-1)?.body.after).toBe(1));
    expect(stepOne).toHaveAttribute("aria-current", "step");

    await editCluster();
    await vi.waitFor(() => expect(sent.at(-1)?.body.after).toBe(0));
    await editCluster("Steps");

    await vi.waitFor(() => expect(sent.at(-1)?.body.after).toBe(1));
  });

  it("starts the run at the moment that is shown, to share it", async () => {
    serve({
      "POST /api/v1/drafts": () =>
        json({ ...draft, frame: { ...(repair[0] as object), frame: 6 } }),
      "POST /api/v1/sessions": () =>
        json(
          { id: "abc", kafka: "3.9", owner_key: "k", words: { title: { en: "M", zh: "我" } } },
          201,
        ),
    });
    const onstart = vi.fn();
    render(NewRun, { props: { ui, catalogue, onstart } });
    await screen.findByRole("region", { name: "Stage" });

    await fireEvent.click(screen.getByRole("button", { name: "Share" }));

    await vi.waitFor(() => expect(onstart).toHaveBeenCalledWith("abc", 6));
  });

  it("refuses an edit with the one error at its field, and changes nothing", async () => {
    const problem = {
      where: "/scenario_text/steps/1/fetch/broker",
      message: "there is no broker 9",
      line: 17,
      column: 5,
    };
    const answers: Record<string, (body: unknown) => Response> = {
      ...right,
      "GET /api/v1/steps": () => json({ steps: forms }),
    };
    const sent = serve(answers);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await vi.waitFor(() =>
      expect(screen.getByRole("region", { name: "Stage" })).toHaveTextContent("Broker 1"),
    );
    await vi.waitFor(() => expect(screen.getByRole("button", { name: "+ step" })).toBeEnabled());
    await fireEvent.click(screen.getByRole("button", { name: /^Edit step 2: / }));
    answers["POST /api/v1/drafts"] = () => json({ ...wrong, errors: [problem] }, 422);
    const broker = screen.getByRole("combobox", { name: "broker" });
    await fireEvent.change(broker, { target: { value: "3" } });
    const before = sent.length;
    await fireEvent.click(screen.getByRole("button", { name: "Apply" }));

    expect(await screen.findByRole("alert")).toHaveTextContent("there is no broker 9");
    expect(broker).toHaveAccessibleDescription("there is no broker 9");
    expect(sent.slice(before).map(({ body }) => body.scenario_text)).toEqual([
      SMALL_CLUSTER.replace("fetch: {broker: 2}", "fetch: {broker: 3}"),
    ]);
    answers["POST /api/v1/drafts"] = () => json(draft);
    await fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
  });

  it("names the form's label in an error, and in the file its key", async () => {
    const said = { en: "as must be text", zh: "“as”必须是文本" };
    const named = { ...wrong.errors[0], where: "/scenario_text/steps/0/produce/as", said };
    serve({
      "POST /api/v1/drafts": () => json({ ...wrong, errors: [named] }, 422),
      "GET /api/v1/steps": () => json({ steps: forms }),
    });
    renderIn("zh")(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    await vi.waitFor(() => {
      for (const alert of screen.getAllByRole("alert"))
        expect(alert).toHaveTextContent("“客户端”必须是文本");
    });
    expect(screen.getAllByRole("alert")).toHaveLength(2);
    await editCluster("文件");
    expect(await screen.findByRole("alert")).toHaveTextContent("“as”必须是文本");
  });

  it("keeps the focus on undo when nothing is left to undo", async () => {
    const sent = serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await editCluster();
    await fireEvent.click(await screen.findByRole("button", { name: "+ broker" }));
    const undo = screen.getByRole("button", { name: "Undo" });
    await vi.waitFor(() => expect(lastDraft(sent)).toContain("brokers: [1, 2, 3, 4]"));
    undo.focus();

    await fireEvent.click(undo);
    await vi.waitFor(() => expect(lastDraft(sent)).toBe(SMALL_CLUSTER));

    expect(undo).toHaveAttribute("aria-disabled", "true");
    expect(undo).toBeEnabled();
    expect(undo).toHaveFocus();
  });

  it("moves the focus from a removed broker to the next one, and keeps it on the last", async () => {
    const sent = serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await editCluster();
    const remove = (broker: number) =>
      screen.findByRole("button", { name: `Remove broker ${String(broker)}` });
    const first = await remove(1);
    first.focus();

    await fireEvent.click(first);
    const second = await remove(2);
    await vi.waitFor(() => expect(second).toHaveFocus());
    await fireEvent.click(second);
    const third = await remove(3);
    await vi.waitFor(() => expect(third).toHaveFocus());
    await fireEvent.click(third);
    await vi.waitFor(() => expect(lastDraft(sent)).toContain("brokers: [3]"));

    expect(third).toBeInTheDocument();
    expect(third).toHaveFocus();
  });

  it("keeps the focus on a stepper's button at the end of its range", async () => {
    const sent = serve(right);
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await editCluster();
    const fewer = await screen.findByRole("button", { name: /^Replicas.* −$/ });
    fewer.focus();

    for (let clicks = 0; clicks < 3; clicks += 1) await fireEvent.click(fewer);
    await vi.waitFor(() => expect(lastDraft(sent)).toContain("replicas: [1]"));

    expect(fewer).toHaveAttribute("aria-disabled", "true");
    expect(fewer).toHaveFocus();
  });

  it("cannot be run while it has errors, shows their places, and keeps the last valid state", async () => {
    let answer = json(draft);
    serve({ "POST /api/v1/drafts": () => answer });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await screen.findByRole("region", { name: "Stage" });
    answer = json(wrong, 422);

    await editCluster();
    await fireEvent.click(screen.getByRole("button", { name: "+ broker" }));

    expect(await screen.findByRole("alert")).toHaveTextContent(
      "✖ 1 error line 4, column 8 there is no Kafka 9",
    );
    expect(screen.getByRole("button", { name: "Run it" })).toHaveAttribute("aria-disabled", "true");
    expect(screen.getByText("the last valid state")).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Stage" })).toHaveTextContent("Broker 1");
  });

  it("shows errors in the reader's language", async () => {
    const said = { en: "there is no Kafka 9", zh: "没有 Kafka 9" };
    const named = { ...wrong, errors: [{ ...wrong.errors[0], said }] };
    serve({
      "POST /api/v1/drafts": () => json(named, 422),
      "POST /api/v1/imports": () =>
        json(
          {
            ...named,
            errors: [
              {
                where: "/files/0/text",
                message: "what is it",
                line: 1,
                column: 1,
                said: { en: "what is it", zh: "无法识别" },
              },
            ],
          },
          422,
        ),
    });
    renderIn("zh")(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    expect(await screen.findByRole("alert")).toHaveTextContent("没有 Kafka 9");

    await fireEvent.click(screen.getByRole("tab", { name: "导入" }));
    await fireEvent.input(screen.getByRole("textbox", { name: "工具的输出" }), {
      target: { value: "Topic: t" },
    });
    await fireEvent.click(screen.getByRole("button", { name: "读取" }));
    expect(await screen.findByText("无法识别")).toBeInTheDocument();
  });

  it("creates a cluster from the output of tools, and lists the interpretations and assumptions", async () => {
    const made = {
      scenario_text: SMALL_CLUSTER.replace("my-run", "theirs"),
      kafka: "3.9",
      understood: [
        {
          name: "topic",
          text: { en: "Topic t: 1 partition", zh: "t" },
          file: "pasted",
          line: 1,
          last_line: 2,
        },
      ],
      unknown: [
        {
          name: "memory",
          text: { en: "Not printed by any tool", zh: "没有" },
          file: null,
          line: null,
          last_line: null,
        },
      ],
      not_used: [
        {
          name: "not_used_broker_log",
          text: { en: "Lines of a log", zh: "日志" },
          file: "pasted",
          line: 3,
          last_line: 5,
        },
      ],
      differences: [],
    };
    const sent = serve({ ...right, "POST /api/v1/imports": () => json(made) });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    await fireEvent.click(screen.getByRole("tab", { name: "Import" }));
    await fireEvent.input(screen.getByRole("textbox", { name: "Output of the tools" }), {
      target: { value: "Topic: t" },
    });
    await fireEvent.click(screen.getByRole("button", { name: "Read it" }));

    expect(await screen.findByText("Not printed by any tool")).toBeInTheDocument();
    expect(screen.getByText("✓ 1–2")).toBeInTheDocument();
    expect(screen.getByText("– 3–5")).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "Different from the input" })).toBeNull();
    expect(sent.find(({ address }) => address.endsWith("/imports"))?.body).toEqual({
      files: [{ name: "pasted", text: "Topic: t" }],
    });
    await vi.waitFor(() => expect(lastDraft(sent)).toBe(made.scenario_text));
  });

  it("names each line that cannot be parsed", async () => {
    const problem = {
      status: 422,
      code: "unreadable_input",
      errors: [
        { where: "/files/0/text", message: "this line cannot be parsed", line: 7, column: 1 },
      ],
    };
    serve({ ...right, "POST /api/v1/imports": () => json(problem, 422) });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });

    await fireEvent.click(screen.getByRole("tab", { name: "Import" }));
    await fireEvent.input(screen.getByRole("textbox", { name: "Output of the tools" }), {
      target: { value: "hello" },
    });
    await fireEvent.click(screen.getByRole("button", { name: "Read it" }));

    expect(await screen.findByRole("alert")).toHaveTextContent("7 this line cannot be parsed");
  });

  it("lists the runs and shares of this browser, and deletes a share with its key", async () => {
    keepRun({
      session: "mine",
      key: "k",
      title: { en: "A loss", zh: "丢失" },
      kafka: "2.0.1",
      made: 1,
      acted: true,
      name: null,
    });
    keepShare({ sid: "s1", token: "t1", title: "Shown", made: 1, name: null });
    const sent = serve({
      ...right,
      "DELETE /api/v1/shares/s1": () => new Response(null, { status: 204 }),
    });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    const mine = screen.getByRole("region", { name: "My runs" });

    await fireEvent.change(within(mine).getByRole("textbox", { name: "Name of A loss" }), {
      target: { value: "Ours" },
    });
    expect(within(mine).getByRole("textbox", { name: "Name of Ours" })).toBeInTheDocument();
    await fireEvent.click(within(mine).getByRole("button", { name: "Delete Shown" }));
    await fireEvent.click(within(mine).getByRole("button", { name: "Delete for everyone" }));

    await vi.waitFor(() =>
      expect(within(mine).queryByRole("textbox", { name: "Name of Shown" })).toBeNull(),
    );
    expect(sent.some(({ address }) => address === "/api/v1/shares/s1")).toBe(true);
    await fireEvent.click(
      within(mine).getByRole("button", { name: /^Remove from the list: Ours/ }),
    );
    expect(keyOf("mine")).toBeNull();
  });

  it("reports a shipped scenario that cannot be loaded, and keeps the text unchanged", async () => {
    const sent = serve({
      ...right,
      "GET /api/v1/scenarios": () =>
        json({ scenarios: [{ id: "s1", title: { en: "One", zh: "一" } }] }),
      "GET /api/v1/scenarios/s1": () =>
        json({ status: 500, code: "internal", detail: "Something broke.", errors: [] }, 500),
    });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    await screen.findByRole("option", { name: "One" });

    await fireEvent.change(screen.getByRole("combobox", { name: "Start from" }), {
      target: { value: "s1" },
    });

    expect(await screen.findByRole("alert")).toHaveTextContent("Something broke.");
    expect(lastDraft(sent)).toBe(SMALL_CLUSTER);
  });
});
