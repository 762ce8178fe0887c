/** The texts of presentations, for presenters and followers. */

import texts from "languages:present";

import { sayer } from "../language";

export const say = sayer(texts);
