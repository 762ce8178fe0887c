import { readdirSync } from "node:fs";

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import noCircles from "./no-circles.js";
import svelteConfig from "./svelte.config.js";

/** Folders that every drawing folder may import. */
const DRAWN = [
  "addresses",
  "language",
  "focus",
  "trace",
  "layout",
  "view",
  "messages",
  "controls",
  "styles",
];

/** Allowed imports: a folder may import itself and the folders that are listed here, and no others. */
const ROOMS = {
  schema: [],
  language: [],
  addresses: ["language"],
  focus: [],
  trace: ["language", "schema"],
  layout: ["trace"],
  view: [
    "language",
    "focus",
    "trace",
    "layout",
    "styles",
    "stage",
    "panel",
    "figure",
    "embed",
    "logo",
    "messages-over-time",
    "playback",
    "terms",
  ],
  messages: ["language"],
  controls: ["language", "focus", "trace", "messages"],
  styles: [],
  engine: [],
  service: ["addresses", "engine", "language", "messages", "schema", "trace"],
  session: ["language", "trace", "service"],
  site: ["addresses", "language", "trace", "view", "messages", "controls", "service"],
  learning: [...DRAWN, "service"],
  articles: [...DRAWN, "learning", "service", "site"],
  fidelity: [...DRAWN, "service", "site"],
  // A challenge has the bars and the menu of a run, and a result to send.
  challenges: [...DRAWN, "service", "sharing", "site", "run"],
  home: [...DRAWN, "learning", "service", "site"],
  "lesson-plan": [...DRAWN, "learning", "service", "site"],
  "step-form": [...DRAWN, "service"],
  "cluster-input": [...DRAWN, "service"],
  // A cell opens as a run.
  assess: [...DRAWN, "cluster-input", "run", "service", "site", "words"],
  // It shows the same page.
  watch: [...DRAWN, "assess", "recordings", "service", "site"],
  // The stage of a draft has the actions of a run.
  "new-run": [...DRAWN, "cluster-input", "run", "service", "site", "step-form"],
  insights: [...DRAWN, "service", "site"],
  glossary: [...DRAWN, "service", "site", "words"],
  gallery: [...DRAWN, "service", "site"],
  compare: [...DRAWN, "service", "session"],
  search: [...DRAWN, "service", "session"],
  "site-search": [...DRAWN, "learning", "service"],
  sharing: [...DRAWN, "service", "site"],
  present: [...DRAWN, "service", "session"],
  recordings: [...DRAWN, "service"],
  words: [...DRAWN, "service"],
  run: [
    ...DRAWN,
    "learning",
    "service",
    "session",
    "compare",
    "present",
    "search",
    "sharing",
    "recordings",
    "step-form",
    "words",
  ],
  docs: ["addresses", "language", "focus", "site", "view"],
  pages: [
    "addresses",
    "language",
    "controls",
    "focus",
    "trace",
    "view",
    "messages",
    "service",
    "session",
    "site",
    "site-search",
    "articles",
    "challenges",
    "fidelity",
    "home",
    "lesson-plan",
    "new-run",
    "assess",
    "watch",
    "insights",
    "gallery",
    "glossary",
    "present",
    "run",
  ],
};

/** Functions that send requests. */
const ASKING = ["fetch", "XMLHttpRequest", "EventSource", "WebSocket"];

/** The site may lie below a path. */
const NO_FIXED_PATH = {
  selector: "SvelteAttribute[key.name=/^(href|src)$/] SvelteLiteral[value=/^\\u002f/]",
  message: "Use to() of src/addresses.",
};

for (const entry of readdirSync(new URL("src", import.meta.url), { withFileTypes: true })) {
  if (entry.isDirectory() && !(entry.name in ROOMS))
    throw new Error(`src/${entry.name} is not in ROOMS: say which folders it may import.`);
}

export default ts.config(
  {
    ignores: [
      "**/dist/",
      "dist-server/",
      "node_modules/",
      "src/schema/openapi.ts",
      "src/language/names.d.ts",
    ],
  },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    plugins: { house: { rules: { "no-circles": noCircles } } },
    rules: {
      "house/no-circles": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "no-console": ["error", { allow: ["error"] }],
      eqeqeq: "error",
      // A switch over the kinds of something is a table, and counts as one branch.
      complexity: ["error", { max: 15, variant: "modified" }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig },
    },
  },
  { files: ["*.config.*", "*.js"], languageOptions: { globals: { ...globals.node } } },
  ...Object.entries(ROOMS).map(([room, known]) => ({
    files: [`src/${room}/**/*.{ts,svelte}`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(?!(?:${known.join("|") || "$"})(?:/|$))[a-z]`,
              message: `${room} may import ${known.join(", ") || "nothing"} and no other room.`,
            },
            // Arithmetic and data: neither uses a browser or a framework.
            ...(room === "trace" || room === "layout"
              ? [
                  {
                    group: ["svelte", "svelte/*", "languages:*"],
                    message: `${room} must not import Svelte or texts.`,
                  },
                ]
              : []),
          ],
        },
      ],
    },
  })),
  {
    // One component keeps the focus inside, closes on Escape and returns the focus.
    files: ["src/**/*.svelte"],
    ignores: ["src/controls/Dialog.svelte"],
    rules: {
      "svelte/no-restricted-html-elements": [
        "error",
        { elements: ["dialog"], message: "Use controls/Dialog.svelte." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "SvelteAttribute[key.name='role'] SvelteLiteral[value=/dialog$/]",
          message: "Use controls/Dialog.svelte.",
        },
        NO_FIXED_PATH,
      ],
    },
  },
  {
    files: ["src/layout/**/*.ts", "src/trace/**/*.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        "window",
        "document",
        ...ASKING,
        "setTimeout",
        "setInterval",
        "localStorage",
      ],
    },
  },
  {
    // Responses and errors are handled in one place.
    files: ["src/**/*.{ts,svelte}"],
    ignores: ["src/engine/**", "src/service/**", "src/layout/**", "src/trace/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...ASKING.map((name) => ({ name, message: "Only service/ may send requests." })),
      ],
      "no-restricted-properties": [
        "error",
        ...["window", "globalThis", "self"].flatMap((object) =>
          ASKING.map((property) => ({
            object,
            property,
            message: "Only service/ may send requests.",
          })),
        ),
      ],
    },
  },
);
