import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const RUN = `z${"1".repeat(25)}`;

/** A worker that is ready at once, and answers with what it was asked. */
class ReadyWorker extends EventTarget {
  constructor() {
    super();
    queueMicrotask(() => this.say({ kind: "ready" }));
  }
  postMessage(question: { readonly id: number }): void {
    this.say({ kind: "answer", id: question.id, status: 201, body: JSON.stringify(question) });
  }
  terminate(): void {
    // It ends with the page.
  }
  protected say(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

async function transport() {
  vi.resetModules();
  const [{ send }, { pageEngine }] = await Promise.all([
    import("./transport"),
    import("./page-engine.svelte"),
  ]);
  return { send, pageEngine };
}

beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML = '<meta name="highwater-engine" content="/engine/engine-1.json" />';
  vi.stubGlobal("Worker", ReadyWorker);
});
afterEach(() => {
  document.head.replaceChildren();
  vi.unstubAllGlobals();
});

const FILES = {
  folder: "1",
  bytes: { acting: 5_400_000, computing: 6_000_000 },
  answers: {
    acting: ["POST /sessions", "GET /sessions/{id}/story"],
    computing: ["POST /sessions/{id}/searches"],
  },
};

/** A service that only has the file about the engine. */
const away = vi.fn((address: RequestInfo | URL) =>
  String(address).includes("/engine/")
    ? Promise.resolve(Response.json(FILES))
    : Promise.reject(new TypeError("network")),
);

