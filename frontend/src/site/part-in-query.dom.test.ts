import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { partInQuery } from "./part-in-query";

let end: () => void = () => undefined;

beforeEach(() => {
  document.body.innerHTML = "<p id='claim-3'></p>";
  history.replaceState(null, "", "/articles/1");
});
afterEach(() => end());

function go(hash: string): void {
  location.hash = hash;
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

describe("the part of a page", () => {
  it("is named in the query while the fragment shows it", () => {
    end = partInQuery("claim", "claim-");

    go("#claim-3");
    expect(location.search + location.hash).toBe("?claim=3#claim-3");
    go("#questions");
    expect(location.search).toBe("?claim=3");
  });

  it("is shown if only the query names it", async () => {
    history.replaceState(null, "", "/articles/1?claim=3");
    end = partInQuery("claim", "claim-");
    await tick();

    expect(location.hash).toBe("#claim-3");
  });

  it("is not shown if the page does not have it", async () => {
    history.replaceState(null, "", "/articles/1?claim=99");
    end = partInQuery("claim", "claim-");
    await tick();

    expect(location.hash).toBe("");
  });
});
