import type { Plugin } from "vite";

/** Replaces a page's module script by a classic one that begins with `tag`: `<script` blocks, `<script defer` does not. */
export function classicScript(tag: "<script" | "<script defer"): Plugin {
  return {
    name: "highwater-classic-script",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler: (html) =>
        html
          .replaceAll(/<script type="module" crossorigin/g, tag)
          .replaceAll(/<link rel="stylesheet" crossorigin/g, '<link rel="stylesheet"'),
    },
  };
}
