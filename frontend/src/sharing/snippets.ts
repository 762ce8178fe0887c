/** The code to paste to show a share, or a step of a lesson, elsewhere. */

import { isStatic, pathOf, to } from "../addresses";
import type { Lang } from "../trace";
import type { Level } from "../trace/story";

/** Each in the syntax of its host; all other hosts use HTML. */
export const PLACES = [
  "html",
  "element",
  "markdown",
  "github",
  "mdx",
  "vitepress",
  "hugo",
  "sphinx",
  "jupyter",
] as const;
export type Place = (typeof PLACES)[number];
/** Null follows the page around it. */
export type Look = "light" | "dark" | null;

/** Where a link opens: at a frame of a share, or at a step of a lesson under a release. */
export type Moment =
  | { readonly frame: number; readonly level: Level }
  | {
      readonly step: number;
      /** The number of a message in the step, from 1; null for the whole step. */
      readonly message: number | null;
      readonly kafka: string;
    };

export interface Shared {
  readonly url: string;
  readonly embed_url: string;
  readonly svg_url: string;
  readonly title: string;
  readonly moment: Moment;
  readonly look: Look;
  /** Null leaves the language to the reader's browser. */
  readonly lang: Lang | null;
  /** The language of its pictures, which cannot follow the reader; null is the default language. */
  readonly pictureLang: Lang | null;
  /** The embed's preferred height, as it reported; null before that. */
  readonly height: number | null;
  /** The picture's own size; null before it is known. */
  readonly picture: { readonly width: number; readonly height: number } | null;
}

/** The embed keeps its origin, for the browser's cache; the service isolates it in its own pages. */
const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox";
const HEIGHT_UNMEASURED = 460;

/** An address with the non-null values added to its query. */
function withQuery(
  address: string,
  query: Readonly<Record<string, string | number | null>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}

type Query = Readonly<Record<string, string | number | null>>;

/** The query of a moment; a link to the story has no level. */
function opening(moment: Moment): Query {
  return "frame" in moment
    ? { frame: moment.frame, level: moment.level === "message" ? moment.level : null }
    : { ...moment };
}

/** The query that an address needs to mean the run, whatever the moment. */
function meaning(moment: Moment): Query {
  return "frame" in moment ? {} : { kafka: moment.kafka };
}

export function linkOf({ url, moment }: Pick<Shared, "url" | "moment">): string {
  return withQuery(url, opening(moment));
}

/**
 * A picture cannot follow a page's theme, so it is light unless a theme is chosen. A copy of the
 * site has one file for each theme and language, at the lesson's best moment.
 */
export function pictureOf({
  svg_url,
  look,
  pictureLang,
  moment,
}: Pick<Shared, "svg_url" | "look" | "pictureLang" | "moment">): string {
  const address = withQuery(svg_url, { ...opening(moment), theme: look, lang: pictureLang });
  if (!isStatic) return address;
  const url = new URL(address);
  return url.origin + to(`${pathOf(url) ?? url.pathname}${url.search}`);
}

export function embedOf({ embed_url, look, lang, moment }: Shared): string {
  return withQuery(embed_url, { ...opening(moment), theme: look, lang });
}

