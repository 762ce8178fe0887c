"""Translations of texts whose English is elsewhere: lessons, articles and challenges.

The English of a lesson is in the lesson's own file. Every other language has it in its folder, in a
Fluent file of that lesson: `zh/lessons/two-rounds.ftl`. A message has no placeholders. Its name
identifies the text that it translates; a text that belongs to another one is an attribute:
`ask-1.answer-2`.
"""

import re
from collections.abc import Collection, Mapping

from sim_engine.languages.fluent import LanguageFileError
from sim_engine.languages.formatter import fill
from sim_engine.languages.library import DEFAULT_LANGUAGE, LANGUAGES, find_messages

TRANSLATIONS: tuple[str, ...] = tuple(lang for lang in LANGUAGES if lang != DEFAULT_LANGUAGE)
"""The languages with translations: all except the original language."""

_SPECIAL = re.compile(r"[{}]|^ | $|\n")
_ESCAPES = {"\n": r"\u000A"}


def translations_in(lang: str, file: str) -> dict[str, str]:
    """The texts of one file of a language, by name: `title`, `ask-1.answer-2`.

    Empty if the language has no such file.
    """
    said: dict[str, str] = {}
    for name, message in find_messages(lang, file).items():
        if message.text is not None:
            said[name] = fill(message.text, {}, plurals={})
        for attribute, pattern in message.attributes.items():
            said[f"{name}.{attribute}"] = fill(pattern, {}, plurals={})
    return said


def translations_of(file: str, names: Collection[str]) -> Mapping[str, Mapping[str, str]]:
    """Name of a text → language → translation, for texts with translations.

    Raises `LanguageFileError` for a message that translates none of `names`.
    """
    found: dict[str, dict[str, str]] = {}
    for lang in TRANSLATIONS:
        for name, words in translations_in(lang, file).items():
            if name not in names:
                raise LanguageFileError(f"{lang}/{file}.ftl: there is no text '{name}'")
            found.setdefault(name, {})[lang] = words
    return found


def fluent_text(words: str) -> str:
    """A text in Fluent syntax, for use after the `=`: special characters are quoted."""
    return _SPECIAL.sub(lambda found: f'{{ "{_ESCAPES.get(found[0], found[0])}" }}', words)


def fluent_file(texts: Mapping[str, str]) -> str:
    """A Fluent file of texts by name, with attributes below their message."""
    messages: dict[str, list[str]] = {}
    for name, words in texts.items():
        message, _, attribute = name.partition(".")
        lines = messages.setdefault(message, [f"{message} ="])
        if attribute:
            lines.append(f"    .{attribute} = {fluent_text(words)}")
        else:
            lines[0] = f"{message} = {fluent_text(words)}"
    return "".join(f"{line}\n" for lines in messages.values() for line in lines)
