import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "dist-server/", "node_modules/", "src/service/schema.ts", "src/language/names.d.ts"] },
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
  // Who may import whom: a room knows itself and the rooms that are named here, and no others.
  ...Object.entries({
    language: [],
    trace: ["language"],
    layout: ["trace"],
    view: ["language", "trace", "layout", "styles", "stage", "panel", "figure", "embed"],
    messages: ["language"],
    controls: ["language", "trace", "view", "messages", "styles"],
    service: ["language", "trace"],
    session: ["language", "trace", "service"],
    compare: ["language", "trace", "layout", "view", "messages", "controls", "styles", "service", "session"],
    search: ["language", "trace", "layout", "view", "messages", "controls", "styles", "service", "session"],
    sharing: ["language", "trace", "layout", "view", "messages", "controls", "styles", "service", "session"],
    run: ["language", "trace", "layout", "view", "messages", "controls", "styles", "service", "session", "compare", "search", "sharing"],
  }).map(([room, known]) => ({
    files: [`src/${room}/**/*.{ts,svelte}`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex: `^(\\.\\./)+(?!${["fixtures", ...known].join("|") || "$"})[a-z]`, message: `${room} may import ${known.join(", ") || "nothing"} and no other room.` },
            // Arithmetic and data: neither knows of a browser or of a framework.
            ...(room === "trace" || room === "layout" ? [{ group: ["svelte", "svelte/*"], message: `${room} knows nothing of Svelte.` }] : []),
          ],
        },
      ],
    },
  })),
  {
    files: ["src/layout/**/*.ts", "src/trace/**/*.ts"],
    rules: { "no-restricted-globals": ["error", "window", "document", "fetch", "setTimeout", "setInterval", "localStorage"] },
  },
  {
    // Answers are looked at, and errors told apart, in one place.
    files: ["src/**/*.{ts,svelte}"],
    ignores: ["src/service/**", "src/layout/**", "src/trace/**"],
    rules: { "no-restricted-globals": ["error", { name: "fetch", message: "Only service/ asks the service." }] },
  },
);
