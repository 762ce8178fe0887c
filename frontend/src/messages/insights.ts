/** What the insights page says. */

import type { Dictionary } from "./dictionary";
import { sayer } from "./dictionary";

export const INSIGHTS_WORDS = {
  findingNone: { en: "No shared run has lost a record acknowledged with acks=all.", zh: "没有一个分享的运行丢失过以 acks=all 确认的消息。" },
  findingStopped: {
    en: "With acks=all, runs up to Kafka {last} lost acknowledged records. None of the later ones did.",
    zh: "使用 acks=all 时，Kafka {last} 及之前的运行丢失过已确认的消息，之后的没有。",
  },
  findingWorst: {
    en: "With acks=all, Kafka {kafka} lost acknowledged records in {rate} of its runs, more than any other.",
    zh: "使用 acks=all 时，Kafka {kafka} 有 {rate} 的运行丢失了已确认的消息，高于其他版本。",
  },
  findingOnly: {
    en: "With acks=all, Kafka {kafka} lost acknowledged records in {lost} of {n:run|runs}.",
    zh: "使用 acks=all 时，Kafka {kafka} 的 {n} 次运行中有 {lost} 次丢失了已确认的消息。",
  },
  findingFault: { en: " Most often, {fault} came last.", zh: "最常见的最后一个故障是：{fault}。" },
  from: {
    en: "From {runs:shared run|shared runs}, summarised {when}. Simulated, not measured on real clusters. Every mark opens a run that shows it.",
    zh: "来自 {runs} 次分享的运行，汇总于{when}。为模拟结果，并非真实集群的测量。每个标记都能打开一个对应的运行。",
  },
  lossTitle: { en: "Runs that lost an acknowledged record", zh: "丢失已确认消息的运行" },
  lossText: { en: "Share of exercised runs with 95 % intervals, by Kafka version", zh: "在有效运行中的占比与 95 % 区间，按 Kafka 版本" },
  zeroNote: { en: "A dashed line from zero: none was lost, and its end is how often it may happen at most.", zh: "从零开始的虚线：没有丢失，末端表示至多可能多频繁。" },
  chart: { en: "Chart", zh: "图表" },
  table: { en: "Table", zh: "表格" },
  viewOf: { en: "{title}: how to show it", zh: "{title}：显示方式" },
  noneOf: { en: "0 of {n}, at most {high}", zh: "{n} 次中 0 次，至多 {high}" },
  rateOf: { en: "{rate} ({low} to {high}), {lost} of {n}", zh: "{rate}（{low} 至 {high}），{n} 次中 {lost} 次" },
  notExercised: {
    en: "{runs:run|runs} without an acknowledged record or without a fault: {versions}. They show nothing and are not counted here.",
    zh: "{runs} 次运行从未确认过消息，或从未遇到故障：{versions}。它们不能说明什么，未计入。",
  },
  nothingExercised: { en: "none exercised", zh: "没有有效运行" },
  behindTitle: { en: "What stood behind the loss", zh: "丢失背后的原因" },
  behindText: { en: "Last fault before the record was gone, in runs", zh: "消息消失前的最后一个故障，按运行次数" },
  behindNone: { en: "No shared run has lost a record yet.", zh: "还没有分享的运行丢失过消息。" },
  lessonsTitle: { en: "Most shared lessons", zh: "分享最多的课程" },
  lessonsText: { en: "Shares of each lesson; the red part lost an acknowledged record", zh: "每课的分享次数；红色部分丢失了已确认的消息" },
  lessonsNone: { en: "Nobody has shared a lesson yet.", zh: "还没有人分享过课程。" },
  version: { en: "Kafka", zh: "Kafka" },
  acks: { en: "acks", zh: "acks" },
  runs: { en: "Exercised runs", zh: "有效运行" },
  lost: { en: "Lost a record", zh: "丢失消息" },
  rate: { en: "Rate", zh: "比例" },
  interval: { en: "95 % interval", zh: "95 % 区间" },
  unexercised: { en: "Not exercised", zh: "未计入" },
  example: { en: "Example", zh: "示例" },
  open: { en: "open a run", zh: "打开运行" },
  openFor: { en: "{what}: open a run", zh: "{what}：打开运行" },
  fault: { en: "Fault", zh: "故障" },
  faultRuns: { en: "Runs with it", zh: "包含它的运行" },
  lossyRuns: { en: "Of these, lost a record", zh: "其中丢失消息" },
  lastBefore: { en: "Last before the loss", zh: "丢失前最后一个" },
  lesson: { en: "Lesson", zh: "课程" },
  shares: { en: "Shares", zh: "分享次数" },
  emptyTitle: { en: "Nothing has been summarised yet", zh: "尚未汇总任何运行" },
  emptyText: {
    en: "This page says which versions and settings lose acknowledged records, counted over the runs people shared. Whoever runs this service counts them with one command:",
    zh: "此页统计人们分享的运行，说明哪些版本和设置会丢失已确认的消息。运行本服务的人用一条命令即可汇总：",
  },
  emptyAdd: { en: "Share a run and it will be among them.", zh: "分享一个运行，它就会被计入。" },
  emptyPlay: { en: "Play a failure to share", zh: "播放一次故障并分享" },
} as const satisfies Dictionary;

export const say = sayer(INSIGHTS_WORDS);
export type InsightsWord = keyof typeof INSIGHTS_WORDS;

/** Faults as the summary names them. */
export const FAULTS = {
  crash: { en: "a crash", zh: "崩溃" },
  power_loss: { en: "a power loss", zh: "断电" },
  disk_loss: { en: "a lost disk", zh: "磁盘丢失" },
  shutdown: { en: "a clean shutdown", zh: "正常关闭" },
  pause: { en: "a pause", zh: "暂停" },
  isolate: { en: "an isolated broker", zh: "broker 被隔离" },
  cut: { en: "a cut link", zh: "链路中断" },
  drop: { en: "a dropped message", zh: "消息丢弃" },
  unclean_election: { en: "an unclean election", zh: "unclean 选举" },
} as const satisfies Dictionary;
