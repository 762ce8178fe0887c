import { fireEvent, screen, within } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import { LANGUAGES, type Lang } from "../language";
import { api } from "../service/api";
import type { AnimatedStep } from "./animated-steps";
import ShareDialog from "./ShareDialog.svelte";

const copy = vi.hoisted(() => ({ isStatic: false }));
vi.mock(import("../addresses"), async (original) => ({
  ...(await original()),
  get isStatic() {
    return copy.isStatic;
  },
}));

const SID = "7k2m7k2m7k2m7k2m7k2m7k2m7k";

type Tab = "link" | "embed" | "picture" | "file";

/** Five steps of three messages each. */
const STEPS: AnimatedStep[] = Array.from({ length: 5 }, (_, step) => ({
  step,
  first: 3 * step,
  last: 3 * step + 2,
  messages: 3,
  title: { en: `Event ${String(step)}`, zh: "事件" },
}));

afterEach(() => {
  copy.isStatic = false;
  vi.restoreAllMocks();
});

function opened(tab: Tab, lang: Lang, most = 40): HTMLElement {
  vi.spyOn(api, "readLimits").mockResolvedValue([
    {
      name: "animated_pictures",
      number: most,
      unit: "pictures",
      status: 422,
      code: "too_many_pictures",
      what: {},
    },
  ]);
  renderIn(lang)(ShareDialog, {
    props: {
      session: null,
      sid: SID,
      at: 13,
      end: 14,
      branches: 1,
      steps: STEPS,
      level: "message",
      step: 5,
      message: { message: 1, messages: 4 },
      title: "A record vanishes",
      tab,
      onclose: () => undefined,
    },
  });
  return screen.getByRole("dialog");
}

describe("a picture that is shared", () => {
  it.each([
    ["zh", "zh"],
    ["en", null],
  ])("has the language of the page (%s)", async (lang, given) => {
    const dialog = opened("picture", lang);
    await vi.waitFor(() => expect(dialog.querySelectorAll("a[download]")).toHaveLength(5));

    const addresses = [...dialog.querySelectorAll("img, a[download]")].map(
      (one) => one.getAttribute("src") ?? one.getAttribute("href"),
    );
    const copied = [...dialog.querySelectorAll("textarea")].map(({ value }) => value);
    expect(addresses).toHaveLength(6);
    expect(copied).toHaveLength(3);
    for (const address of [...addresses, ...copied])
      expect(new URL(address ?? "", location.origin).searchParams.get("lang")).toBe(given);
  });
});

describe("a lesson that is only read", () => {
  function read(onclose = () => undefined): HTMLElement {
    renderIn("en")(ShareDialog, {
      props: {
        session: null,
        lesson: { id: "two-rounds", kafka: "0.11", message: null },
        at: 13,
        end: 14,
        branches: 1,
        steps: STEPS,
        level: "story",
        step: 4,
        title: "Two rounds",
        onclose,
      },
    });
    return screen.getByRole("dialog");
  }
  const texts = (dialog: HTMLElement): string[] =>
    [...dialog.querySelectorAll("textarea")].map(({ value }) => value);

  it("has a link of its own, and nothing is stored", async () => {
    const stored = vi.spyOn(api, "createShare");
    const dialog = read();

    await vi.waitFor(() =>
      expect(texts(dialog)).toEqual([`${location.origin}/lessons/two-rounds?step=4&kafka=0.11`]),
    );
    expect(dialog).not.toHaveTextContent("Delete");
    expect(stored).not.toHaveBeenCalled();
  });

  it("has no files of its steps in a copy of the site", async () => {
    copy.isStatic = true;
    const dialog = read();

    const kinds = await within(dialog).findAllByRole("tab");
    expect(kinds.map(({ textContent }) => textContent.trim())).toEqual(["Link", "Embed"]);
    expect(within(dialog).queryByRole("button", { name: "A file" })).toBeNull();
  });

  it("can be linked from its start", async () => {
    const dialog = read();

    await fireEvent.change(await within(dialog).findByRole("combobox", { name: "Opens at" }), {
      target: { value: "start" },
    });
    expect(texts(dialog)).toEqual([`${location.origin}/lessons/two-rounds?step=0&kafka=0.11`]);
  });

  it("says on the reader's own computer that nobody else can open it, and offers the file first", async () => {
    const dialog = read();

    await within(dialog).findByText(
      `Another Highwater opens it too: put that site’s address in the place of ${location.origin}.`,
      { exact: false },
    );
    await fireEvent.click(await within(dialog).findByRole("button", { name: "A file" }));
    expect(dialog).toHaveTextContent("Page that plays offline");
    expect(dialog.querySelector("a[download$='.html']")).toHaveAttribute(
      "href",
      "/lessons/two-rounds.html?step=4&kafka=0.11&lang=en",
    );
  });
});

