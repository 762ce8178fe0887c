import { screen } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";

import { render } from "../language/render-fixture";
import { api, type OperatorReference } from "../service/api";
import OperatorCatalogue from "./OperatorCatalogue.svelte";

const both = (text: string) => ({ en: text, zh: text });
const REFERENCE: OperatorReference = {
  metrics: [
    {
      name: "MaxLag",
      bean: "kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica",
      reporter: "follower",
      sources: ["AbstractFetcherThread"],
      releases: both("in every version"),
      control: null,
      text: both("How far the followers are behind."),
      seen: { lesson: "two-rounds", title: both("Two rounds"), step: 3, kafka: null },
    },
  ],
  lines: [
    {
      id: "partition-failed",
      component: "broker",
      control: null,
      releases: both("from 2.3"),
      look_for: "marked as failed",
      forms: [],
      text: both("The follower stops fetching."),
      seen: { lesson: "stale-queued-epoch", title: both("A stale epoch"), step: 8, kafka: "2.3" },
    },
  ],
};

afterEach(() => vi.restoreAllMocks());

test("Each entry leads to the step that shows it, under the release that does", async () => {
  vi.spyOn(api, "readOperatorReference").mockResolvedValue(REFERENCE);

  render(OperatorCatalogue, { props: {} });

  expect(await screen.findByRole("link", { name: "Two rounds" })).toHaveAttribute(
    "href",
    "/lessons/two-rounds?step=3",
  );
  expect(screen.getByRole("link", { name: "A stale epoch" })).toHaveAttribute(
    "href",
    "/lessons/stale-queued-epoch?step=8&kafka=2.3",
  );
});

test("The filter of the glossary finds words of a log line and of its meaning", async () => {
  vi.spyOn(api, "readOperatorReference").mockResolvedValue(REFERENCE);

  render(OperatorCatalogue, { props: { wanted: "failed stops" } });

  expect(await screen.findByText("marked as failed")).toBeVisible();
  expect(screen.queryByText("MaxLag")).toBeNull();
});

test("Without the service the page has no such section, and no error", async () => {
  vi.spyOn(api, "readOperatorReference").mockRejectedValue(new Error("offline"));

  const { container } = render(OperatorCatalogue, { props: {} });
  await Promise.resolve();

  expect(container.textContent.trim()).toBe("");
});
