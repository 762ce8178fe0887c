/** The stage's own words. What happened is said by the engine's catalogue; these name what is drawn. */

import { fill, formatValue, type Bilingual, type Catalogue, type Lang, type Message, type TraceEvent } from "../../trace";

/** Between the parts of what is said in one breath. */
const SEPARATORS = { comma: { en: ", ", zh: "，" }, colon: { en: ": ", zh: "：" }, stop: { en: ". ", zh: "。" } } as const satisfies Record<string, Bilingual>;

export const WORDS = {
  stage: { en: "Stage", zh: "舞台" },
  logs: { en: "Logs of the replicas", zh: "各副本的日志" },
  offset: { en: "offset", zh: "位移" },
  broker: { en: "Broker {broker}", zh: "Broker {broker}" },
  leader: { en: "leader", zh: "leader" },
  follower: { en: "follower", zh: "follower" },
  noRole: { en: "no role yet", zh: "尚无角色" },
  leaderInEpoch: { en: "leader · epoch {epoch}", zh: "leader · 纪元 {epoch}" },
  staleLeader: { en: "still leads in epoch {epoch}", zh: "仍自认 leader · 纪元 {epoch}" },
  preferred: { en: "preferred leader", zh: "首选 leader" },
  inSync: { en: "in sync", zh: "同步" },
  outOfSync: { en: "out of sync", zh: "不同步" },
  ownIsr: { en: "its own ISR {isr}", zh: "自认 ISR {isr}" },
  asksForIsr: { en: "asks for ISR {isr}", zh: "请求 ISR {isr}" },
  cutFrom: { en: "cut off from {brokers}", zh: "与 {brokers} 断开" },
  noReplica: { en: "no replica of {partition}", zh: "没有 {partition} 的副本" },
  truncating: { en: "truncating", zh: "截断中" },
  resetting: { en: "resetting", zh: "重置中" },
  fetcherFailed: { en: "fetcher failed", zh: "拉取已失败" },
  backingOff: { en: "backing off", zh: "退避中" },
  paused: { en: "paused", zh: "暂停" },
  shuttingDown: { en: "shutting down", zh: "正在关闭" },
  fenced: { en: "fenced", zh: "被隔离" },
  downNoticed: { en: "down since step {step}", zh: "自第 {step} 步起宕机" },
  downUnnoticed: { en: "down since step {step}, not noticed", zh: "自第 {step} 步起宕机，尚未被发现" },
  down: { en: "down", zh: "宕机" },
  stopped: { en: "stopped at step {step}", zh: "第 {step} 步停止" },
  failed: { en: "ended by itself at step {step}", zh: "第 {step} 步自行退出" },
  epochFrom: { en: "epoch {epoch} → {start}", zh: "纪元 {epoch} → {start}" },
  noEpochs: { en: "no epochs before 0.11", zh: "0.11 之前没有纪元" },
  emptyEpochs: { en: "no epoch yet", zh: "尚无纪元" },
  seenAt: { en: "broker {brokers} seen at {offset}", zh: "所见 broker {brokers}：{offset}" },
  seenAtMany: { en: "brokers {brokers} seen at {offset}", zh: "所见 broker {brokers}：{offset}" },
  notSeenMany: { en: "brokers {brokers} not seen yet", zh: "尚未见到 broker {brokers}" },
  notSeen: { en: "broker {brokers} not seen yet", zh: "尚未见到 broker {brokers}" },
  highWatermark: { en: "HW {offset}", zh: "HW {offset}" },
  highWatermarkFile: { en: "high watermark {offset} in its checkpoint file", zh: "检查点文件中的高水位 {offset}" },
  logEnd: { en: "LEO {offset}", zh: "LEO {offset}" },
  folded: { en: "⋯ {count}", zh: "⋯ {count}" },
  foldedTitle: { en: "{count} offsets folded: {from} to {to}", zh: "折叠了 {count} 个位移：{from}–{to}" },
  openFold: { en: "Show the {count} folded offsets {from} to {to}", zh: "展开折叠的 {count} 个位移 {from}–{to}" },
  foldAgain: { en: "Fold again", zh: "重新折叠" },
  foldedRecords: { en: "({count} more, offsets {from} to {to}, folded)", zh: "（另有 {count} 条，位移 {from}–{to}，已折叠）" },
  moreBefore: { en: "{count} earlier", zh: "前面还有 {count}" },
  moreAfter: { en: "{count} later", zh: "后面还有 {count}" },
  cutToMin: { en: "truncate to min({leader}, {own})", zh: "截断到 min({leader}, {own})" },
  cutToHighWatermark: { en: "truncate to the high watermark {to}", zh: "截断到高水位 {to}" },
  cutToLogEnd: { en: "truncate to the leader’s LEO {to}", zh: "截断到 leader 的 LEO {to}" },
  cutFull: { en: "start over at {to}", zh: "从 {to} 重新开始" },
  cutTo: { en: "truncate to {to}", zh: "截断到 {to}" },
  epochEndsAt: { en: "epoch {epoch} ends at {offset}", zh: "纪元 {epoch} 结束于 {offset}" },
  record: { en: "{value}, offset {offset}", zh: "{value}，位移 {offset}" },
  inEpoch: { en: "epoch {epoch}", zh: "纪元 {epoch}" },
  committed: { en: "below the high watermark", zh: "在高水位以下" },
  uncommitted: { en: "above the high watermark", zh: "在高水位以上" },
  diverging: { en: "differs from the leader’s", zh: "与 leader 不同" },
  cut: { en: "just cut off", zh: "刚被截断" },
  flushed: { en: "on disk", zh: "已落盘" },
  unflushed: { en: "not yet on disk", zh: "尚未落盘" },
  files: { en: "files", zh: "文件" },
  showFiles: { en: "Show the checkpoint files of broker {broker}", zh: "显示 broker {broker} 的检查点文件" },
  noFile: { en: "no such file before 0.11", zh: "0.11 之前没有此文件" },
  deliver: { en: "Deliver", zh: "投递" },
  drop: { en: "Drop", zh: "丢弃" },
  hold: { en: "Hold", zh: "扣留" },
  release: { en: "Release", zh: "放行" },
  answerNow: { en: "Answer now", zh: "立即应答" },
  held: { en: "held back", zh: "已扣留" },
  parked: { en: "waits for new records", zh: "等待新消息" },
  undeliverable: { en: "cannot arrive now", zh: "现在无法到达" },
  inbox: { en: "Messages to {receiver}", zh: "发往 {receiver} 的消息" },
  controller: { en: "Controller", zh: "Controller" },
  controllerReceiver: { en: "the controller", zh: "controller" },
  leaderChip: { en: "leader", zh: "leader" },
  noLeader: { en: "no leader", zh: "没有 leader" },
  leaderEpoch: { en: "leader epoch", zh: "纪元" },
  znodeVersion: { en: "znode version", zh: "znode 版本" },
  partitionEpoch: { en: "partition epoch", zh: "分区纪元" },
  metadataOffset: { en: "metadata offset", zh: "元数据位移" },
  behindOne: { en: "broker {broker} has not applied {count} record", zh: "broker {broker} 还差 {count} 条元数据" },
  behind: { en: "broker {broker} has not applied {count} records", zh: "broker {broker} 还差 {count} 条元数据" },
  lastStable: { en: "last stable offset {offset}: readers of committed records stop here", zh: "最后稳定位移 {offset}：只读已提交消息的消费者到此为止" },
  inTransaction: { en: "in a transaction of producer id {producer}", zh: "属于 producer id {producer} 的事务" },
  endOfTransaction: { en: "ends a transaction of producer id {producer}", zh: "结束 producer id {producer} 的事务" },
  sequenceOf: { en: "sequence {sequence} of producer id {producer}", zh: "producer id {producer} 的序号 {sequence}" },
  adding: { en: "adding", zh: "正在加入" },
  removing: { en: "removing", zh: "正在移除" },
  inZooKeeper: { en: "in ZooKeeper", zh: "ZooKeeper 中" },
  registeredBrokers: { en: "registered brokers", zh: "已注册的 broker" },
  version: { en: "version {version}", zh: "版本 {version}" },
  brokerEpoch: { en: "broker epoch", zh: "broker 纪元" },
  hasRead: { en: "has read the metadata log to", zh: "元数据日志已读到" },
  notRegistered: { en: "not registered", zh: "未注册" },
  unfenced: { en: "unfenced", zh: "未隔离" },
  recovering: { en: "leader recovering", zh: "leader 恢复中" },
  producer: { en: "Producer {name}", zh: "Producer {name}" },
  consumer: { en: "Consumer {name}", zh: "Consumer {name}" },
  waiting: { en: "waiting", zh: "等待中" },
  noAnswer: { en: "no answer", zh: "无应答" },
  acknowledged: { en: "acknowledged", zh: "已确认" },
  acknowledgedAt: { en: "acknowledged at step {step}", zh: "第 {step} 步已确认" },
  noLeaderHasIt: { en: "no leader has it from step {step}", zh: "第 {step} 步起没有 leader 拥有它" },
  lastCopyGone: { en: "last copy gone at step {step}", zh: "第 {step} 步最后一份副本消失" },
  noLeaderHas: { en: "step {step}: no replica that may lead has {values}", zh: "第 {step} 步：可以当 leader 的副本都没有 {values}" },
  lastCopyOf: { en: "step {step}: the last copy of {values} is gone", zh: "第 {step} 步：{values} 的最后一份副本消失" },
  earlier: { en: "{count} earlier, all acknowledged", zh: "之前 {count} 条均已确认" },
  earlierMixed: { en: "{count} earlier", zh: "之前 {count} 条" },
  read: { en: "read", zh: "读到" },
  readNothing: { en: "read nothing yet", zh: "尚未读到" },
  nextOffset: { en: "next offset", zh: "下一位移" },
  nowAt: { en: "{value}, now {now}", zh: "{value}，现为 {now}" },
  properties: { en: "Properties", zh: "性质" },
  holds: { en: "holds", zh: "成立" },
  violated: { en: "violated", zh: "违反" },
  notExercised: { en: "not exercised", zh: "未触及" },
  ackedAt: { en: "{values}, acked at step {step}", zh: "{values}，第 {step} 步确认" },
  sinceStep: { en: "since step {step}", zh: "自第 {step} 步起" },
  moreProperties: { en: "{count} more", zh: "另有 {count} 项" },
  fewerProperties: { en: "fewer", zh: "收起" },
  partitions: { en: "Partitions", zh: "分区" },
  scroll: { en: "Offsets {first} to {last} of {lowest} to {highest}", zh: "位移 {first}–{last}，共 {lowest}–{highest}" },
  twin: { en: "Replicas of {partition} as a table", zh: "{partition} 各副本一览" },
  state: { en: "state", zh: "状态" },
  role: { en: "role", zh: "角色" },
  log: { en: "log", zh: "日志" },
  epochs: { en: "epochs", zh: "纪元" },
  none: { en: "none", zh: "无" },
  stepOf: { en: "Step {step} of {steps}", zh: "第 {step} / {steps} 步" },
  step: { en: "Step {step}", zh: "第 {step} 步" },
  start: { en: "Start", zh: "起点" },
} as const satisfies Record<string, Bilingual>;

