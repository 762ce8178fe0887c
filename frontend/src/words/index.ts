export { default as OperatorWords } from "./OperatorWords.svelte";
