/** What several pages about the lessons say. */

import texts from "languages:learning";

import { sayer } from "../language";

export const say = sayer(texts);
