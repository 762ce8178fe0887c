/**
 * The positions of a broker's texts: in the gutter next to its log, or above it on a narrow stage.
 */

import type { Point, Rectangle } from "../../layout/rectangle";
import type { RowLayout } from "../../layout/replica-row";
import { gutterRoom, NAME_X, type StageLayout } from "../../layout/stage";
import { fitWords, textWidth, wrapText } from "../../layout/text";
import type { GutterLine, GutterText } from "./row-text";

export interface GutterLayout {
  readonly nameX: number;
  readonly nameY: number;
  /** The start of the glyph after the name, and the end of all glyphs. */
  readonly nameEnd: number;
  readonly glyphEnd: number;
  readonly roleLines: readonly GutterLine[];
  /** The baseline of the first of them. */
  readonly roleY: number;
  /** Smaller letters for a role that is too long for its place. */
  readonly roleIsTight: boolean;
  /** Whether the ISR state is only a glyph, because its text would take the room of the role. */
  readonly syncIsBrief: boolean;
  /** The baseline of the ISR state. */
  readonly syncY: number;
  /** The other details, on as few lines as possible. */
  readonly extra: readonly GutterLine[];
  readonly extraY: number;
  readonly extraLine: number;
  /** The baseline of the last text. */
  readonly lastY: number;
  readonly files: Point;
}

/** Between the files button and the text before it. */
const FILES_GAP = 12;
/** It is not left of this, so that it leaves the middle of the broker's own target free. */
const FILES_LEFT = 124;
/** From the edges of a narrow stage to its texts. */
const NARROW_MARGIN = 14;
/** The size of a role in its smaller letters, and of other details. */
const ROLE_SIZE = 12;
const SIZE = 11.5;

/** Texts joined into lines of at most this width; a joined line has the tone of its worst part. */
export function packedLines(lines: readonly GutterLine[], room: number, size = SIZE): GutterLine[] {
  const packed: GutterLine[] = [];
  for (const line of lines) {
    const last = packed[packed.length - 1];
    const together = last === undefined ? null : `${last.text} · ${line.text}`;
    if (last === undefined || together === null || textWidth(together, size) > room)
      packed.push(line);
    else
      packed[packed.length - 1] = {
        text: together,
        tone: TONES.find((tone) => tone === last.tone || tone === line.tone) ?? "plain",
      };
  }
  return packed;
}

/** Texts in as few lines as possible, broken inside only if they are too long for a line of their own. */
export function wrappedLines(
  lines: readonly GutterLine[],
  room: number,
  size = SIZE,
): GutterLine[] {
  return packedLines(lines, room, size).flatMap((line) =>
    wrapText(line.text, size, room).map((text) => ({ ...line, text })),
  );
}

/** The tones, the worst first. */
const TONES = ["bad", "warn", "good", "plain"] as const;

/** From a line of the gutter to the next: name, role, ISR state and details; and where the name is. */
const LOW_ROW = { name: 6, toRole: 17, toSync: 16, toExtra: 14, beforeExtra: 0 };
const ROW = { name: 12, toRole: 20, toSync: 18, toExtra: 15, beforeExtra: 3 };

type Around = Pick<StageLayout, "narrow" | "low" | "width" | "axis" | "detail"> & {
  readonly column: object | null;
};

export function layoutGutter(
  row: RowLayout,
  text: GutterText,
  { narrow, low, width, axis, detail, column }: Around,
): GutterLayout {
  if (column !== null) return besideColumns(row, text, gutterRoom(axis.left));
  if (detail === "names") return besideName(row, text, axis.left);
  const spacing = low ? LOW_ROW : ROW;
  const nameX = narrow ? NARROW_MARGIN : NAME_X;
  const nameY = narrow ? row.y + 20 : row.cellY + spacing.name;
  const nameEnd = nameX + textWidth(text.name, 15, true) + 8;
  const glyphEnd = nameEnd + glyphsWidth(text);
  const role = narrow
    ? roleBeforeSync(text, width - NARROW_MARGIN - (glyphEnd + 4))
    : roleBesideLog(text, gutterRoom(axis.left));
  const detailRoom = narrow ? width - 2 * NARROW_MARGIN : gutterRoom(axis.left);
  const syncY = nameY + spacing.toRole + role.roleLines.length * spacing.toSync;
  const extra = wrappedLines(text.extra, detailRoom);
  const extraY = syncY + spacing.toExtra + spacing.beforeExtra;
  return {
    nameX,
    nameY,
    nameEnd,
    glyphEnd,
    ...role,
    roleY: nameY + spacing.toRole,
    syncY,
    extra,
    extraY,
    extraLine: spacing.toExtra,
    lastY: extra.length === 0 ? syncY : extraY + (extra.length - 1) * spacing.toExtra,
    files: narrow
      ? { x: width - NARROW_MARGIN, y: row.cellY + row.cellHeight + 30 + row.filesLine * 15 }
      : { x: Math.max(FILES_LEFT, syncEnd(text, nameX) + FILES_GAP), y: syncY },
  };
}

function glyphsWidth({ glyph, preferred }: GutterText): number {
  return (glyph === null ? 0 : 24) + (preferred ? 20 : 0);
}

function syncEnd({ sync }: GutterText, nameX: number): number {
  return nameX + (sync === null ? 0 : 14 + textWidth(sync.text, 13));
}

type RolePlace = Pick<GutterLayout, "roleLines" | "roleIsTight" | "syncIsBrief">;

function roleBesideLog(text: GutterText, room: number): RolePlace {
  return {
    roleLines: roleLinesOf(text, room),
    roleIsTight: textWidth(text.role.text, 13) > room,
    syncIsBrief: false,
  };
}

