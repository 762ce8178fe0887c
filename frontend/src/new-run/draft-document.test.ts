import { describe, expect, it } from "vitest";

import {
  changed,
  logLine,
  logPath,
  shapeOf,
  withBroker,
  withoutBroker,
  withPartitions,
  withRack,
  withReplicas,
  withReplicationFactor,
  withSteps,
  withTopic,
  withWords,
  type Shape,
} from "./draft-document";
import { SMALL_CLUSTER } from "./scenario-text";

const TEXT = `\
# A cluster of mine
id: mine
kafka: "3.9" # the release
brokers: [1, 2, 3]
topics:
  - name: t
    partitions:
      - replicas: [1, 2, 3]
        leader: 1
        isr: [1, 2]
        logs:
          1: {log: "m1/0"} # the leader's
          3: {log: ""}
steps:
  - crash: {broker: 1} # first
  - detect: {broker: 1}
  - note: {en: Why, zh: 为什么}
`;

function shape(text: string): Shape {
  const found = shapeOf(text);
  if (found === null) throw new Error("no YAML");
  return found;
}

describe("what the form shows of a text", () => {
  it("is the content of the text, with defaults for omitted values", () => {
    expect(shape(SMALL_CLUSTER)).toMatchObject({
      kafka: "3.9",
      control: null,
      brokers: [
        { id: 1, rack: "" },
        { id: 2, rack: "" },
        { id: 3, rack: "" },
      ],
      topics: [
        {
          name: "t",
          partitions: [{ replicas: [1, 2, 3], leader: null, leaderEpoch: 1, isr: [1, 2, 3] }],
        },
      ],
      configs: { "min.insync.replicas": 2 },
    });
    expect(shape(TEXT).topics[0]?.partitions[0]).toEqual({
      replicas: [1, 2, 3],
      leader: 1,
      leaderEpoch: 0,
      isr: [1, 2],
    });
    expect(shape(TEXT).steps.map((step) => step.kind)).toEqual(["crash", "detect", "note"]);
  });

  it("is nothing where the text is no YAML", () => {
    expect(shapeOf("a: [1")).toBeNull();
    expect(shapeOf("just words")).toBeNull();
    expect(shapeOf('{"id": "json", "brokers": [1]}')?.brokers).toEqual([{ id: 1, rack: "" }]);
  });
});