describe("an animation", () => {
  async function choose(dialog: HTMLElement, name: string, value: string): Promise<void> {
    await fireEvent.change(within(dialog).getByRole("combobox", { name }), { target: { value } });
  }
  const range = (dialog: HTMLElement): string | null | undefined =>
    dialog.querySelector("a[download$='-played.svg']")?.getAttribute("href");

  it("plays the last steps that fit up to the one on the screen", async () => {
    const dialog = opened("picture", "en", 3);

    expect(await within(dialog).findByRole("combobox", { name: "First step" })).toHaveDisplayValue(
      "step 2: Event 2",
    );
    expect(within(dialog).getByRole("combobox", { name: "Last step" })).toHaveDisplayValue(
      "step 4: Event 4",
    );
    expect(range(dialog)).toBe(`/s/${SID}.svg?range=6-14`);
    expect(dialog).toHaveTextContent("3 pictures, one for each step.");
  });

  it("that has too many pictures is refused beside the fields, with the service's limit", async () => {
    const dialog = opened("picture", "en", 3);
    await within(dialog).findByRole("combobox", { name: "First step" });

    await choose(dialog, "First step", "1");

    expect(dialog).toHaveTextContent(
      "4 pictures are too many: an animation can have at most 3. Choose fewer steps.",
    );
    expect(within(dialog).getByRole("combobox", { name: "First step" })).toBeInvalid();
    expect(range(dialog)).toBeUndefined();
    await choose(dialog, "Last step", "3");
    expect(range(dialog)).toBe(`/s/${SID}.svg?range=3-11`);
  });

  it("of one step has a picture of each message, and its ends never cross", async () => {
    const dialog = opened("picture", "en");
    await within(dialog).findByRole("combobox", { name: "First step" });

    await choose(dialog, "Last step", "2");
    await choose(dialog, "First step", "3");

    expect(within(dialog).getByRole("combobox", { name: "Last step" })).toHaveDisplayValue(
      "step 3: Event 3",
    );
    expect(dialog).toHaveTextContent("3 pictures, one for each message of this step.");
  });
});

it("has files that open at, or mark, the message on the screen", () => {
  const dialog = opened("file", "en");

  for (const kind of ["html", "md"])
    expect(dialog.querySelector(`a[download$=".${kind}"]`)).toHaveAttribute(
      "href",
      `/s/${SID}.${kind}?frame=13&level=message&lang=en`,
    );
});

it.each(LANGUAGES.map(({ tag }) => tag))(
  "previews an embed in the language of the page (%s), and its code follows the reader",
  (lang) => {
    const dialog = opened("embed", lang);

    expect(dialog.querySelector("iframe")?.getAttribute("src")).toContain(`lang=${lang}`);
    expect(dialog.querySelector("textarea")?.value).not.toContain("lang=");
  },
);

it("names the message at which a link opens", () => {
  const dialog = opened("link", "en");

  expect(dialog.querySelector("option[value=here]")).toHaveTextContent(
    "step 5, message 1 of 4, shown now",
  );
});
