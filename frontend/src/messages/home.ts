/** What the front page says of the lessons. */

import texts from "languages:home";

import { sayer } from "../language";

export const say = sayer(texts);
