/** The texts of the site's pages. */

import texts from "languages:pages";

import { sayer } from "../language";

export const say = sayer(texts);
export type PageWord = Parameters<typeof say>[1];
