/** What the page for building a cluster says. */

import texts from "languages:build";

import { sayer } from "../language";

export const say = sayer(texts);
