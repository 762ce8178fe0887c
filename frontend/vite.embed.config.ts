import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

import { classicScript } from "./classic-script.config.ts";
import { languages } from "./languages.config.ts";
import { relativeFiles } from "./relative-files.config.ts";

/**
 * The page that other sites frame. It may run in a sandbox with an opaque origin, where a module
 * script is a cross-origin request; so it is one classic script.
 */
export default defineConfig({
  plugins: [languages(), svelte(), classicScript("<script defer")],
  publicDir: false,
  experimental: relativeFiles,
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: false,
    // A separate style sheet, because the page's policy does not allow styles created by a script.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    license: { fileName: "assets/licenses-embed.txt" },
    rolldownOptions: { input: "embed.html", output: { format: "iife" } },
  },
});
