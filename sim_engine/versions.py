"""What each Kafka release does: which rule of which KIP or JIRA is on.

A release is a set of flags that choose among named functions. Nothing in the engine compares
version numbers to decide what a broker does; only this file and `configs.py` know when a rule or
a default arrived. Rules are looked up at the exact release that was asked for and at the level of
the protocol that its cluster speaks (`metadata.version`, `inter.broker.protocol.version`).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from sim_engine.releases import (
    Number,
    UnknownVersionError,
    at_least,
    find_level,
    find_release,
    level_reached,
    newest_level,
    newest_of_lines,
)

Control = Literal["zookeeper", "kraft"]
LevelName = Literal["metadata_version", "inter_broker_protocol_version"]
LEVEL_NAMES: tuple[LevelName, ...] = ("metadata_version", "inter_broker_protocol_version")
"""How a scenario names the level of the protocol under KRaft, and under ZooKeeper."""
FetcherRestart = Literal[
    "leader_changed", "leader_changed_or_epoch_gap", "leader_or_epoch", "epoch"
]
"""When a broker that is told to follow restarts its fetcher, and so truncates
(`Partition.makeFollower`): a new leader id (up to 2.0.0); that, or an epoch further on than one
(KAFKA-7164, 2.0.1); a new id or epoch (KIP-320, 2.1 to 3.2); a higher epoch (KAFKA-13790, 3.3 on).
"""

OutOfRangeExit = Literal["halt", "hang", "exit", "none"]
"""What a follower whose log is longer than its leader's does when unclean election is off: up to
0.10.0 its process is halted, up to 0.10.2 it begins to shut down and hangs, 0.11 to 2.0.0 exit with
status 1, later releases truncate."""

InitialFetchOffset = Literal["log_end_offset", "high_watermark"]


class UnknownRuleError(ValueError):
    """A rule name that no profile knows, or a set of rules that cannot stand together."""


class Rule(Struct, frozen=True):
    """One switchable rule: the release that brought it, and what it cannot do without.

    `until` is the release that took it away again. Without `since` no release ever had it: a rule
    that is wrong on purpose, to see what the right one is for. `gate` is the level of the protocol
    that a cluster must speak before its brokers use the rule, null where the code alone decides.
    `backports` are other releases that had it as well: from the first, until the second.
    """

    name: str
    field: str
    since: Number | None
    needs: tuple[str, ...] = ()
    kraft_only: bool = False
    until: Number | None = None
    gate: str | None = None
    backports: tuple[tuple[Number, Number], ...] = ()

    def is_in(self, version: Number, control: str) -> bool:
        """Whether the code of a release has the rule, whatever level its cluster speaks."""
        if self.since is None or (self.kraft_only and control != "kraft"):
            return False
        if any(
            at_least(version, first) and not at_least(version, end) for first, end in self.backports
        ):
            return True
        return at_least(version, self.since) and (
            self.until is None or not at_least(version, self.until)
        )

    def is_open(self, level: str) -> bool:
        """Whether a cluster that speaks `level` uses the rule where its code has it."""
        return self.gate is None or level_reached(level, self.gate)


class Rules(Struct, frozen=True, kw_only=True):
    """Which behaviour is on. One field a KIP or JIRA; `RULES` maps Kafka's names to fields."""

    lag_by_time_only: bool = False  # KIP-16
    keep_log_within_leaders_range: bool = False  # KAFKA-2143
    exit_runs_shutdown: bool = False  # KAFKA-3924
    isr_changes_are_propagated: bool = False  # KAFKA-1367
    caught_up_as_of_previous_fetch: bool = False  # KAFKA-4485
    fatal_error_exits: bool = False  # KAFKA-4039
    epoch_truncation: bool = False  # KIP-101
    idempotent_producers: bool = False  # KIP-98
    five_batches_remembered: bool = False  # KAFKA-5494
    answers_with_new_high_watermark: bool = False  # KAFKA-5758
    fetch_begins_at_high_watermark: bool = False  # INITIAL-FETCH-AT-HW
    last_isr_member_always_stays: bool = False  # LAST-ISR-MEMBER-STAYS
    preferred_election_always_writes: bool = False  # PREFERRED-ALWAYS-WRITES
    ending_fetcher_hangs_up: bool = False  # KAFKA-6051
    iterative_epoch_truncation: bool = False  # KIP-279
    no_epoch_has_no_end: bool = False  # KAFKA-6857
    assign_epoch_at_leader: bool = False  # KAFKA-7415
    join_needs_epoch_start: bool = False  # KAFKA-7128
    missed_epoch_restarts_fetcher: bool = False  # KAFKA-7164
    out_of_range_never_fatal: bool = False  # KAFKA-7414
    fetch_fencing: bool = False  # KIP-320
    log_end_is_caught_up: bool = False  # KAFKA-7152
    lookup_answer_must_be_of_epoch: bool = False  # KAFKA-7786
    enabling_unclean_elects: bool = False  # KAFKA-6526
    enabling_unclean_on_topic_elects: bool = False  # KAFKA-6835
    broker_generations: bool = False  # KIP-380
    end_offset_waits_for_epoch_start: bool = False  # KIP-207
    consumers_validate_positions: bool = False  # KIP-320-CONSUMER
    follower_reads: bool = False  # KIP-392
    wake_followers_on_high_watermark: bool = False  # KIP-392-EAGER-WAKE
    unclean_election_on_request: bool = False  # KIP-460
    reassignment_can_be_replaced: bool = False  # KIP-455
    high_watermark_only_on_new_end: bool = False  # KAFKA-8841
    forgotten_producers_write_on: bool = False  # KIP-360
    trim_epochs_on_no_op_truncation: bool = False  # KAFKA-10706
    alter_partition: bool = False  # KIP-497
    truncation_on_fetch: bool = False  # KAFKA-10554
    diverging_fetch_moves_no_state: bool = False  # KAFKA-13141
    below_start_is_out_of_range: bool = False  # KAFKA-12996
    partition_change_builder: bool = False  # KAFKA-12803
    high_watermark_on_isr_commit: bool = False  # KAFKA-13091
    kraft_elects_on_request: bool = False  # KAFKA-13162
    leader_recovery_state: bool = False  # KIP-704
    kraft_balances_leaders: bool = False  # KAFKA-13682
    fenced_brokers_stay_out: bool = False  # KIP-841
    controlled_shutdown_is_registered: bool = False  # KIP-841-SHUTDOWN
    metadata_is_read_until_stopped: bool = False  # KAFKA-13858
    steps_down_while_stopping: bool = False  # KAFKA-14296
    readers_go_to_the_isr: bool = False  # KAFKA-14372
    reset_only_on_new_epoch: bool = False  # KAFKA-13790
    unknown_replica_is_an_error: bool = False  # KAFKA-13837
    epoch_checked_before_replica: bool = False  # KAFKA-14078
    remembered_end_never_falls: bool = False  # REPLICA-STATE-MAX
    diverging_response_is_only_that: bool = False  # KAFKA-14704
    broker_epoch_in_isr: bool = False  # KIP-903
    empty_first_answer_forgets_epoch: bool = False  # KAFKA-15080
    no_epoch_bump_on_shrink: bool = False  # KAFKA-15021
    outsiders_must_be_eligible: bool = False  # KAFKA-15021-OUTSIDERS
    min_isr_gates_high_watermark: bool = False  # KAFKA-15583
    reassignment_waits_for_all: bool = False  # KAFKA-15665
    stale_broker_epoch_refused: bool = False  # KAFKA-15221
    unclean_election_by_setting: bool = False  # KAFKA-12670
    fetch_answer_must_be_of_epoch: bool = False  # KAFKA-18991
    eligible_leader_replicas: bool = False  # KIP-966
    dead_last_known_leader_waits: bool = False  # KAFKA-19522
    last_known_leader_kept_until_next: bool = False  # LAST-KNOWN-LEADER-KEPT
    reassignment_waits_for_added: bool = False  # KAFKA-19975
    what_if_committed_isr_counts: bool = False  # WHAT-IF-HW-ON-COMMITTED-ISR
    what_if_proposed_shrink_counts: bool = False  # WHAT-IF-HW-ON-PROPOSED-SHRINK


