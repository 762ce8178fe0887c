export { formatValue, type Lang, type Piece, type Translated } from "../language";
export * from "./catalogue";
export * from "./frame";
export { hasTime } from "./clock";
export { clientNames } from "./clients";
export {
  hasOthersLikeIt,
  isStepOn,
  messageSteps,
  messageStepsAmong,
  type MessageSteps,
} from "./message-steps";
export {
  glossaryOf,
  meaningsIn,
  termPieces,
  termPiecesOf,
  type Glossary,
  type TermPiece,
} from "./terms";
export { applyPatch, PatchError } from "./patch";
export { readFrames } from "./timeline";
export * from "./outcomes";
export { isStaleLeader, staleLeaders, staleSince, type StaleLeader } from "./stale-leaders";
export type { PlayerPart, PlayerRun } from "./player-run";
