import { defineConfig } from "vite";

import { classicScript } from "./classic-script.config.ts";
import { languages } from "./languages.config.ts";

/**
 * The documentation's page, which the service fills. Its script stands in the head and is not
 * deferred: it sets the theme before anything is painted.
 */
export default defineConfig({
  plugins: [languages(), classicScript("<script")],
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: "docs.html", output: { format: "iife" } },
  },
});
