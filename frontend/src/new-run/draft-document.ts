/**
 * The document of a scenario that is being written. Its text is the only state: the form reads the
 * text and changes single places of it, so that comments and order are preserved.
 */

import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  YAMLMap,
  type Document,
} from "yaml";

import { languageIn, type Lang } from "../language";

export interface Topic {
  readonly name: string;
  readonly partitions: readonly Partition[];
}
export interface Partition {
  readonly replicas: readonly number[];
  readonly leader: number | null;
  readonly leaderEpoch: number;
  readonly isr: readonly number[];
}
export interface Broker {
  readonly id: number;
  readonly rack: string;
  /** What else the text says about it, which the form keeps: its state and its settings. */
  readonly rest?: Record<string, unknown>;
}
export interface Step {
  readonly kind: string;
  readonly about: unknown;
}
export type Value = number | boolean | string;

/** The values that the form shows for a text, with defaults where the text has none. */
export interface Shape {
  readonly kafka: string;
  readonly control: string | null;
  readonly title: string;
  readonly brokers: readonly Broker[];
  readonly topics: readonly Topic[];
  readonly configs: Readonly<Record<string, Value>>;
  readonly steps: readonly Step[];
}

export type Path = readonly (string | number)[];

/** A cell of a log: a value and its epoch. */
export interface Cell {
  readonly value: string;
  readonly epoch: number | null;
}

/** The text as a syntax tree; null if it is not a YAML mapping, so that no place can be changed. */
export function treeOf(text: string): Document | null {
  try {
    const tree = parseDocument(text, { keepSourceTokens: false });
    return tree.errors.length === 0 && isMap(tree.contents) ? tree : null;
  } catch {
    return null;
  }
}

export function shapeOf(text: string): Shape | null {
  const tree = treeOf(text);
  if (tree === null) return null;
  const found = tree.toJS() as Record<string, unknown>;
  return {
    kafka: textOf(found.kafka),
    control: typeof found.control === "string" ? found.control : null,
    title: titleOf(found.title),
    brokers: brokersOf(found.brokers),
    topics: listOf(found.topics).map((topic) => ({
      name: textOf(recordOf(topic).name),
      partitions: listOf(recordOf(topic).partitions).map(partitionOf),
    })),
    configs: valuesOf(found.configs),
    steps: listOf(found.steps).map(stepOf),
  };
}

function partitionOf(given: unknown): Partition {
  const { replicas, leader, leader_epoch, isr } = recordOf(given);
  const ids = numbersOf(replicas);
  return {
    replicas: ids,
    leader: typeof leader === "number" ? leader : null,
    leaderEpoch: typeof leader_epoch === "number" ? leader_epoch : 0,
    isr: Array.isArray(isr) ? numbersOf(isr) : ids,
  };
}

function stepOf(given: unknown): Step {
  const [entry] = Object.entries(recordOf(given));
  return entry === undefined ? { kind: "", about: {} } : { kind: entry[0], about: entry[1] };
}

function brokersOf(given: unknown): Broker[] {
  if (Array.isArray(given)) return numbersOf(given).map((id) => ({ id, rack: "" }));
  return Object.entries(recordOf(given)).map(([id, about]) => {
    const { rack, ...rest } = recordOf(about);
    return {
      id: Number(id),
      rack: textOf(rack),
      ...(Object.keys(rest).length > 0 ? { rest } : {}),
    };
  });
}

function titleOf(given: unknown): string {
  if (typeof given === "string") return given;
  const [first] = Object.values(recordOf(given));
  return textOf(first);
}

function recordOf(given: unknown): Record<string, unknown> {
  return typeof given === "object" && given !== null && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : {};
}

function listOf(given: unknown): unknown[] {
  return Array.isArray(given) ? given : [];
}

function numbersOf(given: unknown): number[] {
  return listOf(given).filter((one): one is number => typeof one === "number");
}

function textOf(given: unknown): string {
  return typeof given === "string" || typeof given === "number" ? String(given) : "";
}

function valuesOf(given: unknown): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(recordOf(given)).filter((entry): entry is [string, Value] =>
      ["number", "boolean", "string"].includes(typeof entry[1]),
    ),
  );
}

/**
 * The text of a syntax tree. A plain text with a question mark is quoted inside `{…}` and `[…]`: the
 * service's parser ends it there.
 */