/** On a narrow stage the role is between the name and the ISR state, which share this room. */
function roleBeforeSync(text: GutterText, room: number): RolePlace {
  const wholeSync = text.sync === null ? 0 : textWidth(text.sync.text, 13) + 18;
  const role = shorterRole(text, room - wholeSync);
  const syncIsBrief = wholeSync > 0 && textWidth(role, ROLE_SIZE) > room - wholeSync;
  const roleRoom = room - (syncIsBrief ? 16 : wholeSync);
  const roleIsTight = textWidth(role, 13) > roleRoom;
  return {
    roleLines: [{ ...text.role, text: fitWords(role, roleIsTight ? ROLE_SIZE : 13, roleRoom) }],
    roleIsTight,
    syncIsBrief,
  };
}

/** The box of the ISR state: its glyph, with its text if that is drawn; null if there is none. */
export function syncBox(
  text: GutterText,
  place: GutterLayout,
  { narrow, width, detail, column }: Omit<Around, "low" | "axis">,
): Rectangle | null {
  if (text.sync === null || column !== null) return null;
  const words = textWidth(text.sync.text, 13);
  if (detail === "names") return { x: place.nameX, y: place.syncY - 10, width: 11, height: 11 };
  if (!narrow) return { x: place.nameX, y: place.syncY - 12, width: 14 + words, height: 16 };
  const glyphX = width - 28 - (place.syncIsBrief ? 0 : words);
  return { x: glyphX, y: place.nameY - 12, width: width - 14 - glyphX, height: 16 };
}

/** The role shortens before the ISR state becomes a glyph: a crown, or its outline, also means a leader, and a cross down. */
function shorterRole({ role, glyph }: GutterText, room: number): string {
  const parts = role.text.split(" · ");
  const shorter = [
    role.text,
    (glyph === "crown" || glyph === "stale" ? parts.at(-1) : parts[0]) ?? "",
    beforeComma(role.text),
  ];
  return shorter.find((words) => words !== "" && textWidth(words, 12) <= room) ?? role.text;
}

function beforeComma(role: string): string {
  return role.split(/[,，]/u)[0] ?? "";
}

export function rolesOf({ role, otherRoles = [] }: GutterText): readonly GutterLine[] {
  return [role, ...otherRoles];
}

/** The roles of a broker in lines of at most this width, broken between their parts if possible. */
export function roleLinesOf(text: GutterText, room: number): GutterLine[] {
  return rolesOf(text).flatMap((role) =>
    wrappedLines(
      role.text.split(" · ").map((part) => ({ ...role, text: part })),
      room,
      ROLE_SIZE,
    ),
  );
}

/** Name, roles and details one below the other, left of the lines between the rows. */
function besideColumns(row: RowLayout, text: GutterText, room: number): GutterLayout {
  const nameX = NAME_X;
  const nameY = row.cellY + 6;
  const roleY = nameY + 17;
  const nameEnd = nameX + textWidth(text.name, 15, true) + 8;
  const glyphEnd = nameEnd + (text.glyph === null ? 0 : 24);
  const roleLines = roleLinesOf(text, room).map((line) => ({
    ...line,
    text: fitWords(line.text, ROLE_SIZE, room),
  }));
  const extra = wrappedLines(text.extra, room).map((line) => ({
    ...line,
    text: fitWords(line.text, SIZE, room),
  }));
  const extraY = roleY + roleLines.length * 16;
  return {
    nameX,
    nameY,
    nameEnd,
    glyphEnd,
    roleLines,
    roleY,
    roleIsTight: roleLines.some((line) => textWidth(line.text, 13) > room),
    syncIsBrief: false,
    syncY: extraY,
    extra,
    extraY,
    extraLine: 14,
    lastY: extraY + (extra.length - 1) * 14,
    files: { x: Math.max(FILES_LEFT, glyphEnd + 4), y: nameY },
  };
}

/** Name and role on the two lines of a row that is only as tall as its log. */
function besideName(row: RowLayout, text: GutterText, left: number): GutterLayout {
  const nameX = 14;
  const nameY = row.cellY + 9;
  const nameEnd = nameX + textWidth(text.name, 15, true) + 6;
  const syncY = nameY + 17;
  const room = gutterRoom(left) + NAME_X - nameX - (text.sync === null ? 0 : 15);
  const details = text.extra.map((line) => line.text);
  // The parts of a role that a crown, or its outline, also means are left out first.
  const parts = text.role.text.split(" · ");
  const brief = (text.glyph === "crown" || text.glyph === "stale" ? parts.at(-1) : parts[0]) ?? "";
  const candidates = [
    [text.role.text, ...details].join(" · "),
    [brief, ...details].join(" · "),
    text.role.text,
    parts[0] ?? "",
    beforeComma(text.role.text),
    text.sync?.text ?? "",
  ];
  const fitting = candidates.find((words) => words !== "" && textWidth(words, SIZE) <= room);
  return {
    nameX,
    nameY,
    nameEnd,
    glyphEnd: nameEnd + 24,
    roleLines: [{ ...text.role, text: fitting ?? fitWords(text.role.text, SIZE, room) }],
    roleY: syncY,
    roleIsTight: true,
    syncIsBrief: false,
    syncY,
    extra: [],
    extraY: syncY,
    extraLine: 0,
    lastY: syncY,
    files: { x: Math.max(FILES_LEFT, nameEnd + (text.glyph === null ? 0 : 24) + 6), y: nameY },
  };
}
