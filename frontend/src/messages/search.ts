/** What the search for a failure says. It never says that a run is safe. */

import texts from "languages:search";

import { sayer } from "../language";

export const say = sayer(texts);
export type SearchMessage = Parameters<typeof say>[1];