export function writtenOut(tree: Document): string {
  visit(tree, {
    Scalar: (_, node, path) => {
      const isPlain = node.type === undefined || node.type === "PLAIN";
      const inFlow = path.some((above) => isCollection(above) && above.flow === true);
      if (isPlain && inFlow && typeof node.value === "string" && node.value.includes("?"))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return tree.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Changes single places: `undefined` removes one. A text that is not YAML stays unchanged. */
export function changed(text: string, places: readonly (readonly [Path, unknown])[]): string {
  const tree = treeOf(text);
  if (tree === null) return text;
  for (const [path, value] of places) {
    if (value === undefined) tree.deleteIn(path);
    else put(tree, path, value);
  }
  return writtenOut(tree);
}

/** Inserted values are on one line, as in the shipped files; existing values keep their form. */
function put(tree: Document, path: Path, value: unknown): void {
  for (let length = 1; length < path.length; length += 1) {
    const above = path.slice(0, length);
    if (!isCollectionAt(tree, above))
      tree.setIn(
        above,
        tree.createNode(typeof path[length] === "number" ? [] : {}, { flow: length > 1 }),
      );
  }
  const there = tree.getIn(path, true);
  if (isScalar(there) && (typeof value !== "object" || value === null)) there.value = value;
  else tree.setIn(path, tree.createNode(value, { flow: true }));
}

function isCollectionAt(tree: Document, path: Path): boolean {
  const there = tree.getIn(path, true);
  return isMap(there) || isSeq(there);
}

const BROKERS_MOST = 9;
/** The leader of a partition that nobody leads. */
export const NO_LEADER = -1;

/** Adds a broker with the next free id. */
export function withBroker(text: string, shape: Shape): string {
  const ids = new Set(shape.brokers.map((broker) => broker.id));
  const free = Array.from({ length: BROKERS_MOST }, (_, index) => index + 1).find(
    (id) => !ids.has(id),
  );
  if (free === undefined) return text;
  return changed(text, [
    [["brokers"], brokersDocument([...shape.brokers, { id: free, rack: "" }])],
  ]);
}

/** Removes a broker and its replicas, except the last one of a partition. */
export function withoutBroker(text: string, shape: Shape, id: number): string {
  const places: [Path, unknown][] = [
    [["brokers"], brokersDocument(shape.brokers.filter((broker) => broker.id !== id))],
  ];
  shape.topics.forEach((topic, at) =>
    topic.partitions.forEach((partition, number) => {
      const left = partition.replicas.filter((replica) => replica !== id);
      if (left.length === partition.replicas.length) return;
      const other = shape.brokers.find((broker) => broker.id !== id);
      places.push(
        ...replicaPlaces(
          at,
          number,
          partition,
          left.length > 0 ? left : other === undefined ? [] : [other.id],
        ),
      );
    }),
  );
  return changed(text, places);
}

export function withRack(text: string, shape: Shape, id: number, rack: string): string {
  return changed(text, [
    [
      ["brokers"],
      brokersDocument(
        shape.brokers.map((broker) => (broker.id === id ? { ...broker, rack } : broker)),
      ),
    ],
  ]);
}

function brokersDocument(brokers: readonly Broker[]): unknown {
  if (brokers.every(({ rack, rest }) => rack === "" && rest === undefined))
    return brokers.map((broker) => broker.id);
  return new Map(
    brokers.map(({ id, rack, rest }) => [id, { ...(rack === "" ? {} : { rack }), ...rest }]),
  );
}

/** Sets the replicas of a partition; the first is the preferred leader. */
export function withReplicas(
  text: string,
  shape: Shape,
  topic: number,
  number: number,
  replicas: readonly number[],
): string {
  const partition = shape.topics[topic]?.partitions[number];
  return partition === undefined
    ? text
    : changed(text, replicaPlaces(topic, number, partition, replicas));
}

/** Sets how many replicas each partition of a topic has: the last ones go, other brokers are added. */
export function withReplicationFactor(
  text: string,
  shape: Shape,
  topic: number,
  count: number,
): string {
  const brokers = shape.brokers.map((broker) => broker.id);
  const places = (shape.topics[topic]?.partitions ?? []).flatMap((partition, number) => {
    const all = [
      ...partition.replicas,
      ...brokers.filter((broker) => !partition.replicas.includes(broker)),
    ];
    return replicaPlaces(topic, number, partition, all.slice(0, count));
  });
  return changed(text, places);
}

function replicaPlaces(
  topic: number,
  number: number,
  partition: Partition,
  replicas: readonly number[],
): [Path, unknown][] {
  const at: Path = ["topics", topic, "partitions", number];
  const gone = partition.replicas.filter((replica) => !replicas.includes(replica));
  const isr = [
    ...partition.isr.filter((replica) => replicas.includes(replica)),
    ...replicas.filter((replica) => !partition.replicas.includes(replica)),
  ];
  const places: [Path, unknown][] = [[[...at, "replicas"], replicas]];
  for (const broker of gone)
    places.push([[...at, "logs", broker], undefined], [[...at, "logs", String(broker)], undefined]);
  const leader =
    partition.leader === NO_LEADER ||
    (partition.leader !== null && replicas.includes(partition.leader))
      ? partition.leader
      : (isr[0] ?? replicas[0]);
  if (partition.leader !== null) places.push([[...at, "leader"], leader]);
  if (partition.isr.length !== partition.replicas.length)
    places.push([
      [...at, "isr"],
      isr.length > 0 || leader === NO_LEADER ? isr : replicas.slice(0, 1),
    ]);
  return places;
}

/**
 * Sets the number of partitions of a topic; a new one is like the last, with the next broker as
 * leader.
 */
export function withPartitions(text: string, shape: Shape, topic: number, count: number): string {
  const partitions = shape.topics[topic]?.partitions ?? [];
  if (count < partitions.length) {
    return changed(
      text,
      partitions
        .slice(count)
        .map(
          (_, index) =>
            [["topics", topic, "partitions", partitions.length - 1 - index], undefined] as const,
        ),
    );
  }
  const last = partitions.at(-1)?.replicas ?? [];
  return changed(
    text,
    Array.from({ length: count - partitions.length }, (_, index) => {
      const turn = (index + 1) % Math.max(last.length, 1);
      return [
        ["topics", topic, "partitions", partitions.length + index],
        { replicas: [...last.slice(turn), ...last.slice(0, turn)] },
      ] as const;
    }),
  );
}

/** Adds a topic with the same assignment as the first. */
export function withTopic(text: string, shape: Shape): string {
  const names = new Set(shape.topics.map((topic) => topic.name));
  const name =
    ["t", "u", "v", "w", "x", "y", "z"].find((one) => !names.has(one)) ??
    `topic-${String(shape.topics.length + 1)}`;
  const replicas =
    shape.topics[0]?.partitions[0]?.replicas ?? shape.brokers.map((broker) => broker.id);
  return changed(text, [[["topics", shape.topics.length], { name, partitions: [{ replicas }] }]]);
}

/** A log in one line, as files write it: `m1/0 m2/1`. */
export function logLine(cells: readonly Cell[]): string {
  return cells
    .map(({ value, epoch }) => (epoch === null ? value : `${value}/${String(epoch)}`))
    .join(" ");
}

/** The key of a broker's log as written in the text: a number or a string. */
export function logPath(text: string, topic: number, partition: number, broker: number): Path {
  const logs: Path = ["topics", topic, "partitions", partition, "logs"];
  return treeOf(text)?.hasIn([...logs, String(broker)]) === true
    ? [...logs, String(broker)]
    : [...logs, broker];
}

/** The author's words and checks, which are no steps to perform. */
const WRITTEN: readonly string[] = ["note", "ask", "expect"];

export function isPerformed(step: Step): boolean {
  return !WRITTEN.includes(step.kind);
}

/** Whether it says what the author expects of the cluster. */
export function isCheck(step: Step): boolean {
  return step.kind === "expect";
}

/** The index of the entry after so many entries and what is written about the last of them. */
export function afterWritten(steps: readonly Step[], after: number): number {
  const next = steps.findIndex((step, place) => place >= after && isPerformed(step));
  return next < 0 ? steps.length : next;
}

/** Sets the steps; a number is an existing step, by its index. */
export function withSteps(text: string, order: readonly (number | Step)[]): string {
  const tree = treeOf(text);
  if (tree === null) return text;
  const list = tree.createNode([]) as unknown as { items: unknown[]; flow?: boolean };
  for (const one of order) {
    list.items.push(
      typeof one === "number" ? tree.getIn(["steps", one], true) : stepNode(tree, one),
    );
  }
  list.flow = list.items.length === 0;
  tree.setIn(["steps"], list);
  return writtenOut(tree);
}

/** Inserts a step before the entry at a place. */
export function withInserted(
  text: string,
  steps: readonly Step[],
  place: number,
  step: Step,
): string {
  const order = steps.map((_, index): number | Step => index);
  return withSteps(text, order.toSpliced(place, 0, step));
}

/** `- crash: {broker: 1}` */
function stepNode(tree: Document, step: Step): unknown {
  const node = new YAMLMap();
  node.set(step.kind, tree.createNode(step.about, { flow: true }));
  return node;
}

/** Replaces the text of a note or of a question, in the language in which it is shown. */
export function withWords(
  text: string,
  place: number,
  kind: string,
  lang: Lang,
  words: string,
): string {
  const tree = treeOf(text);
  if (tree === null) return text;
  const path: Path = ["steps", place, kind];
  const there: unknown = tree.getIn(path);
  const inside = isMap(there) ? [languageIn(there.toJSON() as object, lang)] : [];
  return changed(text, [[[...path, ...inside], words]]);
}
