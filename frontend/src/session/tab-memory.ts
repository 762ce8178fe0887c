/** Lists of names that last across reloads of a tab, such as the runs that a run was compared with. */

export interface TabMemory {
  readonly read: (key: string) => readonly string[];
  readonly write: (key: string, names: readonly string[]) => void;
}

export const tabMemory: TabMemory = {
  read: (key) => {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(`highwater-beside-${key}`) ?? "[]");
      return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
    } catch {
      return [];
    }
  },
  write: (key, names) => {
    try {
      sessionStorage.setItem(`highwater-beside-${key}`, JSON.stringify(names));
    } catch {
      // Without storage, the lists last until the page is left.
    }
  },
};
