"""Fluent files: the supported subset of the format, and errors with their line."""

import json
from pathlib import Path

import pytest

from sim_engine.languages.fluent import (
    LanguageFileError,
    pattern_document,
    read_messages,
    read_pattern,
)

CASES = json.loads(Path(__file__).with_name("patterns.json").read_text(encoding="utf-8"))


def test_a_file_is_messages_with_attributes_between_comments():
    source = """### The file.

# One message.
first = Broker { $broker } is up.
second =
    Below its name { $ok }
    .formula = { $a } ≤ { $b }
    .note = { "" }

## A group.

third-One_2 = x
"""

    found = read_messages(source, "x.ftl")

    assert list(found) == ["first", "second", "third-One_2"]
    assert pattern_document(found["second"].text or ()) == ["Below its name ", {"value": "ok"}]
    assert list(found["second"].attributes) == ["formula", "note"]
    assert pattern_document(found["second"].attributes["note"]) == ""


@pytest.mark.parametrize("case", CASES["read"], ids=[case["pattern"] for case in CASES["read"]])
def test_a_pattern_is_read_as_fluents_own_parser_reads_it(case):
    assert pattern_document(read_pattern(case["pattern"])) == case["document"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a = b\na = c", "x.ftl:2: there are two messages 'a'"),
        ("a", "x.ftl:1: a '=' is missing"),
        ("a = b\n\n = c", "x.ftl:3: a message begins with its name"),
        ("-term = b", "x.ftl:1: a message begins with its name"),
        ("a =", "x.ftl:1: 'a' has no text"),
        ("a = b\n    c", "x.ftl:2: a text must be on one line"),
        ("a = { b }", "x.ftl:1: only a $name or a quoted text can be put in here"),
        ("a = { NUMBER($b) }", "x.ftl:1: only a $name or a quoted text can be put in here"),
        ("a = { $b", "x.ftl:1: a '}' is missing"),
        ("a = b }", "x.ftl:1: a '}' has no '{'"),
        ("a = { $b ->\n  [one] x\n }", "x.ftl:3: a selection needs a default, marked by '*'"),
        ("a = { $b ->\n *[one] x\n *[b] y\n }", "x.ftl:3: a selection has one default"),
        ("a = { $b ->\n *[one] x\n [one] y\n }", "x.ftl:3: there are two variants [one]"),
        ("a = { $b ->\n *[one]\n }", 'x.ftl:2: the variant [one] has no text; an empty one is { "'),
        ("a = { $b ->\n one\n }", "x.ftl:2: a variant begins with its key in square brackets"),
        ("a = b\n    .c =", "x.ftl:2: 'a.c' has no text"),
        ("a = b\n    .c = d\n    .c = e", "x.ftl:3: 'a' has two attributes 'c'"),
        ("#a", "x.ftl:1: a comment begins with '# '"),
    ],
)
def test_what_is_not_used_is_refused_with_its_line(source, message):
    with pytest.raises(LanguageFileError) as error:
        read_messages(source, "x.ftl")

    assert str(error.value).startswith(message)
