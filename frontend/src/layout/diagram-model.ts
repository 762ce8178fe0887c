/**
 * The frames of one branch in the diagram's form: columns, and items that span several of them.
 *
 * A column is a frame. Each column is computed once: a growing run only adds columns. Items are
 * stored by section, a part of a step with at most `SECTION` columns, so that a diagram of 10,000
 * frames is drawn from the visible sections only.
 */

import { isDown, type Frame, type Message } from "../trace";
import type { DiagramReader, FrameFacts, Place } from "./diagram-facts";

type Sent = Pick<Message, "id" | "kind" | "from" | "to" | "partition" | "numbers"> & {
  readonly offsets: readonly number[];
};

/** A message in flight, over the columns that it spans. */
export interface Arrow extends Sent {
  /** The column of the frame that sent it. */
  readonly start: number;
  /** The column in which it arrived or was lost; null while it is in flight. */
  end: number | null;
  fate: "under way" | "arrived" | "lost" | "unseen";
  /** The columns from which and up to which it was held; null if it never was, or still is. */
  heldFrom: number | null;
  heldTo: number | null;
}

/** A span on one lane: a parked fetch, or a broker that is down or paused. */
export interface Stay {
  readonly kind: "parked" | "down" | "paused";
  readonly place: Place;
  readonly partition: string | null;
  readonly start: number;
  end: number | null;
}

export interface Section {
  readonly band: number;
  readonly first: number;
  last: number;
  readonly arrows: Arrow[];
  readonly stays: Stay[];
}

/** A step of the story: its number, and the columns of its frames. */
export interface Band {
  readonly key: number;
  readonly first: number;
  last: number;
}

/** Sections are short enough to lay out completely, and long enough to be few. */
export const SECTION = 12;
/** Less time than this (ms) between two frames has no separate slot. */
const IDLE_MS = 1_000;

type BandOf = (frame: Frame) => number;

export class DiagramModel {
  readonly frames: Frame[] = [];
  readonly bands: Band[] = [];
  readonly sections: Section[] = [];
  /** By column: the idle time before it, if it is long enough to show. */
  readonly idle: (number | null)[] = [];
  /** By column: its section. */
  readonly sectionOf: number[] = [];
  /** Every lane that any message or event refers to. */
  readonly places = new Set<Place>();

  #arrows = new Map<number, Arrow>();
  #stays = new Map<string, Stay>();
  readonly #bandOf: BandOf;
  readonly #reader: DiagramReader;

  constructor(bandOf: BandOf, reader: DiagramReader) {
    this.#bandOf = bandOf;
    this.#reader = reader;
  }

  /** The dots and jumps of a frame. */
  factsOf(frame: Frame): FrameFacts {
    return this.#reader.factsOf(frame);
  }

  /**
   * The model of these frames: this one, extended, if its frames are a prefix of them; otherwise a
   * new one.
   */
  followed(frames: readonly Frame[]): DiagramModel {
    const known = this.frames.length;
    const goesOn =
      frames.length >= known &&
      (known === 0 || frames[known - 1] === this.frames[known - 1]) &&
      frames[0] === (this.frames[0] ?? frames[0]);
    const model = goesOn ? this : new DiagramModel(this.#bandOf, this.#reader);
    for (let column = model.frames.length; column < frames.length; column += 1) {
      const frame = frames[column];
      if (frame !== undefined) model.#add(frame);
    }
    return model;
  }

  #add(frame: Frame): void {
    const column = this.frames.length;
    const before = this.frames[column - 1];
    this.frames.push(frame);
    const passed = before === undefined ? 0 : frame.state.time_ms - before.state.time_ms;
    this.idle.push(passed >= IDLE_MS ? passed : null);
    const section = this.#sectionAt(frame, column);
    this.sectionOf.push(this.sections.length - 1);
    const { dots, jumps } = this.factsOf(frame);
    for (const { place } of dots) this.places.add(place);
    for (const { from, to } of jumps) this.places.add(from).add(to);
    this.#takeMoves(frame, column, section);
    this.#takeHolds(frame, column);
    this.#takeStays(frame, column, section);
  }

  #sectionAt(frame: Frame, column: number): Section {
    const key = this.#bandOf(frame);
    const band = this.bands[this.bands.length - 1];
    const goesOn = band !== undefined && band.key === key;
    if (goesOn) band.last = column;
    else this.bands.push({ key, first: column, last: column });
    const section = this.sections[this.sections.length - 1];
    if (goesOn && section !== undefined && column - section.first < SECTION) {
      section.last = column;
      return section;
    }
    const next = {
      band: this.bands.length - 1,
      first: column,
      last: column,
      arrows: [...this.#arrows.values()],
      stays: [...this.#stays.values()],
    };
    this.sections.push(next);
    return next;
  }

  #takeMoves(frame: Frame, column: number, section: Section): void {
    // Messages that were in flight before the first frame count as sent before it.
    if (column === 0)
      for (const message of frame.state.in_flight)
        this.#send({ ...message, offsets: [] }, column, section);
    for (const { id, fate, message } of frame.moves) {
      if (message !== undefined) {
        this.#send({ ...message, id }, column, section);
        continue;
      }
      const arrow = this.#arrows.get(id);
      if (arrow === undefined) continue;
      arrow.end = column;
      arrow.fate = fate === "arrived" || fate === "lost" ? fate : "unseen";
      this.#arrows.delete(id);
    }
  }

  #send(message: Sent, column: number, section: Section): void {
    const arrow: Arrow = {
      ...message,
      start: column,
      end: null,
      fate: "under way",
      heldFrom: null,
      heldTo: null,
    };
    this.#arrows.set(arrow.id, arrow);
    section.arrows.push(arrow);
    this.places.add(arrow.from).add(arrow.to);
  }

  #takeHolds(frame: Frame, column: number): void {
    for (const { id, held } of frame.state.in_flight) {
      const arrow = this.#arrows.get(id);
      if (arrow === undefined) continue;
      if (held) {
        arrow.heldFrom ??= column;
        arrow.heldTo = null;
      } else if (arrow.heldFrom !== null) {
        arrow.heldTo ??= column;
      }
    }
    // A message that is held when it is lost is released by the loss.
    for (const { id } of frame.moves) {
      const section = this.sections[this.sections.length - 1];
      const arrow = section?.arrows.find((one) => one.id === id);
      if (arrow !== undefined && arrow.end === column && arrow.heldFrom !== null)
        arrow.heldTo ??= column;
    }
  }

  #takeStays(frame: Frame, column: number, section: Section): void {
    const now = new Map<string, Omit<Stay, "start" | "end">>();
    for (const { id, to, partition, parked } of frame.state.in_flight) {
      if (parked) now.set(`parked ${id}`, { kind: "parked", place: to, partition });
    }
    for (const [id, { state }] of Object.entries(frame.state.brokers)) {
      const kind = isDown(state) ? "down" : state === "paused" ? "paused" : null;
      if (kind !== null) now.set(`${kind} ${id}`, { kind, place: Number(id), partition: null });
    }
    for (const [key, stay] of this.#stays) {
      if (now.has(key)) continue;
      stay.end = column;
      this.#stays.delete(key);
    }
    for (const [key, found] of now) {
      if (this.#stays.has(key)) continue;
      const stay: Stay = { ...found, start: column, end: null };
      this.#stays.set(key, stay);
      section.stays.push(stay);
    }
  }
}

/**
 * The target of a click on a message: the frame in which it arrived or was lost, otherwise the one
 * that sent it.
 */
export function columnOf(arrow: Arrow): number {
  return arrow.end ?? arrow.start;
}
