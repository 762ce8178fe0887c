"""The options of the Spark jobs, which the program and the job both parse."""

import argparse

import pytest

from sim_engine.command_line.spark_jobs import job_parser, positive, seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1800), ("1h", 3600), ("2d", 172_800)]
)
def test_a_time_is_a_number_and_its_unit(text: str, seconds: int) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "1", "h", "0s", "-1h", "1.5h", "1h30m", "1w", "9999999s"])
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="30m or 1h"):
        seconds_of(text)


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many", "1" * 16])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="whole number of at least 1"):
        positive(text)


def test_a_budget_that_is_none_is_refused_with_an_example(capsys) -> None:
    parser = job_parser("search-grid")

    with pytest.raises(SystemExit):
        parser.parse_args(["grid.yaml", "--out", "here", "--budget", "crash"])

    assert "must look like" in capsys.readouterr().err
