import { cleanup, fireEvent, screen, within } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import { render, renderIn } from "../language/render-fixture";
import { api, type Comparison } from "../service/api";
import { propertyText, type Lang, type StoryStep } from "../trace";
import { catalogue, loss } from "../trace/fixtures";
import Compare from "./Compare.svelte";
import { branchSide, scenarioSide, settingsSide, versionSide, type OtherSide } from "./other-side";

const title = { en: "A record vanishes", zh: "消失的消息" };
const atRisk = {
  item: 9,
  item_b: 9,
  frame_a: 9,
  frame_b: 9,
  name: "WeakIsr",
  violated_in: "a" as const,
  first_frame: 9,
};
const lost = {
  item: 13,
  item_b: 13,
  frame_a: 13,
  frame_b: 13,
  name: "NoAckedRecordLost",
  violated_in: "a" as const,
  first_frame: 13,
};
const different = {
  where: "/replicas/t-0/1/log",
  a: "m1",
  b: "m1 m2",
  frame_a: 9,
  frame_b: 9,
  start: [],
  parting: null,
  property: atRisk,
  loss: lost,
  steps: [],
};

const called = (name: string, lang: Lang = "en") =>
  propertyText(catalogue, name, "violated_title", lang);
const run = () => runOf(loss, { at: 14, session: "7h3k", title });
const version = versionSide({ session: "9q", kafka: "0.11", frames: loss, story: [] });

const [onstanding, onfocuslost] = [vi.fn(), vi.fn()];

/** The sentences about a comparison, without their signs and buttons. */
async function sentences(
  found: Partial<Comparison> = {},
  other: OtherSide = version,
  name = "Kafka 0.10.2",
  lang: Lang = "en",
): Promise<string[]> {
  vi.spyOn(api, "compare").mockResolvedValue({ ...different, ...found } as unknown as Comparison);
  renderIn(lang)(Compare, {
    props: {
      run: run(),
      other,
      name,
      partition: "t-0",
      catalogue,
      onclose: () => undefined,
      onfocuslost,
      onstanding,
      children: createRawSnippet(() => ({ render: () => "<p></p>" })),
    },
  });
  const header = within(screen.getByRole("region")).getByRole("banner", { hidden: true });
  await vi.waitFor(() => expect(within(header).queryByRole("status")).toBeNull());
  return within(header)
    .getAllByRole("listitem")
    .map((item) =>
      (item.textContent ?? "").replace(/^[✖◇≠]\s*/u, "").replace(/\s*(show|查看)$/u, ""),
    );
}

