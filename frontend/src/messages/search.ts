/** What the search for a failure says. It never says that a run is safe. */

import type { Dictionary } from "./dictionary";
import { sayer } from "./dictionary";

export const SEARCH_MESSAGES = {
  title: { en: "Find a failure from here", zh: "从这里找一个故障" },
  question: { en: "From this step on, can this happen?", zh: "从这一步起，会发生这样的事吗？" },
  property: { en: "What could happen", zh: "可能发生什么" },
  budget: { en: "Faults it may use", zh: "允许的故障" },
  crash: { en: "broker crashes", zh: "broker 崩溃" },
  power_loss: { en: "power losses", zh: "断电" },
  drop: { en: "lost fetch answers", zh: "丢失的拉取应答" },
  hold: { en: "brokers that read their metadata late (KRaft)", zh: "元数据读得晚的 broker（KRaft）" },
  isolate: { en: "brokers cut off", zh: "broker 被隔离" },
  pause: { en: "paused brokers", zh: "broker 暂停" },
  disk_loss: { en: "lost disks", zh: "磁盘丢失" },
  unclean: { en: "unclean elections", zh: "unclean 选举" },
  produce: { en: "more records", zh: "再写入的消息" },
  depth: { en: "Steps at most", zh: "最多步数" },
  seconds: { en: "Seconds at most", zh: "最多秒数" },
  search: { en: "Search", zh: "开始查找" },
  cancel: { en: "Cancel", zh: "取消" },
  progress: { en: "{states:state|states}, {depth:step|steps} deep, {seconds} s", zh: "{states} 个状态，深 {depth} 步，{seconds} 秒" },
  violated: { en: "Yes, in {steps:step|steps}: {property}", zh: "会，{steps} 步之内：{property}" },
  violatedAlready: { en: "It has already happened at this step.", zh: "在这一步它已经发生了。" },
  open: { en: "Open it as a branch", zh: "作为分支打开" },
  none: {
    en: "Not found within these bounds: all states up to {depth:step|steps} deep were looked at, {states} of them. More faults or more steps may still do it.",
    zh: "在这些限制内没有找到：深 {depth} 步以内的 {states} 个状态都看过了。更多的故障或步数仍可能做到。",
  },
  cut: {
    en: "Not found before it was cut short: {states:state|states}, up to {depth:step|steps} deep. Nothing is known of the rest.",
    zh: "在中止之前没有找到：看过 {states} 个状态，深至 {depth} 步。其余的不得而知。",
  },
  cancelled: { en: "Cancelled. Nothing is known of what was not looked at.", zh: "已取消。没看过的部分不得而知。" },
  grain: {
    en: "It tries what a person could do, one step at a time, the shortest way first.",
    zh: "它逐步尝试人能做的一切，先找最短的路。",
  },
} satisfies Dictionary;

export const say = sayer(SEARCH_MESSAGES);
export type SearchMessage = keyof typeof SEARCH_MESSAGES;
