/** Time as the browser has it; tests have their own. */

export interface Clock {
  /** Calls back once after so many milliseconds; gives what calls it off. */
  readonly after: (ms: number, then: () => void) => () => void;
}

export const browserClock: Clock = {
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};
