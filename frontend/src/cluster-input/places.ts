/** Where in the input something is: lines, and the file if it is not the pasted text. */

import { PASTED } from "./given";

export function placeOf(file: string | null, line: number | null, last: number | null): string {
  const name = file === PASTED || file === null ? "" : file;
  if (line === null) return name;
  const lines = `${String(line)}${last !== null && last !== line ? `–${String(last)}` : ""}`;
  return name === "" ? lines : `${name}:${lines}`;
}
