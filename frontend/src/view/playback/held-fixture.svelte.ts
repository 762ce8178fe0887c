/** For the tests: what a reader of a held value sees. */

import { Held } from "./held.svelte";

export function heldReader(): {
  seen: number[];
  state: { place: number; hurried: boolean; glances: number };
} {
  const state = $state({ place: 0, hurried: false, glances: 0 });
  const seen: number[] = [];
  const held = new Held(
    () => state,
    () => state.place,
  );
  $effect.root(() => {
    $effect(() => {
      seen.push(held.value);
    });
  });
  return { seen, state };
}