describe("a change of one place", () => {
  it("leaves comments, order and everything else as they are", () => {
    expect(changed(TEXT, [[["kafka"], "4.1"]])).toBe(TEXT.replace('"3.9"', '"4.1"'));
    expect(changed(TEXT, [[["configs", "min.insync.replicas"], 2]])).toBe(
      `${TEXT}configs:\n  min.insync.replicas: 2\n`,
    );
    expect(changed("a: [1", [[["a"], 2]])).toBe("a: [1");
  });

  it("adds a broker and takes one away with its replicas and logs", () => {
    const more = withBroker(TEXT, shape(TEXT));
    expect(shape(more).brokers.map((broker) => broker.id)).toEqual([1, 2, 3, 4]);

    const less = withoutBroker(TEXT, shape(TEXT), 1);
    expect(shape(less).topics[0]?.partitions[0]).toEqual({
      replicas: [2, 3],
      leader: 2,
      leaderEpoch: 0,
      isr: [2],
    });
    expect(less).not.toContain("m1/0");
  });

  it("writes racks by broker, and without any the plain list", () => {
    const raised = withRack(TEXT, shape(TEXT), 2, "b");
    expect(raised).toContain("brokers: {1: {}, 2: {rack: b}, 3: {}}");
    expect(withRack(raised, shape(raised), 2, "")).toBe(TEXT);
  });

  it("keeps what else the text says about a broker, and a partition that nobody leads", () => {
    const down = TEXT.replace("brokers: [1, 2, 3]", "brokers: {1: {}, 2: {state: stopped}, 3: {}}")
      .replace("leader: 1", "leader: -1")
      .replace("isr: [1, 2]", "isr: []");
    expect(withRack(down, shape(down), 2, "b")).toContain("2: {rack: b, state: stopped}");
    expect(withBroker(down, shape(down))).toContain("2: {state: stopped}");
    const less = withReplicas(down, shape(down), 0, 0, [2, 3]);
    expect(shape(less).topics[0]?.partitions[0]).toMatchObject({ leader: -1, isr: [] });
  });

  it("puts replicas in another order, and partitions and topics beside the others", () => {
    expect(withReplicas(TEXT, shape(TEXT), 0, 0, [2, 1, 3])).toBe(
      TEXT.replace("replicas: [1, 2, 3]", "replicas: [2, 1, 3]"),
    );
    const two = withPartitions(TEXT, shape(TEXT), 0, 2);
    expect(shape(two).topics[0]?.partitions[1]?.replicas).toEqual([2, 3, 1]);
    expect(withPartitions(two, shape(two), 0, 1)).toBe(TEXT);
    expect(shape(withTopic(TEXT, shape(TEXT))).topics.map((topic) => topic.name)).toEqual([
      "t",
      "u",
    ]);
  });

  it("sets how many replicas the partitions of a topic have", () => {
    const two = withReplicationFactor(TEXT, shape(TEXT), 0, 2);
    expect(shape(two).topics[0]?.partitions[0]?.replicas).toEqual([1, 2]);
    expect(
      shape(withReplicationFactor(two, shape(two), 0, 3)).topics[0]?.partitions[0]?.replicas,
    ).toEqual([1, 2, 3]);
  });

  it("writes a log in its line, under the key that the text has", () => {
    const cells = [
      { value: "m1", epoch: 0 },
      { value: "m2", epoch: 1 },
    ];
    expect(logLine(cells)).toBe("m1/0 m2/1");
    expect(logLine([{ value: "m1", epoch: null }])).toBe("m1");
    const path = logPath(TEXT, 0, 0, 1);
    expect(changed(TEXT, [[[...path, "log"], logLine(cells)]])).toBe(
      TEXT.replace('"m1/0"', '"m1/0 m2/1"'),
    );
    expect(logPath(TEXT, 0, 0, 2).at(-1)).toBe(2);
  });

  it("moves, removes and adds steps, with their comments", () => {
    const moved = withSteps(TEXT, [1, 0, 2]);
    expect(shape(moved).steps.map((step) => step.kind)).toEqual(["detect", "crash", "note"]);
    expect(moved).toContain("# first");
    const added = withSteps(TEXT, [0, 1, 2, { kind: "settle", about: {} }]);
    expect(added).toBe(`${TEXT}  - settle: {}\n`);
    expect(shape(withSteps(TEXT, [])).steps).toEqual([]);
  });

  it("writes an author's words in place", () => {
    expect(withWords(TEXT, 2, "note", "en", "Because")).toContain(
      "note: {en: Because, zh: 为什么}",
    );
    expect(withWords(TEXT, 2, "note", "zh", "因为")).toContain("zh: 因为}");
    expect(withWords(TEXT, 2, "note", "tlh", "Because")).toContain(
      "note: {en: Because, zh: 为什么}",
    );
    const plain = withSteps(TEXT, [0, { kind: "note", about: "a" }]);
    expect(withWords(plain, 1, "note", "zh", "b")).toContain("- note: b");
  });

  it("quotes a question mark where the service's parser would end the text", () => {
    const asked = withSteps(TEXT, [
      { kind: "ask", about: { en: "What happens?", answers: ["Why?", "no"] } },
    ]);

    expect(asked).toContain('- ask: {en: "What happens?", answers: ["Why?", no]}');
    expect(withWords(asked, 0, "ask", "en", "Who leads?")).toContain('- ask: {en: "Who leads?", ');
    expect(withSteps(TEXT, [{ kind: "note", about: "Why?" }])).toContain("- note: Why?\n");
  });
});
