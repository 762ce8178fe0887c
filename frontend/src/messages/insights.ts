/** What the insights page says. */

import texts from "languages:insights";

import { sayer } from "../language";

export const say = sayer(texts);
