/**
 * The positions of a broker's texts: in the gutter next to its log, or above it on a narrow stage.
 */

import type { RowLayout } from "../../layout/replica-row";
import type { StageLayout } from "../../layout/stage";
import { fitWords, textWidth, wrapText } from "../../layout/text";
import type { GutterText } from "./row-text";

export interface GutterLayout {
  readonly nameX: number;
  readonly nameY: number;
  /** The start of the glyph after the name, and the end of all glyphs. */
  readonly nameEnd: number;
  readonly glyphEnd: number;
  readonly roleLines: readonly string[];
  /** Smaller letters for a role that is too long for its place. */
  readonly roleIsTight: boolean;
  /** Whether the ISR state is only a glyph, because its text would take the room of the role. */
  readonly syncIsBrief: boolean;
  /** The baseline of the ISR state. */
  readonly syncY: number;
  readonly files: { readonly x: number; readonly y: number };
}

export function layoutGutter(row: RowLayout, text: GutterText, { narrow, width, axis, detail }: Pick<StageLayout, "narrow" | "width" | "axis" | "detail">): GutterLayout {
  if (detail === "names") return besideName(row, text, axis.left);
  const nameX = narrow ? 14 : 20;
  const nameY = narrow ? row.y + 20 : row.cellY + 12;
  const nameEnd = nameX + textWidth(text.name, 15, true) + 8;
  const glyphEnd = nameEnd + (text.glyph === null ? 0 : 24) + (text.preferred ? 20 : 0);
  // On a narrow stage the role is between the name and the ISR state.
  const room = width - 14 - (glyphEnd + 4);
  const wholeSync = text.sync === null ? 0 : textWidth(text.sync.text, 13) + 18;
  const syncIsBrief = narrow && wholeSync > 0 && textWidth(text.role.text, 12) > room - wholeSync;
  const syncWidth = syncIsBrief ? 16 : wholeSync;
  const roleRoom = narrow ? room - syncWidth : axis.left - nameX - 8;
  const roleIsTight = textWidth(text.role.text, 13) > roleRoom;
  const roleLines = narrow ? [fitWords(text.role.text, roleIsTight ? 12 : 13, roleRoom)] : wrapText(text.role.text, 12, axis.left - nameX + 14);
  const syncY = nameY + 20 + roleLines.length * 18;
  return {
    nameX,
    nameY,
    nameEnd,
    glyphEnd,
    roleLines,
    roleIsTight,
    syncIsBrief,
    syncY,
    files: narrow ? { x: width - 14, y: row.cellY + row.cellHeight + 30 + row.filesLine * 15 } : { x: nameX, y: syncY + 21 + text.extra.length * 15 },
  };
}

/** Name and role on the two lines of a row that is only as tall as its log. */
function besideName(row: RowLayout, text: GutterText, left: number): GutterLayout {
  const nameX = 14;
  const nameY = row.cellY + 9;
  const nameEnd = nameX + textWidth(text.name, 15, true) + 6;
  const syncY = nameY + 17;
  const room = left - nameX - 10 - (text.sync === null ? 0 : 15);
  const fitting = [text.role.text, text.role.text.split(" · ")[0] ?? "", text.sync?.text ?? ""].find((words) => words !== "" && textWidth(words, 11.5) <= room);
  return { nameX, nameY, nameEnd, glyphEnd: nameEnd + 24, roleLines: [fitting ?? fitWords(text.role.text, 11.5, room)], roleIsTight: true, syncIsBrief: false, syncY, files: { x: nameX, y: syncY } };
}
