/** The texts of the page for building a cluster. */

import texts from "languages:build";

import { sayer } from "../language";

export const say = sayer(texts);