RULES: tuple[Rule, ...] = (
    Rule("KIP-16", "lag_by_time_only", (0, 9)),
    Rule("KAFKA-1367", "isr_changes_are_propagated", (0, 9)),
    Rule("KAFKA-2143", "keep_log_within_leaders_range", (0, 9, 0, 1)),
    Rule("KAFKA-3924", "exit_runs_shutdown", (0, 10, 0, 1)),
    Rule("KAFKA-4485", "caught_up_as_of_previous_fetch", (0, 10, 2)),
    Rule("KAFKA-4039", "fatal_error_exits", (0, 11), ("KAFKA-3924",)),
    Rule("KIP-101", "epoch_truncation", (0, 11), gate="0.11.0-IV2"),
    Rule("KIP-98", "idempotent_producers", (0, 11), gate="0.11.0-IV0"),
    Rule("KAFKA-5494", "five_batches_remembered", (1, 0), ("KIP-98",)),
    Rule(
        "KAFKA-5758",
        "answers_with_new_high_watermark",
        (1, 0),
        until=(1, 0, 2),
        backports=(((1, 1), (1, 1, 1)),),
    ),
    Rule("INITIAL-FETCH-AT-HW", "fetch_begins_at_high_watermark", (1, 1)),
    Rule("LAST-ISR-MEMBER-STAYS", "last_isr_member_always_stays", (1, 1)),
    Rule("PREFERRED-ALWAYS-WRITES", "preferred_election_always_writes", (1, 1), until=(2, 2)),
    Rule("KAFKA-6051", "ending_fetcher_hangs_up", (1, 1)),
    Rule("KIP-279", "iterative_epoch_truncation", (2, 0, 0), ("KIP-101",), gate="2.0-IV0"),
    Rule(
        "KAFKA-6857",
        "no_epoch_has_no_end",
        (2, 0, 0),
        backports=(((0, 11, 0, 3), (1, 0)), ((1, 0, 2), (1, 1)), ((1, 1, 1), (2, 0))),
    ),
    Rule("KAFKA-6526", "enabling_unclean_elects", (2, 0, 0)),
    Rule("KAFKA-7415", "assign_epoch_at_leader", (2, 0, 1), ("KIP-101",)),
    Rule("KAFKA-7128", "join_needs_epoch_start", (2, 0, 1)),
    Rule("KAFKA-7164", "missed_epoch_restarts_fetcher", (2, 0, 1)),
    Rule("KAFKA-7414", "out_of_range_never_fatal", (2, 0, 1)),
    Rule("KAFKA-6835", "enabling_unclean_on_topic_elects", (2, 1)),
    Rule("KIP-320", "fetch_fencing", (2, 1), gate="2.1-IV2"),
    Rule("KAFKA-7152", "log_end_is_caught_up", (2, 1)),
    Rule("KAFKA-7786", "lookup_answer_must_be_of_epoch", (2, 1, 1)),
    Rule("KIP-380", "broker_generations", (2, 2)),
    Rule("KIP-207", "end_offset_waits_for_epoch_start", (2, 2)),
    Rule("KIP-320-CONSUMER", "consumers_validate_positions", (2, 3)),
    Rule("KIP-392", "follower_reads", (2, 4)),
    Rule("KIP-392-EAGER-WAKE", "wake_followers_on_high_watermark", (2, 4), until=(2, 6)),
    Rule("KIP-460", "unclean_election_on_request", (2, 4)),
    Rule("KIP-455", "reassignment_can_be_replaced", (2, 4)),
    Rule("KAFKA-8841", "high_watermark_only_on_new_end", (2, 4)),
    Rule("KIP-360", "forgotten_producers_write_on", (2, 5), ("KAFKA-5494",)),
    Rule("KAFKA-10706", "trim_epochs_on_no_op_truncation", (2, 6, 1), ("KIP-101",)),
    Rule("KIP-497", "alter_partition", (2, 7), gate="2.7-IV2"),
    Rule("KAFKA-10554", "truncation_on_fetch", (2, 8), ("KAFKA-7415", "KIP-320"), gate="2.7-IV1"),
    Rule(
        "KAFKA-13141",
        "diverging_fetch_moves_no_state",
        (2, 8, 1),
        backports=(((2, 7, 2), (2, 8)),),
    ),
    Rule(
        "KAFKA-12996",
        "below_start_is_out_of_range",
        (2, 8, 1),
        backports=(((2, 7, 2), (2, 8)),),
    ),
    Rule("KAFKA-12803", "partition_change_builder", (3, 0), kraft_only=True),
    Rule("KAFKA-13091", "high_watermark_on_isr_commit", (3, 1), ("KIP-497",)),
    Rule("KAFKA-13162", "kraft_elects_on_request", (3, 1), kraft_only=True),
    Rule("KIP-704", "leader_recovery_state", (3, 2), ("KIP-497",), gate="3.2-IV0"),
    Rule("KAFKA-13682", "kraft_balances_leaders", (3, 2), kraft_only=True),
    Rule("KIP-841", "fenced_brokers_stay_out", (3, 3)),
    Rule(
        "KIP-841-SHUTDOWN",
        "controlled_shutdown_is_registered",
        (3, 3),
        kraft_only=True,
        gate="3.3-IV3",
    ),
    Rule("KAFKA-13790", "reset_only_on_new_epoch", (3, 3)),
    Rule("KAFKA-13837", "unknown_replica_is_an_error", (3, 3)),
    Rule("KAFKA-14078", "epoch_checked_before_replica", (3, 3), ("KAFKA-13837",)),
    Rule("REPLICA-STATE-MAX", "remembered_end_never_falls", (3, 3)),
    Rule("KAFKA-13858", "metadata_is_read_until_stopped", (3, 3), kraft_only=True),
    Rule("KAFKA-14296", "steps_down_while_stopping", (3, 3, 2), ("KAFKA-13858",), kraft_only=True),
    Rule("KAFKA-14372", "readers_go_to_the_isr", (3, 3, 2), ("KIP-392",)),
    Rule("KAFKA-14704", "diverging_response_is_only_that", (3, 4, 1), ("KAFKA-10554",)),
    Rule("KIP-903", "broker_epoch_in_isr", (3, 5), (), True, gate="3.5-IV1"),
    Rule(
        "KAFKA-15080",
        "empty_first_answer_forgets_epoch",
        (3, 5, 1),
        ("KAFKA-10554",),
        until=(3, 7),
    ),
    Rule("KAFKA-15021", "no_epoch_bump_on_shrink", (3, 6), gate="3.6-IV0"),
    Rule("KAFKA-15021-OUTSIDERS", "outsiders_must_be_eligible", (3, 6)),
    Rule("KAFKA-15583", "min_isr_gates_high_watermark", (3, 7)),
    Rule("KAFKA-15665", "reassignment_waits_for_all", (3, 8), kraft_only=True, until=(4, 3)),
    Rule("KAFKA-15221", "stale_broker_epoch_refused", (3, 7), ("KIP-903",), kraft_only=True),
    Rule("KAFKA-12670", "unclean_election_by_setting", (3, 9), kraft_only=True),
    Rule(
        "KAFKA-18991",
        "fetch_answer_must_be_of_epoch",
        (4, 1),
        backports=(((3, 9, 1), (4, 0)), ((4, 0, 1), (4, 1))),
    ),
    Rule(
        "KIP-966",
        "eligible_leader_replicas",
        (4, 1),
        ("KAFKA-15583",),
        kraft_only=True,
        gate="4.0-IV1",
    ),
    Rule("KAFKA-19522", "dead_last_known_leader_waits", (4, 1), kraft_only=True),
    Rule("LAST-KNOWN-LEADER-KEPT", "last_known_leader_kept_until_next", (4, 1, 1), kraft_only=True),
    Rule("KAFKA-19975", "reassignment_waits_for_added", (4, 3), kraft_only=True),
    Rule("WHAT-IF-HW-ON-COMMITTED-ISR", "what_if_committed_isr_counts", None),
    Rule("WHAT-IF-HW-ON-PROPOSED-SHRINK", "what_if_proposed_shrink_counts", None),
)
"""Every rule in the order in which Kafka got it.

KIP-966 came with 4.0 as a feature that is off (`eligible.leader.replicas.version`), and is on in
clusters formatted by 4.1.

Some have no ticket of their own. "INITIAL-FETCH-AT-HW" is the `BrokerAndInitialOffset` of 1.1,
"LAST-ISR-MEMBER-STAYS" and "PREFERRED-ALWAYS-WRITES" are what recordings of ZooKeeper controllers
show, "KIP-392-EAGER-WAKE" came with KIP-392 and went with KAFKA-9952, and "REPLICA-STATE-MAX" is
the `math.max` that `Replica.updateFetchState` got as its state became one immutable value.
"""

