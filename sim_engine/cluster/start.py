"""Builds the initial cluster of a scenario."""

from typing import TypeAlias

from msgspec.structs import replace

from sim_engine.actions.steps import TimerKind
from sim_engine.budget import go_on
from sim_engine.cluster.state import (
    Broker,
    Clients,
    ClusterState,
    Configs,
    PeriodicTimer,
    ProducedRecord,
    without_process,
)
from sim_engine.configs import ConfigValue, effective_configs
from sim_engine.identifiers import (
    CLOCK_START_MS,
    FIRST_EPOCH,
    FIRST_FRAME,
    FIRST_OFFSET,
    NEVER_MS,
    NO_LEADER,
    UNDEFINED_OFFSET,
    BrokerId,
    LeaderEpoch,
    Offset,
    TimeMs,
    TopicPartition,
    topic_of,
)
from sim_engine.protocol.controller.kind import controller_kind
from sim_engine.protocol.follower.fetch_loop import start_fetching
from sim_engine.protocol.log import EpochEntries, ReplicaLog, assign
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import LeadingState, PartitionSettings, RemoteReplica, Replica
from sim_engine.records import Record
from sim_engine.scenario_reader.document import LogSpec, PartitionSpec, Scenario
from sim_engine.versions import Profile

LAG_MAX_MESSAGES = 4_000
"""`replica.lag.max.messages` if the release has no such setting and KIP-16 is switched off."""
FETCH_BACKOFF_MS = 1_000
"""`replica.fetch.backoff.ms` if the release has no such setting (0.8)."""
NEVER_FLUSHES = 2**31 - 1
"""`log.flush.interval.messages` at or above this (Kafka's default is Long.MAX) never flushes."""


ISR_CHANGE_CHECK_MS = 2_500
"""How often a broker checks for ISR changes to propagate, in ms (`maybePropagateIsrChanges`)."""


def start_cluster(scenario: Scenario, profile: Profile) -> ClusterState:
    """The state of frame 0: every broker that runs has just received its leadership.

    Followers have neither truncated nor fetched yet. Of a stopped broker, the controller has ended
    the session; its checkpointed high watermark is, unless the scenario names one, the high
    watermark that its replica would have. Values that the scenario omits have the
    defaults of the file format: the high watermark is the lowest log end offset in the ISR on its
    members and 0 on other replicas; from 2.0.1 the leader's epoch cache contains its epoch.
    """
    partitions = scenario.partitions
    registrations = tuple(
        _registration(name, partitions[name]) for name in sorted(partitions, key=_partition_order)
    )
    broker_ids = tuple(sorted(scenario.broker_ids))
    kind = controller_kind(profile)
    states = scenario.broker_states
    controller = kind.first_state(broker_ids, registrations, profile.rules)
    inactive = {"fenced": True} if kind.fences_brokers else {"live": False}
    controller = replace(
        controller,
        brokers=tuple(
            broker if states[broker.broker_id] == "running" else replace(broker, **inactive)
            for broker in controller.brokers
        ),
    )
    cluster = ClusterState(
        profile=profile,
        seed=scenario.seed,
        now_ms=CLOCK_START_MS,
        brokers=(),
        controller=controller,
        configs=tuple(sorted(scenario.configs.items())),
        topic_configs=tuple(
            (topic.name, tuple(sorted(topic.configs.items()))) for topic in scenario.topics
        ),
    )
    cluster = with_settings(cluster)
    initial_records = _initial_records(registrations, partitions, profile)
    cluster = replace(cluster, clients=_clients(registrations, partitions, initial_records))
    specs = {broker.id: broker for broker in scenario.brokers}
    cluster = replace(
        cluster,
        brokers=tuple(
            Broker(
                broker_id=broker_id,
                rack=specs[broker_id].rack,
                configs=tuple(sorted(specs[broker_id].configs.items())),
                broker_epoch=controller.broker(broker_id).broker_epoch,
                metadata_offset=controller.metadata_offset,
                known_brokers=controller.brokers,
                known_partitions=() if kind.has_metadata_log else registrations,
                replicas=tuple(
                    _replica(
                        cluster,
                        registration,
                        partitions[registration.partition],
                        broker_id,
                        initial_records,
                        runs=states[broker_id] != "stopped",
                    )
                    for registration in registrations
                    if broker_id in registration.replicas
                ),
            )
            for broker_id in broker_ids
        ),
    )
    stopped = [broker_id for broker_id in broker_ids if states[broker_id] == "stopped"]
    return replace(
        with_settings(cluster),
        brokers=tuple(
            _stopped(broker, 1 + stopped.index(broker.broker_id))
            if broker.broker_id in stopped
            else replace(broker, timers=start_timers(cluster, broker.broker_id))
            for broker in cluster.brokers
        ),
        losses_of_contact=len(stopped),
    )


