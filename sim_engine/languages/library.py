"""Reads the languages' folders. No other module opens them."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct

from sim_engine.languages.fluent import Message, Pattern, read_messages
from sim_engine.languages.formatter import fill

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
    found = {folder.name for folder in _ROOT.iterdir() if (folder / "language.ftl").is_file()}
    return (DEFAULT_LANGUAGE, *sorted(found - {DEFAULT_LANGUAGE}))


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


def find_messages(lang: str, file: str) -> dict[str, Message]:
    """Like `messages`, but empty if the language has no such file."""
    return messages(lang, file) if (_ROOT / lang / f"{file}.ftl").is_file() else {}


@cache
def find_language(lang: str) -> Language:
    """A language by its tag. Raises `KeyError` if it is not one of `LANGUAGES`."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    said = messages(lang, "language")
    plurals = said.get("plurals", Message(None, {}))
    return Language(
        tag=lang,
        name=_words(said["name"].text),
        locale=_words(said["locale"].text),
        plurals={category: _words(rule) for category, rule in plurals.attributes.items()},
        separator=_words(said["separator"].text),
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
