import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

import { languages } from "./languages.config.ts";

/**
 * The page that other sites frame. It may run in a sandbox with an opaque origin, where a module
 * script is a cross-origin request; so it is one classic script.
 */
function classicScript(): Plugin {
  return {
    name: "highwater-classic-script",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replaceAll(/<script type="module" crossorigin/g, "<script defer").replaceAll(/<link rel="stylesheet" crossorigin/g, '<link rel="stylesheet"'),
    },
  };
}

export default defineConfig({
  plugins: [languages(), svelte(), classicScript()],
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: false,
    // A stylesheet of its own: the page's policy allows none made by a script.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: "embed.html", output: { format: "iife" } },
  },
});
