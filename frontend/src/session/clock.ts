/** The browser's clock; tests use their own. */

export interface Clock {
  /** Calls back once after a number of milliseconds; returns a function that cancels it. */
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
