"""Asked only after a change that it reads, a property says what it says when it is always asked;
a record judged only where something has happened to it has the fate that it has in any case."""

from inspect import signature

import pytest
from msgspec.structs import replace

from sim_engine.exploration.schedules import random_schedule
from sim_engine.invariants import fates, replication, safety
from sim_engine.invariants.observation import EVERYTHING
from sim_engine.protocol.log import ReplicaLog, append
from tests.sim_engine.runs import play

SAMPLE = (*range(20), 21, 23, 74, 76)
"""Seeds of random schedules; the last ones are among those that lose an acknowledged record."""


@pytest.mark.parametrize("seed", SAMPLE)
def test_verdicts_are_those_of_looking_at_everything_every_time(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = random_schedule(seed)
    sparing = play(scenario)

    always = [replace(each, reads=EVERYTHING) for each in safety.PROPERTIES]
    monkeypatch.setattr(safety, "PROPERTIES", tuple(always))
    thorough = play(scenario)

    assert [frame.verdicts for frame in sparing.frames] == [
        frame.verdicts for frame in thorough.frames
    ]


@pytest.mark.parametrize("seed", SAMPLE)
def test_fates_are_those_of_judging_every_record_every_time(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = random_schedule(seed)
    sparing = play(scenario)

    monkeypatch.setattr(fates, "_has_shrunk", lambda _before, _after: True)
    thorough = play(scenario)

    assert [frame.cluster.clients.produced for frame in sparing.frames] == [
        frame.cluster.clients.produced for frame in thorough.frames
    ]


def test_the_sample_has_violations_of_most_properties() -> None:
    violated = set()
    for seed in SAMPLE:
        timeline = play(random_schedule(seed))
        violated |= {
            name
            for name, verdict in timeline.frames[timeline.head].verdicts.items()
            if verdict.status == "violated"
        }

    assert violated >= {"NoAckedRecordLost", "StrongIsr", "LeaderCompleteness"}


def test_appending_nothing_leaves_the_very_same_log() -> None:
    log = ReplicaLog()

    assert append(log) is log


def test_a_check_of_one_partition_becomes_a_property_of_an_observation() -> None:
    check = replication.leader_in_isr

    assert list(signature(check).parameters) == ["observation"]
    assert check.__name__ == "leader_in_isr"
    assert check.__doc__
