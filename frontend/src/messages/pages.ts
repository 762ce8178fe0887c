/** What the pages around a run say. */

import texts from "languages:pages";

import { sayer } from "../language";

export const say = sayer(texts);
export type PageWord = Parameters<typeof say>[1];
