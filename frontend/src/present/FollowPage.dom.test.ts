import { screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import { api, ApiError, type Audience, type Scene, type Session } from "../service/api";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import FollowPage from "./FollowPage.svelte";
import { reassigned, rowNames, withRoom } from "./reassigned-fixture";

const onrun = vi.fn();
const props = { code: "abcde", catalogue, onrun };

/** What the service sends while a presentation is followed. */
class Connection extends EventTarget {
  static last: Connection;
  constructor() {
    super();
    Connection.last = this;
  }
  static readonly CLOSED = 2;
  readyState = 1;
  refuse(): void {
    this.readyState = Connection.CLOSED;
    this.dispatchEvent(new Event("error"));
  }
  send(name: "scene" | "audience", sent: Scene | Audience): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(sent) }));
  }
  close(): void {
    // Nothing is open.
  }
}

const question = {
  key: "7",
  text: { en: "What next?" },
  answers: [{ en: "It keeps m2." }, { en: "It truncates." }],
  correct: 1,
  reasons: null,
};
const scene: Scene = {
  frames: loss.slice(0, 1),
  begins: true,
  step: 0,
  lesson: "kip-101-data-loss",
  step_frames: [0],
  order: { "t-0": [2, 1] },
  title: { en: "A record vanishes" },
  kafka: "0.10.2",
  told: null,
  question,
  revealed: false,
  black: false,
  ended: false,
} as unknown as Scene;

function received(): { onscene: (scene: Scene) => void; onaudience: (audience: Audience) => void } {
  return {
    onscene: (sent) => Connection.last.send("scene", sent),
    onaudience: (sent) => Connection.last.send("audience", sent),
  };
}

function announced(text: string): Promise<HTMLElement> {
  return waitFor(() => {
    const said = screen.getByText(text);
    expect(said).toHaveAttribute("aria-live", "polite");
    return said;
  });
}

beforeEach(() => {
  vi.stubGlobal("EventSource", Connection);
  vi.spyOn(api, "vote").mockResolvedValue(undefined as never);
});
afterEach(() => vi.unstubAllGlobals());

it("announces to a follower the outcome, the question, and the revealed answers with the follower's own", async () => {
  render(FollowPage, { props });
  received().onscene(scene);
  await announced("No acknowledged record is lost");
  await announced("Question: What next? Answers: A. It keeps m2. B. It truncates.");
  (await screen.findByRole("button", { name: /It keeps m2/ })).click();

  received().onscene({ ...scene, revealed: true });
  received().onaudience({ here: 2, answered: 2, votes: [1, 1] });

  await announced(
    "Right answer: B. It truncates. A: 1 of 2 votes. B: 1 of 2 votes. Your answer: A. It keeps m2.",
  );
});

it("shows a follower the outcome, as the presenter sees it", async () => {
  render(FollowPage, { props });

  received().onscene({ ...scene, frames: [loss.at(-1)] } as unknown as Scene);

  const outcome = await screen.findByText(/m2/, { selector: "header p" });
  expect(outcome).toHaveClass("bad");
  expect(outcome).not.toHaveClass("visually-hidden");
});

it("keeps the rows where they were at the start of the run", async () => {
  withRoom();
  render(FollowPage, { props });

  received().onscene({
    ...scene,
    frames: [reassigned(frameAt(loss, 0), [1, 2])],
  } as unknown as Scene);

  await waitFor(() => expect(rowNames()).toEqual(["Broker 2", "Broker 1"]));
});

it("ends with the lesson at the step that was shown last", async () => {
  render(FollowPage, { props });
  received().onscene({ ...scene, step: 5 });
  await screen.findByText(/Step 5/);
  expect(screen.queryByRole("link", { name: /Continue yourself/ })).toBeNull();

  received().onscene({ ...scene, step: 5, ended: true });

  expect(await screen.findByRole("link", { name: /Continue yourself/ })).toHaveAttribute(
    "href",
    "/lessons/kip-101-data-loss?step=5&kafka=0.10.2",
  );
});

it("ends with the message that was shown last", async () => {
  render(FollowPage, { props });

  received().onscene({ ...scene, step: 5, message: 2, messages: 4, ended: true });

  expect(await screen.findByRole("link", { name: /Continue yourself/ })).toHaveAttribute(
    "href",
    "/lessons/kip-101-data-loss?step=5&message=2&kafka=0.10.2",
  );
});

it("ends with a copy, for a run that is no lesson, and says why if there is none", async () => {
  const fork = vi.spyOn(api, "forkPresentation");
  fork.mockRejectedValueOnce(new ApiError(404, "not_found", "There is no such session."));
  fork.mockResolvedValueOnce({ id: "7h3k" } as Session);
  render(FollowPage, { props });
  received().onscene({ ...scene, lesson: null });
  await screen.findByText("A record vanishes");
  expect(screen.queryByRole("button", { name: /Continue yourself/ })).toBeNull();

  received().onscene({ ...scene, lesson: null, ended: true });
  const button = await screen.findByRole("button", { name: /Continue yourself/ });
  button.click();
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such session.");
  expect(onrun).not.toHaveBeenCalled();
  button.click();

  await waitFor(() => expect(onrun).toHaveBeenCalledWith("7h3k"));
  expect(fork).toHaveBeenCalledWith("abcde");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("shows who comes after the end what was shown last", async () => {
  vi.spyOn(api, "readScene").mockResolvedValue({ ...scene, lesson: null, ended: true });
  render(FollowPage, { props });

  Connection.last.refuse();

  expect(await screen.findByText("A record vanishes")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: /Continue yourself/ })).toBeInTheDocument();
});

it("names to a follower the message that is shown", async () => {
  render(FollowPage, { props });

  received().onscene({ ...scene, step: 5, message: 1, messages: 4 });

  expect(await screen.findByText("Kafka 0.10.2 · Step 5 · message 1 of 4")).toBeInTheDocument();
});

it("invites to nothing after the end", async () => {
  render(FollowPage, { props });
  received().onscene(scene);
  received().onaudience({ here: 1, answered: 0, votes: null });
  await screen.findByText("Choose an answer. Votes are anonymous.");
  expect(screen.getByText("1 follower")).toBeInTheDocument();

  received().onscene({ ...scene, ended: true });

  expect(await screen.findByText("The presentation has ended.")).toBeInTheDocument();
  expect(
    screen.queryByText(/Choose an answer|You can change|advances by itself|\d follower/),
  ).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText("It keeps m2.")).toBeInTheDocument();
});
