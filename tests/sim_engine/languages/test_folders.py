"""The folders: every language says the same things, with the same numbers."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import sim_engine.languages
from sim_engine.languages import (
    LANGUAGES,
    Pattern,
    Value,
    fill,
    find_language,
    in_language,
    language_called,
    messages,
    placeholders,
    say,
)
from sim_engine.languages.fluent import Selection

ROOT = Path(sim_engine.languages.__file__).parent
FILES = sorted(
    str(path.relative_to(ROOT / "en").with_suffix("")) for path in (ROOT / "en").rglob("*.ftl")
)
CHINESE = re.compile("[一-鿿]")
# Kafka's own words and pure formulas read the same in every language.
SAME_IN_ALL = re.compile(r"[A-Za-z0-9%/| \u2002×→？.{}()=<>≤≥,:；。，：⋯“”、–-]*")
# Half-width marks beside a Chinese character, or beside a place where one may be put in.
HALF_WIDTH = re.compile(r"[一-鿿}」”][,:;?!]|[,:;?!()]\s?[一-鿿]|[一-鿿]\s?[()]|[一-鿿]\.(?!\d)")
OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def patterns(lang: str, file: str) -> Iterator[tuple[str, Pattern]]:
    for name, message in messages(lang, file).items():
        if message.text is not None:
            yield name, message.text
        for attribute, pattern in message.attributes.items():
            yield f"{name}.{attribute}", pattern


def shown(pattern: Pattern) -> frozenset[str]:
    """The numbers that can be seen, not those that only choose a form."""
    found = set()
    for part in pattern:
        match part:
            case Value(name):
                found.add(name)
            case Selection(_, variants):
                found |= {name for variant in variants.values() for name in shown(variant)}
    return frozenset(found)


@pytest.mark.parametrize("lang", OTHERS)
def test_a_language_has_the_files_of_english(lang):
    """Beside `lessons/`: the words of English and Chinese are in the scenario files."""
    own = {
        str(path.relative_to(ROOT / lang).with_suffix("")) for path in (ROOT / lang).rglob("*.ftl")
    }

    assert {file for file in own if not file.startswith("lessons/")} == set(FILES)
    assert lang != "zh" or own == set(FILES)


@pytest.mark.parametrize("file", [file for file in FILES if file != "language"])
@pytest.mark.parametrize("lang", OTHERS)
def test_a_language_says_what_english_says_with_the_same_numbers(lang, file):
    english, own = dict(patterns("en", file)), dict(patterns(lang, file))

    assert list(own) == list(english)
    for name, pattern in own.items():
        assert shown(pattern) == shown(english[name]), name
        assert placeholders(pattern) <= placeholders(english[name]), name


@pytest.mark.parametrize("file", FILES)
def test_english_is_english_and_chinese_is_chinese(file):
    for name, pattern in patterns("en", file):
        assert not CHINESE.search(fill(pattern, {}, plurals={})), name
    for name, pattern in patterns("zh", file) if file != "language" else []:
        said = fill(pattern, {}, plurals={})
        assert CHINESE.search(said) or SAME_IN_ALL.fullmatch(said), name


@pytest.mark.parametrize("file", FILES)
def test_chinese_has_full_width_marks(file):
    for name, pattern in patterns("zh", file):
        said = fill(pattern, {}, plurals={}).replace("–", "{}")
        assert not HALF_WIDTH.search(re.sub(r"min\([^)]*\)", "", said)), name


@pytest.mark.parametrize("file", FILES)
def test_english_gives_a_counted_word_the_form_of_its_number(file):
    for name, pattern in patterns("en", file):
        for before, after in pairwise(pattern):
            counted = isinstance(before, Value) and before.value in COUNTS
            assert not (counted and isinstance(after, str) and PLURAL.match(after)), name


COUNTS = {"steps", "states", "runs", "n", "count", "depth", "total"}
PLURAL = re.compile(r" [a-z]+s\b")


def test_a_language_is_known_by_its_folder():
    assert LANGUAGES[0] == "en"
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
def test_the_first_language_asked_for_that_there_is_is_spoken(asked, lang):
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
