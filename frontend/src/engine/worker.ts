/**
 * A worker of a page without a service: Python's engine, compiled to WebAssembly (Pyodide). It
 * loads the files beside it, answers requests one after another, and keeps every run before it
 * answers, so that a reload loses nothing.
 *
 * `build-engine.js` builds this file into the folder of the engine's files.
 */

import { decompress } from "lzma1";

import { keepRun, readRun } from "./kept-runs";
import type { Message, Question, Role } from "./messages";

/** `backend.in_page.engine.PageEngine`. */
interface Engine {
  answer(method: string, address: string, body: string, say: (events: string) => boolean): Answer;
  knows(run: string): boolean;
  open_kept(kept: string): void;
  open_search(kept: string): void;
  to_keep(run: string): string;
}
interface Answer {
  readonly status: number;
  readonly body: string;
  /** Python's garbage collector does not see who refers to it here. */
  destroy(): void;
}
interface Pyodide {
  unpackArchive(archive: Uint8Array, format: string, options?: { extractDir: string }): void;
  runPython(code: string): unknown;
}

type Content = Promise<Uint8Array<ArrayBuffer>>;

const FILES = [
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "library.zip",
  "engine.zip",
  "msgspec.whl",
] as const;
const role = location.hash.slice(1) as Role;
/** The versions that Pyodide checks; of its own packages, none is loaded. */
declare const LOCK: unknown;
const folder = new URL(".", import.meta.url);
/** The id of a run in an address, and in the body of a request that copies one. */
const RUN = /^\/sessions\/(z[0-9a-z]{25})(?![0-9a-z])/;
const SEARCH = /^\/search\?/;
const COPIED = /"session":"(z[0-9a-z]{25})"/;

function send(message: Message): void {
  postMessage(message);
}

let arrived = 0;

/** A file beside this one. */
async function receive(file: string): Promise<Blob> {
  const response = await fetch(new URL(file, folder));
  if (!response.ok || response.body === null) throw new Error(`${file}: ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    arrived += value.length;
    send({ kind: "progress", bytes: arrived });
  }
  return new Blob(parts);
}

/** A file of the engine, decompressed. */
async function read(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await (await receive(`${name}.bin`)).arrayBuffer();
  return decompress(new Uint8Array(packed));
}

/** Text that is stored as gzip, unless the host has decompressed it. */
async function readText(file: string): Promise<string> {
  const whole = await receive(file);
  const [first, second] = new Uint8Array(await whole.slice(0, 2).arrayBuffer());
  const isZipped = first === 0x1f && second === 0x8b;
  const plain = isZipped
    ? new Response(whole.stream().pipeThrough(new DecompressionStream("gzip")))
    : whole;
  return plain.text();
}

/** The default export of a module, which was compressed like the other files. */
async function load(code: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: loaded } = (await import(/* @vite-ignore */ address)) as {
    readonly default: unknown;
  };
  URL.revokeObjectURL(address);
  return loaded;
}

async function start(): Promise<Engine> {
  const loader = new URL("pyodide.mjs", folder).href;
  const [{ loadPyodide }, computing, script, wasm, library, code, msgspec] = await Promise.all([
    import(/* @vite-ignore */ loader) as Promise<{
      loadPyodide: (options: unknown) => Promise<Pyodide>;
    }>,
    role === "computing" ? read("computing.zip") : null,
    ...(FILES.map((name) => read(name)) as [Content, Content, Content, Content, Content]),
  ]);
  // Pyodide asks for its files by their names.
  const ofHost = self.fetch.bind(self);
  self.fetch = (asked, options) => {
    const name = asked instanceof Request ? asked.url : String(asked);
    if (name.endsWith("/pyodide.asm.wasm"))
      return Promise.resolve(
        new Response(wasm, { headers: { "Content-Type": "application/wasm" } }),
      );
    if (name.endsWith("/library.zip")) return Promise.resolve(new Response(library));
    return ofHost(asked, options);
  };
  const python = await loadPyodide({
    indexURL: folder.href,
    stdLibURL: new URL("library.zip", folder).href,
    lockFileContents: LOCK,
    packages: [],
    createPyodideModule: await load(script),
  });
  self.fetch = ofHost;
  python.unpackArchive(msgspec, "wheel");
  python.unpackArchive(code, "zip", { extractDir: "/engine" });
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  if (computing === null)
    return python.runPython(
      "from backend.in_page.engine import PageEngine; PageEngine()",
    ) as Engine;
  python.unpackArchive(computing, "zip", { extractDir: "/engine" });
  return python.runPython(
    "from backend.in_page.computing import page_engine; page_engine()",
  ) as Engine;
}

/**
 * Opens a run that was kept, unless it is open: here it is only changed while acting. What cannot be
 * opened is not there.
 */
async function open(engine: Engine, run: string | undefined): Promise<void> {
  if (run === undefined || (role === "acting" && engine.knows(run))) return;
  const kept = await readRun(run);
  if (kept !== null) engine.open_kept(kept);
}

let searched = false;

/** What can be found: a file of the build of the pages, which is read when somebody first searches. */
async function openSearch(engine: Engine): Promise<void> {
  if (searched) return;
  engine.open_search(await readText("../../search.json.gz"));
  searched = true;
}

/**
 * Whether the page still wants an answer. Nothing that it sends arrives while Python computes, but
 * an address that it has withdrawn cannot be read any more, not even without waiting.
 */
function isWanted(address: string): boolean {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  try {
    request.send();
    return true;
  } catch {
    return false;
  }
}

async function answer(
  engine: Engine,
  { id, wanted, method, address, body }: Question,
): Promise<Message> {
  const named = RUN.exec(address)?.[1];
  if (SEARCH.test(address)) await openSearch(engine);
  await open(engine, named ?? COPIED.exec(body ?? "")?.[1]);
  const say = (text: string): boolean => {
    send({ kind: "part", id, text });
    return wanted === null || isWanted(wanted);
  };
  const given = engine.answer(method, address, body ?? "", say);
  const { status, body: text } = given;
  given.destroy();
  if (status === 201) {
    const changed = named ?? (JSON.parse(text) as { readonly id: string }).id;
    await keepRun(changed, engine.to_keep(changed));
  }
  return { kind: "answer", id, status, body: text };
}

const started = start();
started.then(
  () => send({ kind: "ready" }),
  (error: unknown) => send({ kind: "failed", reason: String(error) }),
);
let last: Promise<void> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  last = last.then(async () => {
    try {
      send(await answer(await started, data));
    } catch (error) {
      // Of Python's traceback, the last line says what it is.
      const lines = String(error).trim().split("\n");
      const detail = lines[lines.length - 1] ?? "";
      const problem = { code: "error", status: 500, detail };
      send({ kind: "answer", id: data.id, status: 500, body: JSON.stringify(problem) });
    }
  });
});
