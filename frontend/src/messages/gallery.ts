/** The texts of the gallery. */

import texts from "languages:gallery";

import { sayer } from "../language";

export const say = sayer(texts);
