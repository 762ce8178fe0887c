/** The room for the cards of messages in the band of a row's epochs, which then need no strip. */

import type { Rectangle } from "./rectangle";
import type { RowLayout } from "./replica-row";
import { NO_EPOCHS_WIDTH } from "./taken-room";

/** The width of a card, and its distance from the brackets above it and from a label beside it. */
const CARD = 330;
const BELOW_BRACKETS = 4;
const BESIDE = 12;
const CARD_LINE = 30;
const CARD_LINE_LOW = 26;
/** The space around the cards of a strip. */
export const AROUND_STRIP = 8;
const SCROLL_BAR = 12;
/** The width of a card in the column of a partition, and the space between two. */
const CARD_IN_COLUMN = 340;
const BETWEEN_WRAPPED = 4;
/** A column shows so many lines of cards; the half one shows that they scroll. */
const MOST_LINES = 3.5;

interface Band {
  readonly left: number;
  readonly right: number;
  /** The number of messages that wait for this broker. */
  readonly cards: number;
  /** Rows are low, so cards are too. */
  readonly low: boolean;
  /** Partitions are side by side: there is no room for several cards on one line, so they wrap. */
  readonly inColumn: boolean;
}

/** The height of cards that are one line. */
export function cardLine(low: boolean): number {
  return low ? CARD_LINE_LOW : CARD_LINE;
}

/** The CSS columns of cards that wrap. */
export function cardColumns(width: number): string {
  return `repeat(${cardsALine(width)}, minmax(0, 1fr))`;
}

function cardsALine(width: number): number {
  return Math.max(1, Math.floor((width + BETWEEN_WRAPPED) / (CARD_IN_COLUMN + BETWEEN_WRAPPED)));
}

/**
 * The height of a strip of cards with the space around it: of all their lines if they wrap, else of one, with a scroll
 * bar if they may not fit its width.
 */
export function stripHeight({ left, right, cards, low, inColumn }: Band): number {
  if (inColumn)
    return (
      Math.floor(
        Math.min(Math.ceil(cards / cardsALine(right - left)), MOST_LINES) *
          (cardLine(low) + BETWEEN_WRAPPED),
      ) -
      BETWEEN_WRAPPED +
      AROUND_STRIP
    );
  return cardLine(low) + AROUND_STRIP + (cards > 1 && cards * CARD > right - left ? SCROLL_BAR : 0);
}

/**
 * The widest part of the band below the brackets of a log that has no label, if the cards fit there; the one further
 * to the right if there are several. Null if they need a strip of their own.
 */
export function gapBelowLog(
  row: RowLayout,
  { left, right, cards, low, inColumn }: Band,
): Rectangle | null {
  if (!row.withEpochs || row.transactions.length > 0) return null;
  const labels = row.epochs.map(({ labelX, labelEnd }) => ({ from: labelX, to: labelEnd }));
  if (labels.length === 0) labels.push({ from: left, to: left + NO_EPOCHS_WIDTH });
  let best = { x: left, width: 0 };
  let from = left;
  for (const label of [
    ...labels.sort((a, b) => a.from - b.from),
    { from: right + BESIDE, to: right },
  ]) {
    const width = label.from - BESIDE - from;
    if (width >= best.width) best = { x: from, width };
    from = Math.max(from, label.to + BESIDE);
  }
  const fit = inColumn
    ? cards <= cardsALine(best.width) && best.width >= CARD_IN_COLUMN
    : best.width >= CARD * Math.max(1, cards);
  if (!fit) return null;
  return { ...best, y: row.epochY + BELOW_BRACKETS, height: cardLine(low) };
}
