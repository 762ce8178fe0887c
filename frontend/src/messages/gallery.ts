/** What the gallery says. */

import texts from "languages:gallery";

import { sayer } from "../language";

export const say = sayer(texts);
