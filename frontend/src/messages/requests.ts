/** The texts of requests that get no response. */

import texts from "languages:requests";

import { sayer } from "../language";

export const say = sayer(texts);
