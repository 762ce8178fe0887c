import pytest

from tests.tables import for_each


@for_each("number", lambda: range(4))
def _all_but_the_first_are_wrong(number: int) -> None:
    if number == 1:
        pytest.fail("by hand")
    if number == 2:
        pytest.skip("no reason")
    assert number == 0, "by assertion"


def test_every_wrong_row_is_reported():
    with pytest.raises(AssertionError) as report:
        _all_but_the_first_are_wrong()

    assert [f"{number}" in str(report.value) for number in (1, 2, 3)] == [True] * 3
    assert "3 wrong" in str(report.value)


@for_each("number", ())
def _without_rows(number: int) -> None:
    assert number


def test_a_table_without_rows_fails():
    with pytest.raises(AssertionError, match="the table is empty"):
        _without_rows()
