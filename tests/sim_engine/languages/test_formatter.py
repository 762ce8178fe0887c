"""How a pattern is formatted. The page's formatter is tested with the same `patterns.json`."""

import json
from pathlib import Path

import pytest

from sim_engine.languages.fluent import MissingNumberError, fill, placeholders, read_pattern

CASES = json.loads(Path(__file__).with_name("patterns.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["filled"], ids=[case["said"] for case in CASES["filled"]])
def test_a_pattern_is_filled_with_numbers(case):
    plurals = CASES["plurals"][case["plurals"]]
    separator = case.get("separator", ", ")

    said = fill(
        read_pattern(case["pattern"]), case["numbers"], plurals=plurals, separator=separator
    )

    assert said == case["said"]


def test_in_strict_mode_a_missing_number_is_an_error():
    with pytest.raises(MissingNumberError, match="no number 'offset'"):
        fill(read_pattern("offset { $offset }"), {}, plurals={}, strict=True)


def test_a_value_with_its_own_text_is_shown_by_it():
    words = {"leader": read_pattern("{ $value ->\n    [-1] nobody\n   *[other] { $value }\n  }")}

    def said(pattern, numbers):
        return fill(read_pattern(pattern), numbers, plurals={}, words=words)

    assert said("{ $leader }", {"leader": -1}) == "nobody"
    assert said("{ $leader }", {"leader": 2}) == "2"
    assert said("{ $epoch }", {"epoch": -1}) == "-1"


def test_a_list_with_its_own_text_is_notation_between_brackets():
    words = {"isr": read_pattern("{ $value }")}
    pattern = read_pattern('{ "{" }{ $isr }{ "}" }, { $isr }')

    said = fill(pattern, {"isr": [1, 2]}, plurals={}, separator="、", words=words)

    assert said == "{1, 2}, 1、2"


def test_placeholders_are_the_names_of_numbers_in_any_variant():
    pattern = "{ $n ->\n    [one] from { $before }\n   *[other] to { $after }\n  }"

    assert placeholders(read_pattern(pattern)) == {"n", "before", "after"}
