"""The failures of an assessment, and what each does to a case."""

from collections.abc import Iterator, Mapping
from typing import get_args

from sim_engine.actions.steps import (
    Config,
    Crash,
    DiskLoss,
    Elect,
    FailController,
    Happening,
    Isolate,
    PowerLoss,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.assessment import FailureName
from sim_engine.exploration.administration import UNCLEAN_ELECTION
from sim_engine.identifiers import NO_LEADER, BrokerId, Offset, TopicPartition, topic_of

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
