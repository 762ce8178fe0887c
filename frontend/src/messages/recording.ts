/** What is said of a run of a real cluster beside the engine. */

import texts from "languages:recording";

import { sayer } from "../language";

export const say = sayer(texts);
export type RecordingMessage = Parameters<typeof say>[1];

export function isRecordingMessage(name: string): name is RecordingMessage {
  return name in (texts.en ?? {});
}
