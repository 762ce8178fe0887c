"""Kafka's history as data: its releases, its protocol levels, and the releases of each rule.

To add a release, change only this file: its line in `LINES`, a field of `Rules` for each rule that
it adds, and `until` for each rule that it removes. `releases.py` reads the names, and `versions.py`
the rules.
"""

from typing import Annotated, Literal

from msgspec import Struct

LOOKED_ON = "2026-11-27"
"""The day on which we last compared the list of releases below with the published ones. Kafka plans
a release every four months; a test fails in the first commit that is made longer after this day.
CONTRIBUTING.md describes how to look and how to add a release.
"""


class Line(Struct, frozen=True, kw_only=True):
    """The releases that share their first two numbers; three before 1.0."""

    releases: tuple[str, ...]
    """Every published release of the line, oldest first."""
    menu: tuple[str, ...]
    """The names on the menu, oldest first."""
    levels: tuple[str, ...]
    """The protocol levels that the line added, oldest first (`MetadataVersion`)."""
    levels_with_new_records: tuple[str, ...]
    """KRaft: the levels that added records to the metadata log. A cluster cannot be downgraded
    below them.
    """


# Releases | names on the menu | levels, with * if a level added metadata records. The menu has the
# lines with the most changes; 4.0, because it removed ZooKeeper; and 4.4, which changed nothing
# here, so that every line from 3.9 on is on the menu.
_LINES = """
    0.8.0                               |             | 0.8.0
    0.8.1 0.8.1.1                       |             | 0.8.1
    0.8.2.0 0.8.2.1 0.8.2.2             | 0.8.2       | 0.8.2
    0.9.0.0 0.9.0.1                     | 0.9         | 0.9.0
    0.10.0.0 0.10.0.1                   |             | 0.10.0-IV0 0.10.0-IV1
    0.10.1.0 0.10.1.1                   | 0.10.1      | 0.10.1-IV0 0.10.1-IV1 0.10.1-IV2
    0.10.2.0 0.10.2.1 0.10.2.2          | 0.10.2      | 0.10.2-IV0
    0.11.0.0 0.11.0.1 0.11.0.2 0.11.0.3 | 0.11        | 0.11.0-IV0 0.11.0-IV1 0.11.0-IV2
    1.0.0 1.0.1 1.0.2                   |             | 1.0-IV0
    1.1.0 1.1.1                         | 1.1         | 1.1-IV0
    2.0.0 2.0.1                         | 2.0.0 2.0.1 | 2.0-IV0 2.0-IV1
    2.1.0 2.1.1                         | 2.1         | 2.1-IV0 2.1-IV1 2.1-IV2
    2.2.0 2.2.1 2.2.2                   |             | 2.2-IV0 2.2-IV1
    2.3.0 2.3.1                         | 2.3         | 2.3-IV0 2.3-IV1
    2.4.0 2.4.1                         | 2.4         | 2.4-IV0 2.4-IV1
    2.5.0 2.5.1                         |             | 2.5-IV0
    2.6.0 2.6.1 2.6.2 2.6.3             |             | 2.6-IV0
    2.7.0 2.7.1 2.7.2                   | 2.7         | 2.7-IV0 2.7-IV1 2.7-IV2
    2.8.0 2.8.1 2.8.2                   | 2.8         | 2.8-IV0 2.8-IV1
    3.0.0 3.0.1 3.0.2                   | 3.0         | 3.0-IV0 3.0-IV1*
    3.1.0 3.1.1 3.1.2                   |             | 3.1-IV0
    3.2.0 3.2.1 3.2.2 3.2.3             |             | 3.2-IV0*
    3.3.0 3.3.1 3.3.2                   | 3.3         | 3.3-IV0 3.3-IV1* 3.3-IV2* 3.3-IV3*
    3.4.0 3.4.1                         | 3.4.1       | 3.4-IV0*
    3.5.0 3.5.1 3.5.2                   | 3.5         | 3.5-IV0 3.5-IV1 3.5-IV2*
    3.6.0 3.6.1 3.6.2                   | 3.6         | 3.6-IV0 3.6-IV1* 3.6-IV2*
    3.7.0 3.7.1 3.7.2                   | 3.7         | 3.7-IV0* 3.7-IV1 3.7-IV2* 3.7-IV3 3.7-IV4
    3.8.0 3.8.1                         |             | 3.8-IV0
    3.9.0 3.9.1 3.9.2                   | 3.9         | 3.9-IV0
    4.0.0 4.0.1 4.0.2                   | 4.0         | 4.0-IV0 4.0-IV1* 4.0-IV2 4.0-IV3
    4.1.0 4.1.1 4.1.2                   | 4.1         | 4.1-IV0 4.1-IV1
    4.2.0 4.2.1 4.2.2                   | 4.2         | 4.2-IV0 4.2-IV1
    4.3.0 4.3.1 4.3.2                   | 4.3         | 4.3-IV0*
    4.4.0                               | 4.4         | 4.4-IV0 4.4-IV1* 4.4-IV2*
"""