RULE_NAMES: tuple[str, ...] = tuple(rule.name for rule in RULES)
_RULE_BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in RULES}


class Profile(Struct, frozen=True, kw_only=True):
    """Everything that a release decides, ready to be asked by the protocol."""

    kafka: str
    """The release as it was asked for: "3.5" as well as "3.5.1"."""
    version: Number
    """The release that this names: the newest patch where a line was asked for."""
    control: Control
    level: str
    """The level of the protocol that the cluster speaks, "3.5-IV2"."""
    switches: tuple[tuple[str, bool], ...] = ()
    """The rules that were switched by hand on top of the release's own."""
    rules: Rules
    fetcher_restart: FetcherRestart
    initial_fetch_offset: InitialFetchOffset
    out_of_range_exit: OutOfRangeExit
    preferred_election_always_writes: bool
    """ZooKeeper: an election of the leader that already leads bumps the epoch (1.1 to 2.1; seen on
    2.0.1), or writes nothing (before that, and from KAFKA-5692 in 2.2; seen on 0.10.2 and 2.8)."""
    last_isr_member_dropped_when_unclean: bool
    """ZooKeeper up to 1.0: with unclean election on, the last ISR member goes too (`isr: []`)."""
    isr_expiration_period_divisor: int
    """The ISR check runs every replica.lag.time.max.ms divided by this."""

    @property
    def family(self) -> str:
        """The truncation family: HW, KIP101, KIP279_200, KIP279, KIP320 or TOF."""
        rules = self.rules
        if not rules.epoch_truncation:
            return "HW"
        if not rules.iterative_epoch_truncation:
            return "KIP101"
        if not rules.assign_epoch_at_leader:
            return "KIP279_200"
        if not rules.fetch_fencing:
            return "KIP279"
        return "TOF" if rules.truncation_on_fetch else "KIP320"

    @property
    def has_epochs(self) -> bool:
        """Whether records carry leader epochs and replicas keep an epoch file (0.11 on)."""
        return self.rules.epoch_truncation

    @property
    def level_name(self) -> LevelName:
        """What this cluster calls its level, and what a scenario file sets it by."""
        return level_name_of(self.control)

    @property
    def metadata_version(self) -> str | None:
        """Null under ZooKeeper."""
        return self.level if self.level_name == "metadata_version" else None

    @property
    def inter_broker_protocol_version(self) -> str | None:
        """Null under KRaft."""
        return self.level if self.level_name == "inter_broker_protocol_version" else None

    def at_level(self, level: str) -> "Profile":
        """The same release in a cluster that speaks another level.

        Raises `UnknownVersionError` where the release cannot speak it.
        """
        return _resolved(self.kafka, self.control, self.switches, level)


