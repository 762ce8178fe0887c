"""What differs between two moments, for people: before and after, one line a change."""

from collections.abc import Iterator
from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.documents.state import broker_state
from sim_engine.protocol.log.producer_state import last_stable_offset
from sim_engine.protocol.replica import Replica


def list_changes(before: ClusterState, after: ClusterState) -> list[dict[str, Any]]:
    """Every change that one can see, the replicas' first, then the controller's and clients'."""
    return [
        *_replica_changes(before, after),
        *_partition_changes(before, after),
        *_controller_changes(before, after),
        *_broker_changes(before, after),
        *_client_changes(before, after),
    ]


def _change(
    what: str,
    old: Any,
    new: Any,
    *,
    partition: str | None = None,
    broker: int | None = None,
    subject: str | None = None,
) -> Iterator[dict[str, Any]]:
    if old != new:
        yield {
            "what": what,
            "partition": partition,
            "broker": broker,
            "subject": subject,
            "before": old,
            "after": new,
        }


def _replica_changes(before: ClusterState, after: ClusterState) -> Iterator[dict[str, Any]]:
    for old_broker, new_broker in zip(before.brokers, after.brokers, strict=True):
        if old_broker is new_broker:
            continue
        for new in new_broker.replicas:
            old = old_broker.replica(new.partition) or Replica(
                partition=new.partition, broker_id=new.broker_id
            )
            if old is new:
                continue
            where: dict[str, Any] = {"partition": new.partition, "broker": new.broker_id}
            yield from _change("role", old.role, new.role, **where)
            yield from _change("log_end_offset", old.log_end_offset, new.log_end_offset, **where)
            yield from _change("high_watermark", _seen(old), _seen(new), **where)
            if old.log is not new.log or old.high_watermark != new.high_watermark:
                yield from _change("last_stable_offset", *_held_back(old, new), **where)
            if after.profile.has_epochs:
                yield from _change("epoch_cache", _epochs(old), _epochs(new), **where)
            if old.role != "none" and new.role != "none":
                yield from _change("leader_epoch", old.leader_epoch, new.leader_epoch, **where)
            yield from _change("flushed", old.flushed, new.flushed, **where)
            yield from _change(
                "checkpoint_high_watermark",
                old.checkpoint_high_watermark,
                new.checkpoint_high_watermark,
                **where,
            )
            yield from _change(
                "checkpoint_recovery_point",
                old.checkpoint_recovery_point,
                new.checkpoint_recovery_point,
                **where,
            )
            yield from _belief_changes(old, new)


def _seen(replica: Replica) -> int | None:
    return replica.high_watermark if replica.role != "none" else None


def _held_back(old: Replica, new: Replica) -> tuple[int | None, int | None]:
    """The last stable offsets, where a transaction keeps one of them below the high watermark."""
    before, after = (
        None if replica.role == "none" else last_stable_offset(replica.log, replica.high_watermark)
        for replica in (old, new)
    )
    if (before, after) == (_seen(old), _seen(new)):
        return None, None
    return before, after


def _epochs(replica: Replica) -> list[str]:
    return [f"{epoch}→{start}" for epoch, start in replica.epoch_cache]


def _belief_changes(old: Replica, new: Replica) -> Iterator[dict[str, Any]]:
    if old.leading is None or new.leading is None:
        return
    believed = {remote.broker_id: remote.log_end_offset for remote in old.leading.remotes}
    for remote in new.leading.remotes:
        yield from _change(
            "follower_log_end_offset",
            _known(believed.get(remote.broker_id, -1)),
            _known(remote.log_end_offset),
            partition=new.partition,
            broker=new.broker_id,
            subject=str(remote.broker_id),
        )


def _known(offset: int) -> int | None:
    return None if offset < 0 else offset


def _partition_changes(before: ClusterState, after: ClusterState) -> Iterator[dict[str, Any]]:
    for old, new in zip(before.controller.partitions, after.controller.partitions, strict=True):
        where: dict[str, Any] = {"partition": new.partition}
        yield from _change("leader", old.leader, new.leader, **where)
        yield from _change("controller_leader_epoch", old.leader_epoch, new.leader_epoch, **where)
        yield from _change("isr", list(old.isr), list(new.isr), **where)
        yield from _change("partition_epoch", old.partition_epoch, new.partition_epoch, **where)
        yield from _change(
            "leader_recovery_state",
            old.leader_recovery_state,
            new.leader_recovery_state,
            **where,
        )
        yield from _change("replicas", list(old.replicas), list(new.replicas), **where)
        yield from _change(
            "adding_replicas", list(old.adding_replicas), list(new.adding_replicas), **where
        )
        yield from _change(
            "removing_replicas", list(old.removing_replicas), list(new.removing_replicas), **where
        )


def _controller_changes(before: ClusterState, after: ClusterState) -> Iterator[dict[str, Any]]:
    yield from _change(
        "controller_epoch", before.controller.controller_epoch, after.controller.controller_epoch
    )


def _broker_changes(before: ClusterState, after: ClusterState) -> Iterator[dict[str, Any]]:
    for broker in after.brokers:
        yield from _change(
            "broker_state",
            broker_state(before, broker.broker_id),
            broker_state(after, broker.broker_id),
            broker=broker.broker_id,
        )


def _client_changes(before: ClusterState, after: ClusterState) -> Iterator[dict[str, Any]]:
    for index, record in enumerate(after.clients.produced):
        old = before.clients.produced[index] if index < len(before.clients.produced) else None
        yield from _change(
            "outcome", None if old is None else old.outcome, record.outcome, subject=record.value
        )
    if before.clients.clients is after.clients.clients:
        return
    positions = {client.name: dict(client.positions) for client in before.clients.clients}
    for client in after.clients.clients:
        for partition, position in client.positions:
            yield from _change(
                "position",
                positions.get(client.name, {}).get(partition, 0),
                position,
                partition=partition,
                subject=client.name,
            )
