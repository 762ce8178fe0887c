"""The folders: every language has the same messages, with the same placeholders."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import sim_engine
from sim_engine.language_template import texts_to_translate
from sim_engine.languages import (
    LANGUAGES,
    TRANSLATIONS,
    find_language,
    in_language,
    language_called,
    messages,
    say,
    translations_in,
)
from sim_engine.languages.fluent import Pattern, Selection, Value, fill, placeholders
from tests.tables import for_each

ENGINE = Path(sim_engine.__file__).parent
ROOT = ENGINE / "languages"


def files_of(lang: str) -> list[str]:
    found = (ROOT / lang).rglob("*.ftl")
    return sorted(path.relative_to(ROOT / lang).with_suffix("").as_posix() for path in found)


FILES = files_of("en")
CHINESE_FILES = files_of("zh")
TRANSLATED = texts_to_translate()
CHINESE = re.compile("[一-鿿]")
# Kafka's own terms and pure formulas are the same in every language.
SAME_IN_ALL = re.compile(r"[A-Za-z0-9_%/| \u2002×→？.{}()=<>≤≥,:；。，：⋯“”、–-]*")
# Half-width punctuation next to a Chinese character, or next to a placeholder for one.
HALF_WIDTH = re.compile(r"[一-鿿}」”][,:;?!]|[,:;?!()]\s?[一-鿿]|[一-鿿]\s?[()]|[一-鿿]\.(?!\d)")
FORMULA = re.compile(r"min\([^)]*\)|\(\d+, \d+\)")
OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def patterns(lang: str, file: str) -> Iterator[tuple[str, Pattern]]:
    for name, message in messages(lang, file).items():
        if message.text is not None:
            yield name, message.text
        for attribute, pattern in message.attributes.items():
            yield f"{name}.{attribute}", pattern


def shown(pattern: Pattern) -> frozenset[str]:
    """The visible placeholders, not those that only select a form."""
    found = set()
    for part in pattern:
        match part:
            case Value(name):
                found.add(name)
            case Selection(_, variants):
                found |= {name for variant in variants.values() for name in shown(variant)}
    return frozenset(found)


@pytest.mark.parametrize("lang", OTHERS)
def test_a_language_has_the_files_of_english_and_of_what_is_english_elsewhere(lang):
    assert set(files_of(lang)) == {*FILES, *TRANSLATED}


@for_each("file", TRANSLATED)
@for_each("lang", OTHERS)
def test_every_text_of_a_lesson_an_article_and_a_challenge_is_translated(lang, file):
    """A message more is refused by the reader: `test_translations.py`."""
    said = translations_in(lang, file)

    missing = [f"{lang}/{file}.ftl: {name}" for name in TRANSLATED[file] if name not in said]
    assert missing == []
    for name, english in TRANSLATED[file].items():
        assert said[name] != english or SAME_IN_ALL.fullmatch(english), name


def test_a_file_that_is_shipped_in_english_has_no_other_language():
    """Except the names that Chinese articles, their sites, books and authors have."""
    names = ("source: ", "printed: ", "site: ", "book: ", "author: ")
    written = [path for path in ENGINE.rglob("*.yaml") if "languages" not in path.parts]

    assert len(written) > 80
    for path in written:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert line.startswith(names) or not CHINESE.search(line), f"{path}:{number}"


@for_each("file", lambda: [file for file in FILES if file != "language"])
@for_each("lang", OTHERS)
def test_a_translation_uses_the_same_values_as_the_english_text(lang, file):
    english, own = dict(patterns("en", file)), dict(patterns(lang, file))

    assert list(own) == list(english)
    for name, pattern in own.items():
        assert shown(pattern) == shown(english[name]), name
        assert placeholders(pattern) <= placeholders(english[name]), name


@for_each("file", FILES)
def test_english_is_english(file):
    for name, pattern in patterns("en", file):
        assert not CHINESE.search(fill(pattern, {}, plurals={})), name


@for_each("file", lambda: [file for file in CHINESE_FILES if file != "language"])
def test_chinese_is_chinese(file):
    for name, pattern in patterns("zh", file):
        said = fill(pattern, {}, plurals={})
        assert CHINESE.search(said) or SAME_IN_ALL.fullmatch(said), name


@for_each("file", CHINESE_FILES)
def test_chinese_has_full_width_marks(file):
    for name, pattern in patterns("zh", file):
        # An article keeps its own title.
        if file.startswith("articles/") and name == "title":
            continue
        said = fill(pattern, {}, plurals={}).replace("–", "{}")
        assert not HALF_WIDTH.search(FORMULA.sub("", said)), name


@for_each("file", FILES)
def test_english_gives_a_counted_word_the_form_of_its_number(file):
    for name, pattern in patterns("en", file):
        for before, after in pairwise(pattern):
            counted = isinstance(before, Value) and before.value in COUNTS
            assert not (counted and isinstance(after, str) and PLURAL.match(after)), name


COUNTS = {"steps", "states", "runs", "n", "count", "depth", "total"}
PLURAL = re.compile(r" [a-z]+s\b")


def test_a_language_is_known_by_its_folder():
    assert LANGUAGES[0] == "en"
    assert LANGUAGES[1:] == TRANSLATIONS
    assert "zh" in LANGUAGES
    assert find_language("zh").name == "中文"
    assert find_language("en").locale == "en_US"
    with pytest.raises(KeyError):
        find_language("tlh")


@pytest.mark.parametrize(
    ("asked", "lang"),
    [
        (["zh-CN", "en"], "zh"),
        (["ZH_hant_TW"], "zh"),
        (["qq", "zh;"], "en"),
        (["qq-QQ", " zh"], "zh"),
        (["en-GB", "zh"], "en"),
        (["zhuang"], "en"),
        ([], "en"),
        ([""], "en"),
    ],
)
def test_the_first_available_preferred_language_is_used(asked, lang):
    assert language_called(asked) == lang


def test_an_author_is_quoted_in_the_language_or_else_in_english():
    assert in_language({"en": "a", "zh": "b"}, "zh") == "b"
    assert in_language({"en": "a", "zh": "b"}, "pl") == "a"
    assert in_language({"zh": "b"}, "pl") == "b"
    assert in_language({}, "pl") == ""


def test_a_message_is_said():
    numbers = {"step": 3, "steps": 9, "message": 2, "messages": 4}
    assert say("en", "service", "place", **numbers) == "Step 3 of 9, message 2 of 4"
    assert say("en", "service", "place", **numbers | {"messages": 1}) == "Step 3 of 9"
    with pytest.raises(KeyError):
        say("en", "service", "no_such_message")
