import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "dist-server/", "node_modules/", "src/service/schema.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "no-console": ["error", { allow: ["error"] }],
      eqeqeq: "error",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  { files: ["*.config.*", "dev/**"], languageOptions: { globals: { ...globals.node } } },
  {
    // layout is arithmetic and trace is data: neither knows of a browser, and neither looks upwards.
    files: ["src/layout/**/*.ts", "src/trace/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", "window", "document", "fetch", "setTimeout", "setInterval", "localStorage"],
      "no-restricted-imports": ["error", { patterns: ["**/app/**", "**/view/**", "**/api/**", "svelte", "svelte/*"] }],
    },
  },
  {
    files: ["src/view/**/*.ts", "src/view/**/*.svelte"],
    rules: { "no-restricted-imports": ["error", { patterns: ["**/app/**", "**/api/**"] }] },
  },
);
