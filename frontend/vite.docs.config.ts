import { defineConfig } from "vite";

import { classicScript } from "./classic-script.config.ts";
import { languages } from "./languages.config.ts";
import { relativeFiles } from "./relative-files.config.ts";

/**
 * The documentation's page, which the service fills in. Its script is in the head and is not
 * deferred, so that it sets the theme before the first paint.
 */
export default defineConfig({
  plugins: [languages(), classicScript("<script")],
  publicDir: false,
  experimental: relativeFiles,
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    license: { fileName: "assets/licenses-docs.txt" },
    rolldownOptions: { input: "docs.html", output: { format: "iife" } },
  },
});