export type Word = keyof typeof WORDS;

export function word(lang: Lang, name: Word, numbers: Record<string, string | number> = {}): string {
  return fill(WORDS[name][lang], numbers);
}

export function joined(lang: Lang, parts: readonly string[], separator: keyof typeof SEPARATORS = "comma"): string {
  return parts.filter((part) => part !== "").join(SEPARATORS[separator][lang]);
}

export function set(members: readonly (number | string)[]): string {
  return `{${members.join(", ")}}`;
}

/** Kafka's own names of the messages. */
const API_NAMES: Readonly<Record<string, string>> = {
  fetch_request: "Fetch",
  fetch_response: "Fetch",
  offsets_for_leader_epoch_request: "OffsetsForLeaderEpoch",
  offsets_for_leader_epoch_response: "OffsetsForLeaderEpoch",
  list_offsets_request: "ListOffsets",
  list_offsets_response: "ListOffsets",
  leader_and_isr: "LeaderAndIsr",
  stop_replica: "StopReplica",
  update_metadata: "UpdateMetadata",
  metadata_record: "PartitionChangeRecord",
  alter_partition_request: "AlterPartition",
  alter_partition_response: "AlterPartition",
  isr_change_notification: "isr_change_notification",
  heartbeat: "BrokerHeartbeat",
  heartbeat_response: "BrokerHeartbeat",
};