def _stopped(broker: Broker, order: int) -> Broker:
    """The broker after its process has ended; `order` counts the brokers for which it has."""
    ended = without_process(broker, "crashed", FIRST_FRAME)
    return replace(ended, contact_lost_ms=CLOCK_START_MS, contact_lost_order=order)


def _partition_order(name: str) -> tuple[str, int]:
    topic, _, index = name.rpartition("-")
    return topic, int(index)


def _registration(name: TopicPartition, spec: PartitionSpec) -> PartitionRegistration:
    return PartitionRegistration(
        partition=name,
        replicas=spec.replicas,
        isr=spec.in_sync,
        leader=spec.first_leader,
        leader_epoch=spec.leader_epoch,
        partition_epoch=spec.partition_epoch,
        elr=spec.elr,
        last_known_elr=spec.last_known_elr,
        adding_replicas=spec.adding,
        removing_replicas=spec.removing,
    )


_Key: TypeAlias = tuple[TopicPartition, Offset, LeaderEpoch | None, str]


def _initial_records(
    registrations: tuple[PartitionRegistration, ...],
    partitions: dict[TopicPartition, PartitionSpec],
    profile: Profile,
) -> dict[_Key, Record]:
    """The initial records, each with its id. The same record in two logs is one object.

    Two records are the same if offset, epoch and value are equal, as for a replicated batch.
    """
    known: dict[_Key, Record] = {}
    for registration in registrations:
        logs = partitions[registration.partition].logs
        for broker_id in registration.replicas:
            go_on()
            for record in _records(logs.get(broker_id), profile):
                key = (registration.partition, *record)
                if key not in known:
                    known[key] = Record(*record, f"r{len(known) + 1}")
    return known


def _records(
    log: LogSpec | None, profile: Profile
) -> tuple[tuple[Offset, LeaderEpoch | None, str], ...]:
    if log is None:
        return ()
    return tuple(
        (
            Offset(log.log_start + index),
            (record.epoch or FIRST_EPOCH) if profile.has_epochs else None,
            record.value,
        )
        for index, record in enumerate(log.records)
    )


EARLIER_PRODUCER = "p0"
"""The producer of the records that were acknowledged before the start."""


def _clients(
    registrations: tuple[PartitionRegistration, ...],
    partitions: dict[TopicPartition, PartitionSpec],
    initial_records: dict[_Key, Record],
) -> Clients:
    """The requests that were acknowledged before the start, with fates still to be judged, and the
    number of the next record.
    """
    acked = [
        (registration, record)
        for registration in registrations
        for value in partitions[registration.partition].acked
        for (partition, *_), record in initial_records.items()
        if (partition, record.value) == (registration.partition, value)
    ]
    produced = tuple(
        ProducedRecord(
            request=index,
            id=record.id,
            producer=EARLIER_PRODUCER,
            value=record.value,
            acks="all",
            partition=registration.partition,
            broker=registration.leader,
            offset=record.offset,
            outcome="acked",
            frame=FIRST_FRAME,
            acked_frame=FIRST_FRAME,
        )
        for index, (registration, record) in enumerate(acked)
    )
    return Clients(produced=produced, next_record=len(initial_records) + 1)


def _replica(
    cluster: ClusterState,
    registration: PartitionRegistration,
    spec: PartitionSpec,
    broker_id: BrokerId,
    initial_records: dict[_Key, Record],
    *,
    runs: bool,
) -> Replica:
    go_on()
    profile = cluster.profile
    log_spec = spec.logs.get(broker_id) or LogSpec()
    records = tuple(
        initial_records[registration.partition, *record] for record in _records(log_spec, profile)
    )
    log = ReplicaLog(records, log_spec.log_start)
    high_watermark = log_spec.high_watermark
    if high_watermark is None:
        # All of these have what is committed.
        members = registration.isr or registration.elr or registration.last_known_elr
        high_watermark = (
            min((spec.logs.get(member) or LogSpec()).log_end_offset for member in members)
            if broker_id in members
            else FIRST_OFFSET
        )
    checkpointed = log_spec.checkpoint.high_watermark
    if checkpointed is None:
        checkpointed = FIRST_OFFSET if runs else high_watermark
    epoch_cache = _epoch_cache(log_spec, records, profile)
    is_leader = broker_id == registration.leader
    if is_leader and log_spec.epochs is None and profile.rules.assign_epoch_at_leader:
        epoch_cache = assign(
            epoch_cache, registration.leader_epoch, log.log_end_offset, profile.rules
        )
    replica = Replica(
        partition=registration.partition,
        broker_id=broker_id,
        log=log,
        flushed=max(log_spec.flushed or FIRST_OFFSET, log_spec.log_start),
        epoch_cache=epoch_cache,
        checkpoint_high_watermark=checkpointed,
        checkpoint_recovery_point=log_spec.checkpoint.recovery_point or FIRST_OFFSET,
        loaded=True,
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        high_watermark=max(high_watermark, log_spec.log_start),
        following=not is_leader,
    )
    if is_leader:
        return replace(
            replica,
            leading=LeadingState(
                # Where its epoch starts in the cache, otherwise the log end offset.
                leader_epoch_start_offset=dict(epoch_cache).get(
                    registration.leader_epoch, log.log_end_offset
                ),
                isr=registration.isr,
                remotes=tuple(
                    RemoteReplica(
                        broker_id=follower,
                        last_fetch_leader_log_end_offset=UNDEFINED_OFFSET,
                        last_caught_up_time_ms=(
                            cluster.now_ms if follower in registration.isr else NEVER_MS
                        ),
                    )
                    for follower in registration.replicas
                    if follower != broker_id
                ),
            ),
        )
    if registration.leader == NO_LEADER:
        return replica
    return replace(
        replica,
        fetcher=start_fetching(replica, registration.leader, registration.leader_epoch, profile),
    )


