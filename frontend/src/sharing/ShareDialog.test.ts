import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { LANGUAGES, type Lang } from "../language";
import ShareDialog from "./ShareDialog.svelte";

const SID = "7k2m7k2m7k2m7k2m7k2m7k2m7k";

type Tab = "link" | "embed" | "picture" | "file";

function opened(tab: Tab, lang: Lang): HTMLElement {
  // The test's document shows no dialogs.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  render(ShareDialog, { props: { session: null, sid: SID, at: 13, end: 20, branches: 1, level: "message", step: 5, message: { message: 1, messages: 4 }, title: "A record vanishes", lang, tab, onclose: () => undefined } });
  return screen.getByRole("dialog");
}

describe("a picture that is shared", () => {
  it.each([
    ["zh", "zh"],
    ["en", null],
  ])("has the language of the page (%s)", (lang, given) => {
    const dialog = opened("picture", lang);

    const addresses = [...dialog.querySelectorAll("img, a[download]")].map((one) => one.getAttribute("src") ?? one.getAttribute("href"));
    const copied = dialog.querySelector("textarea")?.value;
    expect(addresses).toHaveLength(4);
    for (const address of [...addresses, copied]) expect(new URL(address ?? "", location.origin).searchParams.get("lang")).toBe(given);
  });
});

it("has files that open at, or mark, the message on the screen", () => {
    const dialog = opened("file", "en");

    for (const kind of ["html", "md"]) expect(dialog.querySelector(`a[download$=".${kind}"]`)).toHaveAttribute("href", `/s/${SID}.${kind}?frame=13&level=message&lang=en`);
});

it.each(LANGUAGES.map(({ tag }) => tag))("previews an embed in the language of the page (%s), and its code follows the reader", (lang) => {
  const dialog = opened("embed", lang);

  expect(dialog.querySelector("iframe")?.getAttribute("src")).toContain(`lang=${lang}`);
  expect(dialog.querySelector("textarea")?.value).not.toContain("lang=");
});

it("names the message at which a link opens", () => {
  const dialog = opened("link", "en");

  expect(dialog.querySelector("option[value=here]")).toHaveTextContent("step 5, message 1 of 4, shown now");
});
