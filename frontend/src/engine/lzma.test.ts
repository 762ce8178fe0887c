import { expect, test } from "vitest";

import { decompressed } from "./lzma";

// What Python's lzma makes of `written()`, with lc=2, lp=1, pb=1, and the size in its header.
const PACKED = [
  "OAAAAQBbJgAAAAAAAAAYCAkui55zkCAipzO79OTIjogGdh5Rt5e5ylfAz/F4Lm8tg3xW28Pib74FOHsW2w5Mytz2sjla",
  "dXLnWFwUdupV49981Xgyiejfdi6bdsGxf07hebiOdwtYqJUQ7nyUDqrmvG2Hj+1lJT2pMZPEHNzXS39BAiwmEpYXcA9s",
  "UztUfDX3l0bFMda4Rw/4GYj23x/PIBDToyQBOdYpgDT3OKw8BqiFA2xoH6vY3mYzksguI51TnhxJ+V3J/1sXymLaU7Vs",
  "UAmrvrwCx8UpwgWmxtxk1gObhJA5WptLFWCGZ0HHX7uAlrSbx7uyX2B/yPymsjeReL2FflxuaGQ9fKv4DWPWMnQZyBRf",
  "MgOOA09Xb8usNwmtuWgWtO2/l0UuwSVAOUHDyJgjDiF+NHNmWNZOyPfhKPh9K2z3RRszsM8aJpcPidGF0VLTz1UU7efz",
  "fwaEGcSInnBRlhr9FM4aMWU3KJL+AYnaoyR9mF1MoBGppeXlvhJp9HDMI0if2J7XH3WT1E7Pv5U5EEyItAynN10BDbAz",
  "bI5p0MpDsVVOtw/DL1E4/JfES2irpFWkJog2mjXkkBt33DgrkDEIFFjs5a39pKdYJVB/DUgOKJmMcHWTPFoj+TCEJNOS",
  "xI7il2CR4amVWSbFguXdJzgFkmxtiJ4139VEKo7sTkQ/AlUEK4Lyz0MrecKJyXCIIivO5gUeJW/Qk35lZ+FjPs8W9VxO",
  "sn4YuxtlNs0ow6HyPeLr8xdvbg2POw3vchkwvG5evysFhsT8ZXs6/CiMSTL/Po0rKrovuxca9TIJBbr4AZoMIgqvcVUo",
  "tjWBSFmcAsrj6t5RnzxPykNs9Zyex820HU/C6lY/eEE2+/Ebav5MlkMau8CJfjDWQuJK+9i8uBQh6bwdhfEzf8u0ligs",
  "W8HOwr7O206awoepmUamxsPXzHmJeh0wL7GAopHSvCg8qTdWzbiEu9x5BLACuF61KFQuGivFshU8m8znfte8TmOuBYNE",
  "72zQDF1FdgGxkegUmI2qT+BiDh+iQz1tTDZnqb096VmBn3YbkrItr1S6CWccB8G19nAy6fdJF1FL1NdU6ZP6raoKcbKW",
  "g8Xq04o8qetJFjWZS8I1WoATqtoHXlzM5PhNMJfPcKLq84ape1aoM1kQcq9lcYPY7QXu0KJ8RyvGg58yptMbdknLE4Dy",
  "+wadOCMxkOUm+P+il20ZK8VU734Tj9aDGKLuueI/d0GAdlumAkfjye0AEuleVQ5BkY7rlwDCO3VRbNdmyIsn25VR8VP+",
  "AcktFL9+1PumfDl0h5ONn9gDzcHYCHAqPejm9eEQ5bO9QFrzsUax9SnjIaAdr/tznmAgsEMcweiUy131DA5fHjGY/U2q",
  "16RdF3TmD0/JEFy5WR5+Auhd9Pq12+VNvICTCN1WsPHK+/N+o22vRrRp7xhxICH/B6P1+opNgcsSevzc9esahu1NhREz",
  "CqWtkyl+XRA3r4oEf3PIznQ4C0sObL9RehT7auB1/npWwdzT0iFi+WbaKtvmJqwRHd7aHz1d2xOJpvQX80tPc96hamvu",
  "euan8lWHUiYxkmcaBmF4C2OMPwk2GCI67MSvTZqSIwUSZBjHce4Io9pwY2866GlBNAyHqXI3fsuv1KYw1rMBvrOjxhLT",
  "as1RyxRhFtkb144rU9ho8HGCPEuvy0rZzDb+k+YrTaDoz0FU2+kf9sWt6BNjaAD5aGYlUeMzWTLgCOL4Rv///PVgRg==",
].join("");
const OF_NOTHING = "XQAAgAAAAAAAAAAAAACD//v//8AAAAA=";

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
}

/** Text with much that repeats, noise, and a part of the text again, from far away. */
function written(): number[] {
  const text = Array.from({ length: 500 }, (_, i) => `${(i * i) % 97} broker ${i % 5}, `).join("");
  const noise: number[] = [];
  for (let last = 1; noise.length < 400; noise.push(last & 255)) last = (last * 75 + 74) % 65537;
  const plain = [...new TextEncoder().encode(text)];
  return [...plain, ...noise, ...plain.slice(0, 3000)];
}

test("a stream is decompressed, whatever its properties", () => {
  expect([...decompressed(bytes(PACKED))]).toEqual(written());
});

test("a stream of nothing is empty", () => {
  expect(decompressed(bytes(OF_NOTHING))).toHaveLength(0);
});

test("a part of a larger buffer is decompressed", () => {
  const within = new Uint8Array([9, 9, 9, ...bytes(PACKED)]).subarray(3);

  expect([...decompressed(within)]).toEqual(written());
});
