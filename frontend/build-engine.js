/**
 * Builds the engine that a page loads: `node build-engine.js WHEEL YAML OUT`, with msgspec's wheel
 * for Pyodide and the folder of PyYAML's modules.
 *
 * OUT has one file that names the folder of all others, the number of their bytes, and what is
 * answered. The folder's
 * name is the digest of its files, so they never change. What is large is compressed here, because
 * not every host compresses, and as LZMA, which is smaller than what hosts and browsers know; the
 * worker decompresses it.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { loadPyodide } from "pyodide";
import { build } from "vite";

const [wheel, yaml, out] = process.argv.slice(2);
const here = fileURLToPath(new URL(".", import.meta.url));
const ofPyodide = (name) => readFileSync(join(here, "node_modules/pyodide", name));

const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.FS.mkdir("/archives");
for (const name of ["sim_engine", "backend"]) put(join(here, "..", name), `/code/${name}`);
put(yaml, "/code/yaml");
python.runPython(readFileSync(join(here, "../scripts/bundle_engine.py"), "utf8"));

const { info } = JSON.parse(ofPyodide("pyodide-lock.json").toString());
const worker = await build({
  configFile: false,
  logLevel: "error",
  define: { LOCK: JSON.stringify({ info, packages: {} }) },
  build: {
    write: false,
    target: "es2022",
    lib: {
      entry: join(here, "src/engine/worker.ts"),
      formats: ["es"],
      fileName: () => "worker.js",
    },
  },
});

const files = Object.entries({
  "worker.js": Buffer.from(worker[0].output[0].code),
  "pyodide.mjs": ofPyodide("pyodide.mjs"),
  "pyodide.asm.mjs.bin": compressed(ofPyodide("pyodide.asm.mjs")),
  "pyodide.asm.wasm.bin": compressed(ofPyodide("pyodide.asm.wasm")),
  "library.zip.bin": compressed(python.FS.readFile("/archives/library.zip")),
  "engine.zip.bin": compressed(python.FS.readFile("/archives/engine.zip")),
  "computing.zip.bin": compressed(python.FS.readFile("/archives/computing.zip")),
  "msgspec.whl.bin": compressed(readFileSync(wheel)),
  "licenses.txt": readFileSync(join(here, "engine-licenses.txt")),
});
const digest = createHash("sha256");
for (const [name, content] of files) digest.update(`${name} ${content.length}\n`).update(content);
const folder = digest.digest("hex").slice(0, 16);
// A worker counts these while they arrive.
const bytesOf = (isRead) =>
  files
    .filter(([name]) => name.endsWith(".bin") && isRead(name))
    .reduce((sum, [, content]) => sum + content.length, 0);
const bytes = {
  acting: bytesOf((name) => name !== "computing.zip.bin"),
  computing: bytesOf(() => true),
};
const answers = JSON.parse(python.FS.readFile("/archives/answered.json", { encoding: "utf8" }));

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, folder), { recursive: true });
for (const [name, content] of files) writeFileSync(join(out, folder, name), content);
writeFileSync(join(out, `engine-${folder}.json`), JSON.stringify({ folder, bytes, answers }));

function compressed(content) {
  python.FS.writeFile("/content", content);
  python.runPython("compress()");
  return Buffer.from(python.FS.readFile("/compressed"));
}

/** Copies the modules and data of a folder into Pyodide's file system. */
function put(from, to) {
  python.FS.mkdirTree(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (entry.name !== "__pycache__") put(join(from, entry.name), `${to}/${entry.name}`);
    } else if (/\.(?:py|yaml|json|ftl)$/.test(entry.name))
      python.FS.writeFile(`${to}/${entry.name}`, readFileSync(join(from, entry.name)));
  }
}
