"""Chinese texts use one word for each term: the table in the README of the languages."""

import re
from collections.abc import Iterator
from pathlib import Path

import sim_engine.languages
from sim_engine.conformance.fidelity import fidelity
from sim_engine.languages.fluent import Pattern, Selection
from tests.sim_engine.languages.test_folders import CHINESE_FILES, patterns
from tests.tables import for_each

README = Path(sim_engine.languages.__file__).parent / "README.md"
TABLE = re.compile(r"^\| [^|]+ \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
# A term may be followed by its English name, and a text may quote what Kafka prints.
# What an article says stands in the article's words.
QUOTED = re.compile(r"title|(claim|question)-\d+").fullmatch
# What readers type is in their words: the search leads from those to the words of the table.
TYPED = "search_words"
# So is how they ask for a lesson.
ASKED = "symptoms"
CODE = re.compile(r"`[^`]*`")
MESSAGE, RECORD = (re.compile(rf"\b{word}s?\b", re.IGNORECASE) for word in ("message", "record"))
ASIDE = re.compile(r"（[^（）]*）|“[^”]*”")


def unwanted_words() -> list[re.Pattern[str]]:
    """English words only where they stand alone, not as a part of an identifier."""
    text = README.read_text(encoding="utf-8")
    cells = TABLE.findall(text[text.index("## Chinese terms") :])
    words = [word.strip() for cell in cells for word in cell.split(",")]
    assert words[:2] == ["not", "---"]
    return [
        re.compile(rf"(?<![A-Za-z_.-]){word}(?![A-Za-z_.-])" if word.isascii() else word)
        for word in words[2:]
    ]


UNWANTED = unwanted_words()


def has_english(file: str) -> bool:
    """Lessons, articles and challenges are in English elsewhere."""
    return (Path(sim_engine.languages.__file__).parent / "en" / f"{file}.ftl").is_file()


def unwanted_in(text: str) -> list[str]:
    checked = ASIDE.sub("", text)
    return [word.pattern for word in UNWANTED if word.search(checked)]


def texts(pattern: Pattern) -> Iterator[str]:
    """The strings of a pattern and of every variant."""
    for part in pattern:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Selection):
            for variant in part.variants.values():
                yield from texts(variant)


def test_the_table_lists_words_to_avoid():
    assert unwanted_in("从 offset 5 开始，控制器宕机") != []
    assert unwanted_in("从位移 5 开始，leader_epoch 为 2（leader epoch）") == []


def test_the_lists_of_fidelity_use_the_words_of_the_table():
    for section in fidelity("zh"):
        for text in (*section.paragraphs, *(cell for row in section.rows for cell in row)):
            assert not unwanted_in(CODE.sub("", text)), text


@for_each(
    "file",
    lambda: [file for file in CHINESE_FILES if has_english(file) and file not in (TYPED, ASKED)],
)
def test_a_message_of_the_protocol_is_not_called_as_a_record_is(file):
    """In English one is a message and the other a record, so the English says which is meant."""
    english = {name: "".join(texts(pattern)) for name, pattern in patterns("en", file)}
    for name, pattern in patterns("zh", file):
        said, original = "".join(texts(pattern)), english[name]
        if MESSAGE.search(original) and not RECORD.search(original):
            assert "消息" not in said, name
        assert "报文" not in said or re.search(r"messag|deliver", original, re.I), name


@for_each("file", [file for file in CHINESE_FILES if file != ASKED])
def test_a_file_uses_the_words_of_the_table(file):
    for name, pattern in patterns("zh", file):
        if file == TYPED and (name.endswith((".typed", "-words")) or name.startswith("same.")):
            continue
        if not name.endswith(".formula") and not (file.startswith("articles/") and QUOTED(name)):
            assert not unwanted_in("".join(texts(pattern))), name
