/** The texts of the fidelity page. */

import texts from "languages:fidelity";

import { sayer } from "../language";

export const say = sayer(texts);
