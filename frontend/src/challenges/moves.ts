/** The possible moves of a challenge: their keys, and those about one thing on the stage. */

import { ALWAYS_POSSIBLE, choicesFor } from "../run/choices";
import type { Choice, Move } from "../service/api";
import { messageStepsAmong, type Frame, type Step } from "../trace";
import type { Selection } from "../view/stage";

/** A possible move, with the fault of the budget that it uses. */
export interface MoveChoice extends Choice {
  readonly token: Move["token"];
}

/** By the place of a move in the list: `r` and `u` redo and undo. */
const KEYS = "123456789abcdefghijklmnopqstvwxyz";

/** The moves as the choices of a run; what is not among them is not possible and not offered. */
export function choicesOf(moves: readonly Move[]): MoveChoice[] {
  return moves.map(({ step, actor, row, token }) => ({
    ...ALWAYS_POSSIBLE,
    step: step as Step,
    actor,
    row,
    token,
  }));
}

/** Null if all keys are taken by the moves before it. */
export function keyAt(place: number): string | null {
  return KEYS[place] ?? null;
}

/** The move that a key makes. */
export function moveOfKey(key: string, moves: readonly MoveChoice[]): MoveChoice | undefined {
  return key.length === 1 ? moves[KEYS.indexOf(key)] : undefined;
}

/** The moves for one thing on the stage. */
export function movesFor(
  selection: Selection,
  moves: readonly MoveChoice[],
  frame: Frame,
): readonly Choice[] {
  if (selection.kind !== "message") return choicesFor(selection, moves, frame);
  const inFlight = frame.state.in_flight;
  const message = inFlight.find((one) => one.id === selection.id);
  const steps =
    message === undefined
      ? []
      : Object.values(
          messageStepsAmong(
            moves.map((move) => move.step),
            message,
            inFlight,
          ),
        );
  return moves.filter((move) => steps.includes(move.step));
}