def _epoch_cache(log_spec: LogSpec, records: tuple[Record, ...], profile: Profile) -> EpochEntries:
    if not profile.has_epochs:
        return ()
    if log_spec.epochs is not None:
        return log_spec.epochs
    entries: EpochEntries = ()
    for record in records:
        assert record.epoch is not None, "records have epochs in this version"
        entries = assign(entries, record.epoch, record.offset, profile.rules)
    return entries


# --- settings --------------------------------------------------------------------------------


def effective(
    cluster: ClusterState, topic: str | None = None, broker: BrokerId | None = None
) -> dict[str, ConfigValue]:
    """The effective settings of the cluster, with those of a topic and of a broker if given."""
    topic_configs: Configs = dict(cluster.topic_configs).get(topic, ()) if topic else ()
    return effective_configs(
        cluster.profile.kafka,
        cluster.profile.control,
        dict(cluster.configs),
        dict(topic_configs) if topic else None,
        dict(cluster.broker(broker).configs) if broker is not None else None,
    )


def with_settings(cluster: ClusterState) -> ClusterState:
    """The cluster with the settings of its partitions recomputed from its configs."""
    configs = effective(cluster)
    own = [broker.broker_id for broker in cluster.brokers if broker.configs]
    return replace(
        cluster,
        settings=tuple(
            (one.partition, _partition_settings(cluster, one))
            for one in cluster.controller.partitions
        ),
        broker_settings=tuple(
            (broker_id, one.partition, _partition_settings(cluster, one, broker_id))
            for broker_id in own
            for one in cluster.controller.partitions
        ),
        session_timeout_ms=_whole(configs[cluster.controller_kind.session_timeout_config]),
    )


def _partition_settings(
    cluster: ClusterState, registration: PartitionRegistration, broker: BrokerId | None = None
) -> PartitionSettings:
    configs = effective(cluster, topic_of(registration.partition), broker)
    flush = _whole(configs["log.flush.interval.messages"])
    return PartitionSettings(
        profile=cluster.profile,
        replication_factor=len(registration.replicas),
        min_insync_replicas=_whole(configs["min.insync.replicas"]),
        unclean_leader_election_enable=bool(configs["unclean.leader.election.enable"]),
        replica_lag_time_max_ms=_whole(configs["replica.lag.time.max.ms"]),
        replica_lag_max_messages=_whole(configs.get("replica.lag.max.messages", LAG_MAX_MESSAGES)),
        replica_fetch_wait_max_ms=_whole(configs["replica.fetch.wait.max.ms"]),
        replica_fetch_backoff_ms=_whole(configs.get("replica.fetch.backoff.ms", FETCH_BACKOFF_MS)),
        flush_messages=None if flush >= NEVER_FLUSHES else flush,
    )


def start_timers(
    cluster: ClusterState, broker: BrokerId | None = None
) -> tuple[PeriodicTimer, ...]:
    """The periodic timers of a process that starts now, by the settings of the cluster or, if it
    is given, of the broker.
    """
    configs = effective(cluster, broker=broker)
    # The ISR is checked once in this time; from KAFKA-4485 on, twice.
    checks = 2 if cluster.profile.rules.caught_up_as_of_previous_fetch else 1
    periods: dict[TimerKind, int] = {
        "isr_expiration": max(1, _whole(configs["replica.lag.time.max.ms"]) // checks),
        "high_watermark_checkpoint": _whole(
            configs["replica.high.watermark.checkpoint.interval.ms"]
        ),
        "recovery_point_checkpoint": _whole(configs["log.flush.offset.checkpoint.interval.ms"]),
    }
    if cluster.controller_kind.learns_isr_changes_by_notification(cluster.profile.rules):
        periods["isr_change_propagation"] = ISR_CHANGE_CHECK_MS
    return tuple(
        PeriodicTimer(kind=kind, due_ms=TimeMs(cluster.now_ms + period), period_ms=period)
        for kind, period in periods.items()
        if period > 0
    )


def _whole(value: ConfigValue) -> int:
    assert isinstance(value, int), "the reader checked the type"
    return value
