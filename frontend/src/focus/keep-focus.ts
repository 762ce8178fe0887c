/**
 * Keeps the focus of the keyboard near its place when the focused control disappears, for example
 * an action that is not possible any more. The browser would drop it, so that Tab starts anywhere.
 */

import { tick } from "svelte";
import type { Attachment } from "svelte/attachments";

const CONTROLS = "button:not(:disabled), a[href], input:not(:disabled), [tabindex='0']";
/** Their controls are of one kind, so the next one is the successor of one that disappears. */
const SERIES = "ul, section, fieldset, [role=toolbar]";

interface Place {
  readonly control: Element;
  /** The series around the control, from the inside out, and its position in each. */
  readonly within: readonly { readonly series: Element; readonly at: number }[];
}

/**
 * Focuses an element that is no tab stop. It can be focused only until it loses the focus: otherwise
 * a click on any text in it would focus it all, and the next key would show a focus ring around it.
 */
export function focusForNow(element: HTMLElement): void {
  element.tabIndex = -1;
  element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  element.focus({ preventScroll: true });
}

/**
 * The focus goes to the control that takes the place of the one that disappeared or, if its series
 * disappeared too, to the group. `onlost` is called instead, also if the group itself disappears.
 * Without the keyboard nothing is focused: Enter and the space bar are keys of the page.
 */
export function keepFocus(onlost?: () => void): Attachment<HTMLElement> {
  return (group) => {
    let place: Place | null = null;

    const note = ({ target }: Event): void => {
      place =
        target instanceof Element && target !== group && target.matches(":focus-visible")
          ? placeOf(target, group)
          : null;
    };
    const forget = (): void => {
      const was = place;
      // Some browsers report this before the control disappears, and that is observed before the timer.
      setTimeout(() => {
        if (place === was && document.activeElement !== was?.control) place = null;
      });
    };
    const taken = (): Place | null => {
      const was = place;
      place = null;
      return document.activeElement === document.body ? was : null;
    };
    const observer = new MutationObserver((records) => {
      const control = place?.control;
      if (
        control === undefined ||
        !records.some(({ removedNodes }) =>
          [...removedNodes].some((node) => node.contains(control)),
        )
      )
        return;
      const was = taken();
      if (was === null || focusSuccessor(was)) return;
      if (onlost === undefined) focusForNow(group);
      else onlost();
    });

    group.addEventListener("focusin", note);
    // What is around it may have changed since then, and a key makes the focus that a click gave visible.
    group.addEventListener("keydown", note, { capture: true });
    group.addEventListener("focusout", forget);
    observer.observe(group, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      if (onlost !== undefined && place?.control.isConnected === false && taken() !== null)
        void tick().then(onlost);
    };
  };
}

function placeOf(control: Element, group: Element): Place {
  const within = [];
  for (
    let series = control.parentElement?.closest(SERIES);
    series && group.contains(series) && series !== group;
    series = series.parentElement?.closest(SERIES)
  ) {
    within.push({ series, at: [...series.querySelectorAll(CONTROLS)].indexOf(control) });
  }
  return { control, within };
}

/** False if there is none, or it cannot be focused. A control that was only moved loses the focus, too. */
function focusSuccessor({ control, within }: Place): boolean {
  if (control.isConnected && (control instanceof HTMLElement || control instanceof SVGElement)) {
    control.focus();
    return true;
  }
  return within.some(({ series, at }) => {
    const controls = series.isConnected ? [...series.querySelectorAll<HTMLElement>(CONTROLS)] : [];
    const next = controls[Math.max(0, Math.min(at, controls.length - 1))];
    next?.focus();
    return next !== undefined && document.activeElement === next;
  });
}
