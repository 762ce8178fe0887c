/** The texts of the insights page. */

import texts from "languages:insights";

import { sayer } from "../language";

export const say = sayer(texts);