/** What a message says, by its kind; used when the message carries all the numbers. */
const MESSAGE_TITLES: Readonly<Record<string, Bilingual>> = {
  fetch_request: { en: "fetch from offset {fetch_offset}", zh: "从位移 {fetch_offset} 拉取" },
  fetch_response: { en: "reply: {records} records, HW {high_watermark}", zh: "应答：{records} 条，HW {high_watermark}" },
  "fetch_response.unnamed": { en: "reply: 1 record, HW {high_watermark}", zh: "应答：1 条，HW {high_watermark}" },
  "fetch_response.one": { en: "reply: {values}, HW {high_watermark}", zh: "应答：{values}，HW {high_watermark}" },
  "fetch_response.diverging": { en: "reply: epoch {diverging_epoch} ends at {end_offset}", zh: "应答：纪元 {diverging_epoch} 结束于 {end_offset}" },
  offsets_for_leader_epoch_request: { en: "where does epoch {epoch} end?", zh: "纪元 {epoch} 在哪里结束？" },
  offsets_for_leader_epoch_response: { en: "reply: epoch {epoch} ends at {end_offset}", zh: "应答：纪元 {epoch} 结束于 {end_offset}" },
  list_offsets_request: { en: "what is the {which} offset?", zh: "{which} 位移是多少？" },
  list_offsets_response: { en: "reply: {which} offset {offset}", zh: "应答：{which} 位移 {offset}" },
  leader_and_isr: { en: "leader {leader}, epoch {leader_epoch}, ISR {isr}", zh: "leader {leader}，纪元 {leader_epoch}，ISR {isr}" },
  metadata_record: { en: "leader {leader}, epoch {leader_epoch}, ISR {isr}", zh: "leader {leader}，纪元 {leader_epoch}，ISR {isr}" },
  alter_partition_request: { en: "asks for ISR {isr}", zh: "请求 ISR {isr}" },
  alter_partition_response: { en: "reply: ISR {isr}", zh: "应答：ISR {isr}" },
};

