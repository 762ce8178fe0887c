/** The texts of the article pages. */

import texts from "languages:articles";

import { sayer } from "../language";

export const say = sayer(texts);
