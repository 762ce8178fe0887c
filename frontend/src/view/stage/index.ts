export { default as Stage } from "./Stage.svelte";
export type { Selection, StageProps } from "./props";
