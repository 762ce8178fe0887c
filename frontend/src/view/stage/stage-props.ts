/** The props and callbacks of the stage. */

import type { Snippet } from "svelte";

import type { Catalogue, Endpoint, Frame, Step } from "../../trace";
import type { Pace } from "../playback/held.svelte";

/** An item on the stage that the user, or a link in the explanation, selects. */
export type Selection =
  | { readonly kind: "broker"; readonly broker: number }
  | {
      readonly kind: "record";
      readonly partition: string;
      readonly broker: number;
      readonly offset: number;
      readonly id: string;
    }
  | { readonly kind: "message"; readonly id: number }
  /** A producer, a consumer or the controller, by the name that its actions have. */
  | { readonly kind: "actor"; readonly actor: string }
  | { readonly kind: "link"; readonly from: Endpoint; readonly to: Endpoint }
  /** A timer of a broker or, for null, those of several brokers that fire together; `step` lets time pass until then. */
  | {
      readonly kind: "timer";
      readonly timer: string;
      readonly broker: number | null;
      readonly step: Step;
    }
  | { readonly kind: "setting"; readonly setting: string }
  | Differences
  | {
      readonly kind: "offsets";
      readonly partition: string;
      readonly replicas: readonly number[];
      readonly offsets: readonly number[];
      /** Only these records; null: any record. */ readonly ids: readonly string[] | null;
    };

/** What differs from the run next to this one. */
export interface Differences {
  readonly kind: "differences";
  readonly partition: string;
  readonly rows: readonly RowDifference[];
}

export interface RowDifference {
  readonly broker: number;
  /** The offsets at which the records differ, or only one log has a record. */
  readonly offsets: readonly number[];
  readonly highWatermark: boolean;
  readonly logEndOffset: boolean;
  /** Only one side has it in the ISR. */
  readonly isr: boolean;
  /** Its role, or the state of its process. */
  readonly state: boolean;
}

/** The stage next to this one, whose rows are at the same places. */
export interface Beside {
  readonly frame: Frame;
  readonly depthOf: (frame: number) => number;
}

/** The names of a bar of actions and of its button that opens the menu of all; null: a menu is next to the bar. */
export interface ActionsLabel {
  readonly bar: string;
  readonly all: string | null;
  /** -1 if the bar is reached from what the actions are about, instead of in its place among the tab stops. */
  readonly tabindex?: -1;
}

export interface StageProps {
  frame: Frame;
  /** The previous frame on the shown branch, to highlight what has just arrived or moved. */
  previous: Frame | null;
  /**
   * While frames pass faster than they can be read, only the logs follow, and all texts are about
   * the frame before that: those of the logs, those around them, and the table.
   */
  paces?: { readonly logs: Pace; readonly lanes: Pace; readonly table: Pace };
  catalogue: Catalogue;
  /** Frame number → the shown number: its depth on the branch. */
  depthOf: (frame: number) => number;
  /** No actions on messages; selection still works. */
  readOnly?: boolean;
  /** The only possible steps, as in a challenge; omitted: whatever the frame allows. Links are then not cut by dragging. */
  possible?: readonly Step[] | undefined;
  /** An action in scenario-file syntax: `{"deliver": {"kind", "from", "to"}}`, `drop`, `hold`, `release`. */
  onaction?: (step: Step) => void;
  onselect?: (selection: Selection | null) => void;
  /** Right click or long press on an item, for a menu of its actions at that point of the window. */
  onmenu?: (selection: Selection, at: { x: number; y: number }) => void;
  /** The frame since which a broker has been a stale leader, on the shown branch; omitted or null: unknown. */
  staleSince?: ((frame: Frame, broker: number) => number | null) | undefined;
  /** The frame that first exercised a property, on the shown branch; omitted or null: unknown. */
  firstExercised?: ((frame: Frame, property: string) => number | null) | undefined;
  /** Called to open the frame of a property's evidence or of a record's fate. */
  onjump?: (frame: number) => void;
  selection?: Selection | null;
  /**
   * The shown partition; bindable. Null: the one that the frame's events are about, otherwise the
   * first.
   */
  partition?: string | null;
  /** Shown instead of the properties. */
  head?: Snippet;
  /** Rows and producers only: no properties, no controller, no consumers, no message cards. */
  compact?: boolean;
  /** Properties and lanes take one line each, until one is opened; used in the one-column layout. */
  folded?: boolean;
  /** A horizontal swipe over the logs: 1 is forwards. */
  onswipe?: ((direction: 1 | -1) => void) | undefined;
  /** The actions on what is selected, or on the broker whose row is under the pointer; with a name for them. */
  actions?: Snippet<[Selection, ActionsLabel]>;
  /** Shown right below the logs. */
  between?: Snippet;
  /** The first frame of the run: rows keep the order that they have there. */
  first?: Frame | undefined;
  /** The frames of the run, if what is below the stage is planned for its tallest frame. */
  run?: readonly Frame[] | undefined;
  /** The height that leaves enough room below the stage; rows become low if the stage then has it in all of `run`. */
  roomForRun?: number | null;
  /** Rows also take the room that is left there, up to a limit. */
  grows?: boolean;
  /** Called with the height of the stage at its tallest in `run`. */
  ontallest?: ((height: number | null) => void) | undefined;
  /** The stage next to this one, of the same width; null: there is none. */
  beside?: Beside | null;
}
