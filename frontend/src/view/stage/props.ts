/** What the stage is given, and what it says back. */

import type { Snippet } from "svelte";

import type { Catalogue, Endpoint, Frame, Lang, Step } from "../../trace";

/** A thing on the stage that a person, or a link of the why panel, points at. */
export type Selection =
  | { readonly kind: "broker"; readonly broker: number }
  | { readonly kind: "record"; readonly partition: string; readonly broker: number; readonly offset: number; readonly id: string }
  | { readonly kind: "message"; readonly id: number }
  /** A producer, a consumer or the controller, by the name that its actions have. */
  | { readonly kind: "actor"; readonly actor: string }
  | { readonly kind: "link"; readonly from: Endpoint; readonly to: Endpoint }
  | { readonly kind: "evidence"; readonly partition: string; readonly replicas: readonly number[]; readonly offsets: readonly number[]; /** Only these records; null for whatever is there. */ readonly ids: readonly string[] | null };

export interface StageProps {
  frame: Frame;
  /** The frame before it on the branch shown: what has just arrived or moved is told apart by it. */
  previous: Frame | null;
  catalogue: Catalogue;
  lang: Lang;
  /** A frame number to the step that people are shown: its depth on the branch. */
  depthOf: (frame: number) => number;
  /** No actions on messages; selecting still works. */
  readOnly?: boolean;
  /** An action in scenario-file syntax: `{"deliver": {"kind", "from", "to"}}`, `drop`, `hold`, `release`. */
  onaction?: (step: Step) => void;
  onselect?: (selection: Selection | null) => void;
  /** Right click or long press on a thing, for a menu of its actions at that point of the window. */
  onmenu?: (selection: Selection, at: { x: number; y: number }) => void;
  /** A witness of the properties strip, or a record's fate, is followed to its frame. */
  onjump?: (frame: number) => void;
  selection?: Selection | null;
  /** The partition shown; bindable. Null: the first one, or the one that the frame's events speak of. */
  partition?: string | null;
  /** Rows and producers only: no properties, no controller, no consumers, no message cards. */
  compact?: boolean;
  /** Properties and lanes take one line each, until one is opened: where the page is one column. */
  folded?: boolean;
  /** A finger has moved sideways over the logs: 1 is onward. */
  onswipe?: ((direction: 1 | -1) => void) | undefined;
  /** What stands on the row that is pointed at or selected: its actions. */
  rowActions?: Snippet<[number]>;
  /** Shown right below the logs. */
  between?: Snippet;
}
