"""The clusters from which a kind of partition is assessed: its printed state, with everything that
the input leaves open decided in each way that matters.

Open is which brokers are up of which nothing is known, and which replicas have the last
acknowledged record. While acks=all is accepted, every member of the ISR has it and no other
replica. If the ISR is smaller than min.insync.replicas, the record is older than the last shrink:
it is also on other replicas, as many as were required, but nothing says on which. With acks=1, the
leader may be the only one.

The run of a cell starts in the printed state and has the reader's brokers.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, cast, get_args

from msgspec import Struct
from msgspec.structs import fields, replace

from sim_engine.actions.base import renamed
from sim_engine.actions.steps import (
    Config,
    Crash,
    DiskLoss,
    Elect,
    FailController,
    Fetch,
    Happening,
    Isolate,
    PowerLoss,
    Produce,
    Start,
)
from sim_engine.assessment.printed import (
    PrintedCluster,
    PrintedKind,
    PrintedPartition,
    Standing,
    display_ids,
)
from sim_engine.assessment.what_follows import AckedRecord
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.assessment import FailureName
from sim_engine.exploration.alphabet import UNCLEAN_ELECTION
from sim_engine.identifiers import (
    FIRST_FRAME,
    NO_LEADER,
    Acks,
    BrokerId,
    Offset,
    TopicPartition,
    topic_of,
)
from sim_engine.invariants.observation import holds, start_history
from sim_engine.json_types import JsonObject, Step
from sim_engine.narration import RefusedError
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.version import profile_for
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step

NAME = TopicPartition("t-0")
_OLDER, _LAST = "m1", "m2"
_PRODUCER = "app"
_MOST_FRAMES = 1_000

UnknownAre = Literal["up", "down"]


class Case(Struct, frozen=True, kw_only=True):
    """One cluster to assess. Its only partition is `t-0`, and its brokers are numbered by position.

    `cluster` is the state after `prelude`, which starts in the printed state: the record is
    produced and replicated, and brokers whose death nobody has noticed yet are killed.
    """

    scenario: JsonObject
    cluster: ClusterState
    prelude: tuple[Happening, ...]
    acked: tuple[AckedRecord, ...]
    unknown_are: UnknownAre


def cases_of(printed: PrintedCluster, kind: PrintedKind) -> list[list[Case]]:
    """The cases of a kind. Those of one list differ only in the replicas that have the record."""
    ways: tuple[UnknownAre, ...] = ("down", "up") if "unknown" in kind.standings else ("down",)
    found = [list(_cases(printed, kind, way)) for way in ways]
    return [cases for cases in found if cases]


def canonical_document(
    printed: PrintedCluster, kind: PrintedKind, partition: PrintedPartition, way: UnknownAre
) -> JsonObject:
    """The printed state with brokers named by position and the topic `t`."""
    ids = {broker: BrokerId(place) for place, broker in enumerate(partition.brokers, 1)}
    document = printed.document(kind, partition, ids=ids, unknown_are=way)
    (topic,) = cast("list[JsonObject]", document["topics"])
    topic["name"] = topic_of(NAME)
    (described,) = cast("list[JsonObject]", topic["partitions"])
    described.pop("number", None)
    return document


def _cases(printed: PrintedCluster, kind: PrintedKind, way: UnknownAre) -> Iterator[Case]:
    document = canonical_document(printed, kind, kind.partitions[0], way)
    try:
        scenario = read_scenario_document(document)
    except ScenarioError:
        return  # no history of this release leads to it
    for logs, acks in _logs(scenario, printed.acks):
        changed = _with_logs(document, logs)
        read = read_scenario_document(changed)
        cluster = start_cluster(read, profile_for(read))
        for prelude in _preludes(cluster, acks):
            case = _played(changed, cluster, prelude, kind.standings, way)
            if case is not None:
                yield case


_Logs = Mapping[BrokerId, JsonObject] | None


def _logs(scenario: Scenario, acks: Acks) -> Iterator[tuple[_Logs, Acks | None]]:
    """The logs to start with, and the acks with which the record is produced; null if the logs have
    it.
    """
    (spec,) = scenario.partitions.values()
    cluster = start_cluster(scenario, profile_for(scenario))
    settings = cluster.settings_of(NAME)
    least = settings.effective_min_insync_replicas
    everyone, isr = spec.replicas, spec.in_sync
    if spec.logs:
        takes = spec.first_leader != NO_LEADER and (acks != "all" or len(isr) >= least)
        yield None, acks if takes else None
        return
    flushed = 2 if settings.flush_messages == 1 else 1
    epoch = spec.leader_epoch - (1 if spec.first_leader == NO_LEADER and spec.leader_epoch else 0)
    last = f"{_LAST}/{epoch}" if cluster.profile.has_epochs else _LAST

    def held_by(holders: Sequence[BrokerId]) -> dict[BrokerId, JsonObject]:
        return {
            broker: _log(f"{_OLDER} {last}", 2, flushed)
            if broker in holders
            else _log(_OLDER, 1, 1)
            for broker in everyone
        }

    if spec.first_leader != NO_LEADER and acks != "all":
        yield held_by(()), acks
        if len(isr) > 1:
            yield held_by(isr), None
        return
    if spec.first_leader != NO_LEADER and len(isr) >= least:
        yield held_by(()), acks
        return
    must = tuple(dict.fromkeys((*isr, *spec.elr)))
    must = tuple(broker for broker in must if broker in everyone)
    others = [broker for broker in everyone if broker not in must]
    missing = min(max(0, least - len(must)), len(others)) if acks == "all" else 0
    if not must and not missing:
        missing = min(1, len(others))
    for more in combinations(others, missing):
        yield held_by((*must, *more)), None
    if missing and missing < len(others):
        yield held_by(everyone), None


def _log(records: str, high_watermark: int, flushed: int) -> JsonObject:
    return {
        "log": records,
        "high_watermark": high_watermark,
        "flushed": flushed,
        "checkpoint": {"high_watermark": high_watermark},
    }


def _with_logs(document: JsonObject, logs: _Logs) -> JsonObject:
    if logs is None:
        return document
    (topic,) = cast("list[JsonObject]", document["topics"])
    (partition,) = cast("list[JsonObject]", topic["partitions"])
    named = {str(broker): log for broker, log in logs.items()}
    told = [_LAST] if any(_LAST in str(log["log"]) for log in logs.values()) else []
    changed = {**partition, "logs": named, **({"acked": told} if told else {})}
    return {**document, "topics": [{**topic, "partitions": [changed]}]}


def _preludes(cluster: ClusterState, acks: Acks | None) -> Iterator[tuple[Happening, ...]]:
    """How the record comes to be acknowledged. Up to 2.0.0, a follower that does not know the new
    high watermark yet may truncate below it.
    """
    if acks is None:
        yield ()
        return
    registration = cluster.controller.partition(NAME)
    produce = Produce(to=NAME, values=(_LAST,), acks=acks, as_=_PRODUCER)
    if acks != "all":
        yield (produce,)
        return
    followers = [one for one in registration.isr if one != registration.leader]
    rounds = tuple(Fetch(broker=one, partition=NAME) for one in followers for _ in range(2))
    yield (produce, *rounds)
    if followers and not cluster.profile.rules.assign_epoch_at_leader:
        lost = tuple(
            Fetch(broker=one, partition=NAME, drop="response" if number else None)
            for one in followers
            for number in range(2)
        )
        yield (produce, *lost)


def _played(
    document: JsonObject,
    start: ClusterState,
    prelude: Sequence[Happening],
    standings: Sequence[Standing],
    way: UnknownAre,
) -> Case | None:
    deaths = tuple(
        Crash(broker=BrokerId(place))
        for place, standing in enumerate(standings, 1)
        if standing == "just_down"
    )
    execution = StepExecution(start, FIRST_FRAME, _MOST_FRAMES)
    played: list[Happening] = []
    try:
        for step in (*prelude, *deaths):
            execute_step(execution, step)
            played.append(step)
    except RefusedError:
        return None
    cluster = execution.cluster
    (committed,) = start_history(start).committed
    acked = {AckedRecord(one.offset, one.id) for one in committed.records[-1:]}
    produced = cluster.clients.produced
    acked |= {
        AckedRecord(one.offset, one.id)
        for one in produced
        if one.offset is not None and one.id is not None
        if one.outcome == "acked" or one.acks == 0
    }
    if produced and len(acked) < 2 and not any(one.outcome == "acked" for one in produced):
        return None
    return Case(
        scenario=document,
        cluster=replace(cluster, clients=start.clients),
        prelude=tuple(played),
        acked=tuple(sorted(acked)),
        unknown_are=way,
    )


# --- the run of a cell ----------------------------------------------------------------------------


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


FAILURES: tuple[FailureName, ...] = get_args(FailureName)

Strike = tuple[Happening, ...]
"""The steps of one failure that strikes one broker."""


def strikes(
    cluster: ClusterState, name: TopicPartition, failure: FailureName
) -> Mapping[BrokerId | None, tuple[Strike, ...]]:
    """For each broker that a failure can strike, the ways in which it does; with the power, a
    broker may lose what it has not flushed, or nothing. The administrator's election strikes none.
    Empty if the failure cannot happen.
    """
    hosts = [broker for broker in cluster.brokers if broker.replica(name) is not None]
    registration = cluster.controller.partition(name)
    match failure:
        case "crash":
            return {one.broker_id: ((Crash(broker=one.broker_id),),) for one in hosts if one.alive}
        case "power_loss":
            return {
                one.broker_id: tuple(_power_losses(cluster, name, one.broker_id)) for one in hosts
            }
        case "disk_loss":
            return {one.broker_id: ((DiskLoss(broker=one.broker_id),),) for one in hosts}
        case "isolated_leader":
            leader = registration.leader
            if not has_leader(cluster, name):
                return {}
            return {leader: ((Isolate(broker=leader, from_="controller"),),)}
        case "unclean_election":
            return _by_hand(cluster, name)


def _power_losses(
    cluster: ClusterState, name: TopicPartition, broker_id: BrokerId
) -> Iterator[Strike]:
    yield (PowerLoss(broker=broker_id),)
    replica = cluster.replica(broker_id, name)
    if replica.flushed < replica.log_end_offset:
        yield (PowerLoss(broker=broker_id, keep={name: Offset(replica.log_end_offset)}),)


def _by_hand(
    cluster: ClusterState, name: TopicPartition
) -> Mapping[BrokerId | None, tuple[Strike, ...]]:
    """An administrator's unclean election. Before KIP-460 (2.4) the only way is to allow it for the
    topic and, if that elects nobody yet, to let another controller take over. Brokers of a KRaft
    cluster refuse the request up to 3.0.
    """
    rules, kind = cluster.profile.rules, cluster.controller_kind
    if has_leader(cluster, name) or kind.why_unsupported("elect", rules) is not None:
        return {}
    if rules.unclean_election_on_request:
        return {None: ((Elect(partition=name, kind="unclean"),),)}
    if cluster.settings_of(name).unclean_leader_election_enable:
        return {None: ((Elect(partition=name, kind="unclean"),),)}
    allow = Config(topic=topic_of(name), settings={UNCLEAN_ELECTION: True})
    elects = kind.elects_when_unclean_is_enabled(rules, for_topic=True)
    return {None: ((allow,) if elects else (allow, FailController()),)}


def has_leader(cluster: ClusterState, name: TopicPartition) -> bool:
    """Whether a partition has a leader whose process exists."""
    leader = cluster.controller.partition(name).leader
    return leader != NO_LEADER and cluster.broker(leader).alive
