/** What the glossary and the legend say. */

import texts from "languages:glossary";

import { sayer } from "../language";

export const say = sayer(texts);
