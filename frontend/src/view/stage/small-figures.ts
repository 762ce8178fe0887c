/** The signs of the stage that the legend and the glossary draw separately. */

export const FIGURES = [
  "leader",
  "preferred",
  "high-watermark",
  "LEO",
  "committed",
  "record",
  "divergence",
  "truncation",
  "belief",
  "flush",
  "page-cache",
  "log-start-offset",
  "epoch-vector",
  "LSO",
  "open-transaction",
  "aborted-transaction",
  "down",
] as const;
export type FigureName = (typeof FIGURES)[number];