def level_name_of(control: Control) -> LevelName:
    """What the level of the protocol is called where this controls the cluster."""
    return "metadata_version" if control == "kraft" else "inter_broker_protocol_version"


PROFILE_NAMES: tuple[str, ...] = (
    "0.8.2",
    "0.9",
    "0.10.1",
    "0.10.2",
    "0.11",
    "1.1",
    "2.0.0",
    "2.0.1",
    "2.1",
    "2.3",
    "2.4",
    "2.7",
    "2.8",
    "3.0",
    "3.3",
    "3.4.1",
    "3.5",
    "3.6",
    "3.7",
    "3.9",
    "4.0",
    "4.1",
    "4.2",
    "4.3",
)
"""The menu: releases between which most readers choose. Any other one has its own rules too."""

_KRAFT_DEFAULT_SINCE = (3, 3)
_KRAFT_SINCE = (2, 8)
_KRAFT_ONLY_SINCE = (4, 0)
_METADATA_VERSION_SINCE = (3, 3)


def nearest_profile(kafka: str) -> str:
    """The release of the menu at or below a release. Raises `UnknownVersionError` as
    `find_release` does."""
    number = find_release(kafka).number
    return [name for name in PROFILE_NAMES if at_least(number, find_release(name).number)][-1]


def is_same_release(one: str, other: str) -> bool:
    """Whether two names are of one release: "2.0" is 2.0.1."""
    return find_release(one).number == find_release(other).number


