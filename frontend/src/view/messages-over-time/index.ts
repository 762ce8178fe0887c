export { default as MessagesOverTime } from "./MessagesOverTime.svelte";
