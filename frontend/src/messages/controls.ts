/** The texts of every dialog. */

import texts from "languages:controls";

import { sayer } from "../language";

export const say = sayer(texts);
