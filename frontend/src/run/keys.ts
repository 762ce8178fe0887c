/** The keyboard shortcuts of a page, and when a key belongs to another element. */

export interface Keymap {
  /** By the key's name. */
  readonly always: Readonly<Record<string, () => void>>;
  /** The keys that buttons and links use themselves. */
  readonly offControls: Readonly<Record<string, () => void>>;
  /** 1 to 9. */
  readonly digit: (digit: number) => void;
  readonly escape: () => void;
  /** Called before each handled key. */
  readonly before: (key: string) => void;
}

/** Performs a key's action, except in text fields, and unless a control has used the key. */
export function press(event: KeyboardEvent, keymap: Keymap): void {
  if (event.defaultPrevented) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, textarea, select, [contenteditable]")) return;
  if (event.key === "Escape") {
    keymap.escape();
    return;
  }
  const onControl = target.matches("button, a, summary, [role=button]");
  const digit = Number(event.key);
  const doing =
    digit >= 1 && digit <= 9
      ? () => keymap.digit(digit)
      : (keymap.always[event.key] ?? (onControl ? undefined : keymap.offControls[event.key]));
  if (doing === undefined) return;
  event.preventDefault();
  keymap.before(event.key);
  doing();
}
