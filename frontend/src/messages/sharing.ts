/** What the share dialog says. */

import type { Dictionary } from "./dictionary";
import { sayer } from "./dictionary";

export const SHARING_WORDS = {
  title: { en: "Share this moment", zh: "分享这一刻" },
  close: { en: "Close", zh: "关闭" },
  kinds: { en: "What to share", zh: "分享方式" },
  link: { en: "Link", zh: "链接" },
  embed: { en: "Embed", zh: "嵌入" },
  picture: { en: "Picture", zh: "图片" },
  file: { en: "File", zh: "文件" },
  opensAt: { en: "Opens at", zh: "打开于" },
  thisStep: { en: "step {step}, shown now", zh: "第 {step} 步（当前）" },
  fromStart: { en: "the start", zh: "开头" },
  place: { en: "Where it goes", zh: "放在哪里" },
  html: { en: "Any page, as HTML", zh: "任意网页（HTML）" },
  markdown: { en: "MkDocs, Markdown", zh: "MkDocs、Markdown" },
  element: { en: "A page with the loader script", zh: "使用加载脚本的网页" },
  look: { en: "Look", zh: "外观" },
  asPage: { en: "as the page", zh: "随页面" },
  light: { en: "light", zh: "浅色" },
  dark: { en: "dark", zh: "深色" },
  embedNote: {
    en: "Works where scripts don’t: a picture stands in. No cookies, nothing stored, never takes the focus.",
    zh: "无法运行脚本时由图片代替。没有 cookie，不存储任何内容，也不抢焦点。",
  },
  previewTitle: { en: "Preview of the embed", zh: "嵌入预览" },
  code: { en: "Embed code", zh: "嵌入代码" },
  copyCode: { en: "Copy embed code", zh: "复制嵌入代码" },
  copyLink: { en: "Copy link", zh: "复制链接" },
  copyPicture: { en: "Copy picture’s address", zh: "复制图片地址" },
  copied: { en: "Copied", zh: "已复制" },
  copyYourself: { en: "Selected: copy it with Ctrl+C or ⌘C", zh: "已选中：请用 Ctrl+C 或 ⌘C 复制" },
  download: { en: "Download SVG", zh: "下载 SVG" },
  downloadJson: { en: "Trace as JSON", zh: "轨迹（JSON）" },
  downloadJsonText: { en: "The scenario and every frame, as they are stored.", zh: "场景与每一帧，与保存的完全一致。" },
  downloadMarkdown: { en: "Transcript as Markdown", zh: "文字记录（Markdown）" },
  downloadMarkdownText: { en: "Each step in words, for an issue or a post-mortem.", zh: "用文字写出每一步，可贴入 issue 或事故复盘。" },
  linkNote: {
    en: "Anybody with the link sees this run, can step through it, and can fork it to change it.",
    zh: "拿到链接的人都能看到此运行、逐步查看，并可复制后修改。",
  },
  stored: { en: "This run is stored as it is and never changes.", zh: "此运行按原样保存，永不改变。" },
  storing: { en: "Storing the run", zh: "正在保存运行" },
  deleteNote: {
    en: "Only this dialog can delete it, and only until it is closed.",
    zh: "只有此对话框能删除它，关闭后便不能再删。",
  },
  delete: { en: "Delete this share", zh: "删除此分享" },
  deleteSure: { en: "Delete for good", zh: "永久删除" },
  keep: { en: "Keep it", zh: "保留" },
  deleted: { en: "Deleted. The link now says so.", zh: "已删除。链接会说明这一点。" },
  failed: { en: "The run could not be stored.", zh: "无法保存运行。" },
  offline: { en: "The service cannot be reached.", zh: "无法连接服务。" },
  again: { en: "Try again", zh: "重试" },
} as const satisfies Dictionary;

export const say = sayer(SHARING_WORDS);
export type SharingWord = keyof typeof SHARING_WORDS;
