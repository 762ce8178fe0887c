/** The runs of a page without a service, in the browser's database: each as its engine keeps it. */

const NAME = "highwater-runs";
const RUNS = "runs";

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });
}

async function runs(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(RUNS);
  return (await finished(opening)).transaction(RUNS, mode).objectStore(RUNS);
}

/** A kept run; null if there is none with this id. */
export async function readRun(id: string): Promise<string | null> {
  const kept: unknown = await finished((await runs("readonly")).get(id));
  return typeof kept === "string" ? kept : null;
}

export async function keepRun(id: string, run: string): Promise<void> {
  await finished((await runs("readwrite")).put(run, id));
}
