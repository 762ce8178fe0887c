/**
 * `npm run types` writes the types that derive from other sources: the documents of the HTTP
 * interface, and the names of the texts. Git ignores both files.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import openapiTS, { astToString } from "openapi-typescript";
import { runnerImport } from "vite";

const here = import.meta.dirname;
const python = process.env.PYTHON ?? ".venv/bin/python";

const written = execFileSync(python, ["-m", "backend.cli", "openapi"], {
  cwd: resolve(here, ".."),
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
// The page names documents; the addresses are in service/api.ts.
const documents = { ...JSON.parse(written), paths: {} };
const types = astToString(await openapiTS(documents, { immutable: true }));
mkdirSync(resolve(here, "src/schema"), { recursive: true });
writeFileSync(resolve(here, "src/schema/openapi.ts"), types);

const { module } = await runnerImport(resolve(here, "languages.config.ts"));
writeFileSync(resolve(here, "src/language/names.d.ts"), module.declarations());
