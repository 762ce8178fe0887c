export { formatValue, type Lang, type Translated } from "../language";
export * from "./catalogue";
export * from "./frame";
export { hasOthersLikeIt, isStepOn, messageSteps, messageStepsAmong } from "./message-steps";
export {
  glossaryOf,
  glossaryWith,
  introducingPieces,
  meaningsIn,
  termPieces,
  termPiecesOf,
  type Glossary,
  type TermPiece,
} from "./terms";
export { readFrames } from "./timeline";
export * from "./outcomes";
export { isStaleLeader, staleLeaders, staleSince, type StaleLeader } from "./stale-leaders";
export type { PlayerPart, PlayerRun } from "./player-run";
