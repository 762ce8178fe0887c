/** The texts of the glossary and the legend. */

import texts from "languages:glossary";

import { sayer } from "../language";

export const say = sayer(texts);