def _read_line(text: str) -> Line:
    releases, menu, levels = (column.split() for column in text.split("|"))
    return Line(
        releases=tuple(releases),
        menu=tuple(menu),
        levels=tuple(level.removesuffix("*") for level in levels),
        levels_with_new_records=tuple(level[:-1] for level in levels if level.endswith("*")),
    )


LINES: tuple[Line, ...] = tuple(_read_line(text) for text in _LINES.strip().splitlines())
"""Every release line, oldest first."""


class Feature(Struct, frozen=True, kw_only=True):
    """A feature of KRaft clusters whose level switches a rule (`kafka-features.sh`).

    At level 0, the level of a cluster without the feature, the rule is off; at level 1 it is on.
    """

    name: str
    since: str
    """The first release that has the feature, at whatever level by default."""


class Rule(Struct, frozen=True):
    """Everything about one rule: the releases that have it, and its requirements.

    Releases are numbers such as "0.11" and "2.0.1"; missing parts count as 0.
    """

    name: str
    """The KIP or the issue, which is the rule's name in scenario files, texts and pages."""
    source: str
    """Its source in Kafka: a class or a KIP in the catalogue's sources."""
    since: str | None = None
    """The release that added it; null for a rule that no release has."""
    until: str | None = None
    """The release that removed it."""
    backports: tuple[tuple[str, str], ...] = ()
    """Further ranges of releases that have it: from the first, up to but excluding the second."""
    control: Literal["kraft"] | None = None
    """The only controller under which it exists; null if it exists under both."""
    level: str | None = None
    """The protocol level that a cluster needs before its brokers use it; null if only the release
    decides.
    """
    needs: tuple[str, ...] = ()
    """The names of the rules that it requires."""
    feature: Feature | None = None
    """The feature that switches it; null if there is none."""


