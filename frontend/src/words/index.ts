export { default as OperatorCatalogue } from "./OperatorCatalogue.svelte";
export { default as OperatorWords } from "./OperatorWords.svelte";
