export { formatValue, type Lang, type Piece, type Translated } from "../language";
export * from "./catalogue";
export * from "./frame";
export { clientNames } from "./clients";
export { glossaryOf, termPieces, type Glossary, type TermPiece } from "./terms";
export { applyPatch, PatchError } from "./patch";
export { readFrames } from "./timeline";
export * from "./outcomes";
export type { PlayerPart, PlayerRun } from "./player-run";
