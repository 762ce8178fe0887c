/**
 * Decompresses the engine's files. As LZMA they are a quarter smaller than as gzip, which browsers
 * decompress themselves. A stream is that of an `.lzma` file: the properties, the size of the
 * dictionary, the size of the content, and the bits of a range coder.
 */

/* eslint-disable @typescript-eslint/no-non-null-assertion -- Every index is within its array. */

const HEADER = 13;
const HALF = 1024;
// Where each group of probabilities begins.
const MATCH = 0;
const REPEATED = MATCH + 192;
const OLDER = REPEATED + 12;
const SECOND = OLDER + 12;
const THIRD = SECOND + 12;
const LONG = THIRD + 12;
const SLOT = LONG + 192;
const NEAR = SLOT + 256;
const ALIGN = NEAR + 115;
const LENGTH = ALIGN + 16;
const REPEATED_LENGTH = LENGTH + 514;
const LITERAL = REPEATED_LENGTH + 514;

/** Decodes bits. Its numbers are in a typed array, whose elements are never boxed. */
class Bits {
  /** The last distances, the last one first. */
  last = 1;
  private second = 1;
  private third = 1;
  private fourth = 1;
  private readonly odds: Uint16Array;
  private readonly now: Int32Array;

  constructor(
    private readonly packed: Uint8Array,
    literals: number,
  ) {
    this.odds = new Uint16Array(LITERAL + literals).fill(HALF);
    const first = new DataView(packed.buffer, packed.byteOffset).getInt32(HEADER + 1);
    // The range, the code, and the place of the next byte.
    this.now = Int32Array.of(-1, first, HEADER + 5);
  }

  private more(): void {
    const now = this.now;
    if ((now[0]! & 0xff000000) !== 0) return;
    now[0]! <<= 8;
    now[1] = (now[1]! << 8) | this.packed[now[2]!++]!;
  }

  bit(place: number): number {
    const { now, odds } = this;
    const chance = odds[place]!;
    const bound = Math.imul(now[0]! >>> 11, chance);
    let bit = 0;
    // As numbers without a sign.
    if ((now[1]! ^ 0x80000000) < (bound ^ 0x80000000)) {
      now[0] = bound;
      odds[place] = chance + ((2048 - chance) >> 5);
    } else {
      now[0]! -= bound;
      now[1]! -= bound;
      odds[place] = chance - (chance >> 5);
      bit = 1;
    }
    this.more();
    return bit;
  }

  even(count: number): number {
    const now = this.now;
    let read = 0;
    for (let left = count; left > 0; left--) {
      now[0]! >>>= 1;
      now[1]! -= now[0]!;
      const below = now[1]! >> 31;
      now[1]! += now[0]! & below;
      this.more();
      read = (read << 1) + below + 1;
    }
    return read;
  }

  tree(place: number, count: number): number {
    let node = 1;
    for (let left = count; left > 0; left--) node = (node << 1) | this.bit(place + node);
    return node - (1 << count);
  }

  reversed(place: number, count: number): number {
    let node = 1;
    let read = 0;
    for (let index = 0; index < count; index++) {
      const bit = this.bit(place + node);
      node = (node << 1) | bit;
      read |= bit << index;
    }
    return read;
  }

  length(place: number, position: number): number {
    if (this.bit(place) === 0) return 2 + this.tree(place + 2 + (position << 3), 3);
    if (this.bit(place + 1) === 0) return 10 + this.tree(place + 130 + (position << 3), 3);
    return 18 + this.tree(place + 258, 8);
  }

  newDistance(length: number): void {
    [this.fourth, this.third, this.second] = [this.third, this.second, this.last];
    this.last = 1 + this.distance(Math.min(length - 2, 3));
  }

  private distance(row: number): number {
    const slot = this.tree(SLOT + (row << 6), 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const first = (2 | (slot & 1)) << count;
    if (slot < 14) return first + this.reversed(NEAR + first - slot, count);
    return first + (this.even(count - 4) << 4) + this.reversed(ALIGN, 4);
  }

  /** Takes one of the last four distances; whether it is only for one byte. */
  isShort(state: number, position: number): boolean {
    if (this.bit(OLDER + state) === 0) return this.bit(LONG + (state << 4) + position) === 0;
    let taken = this.second;
    if (this.bit(SECOND + state) === 1) {
      taken = this.third;
      if (this.bit(THIRD + state) === 1) {
        taken = this.fourth;
        this.fourth = this.third;
      }
      this.third = this.second;
    }
    this.second = this.last;
    this.last = taken;
    return false;
  }

  /** A byte; `matched` is the one at the last distance, or -1 if a byte came before. */
  literal(place: number, matched: number): number {
    let node = 1;
    if (matched >= 0)
      for (let left = matched; node < 256; left <<= 1) {
        const expected = (left >> 7) & 1;
        const bit = this.bit(place + ((1 + expected) << 8) + node);
        node = (node << 1) | bit;
        if (bit !== expected) break;
      }
    while (node < 256) node = (node << 1) | this.bit(place + node);
    return node;
  }
}

export function decompressed(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const properties = packed[0]!;
  const ofByte = properties % 9;
  const ofPlace = Math.floor(properties / 9) % 5;
  const position = (1 << Math.floor(properties / 45)) - 1;
  const out = new Uint8Array(new DataView(packed.buffer, packed.byteOffset).getUint32(5, true));
  const bits = new Bits(packed, 0x300 << (ofByte + ofPlace));
  // What came before decides the probabilities of what comes next: below 7, it was a byte.
  let state = 0;
  for (let at = 0; at < out.length;) {
    const here = at & position;
    if (bits.bit(MATCH + (state << 4) + here) === 0) {
      const before = at === 0 ? 0 : out[at - 1]!;
      const row = ((at & ((1 << ofPlace) - 1)) << ofByte) + (before >> (8 - ofByte));
      const matched = state < 7 ? -1 : out[at - bits.last]!;
      out[at] = bits.literal(LITERAL + 0x300 * row, matched);
      at++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    const wasByte = state < 7;
    let length = 1;
    if (bits.bit(REPEATED + state) === 0) {
      length = bits.length(LENGTH, here);
      bits.newDistance(length);
      state = wasByte ? 7 : 10;
    } else if (bits.isShort(state, here)) state = wasByte ? 9 : 11;
    else {
      length = bits.length(REPEATED_LENGTH, here);
      state = wasByte ? 8 : 11;
    }
    for (const end = at + length; at < end; at++) out[at] = out[at - bits.last]!;
  }
  return out;
}
