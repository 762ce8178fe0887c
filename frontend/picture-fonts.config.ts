/**
 * The fonts of the service's PNG pictures, next to the drawing script: Inter as on the page, and Noto Sans SC for
 * Chinese. The rasterizer reads TrueType files, which the npm packages have only wrapped as WOFF.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { Plugin } from "vite";

const PACKAGES = "node_modules/@fontsource";
const WEIGHTS = [400, 500, 600, 700];
const FONTS = [
  ...["latin", "latin-ext"].flatMap((script) =>
    WEIGHTS.map((weight) => `inter/files/inter-${script}-${String(weight)}-normal`),
  ),
  // One weight: the rasterizer uses the first font that has a character, regardless of its weight.
  "noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal",
  // The slices with the characters of our texts that are neither Latin nor Chinese: ✓ ◀ ∞ ≤ ≥ ← →.
  ...[87, 88, 90, 102, 105, 109].map(
    (slice) => `noto-sans-sc/files/noto-sans-sc-${String(slice)}-400-normal`,
  ),
];
const LICENSES = ["inter", "noto-sans-sc"];

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;
const GSUB_FEATURE = 6;

export function pictureFonts(): Plugin {
  return {
    name: "highwater-picture-fonts",
    writeBundle({ dir }) {
      const folder = join(dir ?? "", "fonts");
      mkdirSync(folder, { recursive: true });
      for (const font of FONTS) {
        writeFileSync(
          join(folder, `${font.slice(font.lastIndexOf("/") + 1)}.ttf`),
          unwrapped(readFileSync(`${PACKAGES}/${font}.woff`)),
        );
      }
      for (const name of LICENSES)
        writeFileSync(join(folder, `LICENSE-${name}`), readFileSync(`${PACKAGES}/${name}/LICENSE`));
    },
  };
}

/** The font in a WOFF 1.0 file (https://www.w3.org/TR/WOFF/): its tables inflated, behind a directory of OpenType. */
export function unwrapped(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF 1.0 file");
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  const power = Math.floor(Math.log2(count));
  directory.writeUInt32BE(woff.readUInt32BE(4), 0); // the flavour: TrueType or CFF
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(2 ** power * SFNT_ENTRY, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE((count - 2 ** power) * SFNT_ENTRY, 10);
  const tables: Buffer[] = [];
  let end = directory.length;
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER + index * WOFF_ENTRY;
    const start = woff.readUInt32BE(entry + 4);
    const packedLength = woff.readUInt32BE(entry + 8);
    const length = woff.readUInt32BE(entry + 12);
    const packed = woff.subarray(start, start + packedLength);
    const inflated = packedLength < length ? inflateSync(packed) : packed;
    const table =
      woff.toString("latin1", entry, entry + 4) === "GSUB"
        ? withoutContextualAlternates(inflated)
        : inflated;
    const at = SFNT_HEADER + index * SFNT_ENTRY;
    woff.copy(directory, at, entry, entry + 4); // the table's tag
    woff.copy(directory, at + 4, entry + 16, entry + 20); // its checksum
    directory.writeUInt32BE(end, at + 8);
    directory.writeUInt32BE(length, at + 12);
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4);
    table.copy(padded);
    tables.push(padded);
    end += padded.length;
  }
  return Buffer.concat([directory, ...tables]);
}

/**
 * A font's substitutions (https://learn.microsoft.com/typography/opentype/spec/gsub), where contextual alternates have
 * the tag of a feature that no text requests: the rasterizer applies them regardless of the style sheet, and Inter's
 * draw an x beside a digit as a multiplication sign.
 */
function withoutContextualAlternates(substitutions: Buffer): Buffer {
  const changed = Buffer.from(substitutions);
  const features = changed.readUInt16BE(6);
  const count = changed.readUInt16BE(features);
  for (let at = features + 2; at < features + 2 + count * GSUB_FEATURE; at += GSUB_FEATURE) {
    if (changed.toString("latin1", at, at + 4) === "calt") changed.write("cal0", at, "latin1");
  }
  return changed;
}
