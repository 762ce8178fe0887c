export { default as Explained } from "./Explained.svelte";
export { provideGlossary } from "./context";
export { explain } from "./explain";
