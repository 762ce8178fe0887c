/**
 * The forms in which a partition is drawn: on the page, on a phone, in an embed, in front of a class.
 * All that differs between them is in one table; the layout itself asks for no form.
 */

import type { StageRequest } from "./stage-request";

/** The measures of a form, in px. */
export interface Measures {
  /** Texts stand above the log instead of left of it, and the log has the whole width. */
  readonly narrow: boolean;
  /** Rows are low, with less space between the lines of a gutter. */
  readonly low: boolean;
  /** Only the log next to its broker's name. */
  readonly namesOnly: boolean;
  /** Rows are taller if there is room left. */
  readonly grows: boolean;
  /** Lines and arcs between the rows: without room between a name and its log, they would cross the name. */
  readonly linked: boolean;
  /** What a leader knows of its followers' logs. */
  readonly withBeliefs: boolean;
  readonly axisHeight: number;
  /** From the left edge to the log. */
  readonly gutter: number;
  /** From the top of a row to the band of its flags, and how much lower it is if lines stand below the name. */
  readonly bandY: number;
  readonly lines: number;
  /** The room above the band for labels; null: almost all that is there. */
  readonly roomAbove: number | null;
  readonly cellHeight: number;
  /** From the cells to the brackets of their epochs. */
  readonly toEpochs: number;
  /** Below a row's contents: room for the label of a cut link. */
  readonly below: number;
  /** The least height of a row. */
  readonly least: number;
  /** In the gutter, below the cells' upper edge: name, role and ISR state; and each further line. */
  readonly gutterTexts: number;
  readonly gutterLine: number;
  /** The room that wide cells may fill: that of the log, a part that leaves room for cards, or none. */
  readonly wide: "log" | "part" | "none";
  /** The widest cell; null: the usual one. */
  readonly widest: number | null;
  /** The width of cards beside the log, their number before they scroll, and the places that the log needs there. */
  readonly sideCards: number;
  readonly cardsShown: number;
  readonly placesBeside: number;
}

const AXIS_HEIGHT = 34;
export const AXIS_HEIGHT_NAMES = 27;
export const NARROW_PADDING = 14;
const NARROW_BELOW = 640;
const NARROW_BELOW_DENSE = 520;
const SMALL_BELOW = 760;
/** From this number of brokers on, rows are lower, and from this on, they are only as tall as their log. */
const MANY_BROKERS = 5;
const CROWD = 6;
/** From this number of brokers on, the rows of two stages next to each other are lower. */
const MANY_BESIDE = 4;

const page: Measures = {
  narrow: false,
  low: false,
  namesOnly: false,
  grows: true,
  linked: true,
  withBeliefs: true,
  axisHeight: AXIS_HEIGHT,
  gutter: 244,
  bandY: 12,
  lines: 0,
  roomAbove: null,
  cellHeight: 42,
  toEpochs: 18,
  below: 4,
  least: 120,
  gutterTexts: 62,
  gutterLine: 15,
  wide: "part",
  widest: null,
  sideCards: 304,
  cardsShown: 2,
  placesBeside: Infinity,
};

/** Five brokers or more, or several columns. */
const many: Measures = {
  ...page,
  low: true,
  bandY: 6,
  cellHeight: 32,
  toEpochs: 12,
  below: 0,
  least: 98,
  gutterTexts: 45,
  gutterLine: 14,
  cardsShown: 1,
};

/** Only the log, next to the name and the crown of its broker. */
const names: Measures = {
  ...page,
  namesOnly: true,
  grows: false,
  linked: false,
  withBeliefs: false,
  axisHeight: AXIS_HEIGHT_NAMES,
  gutter: 122,
  bandY: 2,
  cellHeight: 26,
  below: 2,
  least: 0,
  wide: "none",
};

const phone: Measures = {
  ...page,
  narrow: true,
  grows: false,
  linked: false,
  gutter: NARROW_PADDING,
  bandY: 24,
  lines: 24,
  // The name is directly above the band, with some space.
  roomAbove: -3,
  cellHeight: 38,
  below: 0,
  least: 104,
  wide: "log",
};

const embed: Measures = {
  ...page,
  grows: false,
  bandY: 8,
  cellHeight: 38,
  below: 18,
  least: 0,
  wide: "none",
};

const embedPhone: Measures = {
  ...phone,
  bandY: 40,
  lines: 28,
  roomAbove: 4,
  below: 8,
  least: 0,
  wide: "none",
};

/** Two stages next to each other on a phone. */
const beside = {
  low: true,
  bandY: 23,
  roomAbove: -3,
  cellHeight: 32,
  toEpochs: 12,
  cardsShown: 1,
} as const;

const embedPhoneBeside: Measures = { ...embedPhone, ...beside, below: 3 };

/** In front of a class: large cells, and no more beside them than a name. */
const presented = { gutter: 138, cellHeight: 58, linked: false, wide: "log", widest: 200 } as const;

const FORMS = {
  page,
  many,
  /** There is something to see below the stage. */
  low: { ...many, bandY: 2, least: 90 },
  crowd: {
    ...many,
    namesOnly: true,
    grows: false,
    axisHeight: AXIS_HEIGHT_NAMES,
    bandY: 0,
    cellHeight: 30,
    least: 0,
    sideCards: 250,
    placesBeside: 8,
  },
  names,
  phone,
  phoneBeside: { ...phone, ...beside },
  embed,
  embedSmall: { ...embed, gutter: 190 },
  embedPhone,
  embedPhoneBeside,
  presented: { ...embed, ...presented },
  presentedNames: { ...names, ...presented, gutter: names.gutter, cellHeight: 36 },
  presentedPhone: { ...embedPhone, ...presented },
  presentedPhoneBeside: { ...embedPhoneBeside, ...presented },
} satisfies Record<string, Measures>;

export type Form = keyof typeof FORMS;

/** The measures of the form in which a request for so many brokers is drawn. */
export function measuresOf(request: StageRequest, brokers: number): Measures {
  return FORMS[formOf(request, brokers)];
}

function formOf(request: StageRequest, brokers: number): Form {
  const { dense, detail, width } = request;
  const isBeside = request.shared !== undefined && brokers >= MANY_BESIDE;
  if (detail === "names") return request.presented === true ? "presentedNames" : "names";
  if (dense) return embeddedForm(request, isBeside);
  if (width < NARROW_BELOW) return isBeside ? "phoneBeside" : "phone";
  if (detail === undefined && brokers >= CROWD) return "crowd";
  if (request.low === true) return "low";
  return brokers >= MANY_BROKERS || request.column !== undefined ? "many" : "page";
}

function embeddedForm({ presented, width }: StageRequest, isBeside: boolean): Form {
  if (width < NARROW_BELOW_DENSE) {
    if (presented === true) return isBeside ? "presentedPhoneBeside" : "presentedPhone";
    return isBeside ? "embedPhoneBeside" : "embedPhone";
  }
  if (presented === true) return "presented";
  return width < SMALL_BELOW ? "embedSmall" : "embed";
}