function attribute(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/"/g, "&quot;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

/** Escapes text for use inside Markdown's brackets. */
function bracketed(text: string): string {
  return text.replace(/[\\[\]`*_<>!]/g, "\\$&").replace(/\s+/g, " ");
}

/** The code to paste. */
export function snippetFor(place: Place, shared: Shared): string {
  switch (place) {
    case "html":
      return frameIn(shared, `style="width:100%;height:${String(heightOf(shared))}px;border:0"`);
    case "element":
      return elementWith(shared, "highwater-replay");
    case "markdown":
      return `[![${bracketed(shared.title)}](${pictureOf(shared)})](${linkOf(shared)})`;
    case "github":
      return onGithub(shared);
    case "mdx":
      return frameIn(
        shared,
        `style={{ width: "100%", height: "${String(heightOf(shared))}px", border: 0 }}`,
      );
    case "vitepress":
      return inVitePress(shared);
    case "hugo":
      return inHugo(shared);
    case "sphinx":
      return inSphinx(shared);
    case "jupyter":
      return `from IPython.display import IFrame\n\nIFrame(${JSON.stringify(embedOf(shared))}, width="100%", height=${String(heightOf(shared))})`;
  }
}

function heightOf({ height }: Shared): number {
  return height ?? HEIGHT_UNMEASURED;
}

/**
 * Because many hosts drop `style`, the size is in attributes too; `style` takes precedence over a
 * host's rules.
 */
function frameIn(shared: Shared, style: string): string {
  return `<iframe src="${attribute(embedOf(shared))}" title="${attribute(shared.title)}" loading="lazy" width="100%" height="${String(heightOf(shared))}" ${style} sandbox="${SANDBOX}"></iframe>`;
}

function imageOf(shared: Shared, address: string): string {
  const size =
    shared.picture === null
      ? ""
      : ` width="${String(shared.picture.width)}" height="${String(shared.picture.height)}"`;
  return `<img src="${attribute(address)}" alt="${attribute(shared.title)}"${size} style="max-width:100%;height:auto" />`;
}

function posterOf(shared: Shared): string {
  return `<a href="${attribute(linkOf(shared))}">${imageOf(shared, pictureOf(shared))}</a>`;
}

function loaderOf({ url }: Shared): string {
  return new URL("../embed/v1.js", url).href;
}

function elementWith(shared: Shared, name: string, end = name): string {
  const { moment } = shared;
  const source =
    "frame" in moment
      ? `src="${attribute(shared.url)}" step="${String(moment.frame)}"${moment.level === "story" ? "" : ` level="${moment.level}"`}`
      : `src="${attribute(linkOf(shared))}"`;
  const look = shared.look === null ? "" : ` theme="${shared.look}"`;
  const lang = shared.lang === null ? "" : ` lang="${shared.lang}"`;
  return [
    `<${name} ${source} height="${String(heightOf(shared))}"${look}${lang}>`,
    `  ${posterOf(shared)}`,
    `</${end}>`,
    `<script type="module" src="${attribute(loaderOf(shared))}" async></${"script"}>`,
  ].join("\n");
}

/** A README has no scripts and no frames, but two pictures for two themes. */
function onGithub(shared: Shared): string {
  const light = imageOf(shared, pictureOf({ ...shared, look: shared.look ?? "light" }));
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="${attribute(pictureOf({ ...shared, look: "dark" }))}" />`;
  const picture = shared.look === null ? `<picture>${dark}${light}</picture>` : light;
  return `<a href="${attribute(linkOf(shared))}">${picture}</a>`;
}

/** Vue treats unknown elements and scripts in a page as its own components and scripts. */
function inVitePress(shared: Shared): string {
  const element = elementWith(shared, 'component is="highwater-replay"', "component")
    .split("\n")
    .slice(0, -1)
    .join("\n");
  return [
    "<script setup>",
    'import { onMounted } from "vue";',
    "",
    `onMounted(() => import(/* @vite-ignore */ ${JSON.stringify(loaderOf(shared))}));`,
    `</${"script"}>`,
    "",
    element,
  ].join("\n");
}

/** Hugo drops HTML in pages, so it is in a shortcode, a file of the site. */
function inHugo(shared: Shared): string {
  const get = (name: string): string => `{{ .Get "${name}" }}`;
  const quoted = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;
  const parameters = Object.entries({
    src: embedOf(shared),
    link: linkOf(shared),
    title: shared.title,
    height: String(heightOf(shared)),
  });
  return [
    "<!-- layouts/shortcodes/highwater.html, once for the site -->",
    `<iframe src="${get("src")}" title="${get("title")}" loading="lazy" width="100%" height="${get("height")}" style="width:100%;height:${get("height")}px;border:0" sandbox="${SANDBOX}"></iframe>`,
    `<noscript><a href="${get("link")}">${get("title")}</a></noscript>`,
    "",
    "<!-- in the page -->",
    `{{< highwater ${parameters.map(([name, value]) => `${name}=${quoted(value)}`).join(" ")} >}}`,
  ].join("\n");
}

/** HTML for HTML output; otherwise the picture as PNG, which LaTeX supports, and the link. */
function inSphinx(shared: Shared): string {
  const indented = (text: string): string => text.replace(/^(?=.)/gm, "   ");
  const png = pictureOf({
    ...shared,
    svg_url: shared.svg_url.replace(/\.svg$/, ".png"),
    look: "light",
  });
  const image = [
    `.. image:: ${png}`,
    `   :alt: ${shared.title.replace(/\s+/g, " ")}`,
    `   :target: ${linkOf(shared)}`,
  ].join("\n");
  return [
    ".. raw:: html",
    "",
    indented(elementWith(shared, "highwater-replay")),
    "",
    ".. only:: not html",
    "",
    indented(image),
  ].join("\n");
}

export type FileKind = "html" | "md" | "yaml" | "mmd" | "json" | "itf.json";
/** Files without texts, or with texts in every language. */
const WORDLESS: readonly FileKind[] = ["json", "yaml"];
/** Files that open at a moment, or mark it. */
const AT_A_MOMENT: readonly FileKind[] = ["html", "md"];

/** The addresses of the files. */
export function fileOf(
  { url, moment }: Pick<Shared, "url" | "moment">,
  kind: FileKind,
  lang: Lang | null = null,
): string {
  const isTrace = kind === "itf.json";
  const address = new URL(url);
  address.pathname += isTrace ? ".json" : `.${kind}`;
  return withQuery(address.href, {
    format: isTrace ? "itf" : null,
    ...(AT_A_MOMENT.includes(kind) ? opening : meaning)(moment),
    lang: WORDLESS.includes(kind) ? null : lang,
  });
}

/** The step as PNG, as wide as a picture in a page usually is. */
export function pixelsOf(shared: Shared): string {
  return withQuery(pictureOf({ ...shared, svg_url: shared.svg_url.replace(/\.svg$/, ".png") }), {
    w: 1600,
  });
}

/** A range of frames, such as `3-12`, as one animated picture. */
export function animationOf({ svg_url, look, pictureLang, moment }: Shared, range: string): string {
  return withQuery(svg_url, { range, ...meaning(moment), theme: look, lang: pictureLang });
}

/** What leads to the moment, in a loop: SVG, or GIF for places that do not play SVG. */
export function loopOf(shared: Shared, kind: "svg" | "gif"): string {
  return kind === "svg"
    ? withQuery(pictureOf(shared), { loop: 1 })
    : pictureOf({ ...shared, svg_url: shared.svg_url.replace(/\.svg$/, ".gif") });
}
