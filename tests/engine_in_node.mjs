/**
 * Asks the engine that pages load, in Node: `node engine_in_node.mjs FOLDER INFO` with the folder of
 * its files, decompressed, reads a list of [method, address, body] from standard input, and writes the status and the
 * SHA-256 of each response.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const read = (name) => new Uint8Array(readFileSync(join(folder, name)));

const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({
  indexURL: folder,
  stdLibURL: join(folder, "library.zip"),
  lockFileContents: { info: JSON.parse(process.argv[3]), packages: {} },
  packages: [],
});
python.unpackArchive(read("msgspec.whl"), "wheel");
for (const name of ["engine.zip", "computing.zip"])
  python.unpackArchive(read(name), "zip", { extractDir: "/engine" });
const engine = python.runPython(
  "import sys; sys.path.insert(0, '/engine'); from backend.in_page.computing import page_engine; page_engine()",
);
engine.open_search(readFileSync(join(folder, "search.json"), "utf8"));
const asked = JSON.parse(readFileSync(0, "utf8"));
const answers = asked.map(([method, address, body]) => {
  const { status, body: given } = engine.answer(method, address, body);
  // Python 3.13 has another name for 422.
  const text = given.replace("Unprocessable Content", "Unprocessable Entity");
  return [status, createHash("sha256").update(text).digest("hex")];
});
process.stdout.write(JSON.stringify(answers));
