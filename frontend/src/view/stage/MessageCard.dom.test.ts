import { screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { renderIn } from "../../language/render-fixture";
import { catalogue, frameAt, loss } from "../../trace/fixtures";
import type { Message } from "../../trace";
import MessageCard from "./MessageCard.svelte";

const message = {
  id: 1,
  kind: "fetch_request",
  from: 3,
  to: "controller",
  partition: "t-0",
  held: false,
  parked: false,
  deliverable: true,
  numbers: {},
} as unknown as Message;

describe("a card without the request's name", () => {
  it.each([
    ["en", "3 → the controller", "fetch"],
    ["zh", "3 → controller", "拉取"],
  ] as const)("has the sender and the receiver in its text (%s)", (lang, ends, title) => {
    renderIn(lang)(MessageCard, {
      props: {
        message,
        inFlight: frameAt(loss, 0).state.in_flight,
        partition: "t-0",
        catalogue,
        shape: "line" as const,
        brief: true,
      },
    });

    expect(screen.getByText(ends)).toBeVisible();
    expect(screen.getByText(ends).closest("p")).toHaveTextContent(`${ends} ${title}`);
  });
});
