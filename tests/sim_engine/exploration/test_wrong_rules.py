"""A search catches rules that are turned around: each mutant of `tests.mutants` is applied in its
own process, and a small search that finds nothing in Kafka must find a violation.
"""

import os
import traceback
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from sim_engine.exploration.search import SearchOptions, search
from tests.mutants.mutations import TURNED_AROUND
from tests.sim_engine.runs import run

PROPERTIES = ("NoAckedRecordLost", "WeakIsr", "StrongIsr", "LogMatching", "HighWatermarkWithinLog")
RELEASES = ("2.1", "4.1")
BUDGET = {"produce": 2, "crash": 1, "election": 1, "epoch": 3}
STATES = 700

CAUGHT = (
    "the high watermark is the highest log end, not the lowest",
    "no fetch diverges",
    "a follower never truncates",
    "a follower truncates one record too many",
    "a follower asks about the leader's epoch, not its own last",
)

_NEVER = "nothing false happens: something never does"
_LARGER = "it needs more brokers, faults or states than this search has"

BY_OTHER_TESTS = {
    "the high watermark never moves": _NEVER,
    "no fetch is fenced": _LARGER,
    "nobody joins an ISR": _NEVER,
    "nobody is out of sync": _NEVER,
    "a producer is never answered": _NEVER,
    "a leader that steps down answers nobody": _NEVER,
    "the high watermark starts at the log's end": _LARGER,
    "nothing is flushed by the number of records": "no record is flushed by their number here",
    "the epoch cache keeps its first entry only": _LARGER,
    "truncation leaves the epoch cache alone": _LARGER,
    "a disconnected follower waits for ever": _NEVER,
    "a message arrives whatever is in its way": _LARGER,
    "a dead KRaft broker stays in every ISR": _LARGER,
    "a dead ZooKeeper broker stays in every ISR": _LARGER,
    "a leader that goes on in its epoch says nothing": "it changes what a frame tells, not a state",
    "ZooKeeper refuses every write of an ISR": _NEVER,
}
"""Mutant → why this search does not catch it."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CAUGHT)
def test_a_rule_that_is_turned_around_is_caught(name: str) -> None:
    assert in_its_own_process(TURNED_AROUND[name]).startswith(PROPERTIES)


@pytest.mark.slow
def test_the_rules_of_kafka_are_not() -> None:
    assert in_its_own_process(lambda: None) == ""


def test_every_rule_that_is_turned_around_is_searched_or_has_a_reason() -> None:
    assert sorted((*CAUGHT, *BY_OTHER_TESTS)) == sorted(TURNED_AROUND)


def violations() -> Iterator[str]:
    """What the searches find, one after the other."""
    for kafka, name in product(RELEASES, PROPERTIES):
        start = run(kafka=kafka, brokers=(1, 2), replicas=(1, 2))
        options = SearchOptions(property=name, budget=BUDGET, max_depth=40, max_states=STATES)
        if search(start.frame, options).verdict == "violated":
            yield f"{name} in {kafka}"


def in_its_own_process(mutate: Callable[[], None]) -> str:
    """The first violation with a mutant; empty if there is none."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            mutate()
            found = next(violations(), "")
        except BaseException:
            found = f"it fails: {traceback.format_exc()[-300:]}"
        os.write(writing, found.encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        found = answer.read().decode()
    os.waitpid(child, 0)
    return found
