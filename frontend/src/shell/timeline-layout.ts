/** Where the dots of a timeline stand. Many steps share the room: some dots are left out, no step is. */

export interface Dots {
  readonly xOf: (index: number) => number;
  readonly indexAt: (x: number) => number;
  /** The steps that get a dot. */
  readonly shown: readonly number[];
}

const CLOSEST = 9;

/** `count` steps on `width` pixels, the first at 0 and the last at the end. */
export function dotsOf(count: number, width: number): Dots {
  const last = Math.max(count - 1, 0);
  const room = Math.max(width, 1);
  const pitch = last === 0 ? 0 : room / last;
  const every = Math.max(1, Math.ceil(CLOSEST / Math.max(pitch, 0.001)));
  const shown: number[] = [];
  for (let index = 0; index <= last; index += last === 0 ? 1 : every) shown.push(index);
  if (shown[shown.length - 1] !== last) shown.push(last);
  return {
    xOf: (index) => index * pitch,
    indexAt: (x) => (pitch === 0 ? 0 : Math.min(last, Math.max(0, Math.round(x / pitch)))),
    shown,
  };
}
