/** The Docusaurus plug-in: the component as `@theme/HighwaterReplay`, and pictures that become part of the site. */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { momentOf } from "../moment.js";

export default function highwater(_context, { download = [] } = {}) {
  return {
    name: "highwater-embed",
    getThemePath: () => join(dirname(fileURLToPath(import.meta.url)), "theme"),
    async postBuild({ outDir }) {
      const folder = join(outDir, "highwater");
      if (download.length > 0) await mkdir(folder, { recursive: true });
      for (const link of download) {
        const { picture, fileName } = momentOf(link);
        const answer = await fetch(picture);
        if (!answer.ok) throw new Error(`${picture}: ${answer.status === 410 ? "its author deleted the run" : `HTTP ${String(answer.status)}`}`);
        await writeFile(join(folder, `${fileName}.svg`), await answer.text());
      }
    },
  };
}
