"""How a template is filled. A page in JavaScript does the same, by the same rules."""

import pytest

from sim_engine.narration import MissingNumberError, fill, placeholders


@pytest.mark.parametrize(
    ("template", "numbers", "said"),
    [
        ("to {to}", {"to": 3}, "to 3"),
        ("min({ends}) = {after}", {"ends": ["1: 3", "2: 2"], "after": 2}, "min(1: 3, 2: 2) = 2"),
        ("epoch {epoch}", {"epoch": None}, "epoch –"),
        ("ISR {{{isr}}}", {"isr": [1, 2]}, "ISR {1, 2}"),
        ("ISR {isr}", {"isr": []}, "ISR –"),
        ("it is {value}", {"value": True}, "it is true"),
        ("keeps {keep}", {"keep": {"t-0": 1, "t-1": 4}}, "keeps t-0: 1, t-1: 4"),
        ("{a}{b}", {"a": "x", "b": 0}, "x0"),
        ("{{name}} {Name}", {"name": 1}, "{name} {Name}"),
        ("{value}", {"value": "{other}"}, "{other}"),
    ],
)
def test_numbers_are_put_in(template, numbers, said):
    assert fill(template, numbers) == said


def test_a_missing_number_is_a_dash():
    assert fill("offset {offset}", {}) == "offset –"


def test_in_strict_mode_a_missing_number_is_an_error():
    with pytest.raises(MissingNumberError, match="no number 'offset'"):
        fill("offset {offset}", {}, strict=True)


def test_a_value_with_words_of_its_own_is_said_by_them():
    names = {"leader": {"-1": {"en": "nobody", "zh": "无"}}}

    assert fill("{leader}", {"leader": -1}, names=names) == "nobody"
    assert fill("{leader}", {"leader": -1}, names=names, lang="zh") == "无"
    assert fill("{leader}", {"leader": 2}, names=names) == "2"
    assert fill("{epoch}", {"epoch": -1}, names=names) == "-1"


def test_placeholders_are_the_names_of_numbers():
    assert placeholders("{{x}} from {before} to {after}, {after}") == {"before", "after"}


def test_a_long_list_is_its_beginning_and_its_end():
    numbers = {"ten": list(range(10)), "eleven": [f"m{number}" for number in range(11)]}

    assert fill("{ten}", numbers) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9"
    assert fill("{eleven}", numbers) == "m0, m1, m2, … m10"
