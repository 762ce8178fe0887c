/** The texts of the share dialog. */

import texts from "languages:sharing";

import { sayer } from "../language";

export const say = sayer(texts);
export type SharingWord = Parameters<typeof say>[1];
