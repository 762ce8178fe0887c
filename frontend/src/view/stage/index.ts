export { default as Stage } from "./Stage.svelte";
export { default as Sentence } from "./Sentence.svelte";
export { default as Thumbnail } from "./Thumbnail.svelte";
export type { Selection, StageProps } from "./props";
export { fateFacts, type FateFact } from "./client-text";
export { witnessOf, type Witness } from "./witness";
export { shownPartition } from "./shown-partition";
export { default as SmallFigure } from "./SmallFigure.svelte";
export { FIGURES, type FigureName } from "./small-figures";
