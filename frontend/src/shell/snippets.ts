/** What an author pastes to show a share elsewhere. */

export type Place = "html" | "markdown" | "element";
export type Look = "auto" | "light" | "dark";

export interface Shared {
  readonly url: string;
  readonly embed_url: string;
  readonly svg_url: string;
  readonly title: string;
  readonly at: number;
  readonly look: Look;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** An address with the step it opens at, and the theme where one is pinned. */
export function addressOf(base: string, at: number, look: Look = "auto"): string {
  const theme = look === "auto" ? "" : `&theme=${look}`;
  return `${base}?step=${String(at)}${theme}`;
}

/** The code to paste: an iframe, a linked picture, or our element with a picture inside. */
export function snippetFor(place: Place, shared: Shared): string {
  const { url, embed_url, svg_url, at, look } = shared;
  const title = escaped(shared.title);
  const picture = addressOf(svg_url, at, look === "auto" ? "light" : look);
  if (place === "html") {
    return `<iframe src="${escaped(addressOf(embed_url, at, look))}" title="${title}" loading="lazy" width="100%" height="420" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  }
  if (place === "markdown") {
    return `[![${shared.title.replace(/[[\]]/g, "")}](${picture})](${addressOf(url, at)})`;
  }
  const origin = new URL(url).origin;
  const theme = look === "auto" ? "" : ` theme="${look}"`;
  return [
    `<highwater-replay src="${escaped(url)}" step="${String(at)}" height="420"${theme}>`,
    `  <a href="${escaped(addressOf(url, at))}"><img src="${escaped(picture)}" alt="${title}" width="800"></a>`,
    `</highwater-replay>`,
    `<script type="module" src="${origin}/embed/v1.js" async></` + `script>`,
  ].join("\n");
}
