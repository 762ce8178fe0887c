import type { Plugin } from "vite";

/** A page's module script as a classic one, which `tag` begins: `<script` blocks, `<script defer` waits. */
export function classicScript(tag: "<script" | "<script defer"): Plugin {
  return {
    name: "highwater-classic-script",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replaceAll(/<script type="module" crossorigin/g, tag).replaceAll(/<link rel="stylesheet" crossorigin/g, '<link rel="stylesheet"'),
    },
  };
}