def controls_of(kafka: str) -> tuple[Control, ...]:
    """What could control a cluster of that release, the default first."""
    version = find_release(kafka).number
    if at_least(version, _KRAFT_ONLY_SINCE):
        return ("kraft",)
    if not at_least(version, _KRAFT_SINCE):
        return ("zookeeper",)
    if at_least(version, _KRAFT_DEFAULT_SINCE):
        return ("kraft", "zookeeper")
    return ("zookeeper", "kraft")


def dotted(name: LevelName) -> str:
    """The level as Kafka's tools and settings spell it."""
    return name.replace("_", ".")


def levels_of(version: Number, control: Control) -> tuple[str, str]:
    """The lowest and the highest level that a cluster of a release can speak.

    Under KRaft `metadata.version` exists from 3.3 (KIP-778); the brokers of an older one speak
    the level of their release. 4.0 dropped what is older than 3.3 (KIP-1124).
    """
    newest = newest_level(version)
    if control == "zookeeper":
        return ("0.8.2", newest)
    if not at_least(version, _METADATA_VERSION_SINCE):
        return (newest, newest)
    return ("3.3-IV3" if at_least(version, _KRAFT_ONLY_SINCE) else "3.0-IV1", newest)


def check_level(name: str, version: Number, control: Control) -> str:
    """The level of a name, "3.5" or "3.5-IV1", if a cluster of that release can speak it.

    Raises `UnknownVersionError` where there is no such level or the release cannot speak it.
    """
    level = find_level(name)
    lowest, highest = levels_of(version, control)
    if level_reached(level, lowest) and level_reached(highest, level):
        return level
    called = dotted(level_name_of(control))
    release = ".".join(map(str, version))
    if lowest == highest:
        raise UnknownVersionError(
            f"Kafka {release} under KRaft has no metadata.version of its own choice: it exists "
            f"from 3.3, and before that brokers speak {highest}"
        )
    raise UnknownVersionError(
        f"Kafka {release} cannot run at {called} {level}; it takes {lowest} to {highest}"
    )


