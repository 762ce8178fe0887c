/** The texts of the comparison with a real cluster. */

import texts from "languages:recording";

import { DEFAULT_LANGUAGE, sayer } from "../language";

export const say = sayer(texts);
export type RecordingMessage = Parameters<typeof say>[1];

export function isRecordingMessage(name: string): name is RecordingMessage {
  return name in (texts[DEFAULT_LANGUAGE] ?? {});
}
