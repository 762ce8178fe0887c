"""An entry of a table calls its function with objects of its class only."""

import pytest

from sim_engine.class_tables import for_class


def add(to: list[str], word: str, times: int) -> None:
    """Add a word to a list, several times."""
    to.extend([word] * times)


def test_the_function_of_a_class_gets_the_object_and_the_rest() -> None:
    kind, function = for_class(str, add)
    words: list[str] = []

    function(words, "m1", 2)

    assert kind is str
    assert words == ["m1", "m1"]


def test_an_object_of_a_different_class_is_never_passed_on() -> None:
    _, function = for_class(str, add)
    words: list[str] = []

    with pytest.raises(AssertionError, match="looked up by the object's class"):
        function(words, 1, 2)

    assert words == []
