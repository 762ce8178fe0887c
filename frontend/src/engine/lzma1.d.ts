/** The package `lzma1`. Its own types are its sources, which our stricter compiler would check. */

/** The content of an `.lzma` file. */
export function decompress(packed: Uint8Array): Uint8Array<ArrayBuffer>;
