/** The texts of the challenges. */

import texts from "languages:challenges";

import { sayer } from "../language";

export const say = sayer(texts);
