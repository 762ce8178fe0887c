"""Random schedules of every release: the reason of each refusal is true of the state in which a
reader sees it.

In states of each schedule, every offered step is tried, and steps that nobody offers.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, cast, get_args

import pytest

from sim_engine.actions import Words, steps
from sim_engine.cluster.state import ClusterState
from sim_engine.events.run import RefusalCode
from sim_engine.identifiers import FIRST_FRAME, FIRST_OFFSET, METADATA_RECORD, offset_after
from sim_engine.narration import RefusedError, texts_in
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.clock import is_at_rest
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import MOST_FRAMES_TRIED, execute_step, without_effect
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import levels_of
from tests.sim_engine.exploration.walks import schedules
from tests.sim_engine.narration.claims.reasons import REASONS, given_in
from tests.sim_engine.narration.test_claims import played
from tests.sim_engine.played import VERSIONS


def unlikely_steps(cluster: ClusterState) -> Iterator[steps.Happening]:
    """Steps that are not offered, because most of them are not possible."""
    yield from _unlikely_of_brokers(cluster)
    yield from _unlikely_of_partitions(cluster)
    yield from _unlikely_of_messages(cluster)
    for level in {*levels_of(cluster.profile.version, cluster.profile.control), "3.3-IV3", "0.8.2"}:
        yield steps.Config(levels={"metadata_version": level})
        yield steps.Config(levels={"inter_broker_protocol_version": level})


def _unlikely_of_brokers(cluster: ClusterState) -> Iterator[steps.Happening]:
    brokers = [broker.broker_id for broker in cluster.brokers]
    for broker in brokers:
        for of_broker in (
            steps.Start,
            steps.Boot,
            steps.Pause,
            steps.Resume,
            steps.Shutdown,
            steps.Detect,
            steps.Heal,
        ):
            yield of_broker(broker=broker)
        yield steps.Boot(broker=broker, session="kept")
        yield steps.Config(broker=broker, settings={"min.insync.replicas": 1})
        yield from (
            steps.Isolate(broker=broker, from_=whom) for whom in ("controller", "brokers", "all")
        )
        yield steps.Deliver(kind=METADATA_RECORD, to=broker, records=9)
        for act in (steps.Deliver, steps.Drop, steps.Hold, steps.Release):
            yield act(kind=METADATA_RECORD, to=broker)
        for kind in get_args(steps.TimerKind):
            if kind not in steps.CONTROLLER_TIMER_KINDS:
                yield steps.Timer(broker=broker, kind=kind)
        for other in brokers:
            if other != broker:
                yield steps.Cut(from_=broker, to=other)
                yield steps.Heal(from_=broker, to=other)
                yield steps.Timer(broker=broker, kind="long_poll", follower=other)


def _unlikely_of_partitions(cluster: ClusterState) -> Iterator[steps.Happening]:
    brokers = [broker.broker_id for broker in cluster.brokers]
    for partition, broker in product(cluster.partitions, brokers):
        replica = cluster.replica(broker, partition)
        yield steps.Fetch(broker=broker, partition=partition)
        yield steps.SendFetch(broker=broker, partition=partition)
        yield steps.Fetch(broker=broker, partition=partition, only="truncation")
        yield steps.Consume(partition=partition, as_="c1", broker=broker)
        for keep in (FIRST_OFFSET, offset_after(replica.log_end_offset)):
            yield steps.PowerLoss(broker=broker, keep={partition: keep})
        for election in get_args(steps.ElectionKind):
            yield steps.Elect(partition=partition, kind=election)
            yield steps.Elect(partition=partition, kind=election, leader=broker)
        yield steps.Reassign(partition=partition, replicas=(broker,))
        yield steps.Reassign(partition=partition, replicas=None)


def _unlikely_of_messages(cluster: ClusterState) -> Iterator[steps.Happening]:
    routes = {(one.kind, one.sender, one.receiver) for one in cluster.messages}
    for kind, sender, receiver in sorted(routes, key=str):
        for of_partition, nth in product((None, *cluster.partitions), (None, 2)):
            if kind != METADATA_RECORD or nth is None:
                for do in (steps.Deliver, steps.Drop, steps.Hold, steps.Release):
                    yield cast(
                        "steps.Happening",
                        do(kind=kind, from_=sender, to=receiver, partition=of_partition, nth=nth),
                    )
        if kind == "leader_and_isr":
            yield steps.Deliver(kind=kind, from_=sender, to=receiver, skip=True)
    for name in ("p1", "p9"):
        yield steps.Retry(as_=name)
        yield steps.Refresh(as_=name)
        for what in ("begin", "commit", "abort"):
            yield steps.Transaction(as_=name, do=what)
        for acks in (1, "all"):
            yield steps.Produce(to=cluster.partitions[0], values=("z",), as_=name, acks=acks)
    yield steps.Produce(to=cluster.partitions[0], values=("z",), as_="p9", idempotent=True)
    yield steps.Consume(partition=cluster.partitions[0], as_="c1", isolation="read_committed")
    yield steps.FailController()
    yield steps.Settle()
    yield from (steps.Timer(kind=kind) for kind in steps.CONTROLLER_TIMER_KINDS)


def refusal_of(cluster: ClusterState, step: steps.Happening) -> RefusedError | None:
    if isinstance(step, steps.Settle):
        return without_effect(step) if is_at_rest(cluster) else None
    execution = StepExecution(cluster, FIRST_FRAME, MOST_FRAMES_TRIED)
    try:
        execute_step(execution, step)
    except RefusedError as refused:
        return refused
    except LimitReachedError:
        return None
    return None if execution.executed else without_effect(step)


def false_reasons(timeline: Timeline, seen: Counter[str], *, each: int) -> Iterator[str]:
    for frame in timeline.frames[::each]:
        for step in unlikely_steps(frame.cluster):
            refused = refusal_of(frame.cluster, step)
            if refused is None:
                continue
            seen[refused.code] += 1
            if not REASONS[refused.code](given_in(refused.numbers), step, frame.cluster):
                where = f"{timeline.scenario.id}, frame {frame.frame}"
                yield f"{where}: {step.as_step()} — {refused.code}: {refused.reason}"


def test_each_reason_has_a_check_and_each_check_a_reason() -> None:
    codes = set(get_args(RefusalCode))

    assert set(REASONS) == set(texts_in("en").plain["reasons"]) == codes


def falsehoods_of(kafka: str, control: str, numbers: range, seen: Counter[str]) -> list[str]:
    return [
        falsehood
        for scenario in schedules(kafka, control, numbers)
        for falsehood in false_reasons(played(scenario), seen, each=12)
    ]


def test_what_a_reason_claims_is_so() -> None:
    seen: Counter[str] = Counter()

    found = [
        falsehood
        for kafka, control in VERSIONS
        for falsehood in falsehoods_of(kafka, control, range(5_000, 5_002), seen)
    ]

    assert found == []
    assert set(REASONS) - set(seen) - set(RARE) <= {"fetcher_failed"}


@pytest.mark.slow
@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_it_is_so_in_many_schedules(kafka: str, control: str) -> None:
    assert falsehoods_of(kafka, control, range(6_000, 6_012), Counter()) == []


def down(broker: int) -> list[dict[str, Any]]:
    return [{"crash": {"broker": broker}}, {"detect": {"broker": broker}}]


def to(*replicas: int) -> dict[str, Any]:
    return {"reassign": {"partition": "t-0", "replicas": list(replicas)}}


def preferred(leader: int) -> dict[str, Any]:
    return {"elect": {"partition": "t-0", "kind": "preferred", "leader": leader}}


RARE: dict[str, dict[str, Any]] = {
    "no_other_broker": {
        "kafka": "3.9",
        "brokers": [1],
        "steps": [{"isolate": {"broker": 1, "from": "brokers"}}],
    },
    "log_full": {
        "kafka": "3.9",
        "brokers": [1],
        "logs": {1: {"log": "a*1000"}},
        "steps": [{"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}],
    },
    "fetcher_ending": {
        "kafka": "0.11",
        "brokers": [1, 2],
        "configs": {"replica.lag.time.max.ms": 300_000},
        "steps": [
            {"fetch": {"broker": 2}},
            {"send_fetch": {"broker": 2}},
            {"hold": {"kind": "fetch_request", "from": 2, "to": 1}},
            to(2, 1),
            preferred(2),
            to(1, 2),
            preferred(1),
            {"deliver": {"kind": "leader_and_isr", "to": 2}},
        ],
    },
    "reassignment_fails": {
        "kafka": "4.3",
        "brokers": [2, 3, 5],
        "replicas": [2, 5],
        "configs": {"min.insync.replicas": 2},
        "steps": [
            {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
            {"settle": {}},
            *down(2),
            to(2, 3),
            {"settle": {}},
            *down(3),
            {"start": {"broker": 2}},
            {"start": {"broker": 3}},
            {"settle": {}},
            to(5, 3),
        ],
    },
}
"""By reason, runs whose last step is refused with it. Random schedules rarely come there."""


@pytest.mark.parametrize("code", RARE)
def test_it_is_so_where_random_schedules_rarely_come(code: str) -> None:
    given = dict(RARE[code])
    *before, last = given.pop("steps")
    replicas = given.pop("replicas", given["brokers"])
    partition = {"replicas": replicas, "logs": given.pop("logs", {})}
    topics = [{"name": "t", "partitions": [partition]}]
    document = {"id": "rare", **given, "topics": topics, "steps": [*before, last]}
    scenario = read_scenario_document(document)
    timeline = Timeline(scenario)
    timeline.run_all(len(before))
    cluster = timeline.frames[timeline.head].cluster
    step = scenario.steps[-1].step
    assert not isinstance(step, Words)

    refused = refusal_of(cluster, step)

    assert refused is not None
    assert refused.code == code
    assert REASONS[code](given_in(refused.numbers), step, cluster)
    assert list(false_reasons(timeline, Counter(), each=3)) == []
