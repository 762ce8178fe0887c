"""The run of a cell with the reader's brokers: the scenario that starts in the printed state, and
its steps.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from msgspec.structs import fields, replace

from sim_engine.actions.renaming import renamed
from sim_engine.actions.steps import Fetch, Happening, Start
from sim_engine.assessment.cases import NAME, Case
from sim_engine.assessment.printed import PrintedCluster, PrintedKind, PrintedPartition, display_ids
from sim_engine.assessment.what_follows import AckedRecord
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, BrokerId, TopicPartition
from sim_engine.invariants.observation import holds
from sim_engine.json_types import JsonObject, Step
from sim_engine.narration.sentences import RefusedError
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step

_MOST_FRAMES = 1_000
_BROKERS = ("broker", "leader", "follower")
_ENDS = ("to", "from_")


def start_of(
    printed: PrintedCluster, kind: PrintedKind, partition: PrintedPartition, case: Case
) -> JsonObject:
    """The scenario, without steps, of which frame 0 is the printed state of a partition in one of
    its cases.
    """
    ids = display_ids(partition.brokers)
    document = printed.document(kind, partition, unknown_are=case.unknown_are)
    (topic,) = cast("list[JsonObject]", document["topics"])
    (described,) = cast("list[JsonObject]", topic["partitions"])
    (canonical,) = cast("list[JsonObject]", case.scenario["topics"])
    (decided,) = cast("list[JsonObject]", canonical["partitions"])
    logs = cast("Mapping[str, JsonObject]", decided.get("logs", {}))
    if logs and "logs" not in described:
        described["logs"] = {
            str(ids[partition.brokers[int(place) - 1]]): log for place, log in logs.items()
        }
    if "acked" in decided:
        described["acked"] = decided["acked"]
    return document


def steps_of(partition: PrintedPartition, steps: tuple[Happening, ...]) -> tuple[Step, ...]:
    """Steps of a case with the reader's brokers and partition."""
    ids = display_ids(partition.brokers)
    places = {BrokerId(place): ids[broker] for place, broker in enumerate(partition.brokers, 1)}
    name = TopicPartition(str(partition.name))
    return tuple(renamed(_placed(step, places), NAME, name).as_step() for step in steps)


def _placed(step: Happening, places: Mapping[BrokerId, BrokerId]) -> Happening:
    changed = {
        field.name: places[BrokerId(value)]
        for field in fields(step)
        if field.name in (*_BROKERS, *_ENDS) and isinstance(value := getattr(step, field.name), int)
    }
    return replace(step, **changed)


def showing(cluster: ClusterState, acked: Sequence[AckedRecord]) -> tuple[Happening, ...]:
    """Steps after a loss that show it: each broker that still has the record returns, fetches from
    the leader that lacks it, and truncates.
    """
    leader = cluster.controller.partition(NAME).leader
    if leader == NO_LEADER:
        return ()
    steps: list[Happening] = []
    execution = StepExecution(cluster, FIRST_FRAME, _MOST_FRAMES)
    for broker in cluster.brokers:
        replica = broker.replica(NAME)
        if broker.broker_id == leader or replica is None:
            continue
        if not any(holds(replica.log, record.offset, record.id) for record in acked):
            continue
        returns = () if broker.alive else (Start(broker=broker.broker_id),)
        for step in (*returns, Fetch(broker=broker.broker_id, partition=NAME)):
            try:
                execute_step(execution, step)
            except (RefusedError, LimitReachedError):
                break
            steps.append(step)
    return tuple(steps)
