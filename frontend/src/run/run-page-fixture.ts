/** For tests: the page of a run, of which nothing leads elsewhere, and its state alone. */

import { renderIn } from "../language/render-fixture";
import type { Run } from "../session/run.svelte";
import type { Lang } from "../trace";
import { catalogue } from "../trace/fixtures";
import RunPage from "./RunPage.svelte";
import { RunView } from "./run-view.svelte";

export function renderRunPage(run: Run, lang: Lang = "en"): void {
  renderIn(lang)(RunPage, {
    props: {
      run,
      catalogue,
      onlanguage: () => undefined,
      ontheme: () => undefined,
      onnavigate: () => undefined,
      onfork: null,
      messagesOpen: true,
      onmessages: () => undefined,
    },
  });
}

export function viewOf(run: Run): RunView {
  return new RunView(run, {
    catalogue: () => catalogue,
    lang: () => "en",
    navigate: () => undefined,
  });
}
