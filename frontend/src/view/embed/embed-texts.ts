/** The texts of the embed's player. */

import texts from "languages:embed";

import { sayer } from "../../language";

export const embedWord = sayer(texts);
