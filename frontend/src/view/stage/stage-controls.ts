/**
 * What is selected on a stage, and what the user can do there. Stage provides it, and every part
 * uses what it needs; a part without a stage around it, as in the embed, is only a picture.
 */

import { getContext, setContext } from "svelte";

import type { Fold } from "../../layout/folding";
import type { Point } from "../../layout/rectangle";
import type { Selection, StageProps } from "./stage-props";

export interface StageControls {
  readonly selection: Selection | null;
  /** Each lane has one line until it is opened. */
  readonly folded: boolean;
  /** No actions on messages. */
  readonly readOnly: boolean;
  /** The only possible steps; undefined: whatever the frame allows. */
  readonly possible?: StageProps["possible"];
  /** The most relevant actions on what is selected; undefined: there are none. */
  readonly actions?: StageProps["actions"];
  readonly onaction?: StageProps["onaction"];
  /** Undefined: nothing can be focused or selected. */
  readonly onselect?: StageProps["onselect"];
  /** Opens the menu of the actions on an item; undefined if no action is allowed. */
  readonly onmenu?: (selection: Selection, at: Point) => void;
  readonly onjump?: StageProps["onjump"];
  /** The brokers whose checkpoint files are open. */
  readonly filesOpen: ReadonlySet<number>;
  /** Opens or closes the files of a broker; undefined: they are not shown. */
  readonly onfiles?: (broker: number) => void;
  /** Opens a fold; undefined: folds are only drawn. */
  readonly onunfold?: (partition: string, fold: Fold) => void;
  /** Called when an arrow key leaves the view: the window must move to show this offset. */
  readonly onreveal?: (partition: string, offset: number) => void;
  /** Moves the focus from a broker's name or, without one, from the selected link to its actions; false if none are shown. */
  readonly ontoactions?: (broker?: number) => boolean;
}

const CONTROLS = Symbol("stage controls");

const PICTURE: StageControls = {
  selection: null,
  folded: false,
  readOnly: true,
  filesOpen: new Set(),
};

/** Sets the controls of the calling component's parts: a part depends on those that it reads. */
export function provideControls(read: {
  readonly [Name in keyof StageControls]-?: () => StageControls[Name];
}): void {
  const controls = {};
  for (const [name, get] of Object.entries(read)) Object.defineProperty(controls, name, { get });
  setContext(CONTROLS, controls);
}

/** The controls of the stage around a part: `const controls = useControls()`, then `const { selection } = $derived(controls)`. */
export function useControls(): StageControls {
  return getContext<StageControls | undefined>(CONTROLS) ?? PICTURE;
}
