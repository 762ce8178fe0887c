/** The Docusaurus plug-in: the component as `@theme/HighwaterReplay`, and pictures and players that become part of the site. */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { momentOf } from "../share-addresses.js";

export default function highwater(_context, { download = [], runs = false } = {}) {
  return {
    name: "highwater-replay",
    getThemePath: () => join(dirname(fileURLToPath(import.meta.url)), "theme"),
    async postBuild({ outDir }) {
      const folder = join(outDir, "highwater");
      if (download.length > 0) await mkdir(folder, { recursive: true });
      for (const link of download) {
        const { picture, player, fileName } = momentOf(link);
        await copy(picture, join(folder, `${fileName}.svg`));
        if (runs) await copy(player, join(folder, `${fileName}.html`));
      }
    },
  };
}

async function copy(address, file) {
  const answer = await fetch(address);
  if (!answer.ok)
    throw new Error(
      `${address}: ${answer.status === 410 ? "its author deleted the run" : `HTTP ${String(answer.status)}`}`,
    );
  await writeFile(file, await answer.text());
}
