/** Makes a shape with the role of a button react to Enter and the space bar like to a click. */
export function press(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
