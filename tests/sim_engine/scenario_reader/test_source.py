"""The text of a scenario: the meaning of YAML and JSON, and limits for hostile text."""

import json
from pathlib import Path

import pytest

import sim_engine
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.source import MAX_BYTES, plain_source, read_own_source, read_source
from tests.call_count import count_calls
from tests.tables import for_each


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ("1:30", "1:30"),
        ("0o17", 15),
        ("017", 17),
        ("0x1F", 31),
        ("+12", 12),
        ("-12", -12),
        ("1_000", "1_000"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("2.0.1", "2.0.1"),
        ("2024-01-01", "2024-01-01"),
        ("٣", "٣"),
        ("'1'", "1"),
        ('"true"', "true"),
        ('"\\u00e9"', "é"),
    ],
)
def test_a_plain_scalar_means_what_the_core_schema_says(written, meant):
    source = read_source(f"key: {written}")

    assert source.document == {"key": meant}
    assert type(source.document["key"]) is type(meant)


def test_json_means_the_same_in_any_layout():
    source = read_source('{"a":\t[1, -2.5e1, true, null, "x\\ud83d\\ude00"],\r\n "b": {}}')

    assert source.document == {"a": [1, -25.0, True, None, "x😀"], "b": {}}
    assert source.positions["/b"] == (2, 7)
    assert source.key_positions["/b"] == (2, 2)


def test_flow_yaml_that_looks_like_json_is_yaml():
    assert read_source("{a: 1, 'b': [x,]}").document == {"a": 1, "b": ["x"]}


def test_every_value_and_key_has_its_place():
    source = read_source("a:\n  - x\n  - {b~/: 1}\n")

    assert source.positions == {"": (1, 1), "/a": (2, 3), "/a/0": (2, 5), "/a/1": (3, 5)} | {
        "/a/1/b~0~1": (3, 11)
    }
    assert source.key_positions["/a/1/b~0~1"] == (3, 6)


WRONG_TEXTS = [
    ("", 1, 1, "the document is empty"),
    ("# only a comment\n", 1, 1, "the document is empty"),
    ("a: &x 1", 1, 4, "anchors"),
    ("a: *x", 1, 4, "aliases"),
    ("a: !!str 1", 1, 4, "tags"),
    ("!thing {a: 1}", 1, 1, "tags"),
    ("a: {<<: {b: 1}}", 1, 5, "merge keys"),
    ("a: 1\nb: 2\na: 3", 3, 1, "duplicate key"),
    ("1: a\n'1': b", 2, 1, "duplicate key"),
    ('{"a": 1, "a": 2}', 1, 10, "duplicate key"),
    ("[x]: 1", 1, 1, "a key must be a word or a number"),
    ("a: 1\n---\nb: 1", 2, 1, "one document"),
    ("a: .inf", 1, 4, "infinity"),
    ("a: -.INF", 1, 4, "infinity"),
    ("a: .nan", 1, 4, "NaN"),
    ("a: 1e999", 1, 4, "too large"),
    ('{"a": 1e999}', 1, 7, "too large"),
    ("a: " + "9" * 5000, 1, 4, "more than 19 digits"),
    ('{"a": ' + "9" * 4000 + "}", 1, 7, "more than 19 digits"),
    ('{\n\t"a": ' + "9" * 5000 + "}", 2, 7, "more than 19 digits"),
    ('a: "\\ud800"', 1, 4, "control character"),
    ('{"a": "\\ud800"}', 1, 7, "control character"),
    ('a: "x\\u0000"', 1, 4, "control character"),
    ("a: \x07", 1, 4, "control character"),
    ("a: \ud800", 1, 4, "control character"),
    ('"\\UFFFFFFFF"', 1, 1, "not valid YAML"),
    ("a: b: c", 1, 5, "not valid YAML"),
    ("a:\n\t- x", 2, 1, "not valid YAML"),
    ("a: [1, 2", 1, 9, "not valid YAML"),
    ("k" * 300 + ": 1", 1, 1, "at most 256 characters"),
]
"""Text, line and column of its error, and a part of the message."""


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG_TEXTS)
def test_text_that_is_no_plain_document_gets_one_error_with_its_place(text, line, column, message):
    with pytest.raises(ScenarioError) as caught:
        read_source(text)

    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (line, column)
    assert message in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{" * 100_000,
        "- " * 50_000,
        "? " * 50_000,
        '{"a":' * 20_000,
        "[[" * 16 + "[",
        "!" * 100_000,
        "'" * 99_999,
        ": " * 50_000,
        "".join(chr(33 + (number * 7919) % 90) for number in range(100_000)),
        "\x00" * 100_000,
        "%" * 100_000,
    ],
)
def test_a_hundred_kilobytes_of_garbage_is_one_error(text):
    def read() -> None:
        with pytest.raises(ScenarioError) as caught:
            read_source(text)
        assert len(caught.value.problems) == 1
        assert len(str(caught.value)) < 400

    assert count_calls(read) < 10_000 + 5 * len(text)


def test_a_document_over_the_limit_is_not_read_at_all():
    with pytest.raises(ScenarioError, match="larger than 262144 bytes") as caught:
        read_source("a: " + "é" * (MAX_BYTES // 2))

    assert caught.value.code == "too_big"


WRONG_VALUES: list[tuple[object, str]] = [
    ({"a": float("nan")}, "/a: a scenario cannot contain this value"),
    ({"a": float("inf")}, "/a: a scenario cannot contain this value"),
    ({"a": 10**20}, "/a: this number has more than 19 digits"),
    ({"a": "\ud800"}, "/a: text contains a control character"),
    ({"a": ["x\u0000"]}, "/a/0: text contains a control character"),
    ({"a": b"x"}, "/a: a scenario cannot contain this value"),
    ({None: 1}, "a key must be a word or a number"),
    ({True: 1}, "a key must be a word or a number"),
    ({1: "a", "1": "b"}, "/1: duplicate key"),
]
"""Parsed data that no scenario can contain, and the error."""


@pytest.mark.parametrize(("document", "message"), WRONG_VALUES)
def test_parsed_data_is_held_to_the_same_rules(document, message):
    with pytest.raises(ScenarioError) as caught:
        plain_source(document)

    assert message in str(caught.value)


def nested(depth: int) -> str:
    return '{"a": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"


@pytest.mark.parametrize(
    "read",
    [
        lambda text: read_source("a: " + text.removeprefix('{"a": ').removesuffix("}")),
        read_source,
        lambda text: plain_source(json.loads(text)),
    ],
    ids=["yaml", "json", "parsed"],
)
def test_every_input_may_be_equally_deep(read):
    assert read(nested(32)).document == json.loads(nested(32))
    with pytest.raises(ScenarioError, match="nested deeper than 32"):
        read(nested(33))


def test_parsed_data_may_be_deep_only_to_the_limit():
    deep: object = []
    for _ in range(100_000):
        deep = [deep]

    with pytest.raises(ScenarioError, match="nested deeper than 32"):
        plain_source(deep)


@for_each("file", lambda: sorted(Path(sim_engine.__file__).parent.rglob("*.yaml")))
def test_both_parsers_of_yaml_read_the_same_in_the_package(file: Path):
    text = file.read_text(encoding="utf-8")

    assert read_own_source(text) == read_source(text)


def test_an_error_in_a_file_of_the_package_has_the_usual_words():
    with pytest.raises(ScenarioError) as own:
        read_own_source("a: [1\nb: 2")
    with pytest.raises(ScenarioError) as usual:
        read_source("a: [1\nb: 2")

    assert own.value.problems == usual.value.problems
