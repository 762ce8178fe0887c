import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { languages } from "./languages.config.ts";
import { pseudoLanguage } from "./pseudo-language.config.ts";

/** The application. The embed, its loader and the server's figure have configurations of their own. */
export default defineConfig(({ mode }) => ({
  plugins: [languages(mode === "test" ? [pseudoLanguage()] : []), svelte()],
  // Component tests mount components: they need Svelte's browser build, not its server one.
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  server: { proxy: { "/api": "http://127.0.0.1:8000", "^/s/": "http://127.0.0.1:8000", "^/e/": "http://127.0.0.1:8000" } },
  build: {
    target: "es2022",
    // The service's content security policy has no inline scripts or data: fonts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Says what each page loads: the benchmark of sizes reads it.
    manifest: true,
    // The licences of what is in the bundle, which goes where the bundle goes.
    license: { fileName: "assets/licenses.txt" },
  },
  test: {
    environment: "happy-dom",
    // The preview of an embed asks for a page of the service, which is not there.
    environmentOptions: { happyDOM: { settings: { disableIframePageLoading: true } } },
    include: ["src/**/*.test.ts", "packages/**/*.test.ts"],
    setupFiles: ["./src/test-setup.ts"],
  },
}));
