/** The texts shared by the pages about lessons. */

import texts from "languages:learning";

import { sayer } from "../language";

export const say = sayer(texts);
