/** The text to copy from a code block. */

const PROMPT = "$ ";

/** The block; for a terminal session, only the commands without the prompts. */
export function copied(shown: string, language: string): string {
  if (language !== "console") return shown;
  const lines = shown.split("\n");
  return lines
    .filter((line, at) => line.startsWith(PROMPT) || isContinued(lines, at))
    .map((line) => (line.startsWith(PROMPT) ? line.slice(PROMPT.length) : line))
    .join("\n");
}

/** Whether a line continues the previous command, which ends with a backslash. */
function isContinued(lines: readonly string[], at: number): boolean {
  const before = lines[at - 1];
  return (
    before !== undefined &&
    before.endsWith("\\") &&
    (before.startsWith(PROMPT) || isContinued(lines, at - 1))
  );
}
