import { describe, expect, it, vi } from "vitest";

import { ApiError, createApi } from "./api";

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

function client(...answers: (Response | Error)[]) {
  const fetch = vi.fn((path: string, init: RequestInit) => {
    void path;
    void init;
    const next = answers.shift();
    if (next === undefined) throw new Error("asked too often");
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  const wait = vi.fn(() => Promise.resolve());
  return { api: createApi({ fetch, wait }), fetch, wait };
}

const acted = { head: 1, forked: false, repeated: false, frames: [] };

describe("the client", () => {
  it("does the same step after the same frame again when the answer is lost", async () => {
    const { api, fetch, wait } = client(new TypeError("network"), answer(200, { ...acted, repeated: true }));

    const done = await api.act("abc", 3, { crash: { broker: 1 } });

    expect(done.repeated).toBe(true);
    expect(wait).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls.map(([, init]) => init.body)).toEqual(Array(2).fill('{"after":3,"step":{"crash":{"broker":1}}}'));
  });

  it("takes half an answer for a lost one", async () => {
    const { api } = client(new Response('{"head": 1,', { status: 201 }), answer(200, acted));

    await expect(api.act("abc", 0, { settle: {} })).resolves.toMatchObject({ head: 1 });
  });

  it("gives up after some tries, and says that the service cannot be reached", async () => {
    const { api, fetch } = client(...Array.from({ length: 9 }, () => new TypeError("network")));

    await expect(api.act("abc", 0, { settle: {} })).rejects.toMatchObject({ status: 0, code: "unreachable" });
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  it("does not ask again for what was refused", async () => {
    const problem = { type: "t", title: "Conflict", status: 409, detail: "broker 1 is down", code: "action_not_possible", errors: [], reason_code: "broker_down", numbers: { broker: 1 } };
    const { api, fetch } = client(answer(409, problem));

    const refused = await api.act("abc", 0, { crash: { broker: 1 } }).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 409, code: "action_not_possible", reason: { code: "broker_down", numbers: { broker: 1 } }, detail: "broker 1 is down" });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("names the place of each mistake", async () => {
    const errors = [{ where: "/steps/3", message: "there is no broker 9" }];
    const { api } = client(answer(422, { code: "invalid", detail: "wrong", errors }));

    await expect(api.createSession({ scenario: {} })).rejects.toMatchObject({ status: 422, errors });
  });

  it("deletes a share with its token and expects nothing back", async () => {
    const { api, fetch } = client(new Response(null, { status: 204 }));

    await expect(api.deleteShare("s1", "secret")).resolves.toBeUndefined();
    expect(fetch.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: "Bearer secret" });
  });

  it("shares under a key, so that a repeated request makes one share", async () => {
    const { api, fetch } = client(new TypeError("network"), answer(201, { sid: "x" }));

    await api.createShare("abc", 4, "key-1");

    expect(fetch.mock.calls.every(([, init]) => (init.headers as Record<string, string>)["Idempotency-Key"] === "key-1")).toBe(true);
  });
});
