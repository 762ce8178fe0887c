/** What the pages around a run say. */

import type { Dictionary } from "./dictionary";
import { sayer } from "./dictionary";

export const PAGE_WORDS = {
  skip: { en: "Skip to the content", zh: "跳到正文" },
  site: { en: "Site", zh: "站点" },
  home: { en: "Highwater, home", zh: "Highwater 首页" },
  lessons: { en: "Lessons", zh: "课程" },
  build: { en: "Build your own", zh: "自己搭建" },
  insights: { en: "What runs show", zh: "运行说明了什么" },
  otherLanguage: { en: "中文", zh: "English" },
  toDark: { en: "Dark theme", zh: "深色主题" },
  toLight: { en: "Light theme", zh: "浅色主题" },
  toSystem: { en: "Theme of the system", zh: "跟随系统主题" },
  loading: { en: "Loading", zh: "载入中" },
  loadingRun: { en: "Loading the run: {read} of {total:step|steps}…", zh: "正在载入：{read} / {total} 步…" },

  heroTitle: { en: "The producer was told m2 was safe. Watch it vanish.", zh: "生产者得知 m2 已安全。看它消失。" },
  heroText: {
    en: "Highwater runs Kafka’s replication protocol, version by version, one message at a time. Step through a failure, change one thing, send the moment to somebody.",
    zh: "Highwater 逐版本、逐条消息地运行 Kafka 的复制协议。一步步走过一次故障，改动一处，把那一刻发给别人。",
  },
  play: { en: "Play this failure", zh: "播放这次故障" },
  firstLesson: { en: "Start from lesson 1", zh: "从第 1 课开始" },
  fate: { en: "{value} ✓ acknowledged · then lost", zh: "{value} ✓ 已确认 · 后丢失" },
  heroStep: { en: "Step {step} of {steps}.", zh: "第 {step} / {steps} 步。" },
  heroFigure: { en: "Two replicas at the step where an acknowledged record is lost", zh: "已确认的消息丢失那一步的两个副本" },
  lessonsText: {
    en: "{count} in order, from what a high watermark is to what destroys the last good copy.",
    zh: "共 {count} 课，依次从什么是高水位，到最后一份好副本如何被毁掉。",
  },
  basics: { en: "How replication works", zh: "复制是怎样工作的" },
  basicsText: { en: "High watermarks, the ISR, acks, elections, and what is left after a stop.", zh: "高水位、ISR、acks、选举，以及停机之后还剩下什么。" },
  truncation: { en: "What followers cut, and how it was put right", zh: "follower 会截断什么，又是怎样改对的" },
  truncationText: {
    en: "From truncation to the high watermark, through leader epochs, to truncation on fetch: each flaw beside the release that repaired it.",
    zh: "从按高水位截断，到 leader 纪元，再到拉取时截断：每个缺陷旁边是修好它的版本。",
  },
  failures: { en: "When too much fails, and what clients see", zh: "故障太多时，以及客户端看到什么" },
  failuresText: {
    en: "Unclean elections, power losses, eligible leader replicas, consumers and transactions.",
    zh: "unclean 选举、断电、合格 leader 副本、消费者与事务。",
  },
  lessonLoss: { en: "a record is lost", zh: "有消息丢失" },
  lessonDiffer: { en: "logs disagree", zh: "日志不一致" },
  lessonSteps: { en: "{steps:step|steps}", zh: "{steps} 步" },
  showsText: {
    en: "Every shared run is counted: which versions and settings lose acknowledged records, how often, and what stood behind it.",
    zh: "每个分享的运行都被统计：哪些版本和设置会丢失已确认的消息，多频繁，原因是什么。",
  },
  showsLink: { en: "See what runs show", zh: "看运行说明了什么" },
  buildText: {
    en: "Paste a scenario of your own: brokers, topics, starting logs, steps. It runs under any version from 0.8.2 on.",
    zh: "粘贴自己的场景：broker、主题、初始日志、步骤。可在 0.8.2 起的任何版本下运行。",
  },
  buildLink: { en: "Build your own", zh: "自己搭建" },

  newTitle: { en: "Start from a scenario", zh: "从场景开始" },
  newText: {
    en: "A scenario is a YAML or JSON file: a cluster, a Kafka version, and the steps that happen to it. Mistakes are shown at their line.",
    zh: "场景是一个 YAML 或 JSON 文件：一个集群、一个 Kafka 版本，以及在其上发生的步骤。有错时会标出所在的行。",
  },
  newLabel: { en: "Scenario (YAML or JSON)", zh: "场景（YAML 或 JSON）" },
  newFrom: { en: "Begin with", zh: "起始内容" },
  newBlank: { en: "a small cluster", zh: "一个小集群" },
  newRun: { en: "Run it", zh: "运行" },
  newRunning: { en: "Starting", zh: "正在启动" },
  newFile: { en: "Open a file", zh: "打开文件" },
  newProblems: { en: "{count:mistake|mistakes} to correct", zh: "有 {count} 处需要修正" },
  atLine: { en: "line {line}, column {column}", zh: "第 {line} 行第 {column} 列" },
  wholeDocument: { en: "the whole document", zh: "整个文档" },
  notFoundTitle: { en: "There is nothing at this address", zh: "此地址没有内容" },
  notFoundText: {
    en: "The link may be cut off, or mistyped. Every lesson is still where it was.",
    zh: "链接可能不完整，或有输入错误。所有课程都还在原处。",
  },
  expiredTitle: { en: "This run is no longer kept", zh: "此运行已不再保留" },
  expiredText: {
    en: "Runs nobody returns to are let go after a while. Shared links are kept: share a run to keep it.",
    zh: "长时间无人返回的运行会被清除。分享链接会一直保留：想留住一个运行，就分享它。",
  },
  goneTitle: { en: "This share was deleted", zh: "此分享已删除" },
  goneText: { en: "Whoever shared the run took it back. It cannot be restored.", zh: "分享者已将其撤回，无法恢复。" },
  offlineTitle: { en: "The service cannot be reached", zh: "无法连接服务" },
  offlineText: {
    en: "Nothing is lost: every step that was done is stored. Try again when the connection is back.",
    zh: "没有丢失任何内容：做过的每一步都已保存。连接恢复后请重试。",
  },
  busyTitle: { en: "Too many requests at once", zh: "请求过多" },
  busyText: { en: "Wait a minute, then try again.", zh: "请等一分钟再试。" },
  failedTitle: { en: "The service could not answer", zh: "服务无法回答" },
  again: { en: "Try again", zh: "重试" },
  toLessons: { en: "To the lessons", zh: "查看课程" },
  toFailure: { en: "Play a failure", zh: "播放一次故障" },
} as const satisfies Dictionary;

export const say = sayer(PAGE_WORDS);
export type PageWord = keyof typeof PAGE_WORDS;
