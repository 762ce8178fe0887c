/** Buttons that keep the focus when they become unavailable: a disabled one would lose it. */

export interface Availability {
  readonly "aria-disabled": true | undefined;
  /** For the look; other buttons are `aria-disabled` for a moment only, and do not change it. */
  readonly "data-unavailable": "" | undefined;
  readonly onclick: (() => void) | undefined;
}

/** The attributes of a button that acts only if that is possible now. */
export function availableIf(possible: boolean, act: () => void): Availability {
  return {
    "aria-disabled": possible ? undefined : true,
    "data-unavailable": possible ? undefined : "",
    onclick: possible ? act : undefined,
  };
}