export function messageTitle(catalogue: Catalogue, message: Message, lang: Lang, partition: string): string {
  const { kind, numbers } = message;
  if (typeof numbers.error === "string" && numbers.error !== "NONE") {
    return lang === "zh" ? `应答：${numbers.error}` : `reply: ${numbers.error}`;
  }
  // Of a command about several partitions, what it says of the one shown.
  if (Array.isArray(numbers.partitions) && numbers.partitions.length > 1) {
    const shown = numbers.partitions.map(String).find((text) => text.startsWith(`${partition}:`)) ?? String(numbers.partitions[0]);
    return `${shown} (+${numbers.partitions.length - 1})`;
  }
  const template = MESSAGE_TITLES[messageVariant(message)]?.[lang];
  const named = [...(template ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  if (template === undefined || named.some((name) => numbers[name] === null || numbers[name] === undefined)) {
    return catalogue.message_kinds[kind]?.[lang] ?? kind;
  }
  return fill(template, { ...numbers, isr: Array.isArray(numbers.isr) ? set(numbers.isr) : (numbers.isr ?? null) });
}

function messageVariant({ kind, numbers }: Message): string {
  if (kind !== "fetch_response") return kind;
  if (typeof numbers.diverging_epoch === "number") return `${kind}.diverging`;
  if (numbers.records !== 1) return kind;
  return Array.isArray(numbers.values) ? `${kind}.one` : `${kind}.unnamed`;
}

export function messageRoute(message: Message, lang: Lang): string {
  const end = (endpoint: Message["from"]) => (endpoint === "controller" ? word(lang, "controllerReceiver") : String(endpoint));
  return `${API_NAMES[message.kind] ?? message.kind} · ${end(message.from)} → ${end(message.to)}`;
}

/** What is written on the line where a log is cut. */
export function cutLabel(event: TraceEvent, lang: Lang): string {
  const numbers = event.numbers;
  if (event.kind === "EpochLookupAnswered") {
    // Before KIP-279 an answer named no epoch: it was about the one that was asked for.
    const answered = typeof numbers.answer_epoch === "number" && numbers.answer_epoch >= 0 ? numbers.answer_epoch : numbers.epoch;
    return word(lang, "epochEndsAt", { epoch: formatValue(answered), offset: formatValue(numbers.end_offset) });
  }
  const to = formatValue(numbers.to);
  switch (event.variant) {
    case "high_watermark":
    case "undefined":
    case "no_epochs":
      return word(lang, "cutToHighWatermark", { to });
    case "out_of_range":
      return word(lang, "cutToLogEnd", { to });
    case "full":
      return word(lang, "cutFull", { to });
    default: {
      const own = numbers.own_end_offset ?? numbers.before;
      return typeof numbers.leader_end_offset === "number" && typeof own === "number"
        ? word(lang, "cutToMin", { leader: numbers.leader_end_offset, own })
        : word(lang, "cutTo", { to });
    }
  }
}
