export * from "./catalogue";
export * from "./frame";
export { applyPatch, PatchError, type Operation } from "./patch";
export { readFrames } from "./timeline";