describe("a request", () => {
  it("goes to the service, which is there", async () => {
    const there = vi.fn(() => Promise.resolve(Response.json({ from: "service" })));
    vi.stubGlobal("fetch", there);
    const { send } = await transport();

    const response = await send("/sessions", { method: "POST", body: "{}" });

    expect(await response.json()).toEqual({ from: "service" });
    expect(there).toHaveBeenCalledOnce();
  });

  it("goes to the page's engine if the service does not respond and the reader agrees", async () => {
    vi.stubGlobal("fetch", away);
    const { send, pageEngine } = await transport();

    const sent = send("/sessions", { method: "POST", body: '{"scenario_id":"a"}' });
    await vi.waitFor(() =>
      expect(pageEngine.state).toEqual({ kind: "asking", bytes: 5_400_000, away: true }),
    );
    pageEngine.decide(true);

    expect(await (await sent).json()).toMatchObject({ address: "/sessions", method: "POST" });
  });

  it("fails as before if the reader does not agree", async () => {
    vi.stubGlobal("fetch", away);
    const { send, pageEngine } = await transport();

    const sent = send("/sessions", { method: "POST", body: "{}" });
    const failed = expect(sent).rejects.toThrow("network");
    await vi.waitFor(() => expect(pageEngine.state.kind).toBe("asking"));
    pageEngine.decide(false);

    await failed;
    expect(pageEngine.state.kind).toBe("quiet");
  });

  it.each([
    ["a run that only the service has", `/sessions`, '{"session":"01","at":3}'],
    ["a share", "/shares", "{}"],
    ["a search", "/sessions/01/searches", "{}"],
    ["a part of what is answered", "/sessions/", "{}"],
  ])("fails without a question if it needs the service: %s", async (_, path, body) => {
    vi.stubGlobal("fetch", away);
    const { send, pageEngine } = await transport();

    await expect(send(path, { method: "POST", body })).rejects.toThrow("network");
    expect(pageEngine.state.kind).toBe("quiet");
  });

  it("about a run of the page never reaches a service", async () => {
    vi.stubGlobal("fetch", away);
    localStorage.setItem("highwater-engine", "1");
    const { send } = await transport();

    expect((await send(`/sessions/${RUN}/story?at=3`)).status).toBe(201);
    const share = await send(`/sessions/${RUN}/shares`, { method: "POST", body: "{}" });
    expect(await share.json()).toMatchObject({ code: "no_service" });
  });

  it("that takes long is asked of a worker of its own, whose events are a stream", async () => {
    const asked: { address: string; wanted: string | null }[] = [];
    const roles: string[] = [];
    class Streaming extends ReadyWorker {
      constructor(script: URL) {
        super();
        roles.push(script.hash);
      }
      override postMessage(question: { id: number; address: string; wanted: string | null }): void {
        asked.push(question);
        const { id } = question;
        this.say({ kind: "part", id, text: "event: progress\ndata: 1\n\n" });
        this.say({ kind: "part", id, text: "event: result\ndata: 2\n\n" });
        this.say({ kind: "answer", id, status: 200, body: "" });
      }
    }
    const revoke = vi.spyOn(URL, "revokeObjectURL");
    vi.stubGlobal("Worker", Streaming);
    vi.stubGlobal("fetch", away);
    localStorage.setItem("highwater-engine", "1");
    const { send } = await transport();

    const found = await send(`/sessions/${RUN}/searches`, { method: "POST", body: "{}" });

    expect(await found.text()).toBe(
      'event: started\ndata: {"id":"1"}\n\nevent: progress\ndata: 1\n\nevent: result\ndata: 2\n\n',
    );
    expect(roles).toEqual(["#computing"]);
    expect(revoke).toHaveBeenCalledWith(asked[0]?.wanted);
  });

  describe("when a worker fails", () => {
    const failing: Record<string, ReadyWorker> = {};
    /** The computing worker begins its stream; neither answers. */
    class Silent extends ReadyWorker {
      constructor(script: URL) {
        super();
        failing[script.hash] = this;
      }
      override postMessage({ id }: { id: number }): void {
        if (this === failing["#computing"])
          this.say({ kind: "part", id, text: "event: progress\ndata: 1\n\n" });
      }
    }
    beforeEach(() => {
      vi.stubGlobal("Worker", Silent);
      vi.stubGlobal("fetch", away);
      localStorage.setItem("highwater-engine", "1");
    });

    it("the stream that it has begun fails, and the other worker's request waits", async () => {
      const { send } = await transport();
      const story = send(`/sessions/${RUN}/story?at=3`);
      const answered = vi.fn();
      void story.then(answered);
      const found = await send(`/sessions/${RUN}/searches`, { method: "POST", body: "{}" });

      failing["#computing"]?.dispatchEvent(new Event("error"));

      await expect(found.text()).rejects.toThrow();
      expect(answered).not.toHaveBeenCalled();
      failing["#acting"]?.dispatchEvent(new Event("error"));
      expect(await (await story).json()).toMatchObject({ code: "no_service" });
    });

    it("a reader of its stream is told that it broke off", async () => {
      await transport();
      const { eventsOf } = await import("./event-stream");
      const events = eventsOf(`/sessions/${RUN}/searches`, {}, new AbortController().signal);
      await events.next();
      await events.next();

      const next = events.next();
      failing["#computing"]?.dispatchEvent(new Event("error"));

      await expect(next).rejects.toMatchObject({ code: "broken_off" });
    });
  });

  it("that was aborted while the engine loads is not asked", async () => {
    const asked = vi.spyOn(ReadyWorker.prototype, "postMessage");
    vi.stubGlobal("fetch", away);
    localStorage.setItem("highwater-engine", "1");
    const { send } = await transport();
    const signal = AbortSignal.abort("enough");

    const search = send(`/sessions/${RUN}/searches`, { method: "POST", body: "{}", signal });

    await expect(search).rejects.toBe("enough");
    expect(asked).not.toHaveBeenCalled();
  });

  it("that takes long is stopped by withdrawing the address that its worker reads", async () => {
    const asked: { wanted: string | null }[] = [];
    class Endless extends ReadyWorker {
      override postMessage(question: { id: number; wanted: string | null }): void {
        asked.push(question);
        this.say({ kind: "part", id: question.id, text: "event: progress\ndata: 1\n\n" });
      }
    }
    const revoke = vi.spyOn(URL, "revokeObjectURL");
    vi.stubGlobal("Worker", Endless);
    vi.stubGlobal("fetch", away);
    localStorage.setItem("highwater-engine", "1");
    const { send } = await transport();
    await send(`/sessions/${RUN}/searches`, { method: "POST", body: "{}" });

    const stopped = await send(`/sessions/${RUN}/searches/1`, { method: "DELETE" });

    expect(stopped.status).toBe(204);
    expect(revoke).toHaveBeenCalledWith(asked[0]?.wanted);
  });
});
