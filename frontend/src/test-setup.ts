import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/svelte";
import { afterEach } from "vitest";

afterEach(() => {
  cleanup();
  // All files share one document.
  document.body.replaceChildren();
  document.documentElement.lang = "";
});
