import type { Bilingual, Lang } from "../../trace";

export const WORDS = {
  first: { en: "To the start", zh: "到起点" },
  back: { en: "One step back", zh: "后退一步" },
  play: { en: "Play", zh: "播放" },
  pause: { en: "Pause", zh: "暂停" },
  next: { en: "One step on", zh: "前进一步" },
  last: { en: "To the end", zh: "到末尾" },
  step: { en: "Step", zh: "步骤" },
  open: { en: "Open", zh: "打开" },
  openTitle: { en: "Open this step in Highwater", zh: "在 Highwater 中打开此步" },
  removed: { en: "This run was taken back", zh: "此内容已被撤回" },
  removedAdvice: { en: "Whoever shared it deleted it. The page around it may say what it showed.", zh: "分享者已将其删除，周围的页面也许说明了它的内容。" },
  unavailable: { en: "This run cannot be shown now", zh: "暂时无法显示" },
  unavailableAdvice: { en: "The link may be cut off, or the service is away. Load the page again in a moment.", zh: "链接可能不完整，或服务暂时不可用。请稍后重新加载页面。" },
} as const satisfies Record<string, Bilingual>;

export function embedWord(lang: Lang, name: keyof typeof WORDS): string {
  return WORDS[name][lang];
}
