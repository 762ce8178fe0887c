/** What a presentation says: to whoever presents, and to those who follow. */

import texts from "languages:present";

import { sayer } from "../language";

export const say = sayer(texts);
