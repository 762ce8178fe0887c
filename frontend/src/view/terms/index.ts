export { default as Explained } from "./Explained.svelte";
export { default as Pieces } from "./Pieces.svelte";
export { provideGlossary, useGlossary } from "./context";
export { amongTerms, explain, explainMarks, type ExplainedMark } from "./explain";
