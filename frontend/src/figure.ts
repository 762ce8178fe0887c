/**
 * Draws the stage as a picture, for the service: `renderFigure(frameJson, optionsJson)` returns one
 * standalone SVG document, drawn by the page's own layout and view.
 *
 * It runs in an embedded JavaScript engine without DOM, timers or modules. The picture contains
 * only plain shapes and text, loads nothing, and every text is escaped. Characters that XML does
 * not allow are removed, because one of them would make the whole picture invalid.
 */

import { render } from "svelte/server";

import termCss from "./glossary/term-figure.css?raw";
import { languageCalled } from "./language";
import { languageContext } from "./language/context";
import type { Catalogue, Frame, Lang } from "./trace";
import { headlineOf, sentence } from "./trace";
import TermCard from "./glossary/TermCard.svelte";
import Figure from "./view/figure/Figure.svelte";
import { figureSheet, type Theme } from "./view/figure/sheet";
import wordsCss from "./view/figure/words-card.css?raw";
import { word } from "./view/stage/stage-texts";

interface FigureOptions {
  /** "page": without a style sheet, for a page that includes those of the stage and the figure. */
  readonly theme?: Theme | "page";
  readonly lang?: Lang;
  /** 320 to 2000 pixels; default 800. */
  readonly width?: number;
  readonly title?: string;
  /** The sentence below the logs. By default it is created from the catalogue, if one is given. */
  readonly description?: string;
  readonly catalogue?: Catalogue;
  /** The previous frame, to highlight what has just arrived. */
  readonly previous?: Frame;
  readonly partition?: string;
  /** By partition, the assigned replicas at the start of the run: rows keep their order. */
  readonly order?: Readonly<Record<string, readonly number[]>>;
  /** Frame number → step, if they differ. */
  readonly stepsOf?: Readonly<Record<string, number>>;
  /** The number of steps of the branch. */
  readonly steps?: number;
  /**
   * The frame's number among the messages of its step, and their count; omitted if it is the only
   * one.
   */
  readonly message?: number;
  readonly messages?: number;
  readonly kafka?: string;
  /** False omits the line with the title. */
  readonly header?: boolean;
  /**
   * The picture of a link card: 1200 by 630, with the figure as large as possible. `width` is
   * ignored.
   */
  readonly card?: boolean;
  /** Of a card without a frame: what kind of thing its title names. */
  readonly kind?: string;
  /** Of such a card: the term whose figure it shows. */
  readonly term?: string | null;
}

/** The size that sites with link cards require. */
const CARD = { width: 1200, height: 630, margin: 24 };
const NARROWEST = 320;
const USUAL = 800;
const WIDEST = 2000;

/* eslint-disable no-control-regex -- these are what must not be in a picture */
const NOT_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/* eslint-enable no-control-regex */

/** Without a frame (`null`) it is a card of words. */
function renderFigure(frameJson: string, optionsJson: string): string {
  const frame = JSON.parse(frameJson) as Frame | null;
  const options = JSON.parse(optionsJson === "" ? "{}" : optionsJson) as FigureOptions;
  if (frame === null) return wordsCard(options);
  return options.card === true
    ? card(frame, options)
    : figure(frame, options, options.width ?? USUAL);
}

function wordsCard({ lang, kind, title, description, term, theme }: FigureOptions): string {
  const { body } = render(TermCard, {
    context: languageContext(languageCalled([lang])),
    props: {
      width: CARD.width,
      height: CARD.height,
      kind: kind ?? "Highwater",
      title: title ?? "",
      sentence: description ?? "",
      term: term ?? null,
      style: `<style>${figureSheet(theme === "dark" ? "dark" : "light", wordsCss + termCss)}</style>`,
    },
  });
  return standalone(body);
}

/** A figure that is taller than a card is drawn again, wider, with rows of the same height. */
function card(frame: Frame, options: FigureOptions): string {
  const room = { width: CARD.width - 2 * CARD.margin, height: CARD.height - 2 * CARD.margin };
  let drawn = figure(frame, options, USUAL);
  const wider = (heightOf(drawn) * room.width) / room.height;
  if (wider > USUAL) drawn = figure(frame, options, wider);
  const height = heightOf(drawn);
  const width = Math.round(Math.min(WIDEST, Math.max(USUAL, wider)));
  const scale = Math.min(room.width / width, room.height / height);
  const at = { x: (CARD.width - width * scale) / 2, y: (CARD.height - height * scale) / 2 };
  const placed = `x="${String(at.x)}" y="${String(at.y)}" width="${String(width * scale)}" height="${String(height * scale)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(CARD.width)}" height="${String(CARD.height)}" viewBox="0 0 ${String(CARD.width)} ${String(CARD.height)}" role="img">`,
    `<rect class="hw-card" width="${String(CARD.width)}" height="${String(CARD.height)}"></rect>`,
    drawn.replace(/ width="[\d.]+" height="[\d.]+"/, ` ${placed}`),
    "</svg>",
  ].join("");
}

function heightOf(drawn: string): number {
  return Number(/ height="([\d.]+)"/.exec(drawn)?.[1]);
}

function figure(frame: Frame, options: FigureOptions, width: number): string {
  const lang: Lang = languageCalled([options.lang]);
  const depthOf = (number: number) => options.stepsOf?.[String(number)] ?? number;
  const headline = headlineOf(frame);
  const spoken = headline?.numbers.partition;
  const partitions = Object.keys(frame.state.partitions);
  const partition =
    [options.partition, spoken].find(
      (name) => typeof name === "string" && partitions.includes(name),
    ) ?? partitions[0];

  const { body } = render(Figure, {
    context: languageContext(lang),
    props: {
      frame,
      previous: options.previous ?? null,
      width: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))),
      partition: String(partition ?? ""),
      order: options.order?.[String(partition ?? "")],
      depthOf,
      title: options.title ?? "",
      place: place(depthOf(frame.frame), options, lang),
      sentence:
        options.description ??
        (options.catalogue !== undefined && headline !== undefined
          ? sentence(options.catalogue, headline, lang)
          : ""),
      header: options.header ?? true,
      style:
        options.theme === "page"
          ? ""
          : `<style>${figureSheet(options.theme === "dark" ? "dark" : "light")}</style>`,
    },
  });
  return standalone(body);
}

function place(
  step: number,
  { steps, message, messages, kafka }: FigureOptions,
  lang: Lang,
): string {
  const where =
    step === 0
      ? word(lang, "start")
      : steps === undefined
        ? word(lang, "step", { step })
        : message === undefined || messages === undefined
          ? word(lang, "stepOf", { step, steps })
          : word(lang, "messageOf", { step, steps, message, messages });
  return kafka === undefined ? where : `${where} · Kafka ${kafka}`;
}

/** The component's markup as XML: without the renderer's comments, and with `]]>` escaped. */
function standalone(body: string): string {
  return body
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll("]]>", "]]&gt;")
    .replaceAll(NOT_XML, "")
    .trim();
}

Object.assign(globalThis, { renderFigure });
