/** What the challenges say. */

import texts from "languages:challenges";

import { sayer } from "../language";

export const say = sayer(texts);
