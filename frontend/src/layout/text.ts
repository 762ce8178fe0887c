/**
 * How wide a text will be, without a browser: near enough to place labels so that they do not meet.
 * Errs on the wide side, for the system's fonts are wider than Inter.
 */

const NARROW = new Set("iljtfrI.,:;'|!()[]{} ·’‘`");
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

/** The text, or as much of it as fits: its ends are kept, for names of records differ at the end. */
export function fitText(text: string, fontSize: number, width: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const characters = [...text];
  for (let kept = characters.length - 1; kept > 1; kept -= 1) {
    const tail = Math.min(3, Math.floor(kept / 2));
    const shorter = `${characters.slice(0, kept - tail).join("")}…${characters.slice(-tail).join("")}`;
    if (textWidth(shorter, fontSize) <= width) return shorter;
  }
  return characters[0] ?? "";
}

/** Breaks a text into lines at spaces, and between Chinese characters. */
export function wrapText(text: string, fontSize: number, width: number): string[] {
  // No line begins with a closing mark.
  const units = text.match(/\s+|[\u2e80-\uffef][，。：；、！？”）]*|[^\s\u2e80-\uffef]+[，。：；、！？”）]*/g) ?? [];
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
