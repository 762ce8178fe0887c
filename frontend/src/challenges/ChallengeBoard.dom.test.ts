import { fireEvent, screen, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import { api, type Challenge, type Move, type Try } from "../service/api";
import { catalogue, loss } from "../trace/fixtures";
import ChallengeBoard from "./ChallengeBoard.svelte";
import { readResult } from "./stored-result";

const FIRST = 4;
const cut: Move = { step: { power_loss: { broker: 2 } }, token: "power_loss", actor: "2", row: 8 };
const elect: Move = {
  step: { elect: { partition: "t-0", kind: "preferred" } },
  token: null,
  actor: "controller",
  row: null,
};
const said = (en: string) => ({ en, zh: en });
const searched = { best: 2, states: 9, complete: true };
const challenge: Challenge = {
  id: "c",
  title: said("A challenge"),
  goal: said("Lose it."),
  hints: [said("Look."), said("Closer."), said("There.")],
  kafka: "0.10.2",
  brokers: 2,
  configs: {},
  property: "NoAckedRecordLost",
  budget: { power_loss: 1 },
  not_allowed: [],
  searched,
  solution: [cut.step, elect.step],
  also: [],
};

function tryOf(moves: readonly Move[], frames: number): Try {
  return {
    result: "open",
    moves,
    starts: moves.length === 0 ? [] : [FIRST],
    left: { power_loss: 1 - moves.length },
    possible: [cut, elect],
    told: said("Told."),
    records: [],
    frames: loss.slice(0, frames),
    scenario: {} as Try["scenario"],
  };
}

describe("the board of a challenge", () => {
  const tryChallenge = vi.spyOn(api, "tryChallenge");

  beforeEach(() => {
    localStorage.clear();
    tryChallenge
      .mockReset()
      .mockImplementation((_, moves) =>
        Promise.resolve(
          tryOf(moves.length === 0 ? [] : [cut], FIRST + (moves.length === 0 ? 0 : 3)),
        ),
      );
    render(ChallengeBoard, {
      props: {
        challenge,
        first: tryOf([], FIRST),
        firstUndone: [],
        catalogue,
        onrun: () => undefined,
        onproblem: (error: unknown) => {
          throw error;
        },
      },
    });
  });

  it("has the whole stage: the controller's leader, epoch and ISR, and the diagram, which is closed", async () => {
    const controller = screen.getByRole("region", { name: "Controller" });
    for (const fact of ["leader", "leader epoch", "ISR"])
      expect(within(controller).getByText(fact)).toBeVisible();
    const diagram = screen.getByRole("region", { name: "Messages over time" });
    const toggle = within(diagram).getByRole("button", { name: "Messages over time" });

    expect(toggle).toHaveAttribute("aria-expanded", "false");
    await fireEvent.click(toggle);

    expect(toggle).toHaveAttribute("aria-expanded", "true");
  });

  it("has the property to violate in the place of all properties", () => {
    expect(screen.queryByRole("list", { name: "Properties" })).toBeNull();
    expect(screen.getByText(/other properties are not scored/)).toBeVisible();
  });

  it("offers on a broker the moves about it, with their keys, and no other step", async () => {
    await fireEvent.click(screen.getByRole("button", { name: /^Broker 2, / }));
    const bar = screen.getByRole("toolbar", { name: "Actions on broker 2" });
    const [first, all, ...rest] = within(bar).getAllByRole("button");

    expect(first).toHaveTextContent("1");
    expect(rest).toEqual([]);
    await fireEvent.click(all as HTMLElement);
    expect(within(screen.getByRole("menu")).getAllByRole("menuitem")).toHaveLength(1);
    await fireEvent.click(screen.getByRole("menuitem"));

    expect(tryChallenge).toHaveBeenCalledWith("c", [cut.step]);
  });

  it("makes the move of a key, after which it can be undone", async () => {
    await fireEvent.keyDown(window, { key: "2" });
    expect(tryChallenge).toHaveBeenCalledWith("c", [elect.step]);
    expect(await screen.findByRole("button", { name: /^Undo/ })).toBeEnabled();
  });

  it("announces the solution in a place that was there before", async () => {
    const places = screen.getAllByRole("status");
    tryChallenge.mockResolvedValue({ ...tryOf([cut], FIRST + 3), result: "won" });

    await fireEvent.keyDown(window, { key: "1" });

    const solved = await screen.findByText(/^✓?\s*Solved in 1 move/);
    expect(places).toContain(solved.closest("[role=status]"));
  });

  it("keeps the focus on undo when nothing is left to undo, and does nothing more", async () => {
    await fireEvent.keyDown(window, { key: "1" });
    const undo = screen.getByRole("button", { name: /^Undo/ });
    await vi.waitFor(() => expect(undo).not.toHaveAttribute("aria-disabled"));
    undo.focus();
    tryChallenge.mockResolvedValue(tryOf([], FIRST));

    await fireEvent.click(undo);
    await vi.waitFor(() => expect(undo).toHaveAttribute("aria-disabled", "true"));
    await fireEvent.click(undo);

    expect(undo).toBeEnabled();
    expect(undo).toHaveFocus();
    expect(tryChallenge).toHaveBeenCalledTimes(2);
  });

  it("gives three hints one by one, announced, and keeps the focus after the last one", async () => {
    for (const [number, name] of ["a hint", "hint 2 of 3", "hint 3 of 3"].entries()) {
      const button = screen.getByRole("button", { name: `Give me ${name}` });
      button.focus();
      await fireEvent.click(button);
      const shown = challenge.hints.slice(0, number + 1).map(({ en }) => en ?? "");
      expect(shown.every((hint) => screen.getByText(hint).closest("[role=status]"))).toBe(true);
    }

    expect(screen.queryByRole("button", { name: /^Give me/ })).toBeNull();
    await vi.waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("keeps back what a search has found until the try is given up", async () => {
    expect(screen.queryByText("best known 2 moves")).toBeNull();

    await fireEvent.click(screen.getByRole("button", { name: "Give up and show the result" }));

    expect(screen.getByText("best known 2 moves")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Give up/ })).toBeNull();
  });

  it("shows the moves of the search after giving up, plays them, and does not count them", async () => {
    expect(screen.queryByRole("region", { name: /^The fewest moves/ })).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Give up and show the result" }));
    const solution = screen.getByRole("region", { name: "The fewest moves, found by a search" });
    expect(within(solution).getAllByRole("listitem")).toHaveLength(2);

    await fireEvent.click(
      within(solution).getByRole("button", { name: "Play them from the start" }),
    );
    expect(tryChallenge).toHaveBeenLastCalledWith("c", [cut.step]);
    const next = await within(solution).findByRole("button", { name: "Play the next one" });
    tryChallenge.mockResolvedValue({ ...tryOf([cut, elect], FIRST + 3), result: "won" });
    await fireEvent.click(next);

    expect(tryChallenge).toHaveBeenLastCalledWith("c", [cut.step, elect.step]);
    expect(await screen.findByText(/These are the moves of the search/)).toBeVisible();
    expect(screen.queryByRole("textbox", { name: "Your result, to send" })).toBeNull();
    expect(readResult("c").fewest).toBeNull();
  });

  it("counts the same moves of a reader who found them before they were shown", async () => {
    tryChallenge.mockResolvedValue({ ...tryOf([cut, elect], FIRST + 3), result: "won" });
    await fireEvent.keyDown(window, { key: "1" });
    await fireEvent.click(await screen.findByRole("button", { name: "Show the fewest moves" }));

    expect(screen.getByText(/Solved in 2 moves/)).toBeVisible();
    expect(readResult("c").fewest).toBe(2);
  });

  it("has a result to send after a try that won, whose link opens the challenge", async () => {
    tryChallenge.mockResolvedValue({
      ...tryOf([cut, elect, cut], FIRST + 3),
      result: "won",
      records: [{ value: "m2", fate: "lost", copies: [], on_disk: [], may_lead: [] }],
    });

    await fireEvent.keyDown(window, { key: "1" });

    expect(await screen.findByText(/nobody else can open/)).toBeVisible();
    expect(await screen.findByRole("textbox", { name: "Your result, to send" })).toHaveValue(
      `I lost m2 in 3 moves; can you in 2? ${location.origin}/challenges/c`,
    );
    expect(screen.getByText("best known 2 moves")).toBeVisible();
  });

  it("ignores keys without a move", async () => {
    for (const key of ["3", "x", "Enter"]) await fireEvent.keyDown(window, { key });
    await fireEvent.keyDown(window, { key: "1", ctrlKey: true });

    expect(tryChallenge).not.toHaveBeenCalled();
  });
});
