/** The element of /embed/v1.js; docs/reference/element.md describes it. */

export type Theme = "light" | "dark";

export interface ReadyDetail {
  readonly version: 1;
  readonly steps: number;
  readonly frames: number;
  readonly width: number;
  readonly height: number;
}

export interface StepDetail {
  /** The position on the branch, from 0. */
  readonly index: number;
  /** The number of the frame, as `frame` of a link has it. */
  readonly frame: number;
  /** The step of the story; 0 is the start. */
  readonly step: number;
}

export interface StateDetail {
  readonly playing: boolean;
  readonly speed: number;
}

export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
}

export interface HighwaterReplayElement extends HTMLElement {
  goto(frame: number): void;
  play(): void;
  pause(): void;
  /** From 0.25 to 16. */
  setSpeed(speed: number): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "highwater-replay": HighwaterReplayElement;
  }
  interface HTMLElementEventMap {
    "highwater-ready": CustomEvent<ReadyDetail>;
    "highwater-step": CustomEvent<StepDetail>;
    "highwater-state": CustomEvent<StateDetail>;
    "highwater-error": CustomEvent<ErrorDetail>;
  }
}