beforeEach(() => {
  vi.spyOn(api, "readChoices").mockResolvedValue([]);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("the verdict of a comparison", () => {
  it("is first that only one side loses a record, then the rest", async () => {
    expect(await sentences()).toEqual([
      "Only in Kafka 0.10.2, step 13: An acknowledged record is lost",
      "First difference, step 9: broker 1’s log is m1 in Kafka 0.10.2, m1 m2 in Kafka 0.11",
      `Only in Kafka 0.10.2, step 9: ${called("WeakIsr")}`,
    ]);
    expect(document.querySelectorAll(".loss")).toHaveLength(1);
  });

  it("names a loss on the other side, and the start after it", async () => {
    const [first, second] = await sentences({
      loss: { ...lost, violated_in: "b" },
      start: ["seed"],
    });

    expect(first).toBe("Only in Kafka 0.11, step 13: An acknowledged record is lost");
    expect(second).toBe("Different latencies at the start");
  });

  it("is not repeated as the property that fell first", async () => {
    expect(await sentences({ property: lost })).toHaveLength(2);
  });

  it("has no tone of a loss if neither or both lose a record", async () => {
    expect(await sentences({ loss: null })).toHaveLength(2);
    expect(document.querySelector(".loss")).toBeNull();
  });

  it("leads to the loss, and is scrolled into view once", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    await sentences();
    const [first] = screen.getAllByRole("button", { name: "show" });

    await fireEvent.click(first as HTMLElement);

    expect(scrolled).toHaveBeenCalledOnce();
    expect(scrolled.mock.contexts[0]).toBe(document.querySelector(".comparing > header"));
  });
});

it("tells both sides' reason at the step, each by its own story", async () => {
  vi.spyOn(api, "compare").mockResolvedValue({ ...different } as unknown as Comparison);
  const frames = loss.map((frame) => ({ ...frame, step: frame.frame }));
  const story = frames.map(
    ({ step }) =>
      ({
        step,
        summary: { en: `In 0.11, step ${String(step)} keeps m2.` },
      }) as unknown as StoryStep,
  );

  render(Compare, {
    props: {
      run: run(),
      other: versionSide({ session: "9q", kafka: "0.11", frames, story }),
      name: "Kafka 0.10.2",
      partition: "t-0",
      catalogue,
      onclose: () => undefined,
      onfocuslost,
      onstanding,
      children: createRawSnippet(() => ({ render: () => "<p></p>" })),
    },
  });

  await vi.waitFor(() => expect(screen.getByText(/^In 0.11, step \d+ keeps m2\.$/)).toBeVisible());
});

it("hands the focus on if it was on the button that closes the comparison", async () => {
  await sentences();
  screen.getByRole("button", { name: "Stop comparing" }).focus();

  cleanup();

  await vi.waitFor(() => expect(onfocuslost).toHaveBeenCalledOnce());
});

describe("a screen reader in a comparison", () => {
  it("announces the verdict once, when it arrives", async () => {
    const said = (await sentences({ property: null })).join(". ");

    const region = await screen.findByText(said);

    expect(region).toHaveAttribute("aria-live", "polite");
  });

  it("is told whether the sides differ at the playhead, and where", async () => {
    await sentences({
      steps: [{ item: 0, item_b: 0, frame_a: 14, frame_b: 13, differs: true }],
    } as unknown as Partial<Comparison>);
    await vi.waitFor(() =>
      expect(onstanding).toHaveBeenLastCalledWith(expect.stringMatching(/^different here/)),
    );
    cleanup();

    await sentences({
      steps: [{ item: 0, item_b: 0, frame_a: 14, frame_b: 14, differs: false }],
    } as unknown as Partial<Comparison>);

    await vi.waitFor(() => expect(onstanding).toHaveBeenLastCalledWith("same here"));
  });
});

describe("the two sides of a comparison", () => {
  const parting = {
    item: 1,
    item_b: 1,
    frame_a: 5,
    frame_b: 5,
    steps_a: [{ crash: { broker: 2 } }],
    steps_b: [],
  };
  const branch = branchSide(
    run(),
    { tip: 3, path: [0, 1, 2, 3], from: 1, partsAfter: 0 },
    "Crash broker 2",
  );
  const noticed = scenarioSide(
    { id: "noticed", title: { en: "The same, noticed", zh: "发现了" }, frames: loss, story: [] },
    "en",
  );
  const settings = settingsSide(
    {
      session: "8q",
      named: { acks: 1 },
      was: { acks: "all" },
      asked: { configs: {}, producers: { acks: 1 } },
      frames: loss,
      story: [],
    },
    "acks = 1",
  );

  it.each([
    [branch, "this branch", "m1 in this branch, m1 m2 in the branch “Crash broker 2”"],
    [noticed, title.en, "m1 in “A record vanishes”, m1 m2 in “The same, noticed”"],
    [settings, "acks = all", "m1 with acks = all, m1 m2 with acks = 1"],
  ])("are named in the sentences (%#)", async (other, name, said) => {
    const [first, second] = await sentences({ property: null }, other, name);

    expect(first).toBe(
      `Only ${said.slice(3, said.indexOf(", m1"))}, step 13: An acknowledged record is lost`,
    );
    expect(second).toBe(`First difference, step 9: broker 1’s log is ${said}`);
  });

  it("are named with their steps", async () => {
    const [first] = await sentences(
      { parting, property: null, loss: null } as unknown as Partial<Comparison>,
      noticed,
      title.en,
    );

    expect(first).toBe(
      "Step 5 differs: “crash” in “A record vanishes”, no step in “The same, noticed”",
    );
  });

  it.each([
    [version, "Kafka 0.10.2", "在 Kafka 0.10.2 中为 m1，在 Kafka 0.11 中为 m1 m2"],
    [branch, "这个分支", "在这个分支中为 m1，在分支“Crash broker 2”中为 m1 m2"],
    [settings, "acks = all", "在 acks = all 时为 m1，在 acks = 1 时为 m1 m2"],
  ])("are named in Chinese (%#)", async (other, name, said) => {
    const [first, second] = await sentences({ property: null }, other, name, "zh");

    expect(first).toBe(
      `仅${said.slice(0, said.indexOf("为"))}，第 13 步：${called("NoAckedRecordLost", "zh")}`,
    );
    expect(second).toBe(`首个差异出现在第 9 步：broker 1 的日志${said}`);
  });
});

it("names the message on both sides if the page shows one", async () => {
  const frames = loss.map((frame) => ({ ...frame, step: Math.ceil(frame.frame / 2) }));
  vi.spyOn(api, "compare").mockResolvedValue({
    ...different,
    steps: [],
    parting: null,
  } as unknown as Comparison);
  const shown = runOf(frames, { at: 13, session: "7h3k", title });
  const children = createRawSnippet(() => ({ render: () => "<p></p>" }));

  render(Compare, {
    props: {
      run: shown,
      other: versionSide({ session: "9q", kafka: "0.11", frames, story: [] }),
      name: "Kafka 0.10.2",
      message: { message: 1, messages: 2 },
      partition: "t-0",
      catalogue,
      onclose: () => undefined,
      onfocuslost,
      onstanding,
      children,
    },
  });

  expect(screen.getByText("Kafka 0.10.2 · step 7 of 7, message 1 of 2")).toBeInTheDocument();
  expect(
    await screen.findByText(/^Kafka 0.11 · step \d of 7, message \d of 2/),
  ).toBeInTheDocument();
});
