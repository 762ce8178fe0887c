/** A service that answers a draft, for tests of the page on which one builds. */

import { fireEvent, screen } from "@testing-library/svelte";
import { vi } from "vitest";

import { repair } from "../trace/fixtures";

export interface Sent {
  readonly address: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers by address; everything else is not there. Gives what is sent. */
export function serve(
  answers: Readonly<Record<string, (body: unknown) => Response | Promise<Response>>>,
): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (address: string, { method = "GET", body }: RequestInit = {}) => {
    const document = typeof body === "string" ? (JSON.parse(body) as Sent["body"]) : {};
    if (method !== "GET") sent.push({ address, body: document });
    return Promise.resolve(
      answers[`${method} ${address}`]?.(document) ?? json({ code: "not_found" }, 404),
    );
  });
  return sent;
}

export function json(document: unknown, status = 200): Response {
  return new Response(JSON.stringify(document), { status });
}

export const draft = {
  kafka: "3.9",
  control: "kraft",
  scenario: {},
  steps: 2,
  frame: repair[0],
  starts: [],
  impossible: [],
  choices: [],
  consequences: [],
};
export const crash = {
  actor: "3",
  step: { crash: { broker: 3 } },
  enabled: true,
  rank: 0,
  row: 1,
  reason: null,
  reason_code: null,
  reason_numbers: {},
};
export const wrong = {
  status: 422,
  code: "invalid_scenario",
  detail: "The scenario has errors.",
  errors: [{ where: "/scenario_text/kafka", message: "there is no Kafka 9", line: 4, column: 8 }],
};
export const right = { "POST /api/v1/drafts": () => json(draft) };

/** Opens the form of the cluster. */
export async function editCluster(name = "Cluster"): Promise<void> {
  await fireEvent.click(await screen.findByRole("tab", { name }));
}

export function lastDraft(sent: readonly Sent[]): unknown {
  return sent.filter(({ address }) => address.endsWith("/drafts")).at(-1)?.body.scenario_text;
}
