/** Small shapes, drawn in a 16 by 14 box. */

export const CROWN = "M0.5 2.5L4.5 6.5L8 0.5L11.5 6.5L15.5 2.5L14 13H2Z";
export const STAR =
  "M8 0.8L10.1 5.1L14.9 5.7L11.4 9L12.3 13.7L8 11.4L3.7 13.7L4.6 9L1.1 5.7L5.9 5.1Z";
export const CROSS = "M2 1L14 13M14 1L2 13";
