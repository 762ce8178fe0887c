/** The texts of the front page. */

import texts from "languages:home";

import { sayer } from "../language";

export const say = sayer(texts);
