/** What the embed's player says. */

import texts from "languages:embed";

import { sayer } from "../../language";

export const embedWord = sayer(texts);
