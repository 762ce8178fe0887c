/** What the page about the engine's fidelity says. */

import texts from "languages:fidelity";

import { sayer } from "../language";

export const say = sayer(texts);
