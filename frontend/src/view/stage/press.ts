/** A shape that is a button does on Enter and on the space bar what it does on a click. */
export function press(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
