/** What the comparison of two runs says. */

import type { Dictionary } from "./words";
import { sayer } from "./words";

export const COMPARING_WORDS = {
  compare: { en: "Compare", zh: "比较" },
  with: { en: "Compare with", zh: "与之比较" },
  none: { en: "Compare…", zh: "比较…" },
  stop: { en: "Stop comparing", zh: "停止比较" },
  versions: { en: "The same steps under", zh: "同样的步骤，换成" },
  branches: { en: "Another branch", zh: "另一个分支" },
  here: { en: "{name} · step {step} of {steps}", zh: "{name} · 第 {step}/{steps} 步" },
  thisBranch: { en: "this branch", zh: "这个分支" },
  comparing: { en: "Comparing…", zh: "正在比较…" },
  same: { en: "At the end of every step the two are the same.", zh: "在每一步结束时，两者都相同。" },
  first: { en: "First difference, step {step}: {what} {a} here, {b} there", zh: "第一处不同，第 {step} 步：{what}这边是 {a}，那边是 {b}" },
  onlyHere: { en: "Only here, step {step}: {property}", zh: "只在这边，第 {step} 步：{property}" },
  onlyThere: { en: "Only there, step {step}: {property}", zh: "只在那边，第 {step} 步：{property}" },
  show: { en: "show", zh: "查看" },
  differs: { en: "differs here", zh: "此处不同" },
  agrees: { en: "the same here", zh: "此处相同" },
  nothing: { en: "nothing", zh: "没有" },
  log: { en: "broker {broker}’s log is", zh: "broker {broker} 的日志" },
  high_watermark: { en: "broker {broker}’s high watermark is", zh: "broker {broker} 的高水位" },
  role: { en: "broker {broker} is", zh: "broker {broker} " },
  broker_state: { en: "broker {broker} is", zh: "broker {broker} " },
  epoch_cache: { en: "broker {broker}’s epochs are", zh: "broker {broker} 的纪元" },
  leader: { en: "the leader is", zh: "leader " },
  isr: { en: "the ISR is", zh: "ISR " },
  elr: { en: "the ELR is", zh: "ELR " },
  leader_epoch: { en: "the leader epoch is", zh: "leader 纪元" },
  partition_epoch: { en: "the partition epoch is", zh: "分区纪元" },
  outcome: { en: "what a producer was told is", zh: "producer 得到的答复" },
  error: { en: "the error a producer was told is", zh: "producer 得到的错误" },
  value: { en: "what a consumer read is", zh: "consumer 读到的值" },
  other: { en: "{where} is", zh: "{where} " },
} satisfies Dictionary;

export const say = sayer(COMPARING_WORDS);
export type ComparingWord = keyof typeof COMPARING_WORDS;
