/** What stands in place of a panel that could not be drawn. */

import type { Bilingual, Lang } from "../../trace";

export const WORDS = {
  stage: { en: "stage", zh: "舞台" },
  properties: { en: "properties", zh: "性质" },
  logs: { en: "logs of the replicas", zh: "各副本的日志" },
  controller: { en: "controller", zh: "controller" },
  clients: { en: "clients", zh: "客户端" },
  table: { en: "table of the replicas", zh: "副本一览表" },
  why: { en: "explanation of this step", zh: "这一步的说明" },
  choices: { en: "list of actions", zh: "操作列表" },
  timeline: { en: "timeline", zh: "时间线" },
  comparison: { en: "comparison", zh: "比较" },
  dialog: { en: "dialog", zh: "对话框" },
  player: { en: "player", zh: "播放器" },
  page: { en: "page", zh: "页面" },
  failed: { en: "The {panel} could not be drawn", zh: "{panel}无法显示" },
  advice: {
    en: "This is a fault of Highwater, not of the cluster shown. Everything else on the page still works.",
    zh: "这是 Highwater 自身的故障，与所示的集群无关。页面的其余部分仍可使用。",
  },
  again: { en: "Try again", zh: "重试" },
  close: { en: "Close", zh: "关闭" },
  detail: { en: "What went wrong", zh: "出错详情" },
} as const satisfies Record<string, Bilingual>;

export type PanelName = Exclude<keyof typeof WORDS, "failed" | "advice" | "again" | "close" | "detail">;

export function panelWord(lang: Lang, name: keyof typeof WORDS): string {
  return WORDS[name][lang];
}

/** "The timeline could not be drawn". */
export function panelFailed(lang: Lang, panel: PanelName): string {
  return WORDS.failed[lang].replace("{panel}", WORDS[panel][lang]);
}
