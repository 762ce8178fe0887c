import itertools
import math

from sim_engine.campaign.streams import EVERY_CELL, RunKey, Stream

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
