/** What the page of a run says. */

import texts from "languages:run";

import { sayer } from "../language";

export const say = sayer(texts);
export type Word = Parameters<typeof say>[1];
