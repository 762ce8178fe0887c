/** What an author pastes to show a share elsewhere. */

import type { Lang } from "../trace";

export type Place = "html" | "markdown" | "element";
/** Null follows the page around it. */
export type Look = "light" | "dark" | null;

export interface Shared {
  readonly url: string;
  readonly embed_url: string;
  readonly svg_url: string;
  readonly title: string;
  /** The frame that it opens at. */
  readonly at: number;
  readonly look: Look;
  /** Null leaves the language to the reader's browser. */
  readonly lang: Lang | null;
}

/** An address with what is not null added to its query. */
export function withQuery(address: string, query: Readonly<Record<string, string | number | null>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}

export function linkOf({ url, at }: Pick<Shared, "url" | "at">): string {
  return withQuery(url, { step: at });
}

/** A picture has no page to follow: it is light unless a look is chosen. */
export function pictureOf({ svg_url, at, look, lang }: Shared): string {
  return withQuery(svg_url, { step: at, theme: look, lang });
}

export function embedOf({ embed_url, at, look, lang }: Shared): string {
  return withQuery(embed_url, { step: at, theme: look, lang });
}

function attribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Text inside Markdown's brackets: what would end them, or begin something else, is escaped. */
function bracketed(text: string): string {
  return text.replace(/[\\[\]`*_<>!]/g, "\\$&").replace(/\s+/g, " ");
}

/** The code to paste: a frame, a picture that links to the run, or our element with the picture inside. */
export function snippetFor(place: Place, shared: Shared): string {
  const title = attribute(shared.title);
  switch (place) {
    case "html":
      return `<iframe src="${attribute(embedOf(shared))}" title="${title}" loading="lazy" width="100%" height="420" style="border:0" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>`;
    case "markdown":
      return `[![${bracketed(shared.title)}](${pictureOf(shared)})](${linkOf(shared)})`;
    case "element": {
      const look = shared.look === null ? "" : ` theme="${shared.look}"`;
      const lang = shared.lang === null ? "" : ` lang="${shared.lang}"`;
      const script = new URL("/embed/v1.js", shared.url).href;
      return [
        `<highwater-replay src="${attribute(shared.url)}" step="${String(shared.at)}"${look}${lang}>`,
        `  <a href="${attribute(linkOf(shared))}"><img src="${attribute(pictureOf(shared))}" alt="${title}"></a>`,
        "</highwater-replay>",
        `<script type="module" src="${attribute(script)}" async></${"script"}>`,
      ].join("\n");
    }
  }
}

/** Where the share is to be had as a file. */
export function fileOf(url: string, kind: "json" | "md", lang: Lang | null = null): string {
  const address = new URL(url);
  address.pathname += `.${kind}`;
  return withQuery(address.href, { lang });
}