def resolve_profile(
    kafka: str,
    *,
    control: str | None = None,
    rules: Mapping[str, bool] | None = None,
    level: str | None = None,
) -> Profile:
    """What a release does, with its controller chosen and single rules switched by hand.

    `level` is the metadata.version (KRaft) or inter.broker.protocol.version (ZooKeeper) that the
    cluster speaks, the release's own where nothing is said. Raises `UnknownVersionError` for a
    release that does not exist and for a control or a level that it did not have, and
    `UnknownRuleError` for a rule that does not exist or lacks one that it builds on.
    """
    return _resolved(kafka, control, tuple((rules or {}).items()), level)


@lru_cache(maxsize=1024)
def _resolved(
    kafka: str,
    control: str | None,
    switches: tuple[tuple[str, bool], ...],
    level: str | None,
) -> Profile:
    version = find_release(kafka).number
    controls = controls_of(kafka)
    if control is None:
        chosen = controls[0]
    elif control in controls:
        chosen = "kraft" if control == "kraft" else "zookeeper"
    else:
        raise UnknownVersionError(
            f"Kafka {kafka} has no {control} control; it has {' or '.join(controls)}"
        )
    speaks = newest_level(version) if level is None else check_level(level, version, chosen)
    on = _rules_in_use(version, chosen, speaks)
    for rule_name, switched_on in switches:
        if rule_name not in _RULE_BY_NAME:
            raise UnknownRuleError(
                f"there is no rule '{rule_name}'; rules are {', '.join(RULE_NAMES)}"
            )
        (on.add if switched_on else on.discard)(rule_name)
    _require_together(on)
    switched = structs.replace(
        Rules(), **{_RULE_BY_NAME[rule_name].field: True for rule_name in on}
    )
    return Profile(
        kafka=kafka,
        version=version,
        control=chosen,
        level=speaks,
        switches=switches,
        rules=switched,
        fetcher_restart=_fetcher_restart(switched),
        initial_fetch_offset=(
            "high_watermark" if switched.fetch_begins_at_high_watermark else "log_end_offset"
        ),
        out_of_range_exit=_out_of_range_exit(switched),
        preferred_election_always_writes=switched.preferred_election_always_writes,
        last_isr_member_dropped_when_unclean=not switched.last_isr_member_always_stays,
        isr_expiration_period_divisor=2 if switched.caught_up_as_of_previous_fetch else 1,
    )


