/** For tests: the page of a run, of which nothing leads elsewhere. */

import { renderIn } from "../language/render-fixture";
import type { Run } from "../session/run.svelte";
import type { Lang } from "../trace";
import { catalogue } from "../trace/fixtures";
import RunPage from "./RunPage.svelte";

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
