export { formatValue, type Lang, type Piece, type Translated } from "../language";
export * from "./catalogue";
export * from "./frame";
export * from "./markers";
export { applyPatch, PatchError, type Operation } from "./patch";
export { readFrames } from "./timeline";
