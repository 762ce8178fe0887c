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
  type Language,
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
export { messageOf, sayer, type Texts } from "./sayer";
