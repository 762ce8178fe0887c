"""Reads the languages' folders; the only place that opens them."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct

from sim_engine.languages.fluent import Message, Pattern, read_messages
from sim_engine.languages.formatter import fill

DEFAULT_LANGUAGE = "en"
"""What is spoken where nobody asked for a language that there is."""

_ROOT = files("sim_engine.languages")


class Language(Struct, frozen=True):
    """What `language.ftl` says of a language."""

    tag: str
    """The folder's name: a tag of BCP 47, such as "en" or "pt-BR"."""
    name: str
    """What the language calls itself."""
    locale: str
    """The tag with a region, as `og:locale` writes it: "en_US"."""
    plurals: Mapping[str, str]
    """CLDR's rule by plural category; "other" has none."""


def _tags() -> tuple[str, ...]:
    """The folders that hold a language: the default first, the others sorted."""
    found = {folder.name for folder in _ROOT.iterdir() if (folder / "language.ftl").is_file()}
    return (DEFAULT_LANGUAGE, *sorted(found - {DEFAULT_LANGUAGE}))


LANGUAGES = _tags()
"""The tags of the languages, the default first."""


@cache
def messages(lang: str, file: str) -> dict[str, Message]:
    """The messages of one file of a language, `file` being its path without ".ftl".

    It is the same object on every call: read it, do not change it. Raises `FileNotFoundError`,
    and `LanguageFileError` for a file that cannot be read.
    """
    path = f"{lang}/{file}.ftl"
    source = _ROOT.joinpath(path).read_text(encoding="utf-8")
    return read_messages(source, path)


def find_messages(lang: str, file: str) -> dict[str, Message]:
    """As `messages`, and none where the language has no such file."""
    return messages(lang, file) if (_ROOT / lang / f"{file}.ftl").is_file() else {}


@cache
def find_language(lang: str) -> Language:
    """What is known of a language. Raises `KeyError` where it is none of `LANGUAGES`."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    said = messages(lang, "language")
    plurals = said.get("plurals", Message(None, {}))
    return Language(
        tag=lang,
        name=_words(said["name"].text),
        locale=_words(said["locale"].text),
        plurals={category: _words(rule) for category, rule in plurals.attributes.items()},
    )


def _words(pattern: Pattern | None) -> str:
    assert pattern is not None
    return fill(pattern, {}, plurals={})


def say(lang: str, file: str, name: str, **numbers: object) -> str:
    """A message of a file with numbers put in. Raises `KeyError` where there is none."""
    text = messages(lang, file)[name].text
    assert text is not None, name
    return fill(text, numbers, plurals=find_language(lang).plurals)


def language_called(asked: Iterable[str]) -> str:
    """The language for tags that somebody prefers, the most wanted first: "zh-CN" is said in "zh".

    A tag is taken as it is, then without its last subtags. None of them: the default.
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
    """An author's words in a language, else in the default one, else in any that they have."""
    return words.get(lang) or words.get(DEFAULT_LANGUAGE) or next(iter(words.values()), "")