class Rules(Struct, frozen=True, kw_only=True):
    """The rules of a release: one field for each rule, in the order in which Kafka added them."""

    # Each rule is declared on one line, whatever its length.
    # fmt: off
    lag_by_time_only: Annotated[bool, Rule("KIP-16", since="0.9", source="Partition")] = False
    isr_changes_are_propagated: Annotated[bool, Rule("KAFKA-1367", since="0.9", source="ReplicaManager")] = False
    staying_leader_keeps_ends: Annotated[bool, Rule("KAFKA-2721", since="0.9", source="Partition")] = False
    keep_log_within_leaders_range: Annotated[bool, Rule("KAFKA-2143", since="0.9.0.1", source="ReplicaFetcherThread")] = False
    shutdown_elects_by_assignment: Annotated[bool, Rule("KAFKA-3670", since="0.10", source="KafkaController")] = False
    exit_runs_shutdown: Annotated[bool, Rule("KAFKA-3924", since="0.10.0.1", source="ReplicaFetcherThread")] = False
    reassignment_waits_for_dead_brokers: Annotated[bool, Rule("KAFKA-4214", since="0.10.1", until="2.4", source="KafkaController")] = False
    caught_up_as_of_previous_fetch: Annotated[bool, Rule("KAFKA-4485", since="0.10.2", source="Replica")] = False
    fatal_error_exits: Annotated[bool, Rule("KAFKA-4039", since="0.11", needs=("KAFKA-3924",), source="ReplicaFetcherThread")] = False
    epoch_truncation: Annotated[bool, Rule("KIP-101", since="0.11", level="0.11.0-IV2", source="LeaderEpochFileCache")] = False
    idempotent_producers: Annotated[bool, Rule("KIP-98", since="0.11", level="0.11.0-IV0", source="ProducerStateManager")] = False
    five_batches_remembered: Annotated[bool, Rule("KAFKA-5494", since="1.0", needs=("KIP-98",), source="ProducerStateManager")] = False
    responds_with_new_high_watermark: Annotated[bool, Rule("KAFKA-5758", since="1.0", until="1.0.2", backports=(("1.1", "1.1.1"),), source="ReplicaManager")] = False
    unknown_replica_gets_nothing: Annotated[bool, Rule("KAFKA-5758-NO-REPLICA", since="1.0", source="ReplicaManager")] = False
    # There is no issue for it: the `BrokerAndInitialOffset` of 1.1.
    fetch_begins_at_high_watermark: Annotated[bool, Rule("INITIAL-FETCH-AT-HW", since="1.1", source="ReplicaManager")] = False
    # There are no issues for them: recordings of ZooKeeper controllers show these behaviours. Up to
    # 1.0, with unclean election, the last ISR member is removed too. Re-electing the current leader
    # increments the epoch (recorded on 2.0.1), or writes nothing (before, and from KAFKA-5692 in 2.2
    # on; recorded on 0.10.2 and 2.8).
    last_isr_member_always_stays: Annotated[bool, Rule("LAST-ISR-MEMBER-STAYS", since="1.1", source="ReplicaStateMachine")] = False
    preferred_election_always_writes: Annotated[bool, Rule("PREFERRED-ALWAYS-WRITES", since="1.1", until="2.2", source="PartitionStateMachine")] = False
    ending_fetcher_hangs_up: Annotated[bool, Rule("KAFKA-6051", since="1.1", source="ReplicaFetcherThread")] = False
    iterative_epoch_truncation: Annotated[bool, Rule("KIP-279", since="2.0.0", level="2.0-IV0", needs=("KIP-101",), source="AbstractFetcherThread")] = False
    no_epoch_has_no_end: Annotated[bool, Rule("KAFKA-6857", since="2.0.0", backports=(("0.11.0.3", "1.0"), ("1.0.2", "1.1"), ("1.1.1", "2.0"),), source="LeaderEpochFileCache")] = False
    enabling_unclean_elects: Annotated[bool, Rule("KAFKA-6526", since="2.0.0", source="KafkaController")] = False
    no_replica_is_no_leader: Annotated[bool, Rule("KAFKA-6796", since="2.0.0", source="ReplicaManager")] = False
    assign_epoch_at_leader: Annotated[bool, Rule("KAFKA-7415", since="2.0.1", needs=("KIP-101",), source="LeaderEpochFileCache")] = False
    join_needs_epoch_start: Annotated[bool, Rule("KAFKA-7128", since="2.0.1", source="Partition")] = False
    missed_epoch_restarts_fetcher: Annotated[bool, Rule("KAFKA-7164", since="2.0.1", source="Partition")] = False
    out_of_range_never_fatal: Annotated[bool, Rule("KAFKA-7414", since="2.0.1", source="ReplicaFetcherThread")] = False
    enabling_unclean_on_topic_elects: Annotated[bool, Rule("KAFKA-6835", since="2.1", source="KafkaController")] = False
    fetch_fencing: Annotated[bool, Rule("KIP-320", since="2.1", level="2.1-IV2", source="Partition")] = False
    log_end_is_caught_up: Annotated[bool, Rule("KAFKA-7152", since="2.1", source="Partition")] = False
    lookup_response_must_be_of_epoch: Annotated[bool, Rule("KAFKA-7786", since="2.1.1", source="AbstractFetcherThread")] = False
    broker_generations: Annotated[bool, Rule("KIP-380", since="2.2", source="KafkaController")] = False
    end_offset_waits_for_epoch_start: Annotated[bool, Rule("KIP-207", since="2.2", source="Partition")] = False
    consumers_validate_positions: Annotated[bool, Rule("KIP-320-CONSUMER", since="2.3", source="KIP-320")] = False
    follower_reads: Annotated[bool, Rule("KIP-392", since="2.4", source="ReplicaManager")] = False
    # Added by KIP-392, removed by KAFKA-9952.
    wake_followers_on_high_watermark: Annotated[bool, Rule("KIP-392-EAGER-WAKE", since="2.4", until="2.6", source="DelayedFetch")] = False
    unclean_election_on_request: Annotated[bool, Rule("KIP-460", since="2.4", source="PartitionStateMachine")] = False
    reassignment_can_be_replaced: Annotated[bool, Rule("KIP-455", since="2.4", source="KafkaController")] = False
    failed_fetch_moves_no_state: Annotated[bool, Rule("KAFKA-8400", since="2.4", source="ReplicaManager")] = False
    high_watermark_only_on_new_end: Annotated[bool, Rule("KAFKA-8841", since="2.4", source="Partition")] = False
    forgotten_producers_write_on: Annotated[bool, Rule("KIP-360", since="2.5", needs=("KAFKA-5494",), source="ProducerStateManager")] = False
    no_replica_is_no_follower: Annotated[bool, Rule("KAFKA-10223", since="2.6", needs=("KAFKA-6796",), source="ReplicaManager")] = False
    stop_needs_newer_epoch: Annotated[bool, Rule("KIP-570", since="2.6", until="3.4.1", level="2.6-IV0", source="ReplicaManager")] = False
    trim_epochs_on_no_op_truncation: Annotated[bool, Rule("KAFKA-10706", since="2.6.1", needs=("KIP-101",), source="UnifiedLog")] = False
    alter_partition: Annotated[bool, Rule("KIP-497", since="2.7", level="2.7-IV2", source="Partition")] = False
    truncation_on_fetch: Annotated[bool, Rule("KAFKA-10554", since="2.8", level="2.7-IV1", needs=("KAFKA-7415", "KIP-320"), source="Partition")] = False
    diverging_fetch_moves_no_state: Annotated[bool, Rule("KAFKA-13141", since="2.8.1", backports=(("2.7.2", "2.8"),), source="ReplicaManager")] = False
    below_start_is_out_of_range: Annotated[bool, Rule("KAFKA-12996", since="2.8.1", backports=(("2.7.2", "2.8"),), source="Partition")] = False
    abort_by_administrator: Annotated[bool, Rule("KIP-664", since="3.0", source="KIP-664")] = False
    partition_change_builder: Annotated[bool, Rule("KAFKA-12803", since="3.0", control="kraft", source="PartitionChangeBuilder")] = False
    high_watermark_on_isr_commit: Annotated[bool, Rule("KAFKA-13091", since="3.1", needs=("KIP-497",), source="Partition")] = False
    kraft_elects_on_request: Annotated[bool, Rule("KAFKA-13162", since="3.1", control="kraft", source="ReplicationControlManager")] = False
    leader_recovery_state: Annotated[bool, Rule("KIP-704", since="3.2", level="3.2-IV0", needs=("KIP-497",), source="PartitionChangeBuilder")] = False
    kraft_balances_leaders: Annotated[bool, Rule("KAFKA-13682", since="3.2", control="kraft", source="ReplicationControlManager")] = False
    fenced_brokers_stay_out: Annotated[bool, Rule("KIP-841", since="3.3", source="Partition")] = False
    controlled_shutdown_is_registered: Annotated[bool, Rule("KIP-841-SHUTDOWN", since="3.3", control="kraft", level="3.3-IV3", source="ReplicationControlManager")] = False
    registration_read_is_enough: Annotated[bool, Rule("KAFKA-13959", since="3.3", control="kraft", source="BrokerHeartbeatManager")] = False
    reset_only_on_new_epoch: Annotated[bool, Rule("KAFKA-13790", since="3.3", source="Partition")] = False
    unknown_replica_is_an_error: Annotated[bool, Rule("KAFKA-13837", since="3.3", source="Partition")] = False
    epoch_checked_before_replica: Annotated[bool, Rule("KAFKA-14078", since="3.3", needs=("KAFKA-13837",), source="Partition")] = False
    # There is no issue for it: the `math.max` in `Replica.updateFetchState` and the `else 0` in
    # `resetReplicaState`, added when its state became one immutable value.
    replica_state_is_one_value: Annotated[bool, Rule("REPLICA-STATE-MAX", since="3.3", source="Replica")] = False
    metadata_is_read_until_stopped: Annotated[bool, Rule("KAFKA-13858", since="3.3", control="kraft", source="BrokerMetadataListener")] = False
    steps_down_while_stopping: Annotated[bool, Rule("KAFKA-14296", since="3.3.2", control="kraft", needs=("KAFKA-13858",), source="ReplicaManager")] = False
    readers_go_to_the_isr: Annotated[bool, Rule("KAFKA-14372", since="3.3.2", needs=("KIP-392",), source="ReplicaManager")] = False
    rebalances_during_reassignments: Annotated[bool, Rule("KAFKA-10149", since="3.4", source="KafkaController")] = False
    diverging_response_is_only_that: Annotated[bool, Rule("KAFKA-14704", since="3.4.1", needs=("KAFKA-10554",), source="AbstractFetcherThread")] = False
    broker_epoch_in_isr: Annotated[bool, Rule("KIP-903", since="3.5", control="kraft", level="3.5-IV1", source="Partition")] = False
    empty_first_response_forgets_epoch: Annotated[bool, Rule("KAFKA-15080", since="3.5.1", until="3.7", needs=("KAFKA-10554",), source="AbstractFetcherThread")] = False
    no_epoch_bump_on_shrink: Annotated[bool, Rule("KAFKA-15021", since="3.6", level="3.6-IV0", source="PartitionChangeBuilder")] = False
    outsiders_must_be_eligible: Annotated[bool, Rule("KAFKA-15021-OUTSIDERS", since="3.6", source="Partition")] = False
    min_isr_gates_high_watermark: Annotated[bool, Rule("KAFKA-15583", since="3.7", source="Partition")] = False
    reassignment_waits_for_all: Annotated[bool, Rule("KAFKA-15665", since="3.8", until="4.3", control="kraft", source="PartitionChangeBuilder")] = False
    only_a_written_shrink_bumps: Annotated[bool, Rule("KAFKA-16624", since="3.8", control="kraft", source="PartitionChangeBuilder")] = False
    stale_broker_epoch_refused: Annotated[bool, Rule("KAFKA-15221", since="3.7", control="kraft", needs=("KIP-903",), source="Replica")] = False
    unclean_election_by_setting: Annotated[bool, Rule("KAFKA-12670", since="3.9", control="kraft", source="ConfigurationControlManager")] = False
    restart_leaves_every_isr: Annotated[bool, Rule("KAFKA-18635", since="4.0", control="kraft", source="ReplicationControlManager")] = False
    fetch_response_must_be_of_epoch: Annotated[bool, Rule("KAFKA-18991", since="4.1", backports=(("3.9.1", "4.0"), ("4.0.1", "4.1"),), source="AbstractFetcherThread")] = False
    # In 4.0 the feature is off by default; it is on in clusters that 4.1 formats.
    eligible_leader_replicas: Annotated[bool, Rule("KIP-966", since="4.1", control="kraft", level="4.0-IV1", needs=("KAFKA-15583",), feature=Feature(name="eligible.leader.replicas.version", since="4.0"), source="PartitionChangeBuilder")] = False
    dead_last_known_leader_waits: Annotated[bool, Rule("KAFKA-19522", since="4.1", control="kraft", source="PartitionChangeBuilder")] = False
    last_known_leader_kept_until_next: Annotated[bool, Rule("LAST-KNOWN-LEADER-KEPT", since="4.1.1", control="kraft", source="PartitionChangeBuilder")] = False
    # There is no issue for it: `CommittedPartitionState` and `PendingExpandIsr` became Java classes.
    proposed_isr_in_hash_order: Annotated[bool, Rule("ISR-ORDER", since="4.2", source="Partition")] = False
    reassignment_waits_for_added: Annotated[bool, Rule("KAFKA-19975", since="4.3", control="kraft", source="PartitionChangeBuilder")] = False
    # In no release: deliberately wrong, to show the purpose of the correct rule.
    what_if_committed_isr_counts: Annotated[bool, Rule("WHAT-IF-HW-ON-COMMITTED-ISR", source="Partition")] = False
    what_if_proposed_shrink_counts: Annotated[bool, Rule("WHAT-IF-HW-ON-PROPOSED-SHRINK", source="Partition")] = False
    # fmt: on
