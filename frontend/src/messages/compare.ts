/** What the comparison of two runs says. */

import texts from "languages:compare";

import { sayer } from "../language";

export const say = sayer(texts);
export type CompareMessage = Parameters<typeof say>[1];

export function isCompareMessage(name: string): name is CompareMessage {
  return name in (texts.en ?? {});
}
