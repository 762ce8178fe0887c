import itertools
import math
from collections import Counter

import pytest

from sim_engine.campaign import play
from sim_engine.campaign.grid import FAULT_KINDS
from sim_engine.campaign.play import EVERY_CELL, RunKey, Stream
from tests.sim_engine.campaign.cells import cells_of

PURPOSES = ("records", "latency", "crash/broker 1", "crash/broker 2", "pause/broker 1")


def test_no_two_streams_of_a_campaign_share_a_number() -> None:
    keys = [
        RunKey(campaign=campaign, cell=cell, run=run)
        for campaign in (0, 1, 2, 3)
        for cell in (EVERY_CELL, 0, 1, 2, 11)
        for run in (0, 1, 2, 3, 11)
    ]

    numbers = [
        stream.number()
        for key, purpose in itertools.product(keys, PURPOSES)
        for stream in [Stream(key, purpose)]
        for _ in range(20)
    ]

    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("paired", [True, False])
def test_no_two_streams_that_plans_use_are_equal(
    monkeypatch: pytest.MonkeyPatch, paired: bool
) -> None:
    opened: list[tuple[RunKey, str]] = []

    class Noted(Stream):
        def __init__(self, key: RunKey, purpose: str) -> None:
            super().__init__(key, purpose)
            opened.append((key, purpose))

    monkeypatch.setattr(play, "Stream", Noted)
    cells = cells_of(kafka=["2.1", "3.9"], paired=paired)
    runs = range(8)

    for cell, run in itertools.product(cells, runs):
        play.draw_plan(cell, RunKey(campaign=5, cell=cell.number, run=run))

    times = Counter(opened)
    # Cells that are compared on the same faults draw the same streams; others share none.
    assert set(times.values()) == ({len(cells)} if paired else {1})
    assert len({purpose for _, purpose in times}) > len(FAULT_KINDS)
    beginnings = [
        tuple(stream.number() for _ in range(4)) for stream in itertools.starmap(Stream, times)
    ]
    assert len({number for numbers in beginnings for number in numbers}) == 4 * len(times)


def test_a_stream_gives_the_same_numbers_on_any_machine() -> None:
    stream = Stream(RunKey(campaign=1, cell=2, run=3), "records")

    drawn = [stream.number() for _ in range(9)]

    assert drawn[0] == 12_622_974_923_064_571_497
    assert drawn[8] == 2_190_537_977_878_009_689


def test_exponential_numbers_have_the_mean_and_the_tail_that_they_must() -> None:
    stream = Stream(RunKey(campaign=1, cell=0, run=0), "records")

    drawn = [stream.exponential() for _ in range(20_000)]

    # The standard error of the mean is 1 / sqrt(20,000) = 0.007.
    assert abs(sum(drawn) / len(drawn) - 1) < 0.03
    for bound in (0.5, 1.0, 2.0, 3.0):
        share = sum(number > bound for number in drawn) / len(drawn)
        assert abs(share - math.exp(-bound)) < 0.015
