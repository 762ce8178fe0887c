/** The texts of the comparison. */

import texts from "languages:compare";

import { DEFAULT_LANGUAGE, sayer } from "../language";

export const say = sayer(texts);
export type CompareMessage = Parameters<typeof say>[1];

export function isCompareMessage(name: string): name is CompareMessage {
  return name in (texts[DEFAULT_LANGUAGE] ?? {});
}