def _rules_in_use(version: Number, control: Control, level: str) -> set[str]:
    """The rules of a release that its cluster's level lets it use; what builds on one that waits
    for a higher level waits as well."""
    on: set[str] = set()
    for rule in RULES:
        if rule.is_in(version, control) and rule.is_open(level) and on.issuperset(rule.needs):
            on.add(rule.name)
    return on


def _require_together(on: Iterable[str]) -> None:
    names = set(on)
    for rule in RULES:
        for needed in rule.needs:
            if rule.name in names and needed not in names:
                raise UnknownRuleError(f"rule {rule.name} needs {needed}, which is off")


def _fetcher_restart(rules: Rules) -> FetcherRestart:
    if rules.reset_only_on_new_epoch:
        return "epoch"
    if rules.fetch_fencing:
        return "leader_or_epoch"
    if rules.missed_epoch_restarts_fetcher:
        return "leader_changed_or_epoch_gap"
    return "leader_changed"


def _out_of_range_exit(rules: Rules) -> OutOfRangeExit:
    if rules.out_of_range_never_fatal:
        return "none"
    if rules.fatal_error_exits:
        return "exit"
    return "hang" if rules.exit_runs_shutdown else "halt"


def rules_by_name(profile: Profile) -> dict[str, bool]:
    """Kafka's rule names with whether each is on, in the order in which Kafka got them."""
    return {rule.name: bool(getattr(profile.rules, rule.field)) for rule in RULES}


def other_releases() -> list[str]:
    """The lines of releases that the menu does not offer, oldest first."""
    offered = {find_release(name).number for name in PROFILE_NAMES}
    return [release.name for release in newest_of_lines() if release.number not in offered]


def list_versions() -> list[dict[str, object]]:
    """The menu as plain data: each release's name, controls, truncation family and rules."""
    listed: list[dict[str, object]] = []
    for name in PROFILE_NAMES:
        profile = resolve_profile(name)
        listed.append(
            {
                "kafka": name,
                "controls": list(controls_of(name)),
                "default_control": profile.control,
                "family": profile.family,
                "rules": rules_by_name(profile),
            }
        )
    return listed
