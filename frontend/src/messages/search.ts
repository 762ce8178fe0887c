/** The texts of the search. They never state that a run is safe. */

import texts from "languages:search";

import { sayer } from "../language";

export const say = sayer(texts);
export type SearchMessage = Parameters<typeof say>[1];
