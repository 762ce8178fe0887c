import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import Listbox from "./Listbox.svelte";

const options = [
  { value: "", label: "nothing" },
  { value: "v0.8.2", label: "Kafka 0.8.2", group: "Versions" },
  { value: "v0.11", label: "Kafka 0.11", group: "Versions" },
  { value: "b3", label: "after step 3", group: "Branches" },
];

function show(value = "") {
  const onchoose = vi.fn();
  render(Listbox, { props: { label: "Compare with", value, options, kind: "command", onchoose } });
  return { onchoose, list: screen.getByRole("combobox", { name: "Compare with" }) };
}

function active(list: HTMLElement): string | null | undefined {
  return document
    .getElementById(list.getAttribute("aria-activedescendant") ?? "")
    ?.textContent?.trim();
}

async function type(list: HTMLElement, keys: Iterable<string>): Promise<void> {
  for (const key of keys) await fireEvent.keyDown(list, { key });
}

describe("a list that is confirmed", () => {
  it("ignores the first letters, and goes to a completely typed entry", async () => {
    const { onchoose, list } = show();

    await type(list, "Kafka 0.11");

    expect(onchoose).not.toHaveBeenCalled();
    expect(list).toHaveAttribute("aria-expanded", "true");
    expect(active(list)).toBe("Kafka 0.11");

    await type(list, ["Enter"]);
    expect(onchoose).toHaveBeenCalledExactlyOnceWith("v0.11");
    expect(list).toHaveAttribute("aria-expanded", "false");
  });

  it("finds entries that contain the letters if none begins with them", async () => {
    const { list } = show();

    await type(list, "0.11");

    expect(active(list)).toBe("Kafka 0.11");
  });

  it("keeps the focus on Escape if it is closed, and leaves the key to what it is in", async () => {
    const { list } = show();
    list.focus();

    const unused = await fireEvent.keyDown(list, { key: "Escape" });

    expect(unused).toBe(true);

    expect(list).toHaveFocus();
  });

  it("opens in place, moves by arrow keys, and changes nothing on Escape", async () => {
    const { onchoose, list } = show("v0.8.2");

    await type(list, ["ArrowDown", "ArrowDown", "ArrowDown"]);
    expect(active(list)).toBe("after step 3");
    await type(list, ["Home"]);
    expect(active(list)).toBe("nothing");
    await type(list, ["Escape"]);

    expect(list).toHaveAttribute("aria-expanded", "false");
    expect(onchoose).not.toHaveBeenCalled();
  });

  it("keeps its active option when options arrive while it is open", async () => {
    const props = { label: "Kafka", value: "v0.11", kind: "release", onchoose: vi.fn() } as const;
    const { rerender } = render(Listbox, { props: { ...props, options: options.slice(2, 3) } });
    const list = screen.getByRole("combobox", { name: "Kafka" });
    await type(list, ["ArrowDown"]);
    expect(active(list)).toBe("Kafka 0.11");

    await rerender({ options: options.slice(1) });

    expect(active(list)).toBe("Kafka 0.11");
  });

  it("labels its groups, shows the selection, and selects on a click", async () => {
    const { onchoose, list } = show("v0.8.2");
    expect(list).toHaveTextContent("Kafka 0.8.2");

    await fireEvent.click(list);
    expect(screen.getByRole("group", { name: "Branches" })).toBeVisible();
    expect(screen.getByRole("option", { name: "Kafka 0.8.2" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await fireEvent.click(screen.getByRole("option", { name: "after step 3" }));

    expect(onchoose).toHaveBeenCalledExactlyOnceWith("b3");
  });

  it("keeps its keys from the page", async () => {
    const { list } = show();
    const onpage = vi.fn();
    window.addEventListener("keydown", onpage);

    await type(list, ["ArrowDown", "1", "Escape"]);

    expect(onpage).not.toHaveBeenCalled();
    window.removeEventListener("keydown", onpage);
  });
});
