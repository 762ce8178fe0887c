export { default as MessagesOverTime } from "./MessagesOverTime.svelte";
export { secondsText } from "./diagram-texts";
