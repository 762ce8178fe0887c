import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { languages } from "./languages.config.ts";
import { pseudoLanguage } from "./pseudo-language.config.ts";
import { relativeFiles } from "./relative-files.config.ts";

/** The application. The embed, its loader and the server's figure have configurations of their own. */
export default defineConfig(({ mode }) => ({
  plugins: [languages(mode === "test" ? [pseudoLanguage()] : []), svelte()],
  // Component tests mount components: they need Svelte's browser build, not its server one.
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "^/s/": "http://127.0.0.1:8000",
      "^/e/": "http://127.0.0.1:8000",
    },
  },
  experimental: relativeFiles,
  build: {
    target: "es2022",
    // The service's content security policy allows no inline scripts and no data: fonts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Lists the files that each page loads, for the benchmark of sizes.
    manifest: true,
    rolldownOptions: {
      // The module of the search has an export.
      preserveEntrySignatures: "exports-only",
      input: { index: "index.html", search: "src/site-search/on-docs.ts" },
      // The documentation's pages, which are no part of this build, load it by its name.
      output: {
        entryFileNames: ({ name }) =>
          name === "search" ? "assets/search.js" : "assets/[name]-[hash].js",
      },
    },
    // The licences of the bundled packages, which are distributed with the bundle. Each other build
    // writes such a list too; scripts/sbom.py reads all.
    license: { fileName: "assets/licenses.txt" },
  },
  test: {
    // Without a new world for each file: a suite of small files would spend its time on preparing.
    isolate: false,
    // Another suite runs beside this one, and Spark takes every processor for a moment.
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["src/**/*.test.ts", "packages/**/*.test.ts"],
          exclude: ["**/*.dom.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "happy-dom",
          // The preview of an embed requests a page from the service, which is not running.
          environmentOptions: { happyDOM: { settings: { disableIframePageLoading: true } } },
          include: ["src/**/*.dom.test.ts"],
          setupFiles: ["./src/test-setup.ts"],
        },
      },
    ],
  },
}));
