import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defaultClientConditions, defineConfig } from "vite";

import { languages } from "./languages.config.ts";
import { pictureFonts } from "./picture-fonts.config.ts";

/**
 * The stage drawn without a browser: one classic script for the service's embedded JavaScript
 * engine, which has no modules, no DOM and no timers.
 */
export default defineConfig({
  plugins: [languages(), svelte({ emitCss: false }), pictureFonts()],
  publicDir: false,
  ssr: {
    noExternal: true,
    target: "webworker",
    // Svelte's server build: its browser build has no context while components are drawn as text.
    resolve: { conditions: ["worker", ...defaultClientConditions] },
  },
  build: {
    ssr: "src/figure.ts",
    target: "es2020",
    outDir: "dist-server",
    emptyOutDir: true,
    minify: true,
    license: { fileName: "licenses.txt" },
    rolldownOptions: { output: { format: "iife", entryFileNames: "figure.js" } },
  },
});
