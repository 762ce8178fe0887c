/** The keys of the workbench, as its dialog lists them. */

import type { Word } from "./words";

export const KEYS: readonly (readonly [keys: readonly string[], does: Word])[] = [
  [["space"], "keyPlay"],
  [["←", "→"], "keyStep"],
  [["shift ←", "shift →"], "keyTen"],
  [["Home", "End"], "keyEnds"],
  [["[", "]"], "keyMark"],
  [["g"], "keyGo"],
  [["1–9"], "keyBroker"],
  [["k"], "keyKill"],
  [["x"], "keyCut"],
  [["p"], "keyProduce"],
  [["/"], "keyFilter"],
  [["u"], "keyUndo"],
  [["s"], "keyShare"],
  [["l"], "keyLanguage"],
  [["?"], "keyHelp"],
];
