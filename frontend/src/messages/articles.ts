/** What the pages of the articles say. */

import texts from "languages:articles";

import { sayer } from "../language";

export const say = sayer(texts);
