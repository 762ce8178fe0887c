export {
  DEFAULT_LANGUAGE,
  inLanguage,
  languageCalled,
  languageIn,
  languageOf,
  LANGUAGES,
  listed,
  nextLanguage,
  type Lang,
  type Translated,
} from "./languages";
export {
  fill,
  formatValue,
  pieces,
  placeholders,
  type Filling,
  type Manner,
  type Pattern,
  type Piece,
} from "./pattern";
export { messageOf, sayer } from "./sayer";
