/** Where the words about a broker stand: in the gutter beside its log, or on a narrow stage above it. */

import type { RowLayout } from "../../layout/replica-row";
import type { StageLayout } from "../../layout/stage";
import { fitText, textWidth, wrapText } from "../../layout/text";
import type { GutterText } from "./row-text";

export interface GutterLayout {
  readonly nameX: number;
  readonly nameY: number;
  /** Where the glyph after the name begins, and where all glyphs end. */
  readonly nameEnd: number;
  readonly glyphEnd: number;
  readonly roleLines: readonly string[];
  /** Smaller letters for a role that is too long for its place. */
  readonly roleIsTight: boolean;
  /** Whether it is in sync is only drawn: its words would take the room of the role's. */
  readonly syncIsBrief: boolean;
  /** The baseline of what says whether it is in sync. */
  readonly syncY: number;
  readonly files: { readonly x: number; readonly y: number };
}

export function layoutGutter(row: RowLayout, text: GutterText, { narrow, width, axis }: StageLayout): GutterLayout {
  const nameX = narrow ? 14 : 20;
  const nameY = narrow ? row.y + 20 : row.cellY + 12;
  const nameEnd = nameX + textWidth(text.name, 15, true) + 8;
  const glyphEnd = nameEnd + (text.glyph === null ? 0 : 24) + (text.preferred ? 20 : 0);
  // On a narrow stage the role stands between the name and what says whether it is in sync.
  const room = width - 14 - (glyphEnd + 4);
  const wholeSync = text.sync === null ? 0 : textWidth(text.sync.text, 13) + 18;
  const syncIsBrief = narrow && wholeSync > 0 && textWidth(text.role.text, 12) > room - wholeSync;
  const syncWidth = syncIsBrief ? 16 : wholeSync;
  const roleRoom = narrow ? room - syncWidth : axis.left - nameX - 8;
  const roleIsTight = textWidth(text.role.text, 13) > roleRoom;
  const roleLines = narrow ? [fitText(text.role.text, roleIsTight ? 12 : 13, roleRoom)] : wrapText(text.role.text, 12, axis.left - nameX + 14);
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
