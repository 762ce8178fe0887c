/** The texts of a run's page. */

import texts from "languages:run";

import { sayer } from "../language";

export const say = sayer(texts);
export type Word = Parameters<typeof say>[1];
