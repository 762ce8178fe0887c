import type { Point } from "../../layout/rectangle";
import { pointBelow } from "./menu-gesture";

/** Makes a shape with the role of a button react to Enter and the space bar like to a click. */
export function press(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** What can be selected, and has a menu unless no action is allowed. */
interface Item {
  readonly selected: boolean;
  /** Selects it, or ends that. */
  readonly select: () => void;
  readonly menu: ((at: Point) => void) | undefined;
}

/** Like `press`, but Enter on what is already selected opens its menu. */
export function pressItem(event: KeyboardEvent, { selected, select, menu }: Item): void {
  if (event.key !== "Enter" || !selected || menu === undefined) {
    press(event, select);
    return;
  }
  press(event, () => {
    // A key that is held down would open the menu and then perform its first action.
    if (!event.repeat && event.currentTarget instanceof Element)
      menu(pointBelow(event.currentTarget));
  });
}
