/**
 * A rule for eslint: no module imports itself by way of others, not even a type. A circle means that
 * none of its modules can be read, tested or moved alone.
 */

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /^[ \t]*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*"(\.[^"]+)"/gm;
/** What a name of a module may lack. */
const ENDINGS = ["", ".ts", ".svelte.ts", "/index.ts"];

const imports = new Map();

function importsOf(file) {
  if (!imports.has(file)) {
    const names = [...readFileSync(file, "utf8").matchAll(IMPORT)].map((match) => match[1]);
    imports.set(file, new Set(names.flatMap((name) => fileOf(file, name) ?? [])));
  }
  return imports.get(file);
}

function fileOf(importer, name) {
  const path = resolve(dirname(importer), name);
  const isModule = (file) =>
    /\.(ts|svelte)$/.test(file) && existsSync(file) && statSync(file).isFile();
  return ENDINGS.map((ending) => path + ending).find(isModule);
}

/** The modules from one to another, both included; undefined if the first does not import the other. */
function pathBetween(from, to, seen = new Set()) {
  if (from === to) return [to];
  seen.add(from);
  for (const next of importsOf(from)) {
    const rest = seen.has(next) ? undefined : pathBetween(next, to, seen);
    if (rest !== undefined) return [from, ...rest];
  }
  return undefined;
}

export default {
  create: (context) => ({
    "ImportDeclaration, ExportNamedDeclaration[source], ExportAllDeclaration"(node) {
      const file = context.filename;
      const imported = fileOf(file, node.source.value);
      const path = imported && existsSync(file) && pathBetween(imported, file);
      if (path) {
        const names = path.map((one) => one.slice(one.indexOf("/src/") + 5)).join(" → ");
        context.report({ node, message: `It imports this module: ${names}.` });
      }
    },
  }),
};
