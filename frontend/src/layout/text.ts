/**
 * Estimates the width of a text without a browser, accurately enough to avoid overlapping labels.
 * Overestimates slightly, because system fonts are wider than Inter.
 */

/** The size of the labels on the stage, and the height of a line of them. */
export const LABEL_SIZE = 11.5;
export const LABEL_LINE = 15;

const NO_BREAK = "\u00a0";
const NARROW = new Set(`iljtfrI.,:;'|!()[]{} ·’‘\`${NO_BREAK}`);
const WIDE = new Set("mwMW@%—✓✕");

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x2e80) return 1;
  if (NARROW.has(character)) return 0.34;
  if (WIDE.has(character)) return 0.9;
  if (character >= "A" && character <= "Z") return 0.69;
  return 0.6;
}

export function textWidth(text: string, fontSize: number, bold = false): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return Math.ceil(width * fontSize * (bold ? 1.1 : 1));
}

/** The width of a rounded label with a text. */
export function pillWidth(text: string, fontSize: number): number {
  return textWidth(text, fontSize, true) + 30;
}

/** A name, shortened in the middle if necessary, because names of records differ at the end. */
export function fitText(text: string, fontSize: number, width: number, bold = false): string {
  if (textWidth(text, fontSize, bold) <= width) return text;
  const characters = [...text];
  for (let kept = characters.length - 1; kept > 1; kept -= 1) {
    const tail = Math.min(3, Math.floor(kept / 2));
    const shorter = `${characters.slice(0, kept - tail).join("")}…${characters.slice(-tail).join("")}`;
    if (textWidth(shorter, fontSize, bold) <= width) return shorter;
  }
  return characters[0] ?? "";
}

/** Words, shortened at their end if necessary: between words, or between Chinese characters. */
export function fitWords(text: string, fontSize: number, width: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const [line = ""] = wrapText(text, fontSize, width - textWidth("…", fontSize));
  const kept = [...line.replace(/[\s,;:·，；：、]+$/u, "")];
  // The first word may itself be too long.
  while (kept.length > 1 && textWidth(`${kept.join("")}…`, fontSize) > width) kept.pop();
  return `${kept.join("")}…`;
}

/** The space between a number and its unit. */
const BEFORE_UNIT = /(?<=\d) (?=(?:ms|s)(?![\p{L}\d]))/gu;

/** Breaks a text into lines at spaces, but not between a number and its unit, and between Chinese characters. */
export function wrapText(text: string, fontSize: number, width: number): string[] {
  // No line may begin with a closing punctuation mark.
  const units =
    text
      .replace(BEFORE_UNIT, NO_BREAK)
      .match(
        /[^\S\u00a0]+|[\u2e80-\uffef][，。：；、！？”）]*|(?:[^\s\u2e80-\uffef]|\u00a0)+[，。：；、！？”）]*/g,
      ) ?? [];
  const lines: string[] = [];
  let line = "";
  for (const unit of units) {
    if (line !== "" && textWidth(line + unit.trimEnd(), fontSize) > width) {
      lines.push(line.trimEnd());
      line = unit.trimStart();
    } else {
      line += line === "" ? unit.trimStart() : unit;
    }
  }
  if (line.trim() !== "") lines.push(line.trimEnd());
  return lines;
}
