"""The languages of Highwater: one folder for each, detected automatically. No other module opens
them.

A folder contains Fluent files: `language.ftl` has the language's name and plural rules,
`interface/` the page's texts, `narration/` the texts about runs, `service.ftl` the service's texts,
`limits.ftl` those about limits, `scenario_errors.ftl` those about errors in input, `settings.ftl`
those about Kafka's settings, `cluster_import.ftl` those about imports, `consequences.ftl` those
about the state in which a run starts, and `operator_words.ftl` those about metrics and log lines.

The English of lessons, articles and challenges is in their own files. Every other language has it
in its folder: `zh/lessons/two-rounds.ftl`, `articles/`, `challenges.ftl`. A message has no
placeholders. Its name identifies the text that it translates; a text that belongs to another one is
an attribute: `ask-1.answer-2`.

`README.md` describes how to add a language.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct

from sim_engine.languages.fluent import LanguageFileError, Message, Pattern, fill, read_messages

DEFAULT_LANGUAGE = "en"
"""The default language, if no available language is requested."""

_ROOT = files("sim_engine.languages")


class Language(Struct, frozen=True):
    """A language, as defined by its `language.ftl`."""

    tag: str
    """The folder's name: a BCP 47 tag, such as "en" or "pt-BR"."""
    name: str
    """The language's name in the language itself."""
    locale: str
    """The tag with a region, in the format of `og:locale`: "en_US"."""
    plurals: Mapping[str, str]
    """Plural category → CLDR's rule; "other" has none."""
    separator: str
    """What stands between the elements of a list in a sentence."""

    def fill(
        self,
        pattern: Pattern,
        numbers: Mapping[str, object],
        *,
        words: Mapping[str, Pattern] | None = None,
        strict: bool = False,
    ) -> str:
        """`formatter.fill` with the language's own plurals and separator."""
        return fill(
            pattern,
            numbers,
            plurals=self.plurals,
            separator=self.separator,
            words=words,
            strict=strict,
        )


def _tags() -> tuple[str, ...]:
    """The names of the language folders: the default first, the others sorted."""
    tags = {folder.name for folder in _ROOT.iterdir() if (folder / "language.ftl").is_file()}
    return (DEFAULT_LANGUAGE, *sorted(tags - {DEFAULT_LANGUAGE}))


LANGUAGES = _tags()
"""The tags of the languages, the default first."""


@cache
def messages(lang: str, file: str) -> dict[str, Message]:
    """The messages of one file of a language. `file` is its path without ".ftl".

    Returns the same object on every call; do not modify it. Raises `FileNotFoundError`, and
    `LanguageFileError` for an invalid file.
    """
    path = f"{lang}/{file}.ftl"
    source = _ROOT.joinpath(path).read_text(encoding="utf-8")
    return read_messages(source, path)


@cache
def term_names() -> tuple[str, ...]:
    """The ids of the glossary's terms."""
    return tuple(messages(DEFAULT_LANGUAGE, "narration/terms"))


def find_messages(lang: str, file: str) -> dict[str, Message]:
    """Like `messages`, but empty if the language has no such file."""
    return messages(lang, file) if (_ROOT / lang / f"{file}.ftl").is_file() else {}


@cache
def find_language(lang: str) -> Language:
    """A language by its tag. Raises `KeyError` if it is not one of `LANGUAGES`."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    texts = messages(lang, "language")
    plurals = texts.get("plurals", Message(None, {}))
    return Language(
        tag=lang,
        name=_words(texts["name"].text),
        locale=_words(texts["locale"].text),
        plurals={category: _words(rule) for category, rule in plurals.attributes.items()},
        separator=_words(texts["separator"].text),
    )


def _words(pattern: Pattern | None) -> str:
    assert pattern is not None
    return fill(pattern, {}, plurals={})


def say(lang: str, file: str, name: str, /, **numbers: object) -> str:
    """Return a message of a file, filled with values. Raises `KeyError` if there is no such
    message.
    """
    text = messages(lang, file)[name].text
    assert text is not None, name
    return find_language(lang).fill(text, numbers)


def language_called(asked: Iterable[str]) -> str:
    """The best available language for a list of preferred tags, most preferred first: "pt-BR" gives
    "pt".

    Each tag is tried as it is, then without its last subtags. If none matches, the default is
    returned.
    """
    known = {lang.lower(): lang for lang in LANGUAGES}
    for tag in asked:
        parts = tag.strip().lower().replace("_", "-").split("-")
        for length in range(len(parts), 0, -1):
            lang = known.get("-".join(parts[:length]))
            if lang is not None:
                return lang
    return DEFAULT_LANGUAGE


def in_language(words: Mapping[str, str], lang: str) -> str:
    """An author's text in a language; otherwise in the default language; otherwise in any language
    that it has.
    """
    return words.get(lang) or words.get(DEFAULT_LANGUAGE) or next(iter(words.values()), "")


TRANSLATIONS: tuple[str, ...] = tuple(lang for lang in LANGUAGES if lang != DEFAULT_LANGUAGE)
"""The languages with translations: all except the original language."""

_SPECIAL = re.compile(r"[{}]|^ | $|\n")
_ESCAPES = {"\n": r"\u000A"}


def translations_in(lang: str, file: str) -> dict[str, str]:
    """The texts of one file of a language, by name: `title`, `ask-1.answer-2`.

    Empty if the language has no such file.
    """
    texts: dict[str, str] = {}
    for name, message in find_messages(lang, file).items():
        if message.text is not None:
            texts[name] = fill(message.text, {}, plurals={})
        for attribute, pattern in message.attributes.items():
            texts[f"{name}.{attribute}"] = fill(pattern, {}, plurals={})
    return texts


def translations_of(file: str, names: Collection[str]) -> Mapping[str, Mapping[str, str]]:
    """Name of a text → language → translation, for texts with translations.

    Raises `LanguageFileError` for a message that translates none of `names`.
    """
    translations: dict[str, dict[str, str]] = {}
    for lang in TRANSLATIONS:
        for name, words in translations_in(lang, file).items():
            if name not in names:
                raise LanguageFileError(f"{lang}/{file}.ftl: there is no text '{name}'")
            translations.setdefault(name, {})[lang] = words
    return translations


def fluent_text(words: str) -> str:
    """A text in Fluent syntax, for use after the `=`: special characters are quoted."""
    return _SPECIAL.sub(lambda match: f'{{ "{_ESCAPES.get(match[0], match[0])}" }}', words)


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
