"""Runs of producers and consumers, with the records that they produced and read."""

from functools import partial

from sim_engine.events.base import Event
from sim_engine.events.run import ActionRefused
from tests.sim_engine.builders import PARTITION
from tests.sim_engine.runs import Run, run

PRODUCE = {"to": "t-0", "values": ["m1"], "as": "p1"}
READ = {"partition": "t-0", "as": "c1"}
UNCLEAN = {"unclean.leader.election.enable": True}

ran = partial(run, brokers=(1, 2))
"""A run of brokers 1 and 2 with one partition on both, led by broker 1."""


def produced(timeline: Run) -> list[tuple[str, int | None, str | None]]:
    return [(one.outcome, one.offset, one.error) for one in timeline.cluster.clients.produced]


def read(timeline: Run, name: str = "c1") -> list[str]:
    return [one.value for one in timeline.cluster.clients.consumed if one.consumer == name]


def kinds(timeline: Run) -> list[type[Event] | tuple[type[Event], str]]:
    return [
        (type(happened), happened.variant) if happened.variant else type(happened)
        for happened in timeline.events()
    ]


def refusals(timeline: Run) -> list[str | None]:
    return timeline.variants(ActionRefused)


def position_of(timeline: Run, consumer: str = "c1") -> int:
    return timeline.cluster.clients.client(consumer).position_in(PARTITION)
