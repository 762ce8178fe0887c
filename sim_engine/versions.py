"""One profile a Kafka release: which rule of which KIP or JIRA is on.

A release is a set of flags that choose among named functions. Nothing in the engine compares
version numbers to decide what a broker does; only this file and `configs.py` know when a rule or
a default arrived.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

Control = Literal["zookeeper", "kraft"]
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


class UnknownVersionError(ValueError):
    """A version that no profile covers; the message says which ones exist."""


class UnknownRuleError(ValueError):
    """A rule name that no profile knows, or a set of rules that cannot stand together."""


class Rule(Struct, frozen=True):
    """One switchable rule: the release that brought it, and what it cannot do without.

    `until` is the release that took it away again. Without `since` no release ever had it: a rule
    that is wrong on purpose, to see what the right one is for.
    """

    name: str
    field: str
    since: tuple[int, ...] | None
    needs: tuple[str, ...] = ()
    kraft_only: bool = False
    until: tuple[int, ...] | None = None

    def is_in(self, version: tuple[int, ...], control: str) -> bool:
        """Whether a release has the rule when nobody switches it."""
        if self.kraft_only and control != "kraft":
            return False
        return (
            self.since is not None
            and at_least(version, self.since)
            and (self.until is None or not at_least(version, self.until))
        )


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
    fetch_begins_at_high_watermark: bool = False  # INITIAL-FETCH-AT-HW
    last_isr_member_always_stays: bool = False  # LAST-ISR-MEMBER-STAYS
    preferred_election_always_writes: bool = False  # PREFERRED-ALWAYS-WRITES
    ending_fetcher_hangs_up: bool = False  # KAFKA-6051
    iterative_epoch_truncation: bool = False  # KIP-279
    assign_epoch_at_leader: bool = False  # KAFKA-7415
    join_needs_epoch_start: bool = False  # KAFKA-7128
    missed_epoch_restarts_fetcher: bool = False  # KAFKA-7164
    out_of_range_never_fatal: bool = False  # KAFKA-7414
    fetch_fencing: bool = False  # KIP-320
    log_end_is_caught_up: bool = False  # KAFKA-7152
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
    high_watermark_on_isr_commit: bool = False  # KAFKA-13091
    leader_recovery_state: bool = False  # KIP-704
    fenced_brokers_stay_out: bool = False  # KIP-841
    readers_go_to_the_isr: bool = False  # KAFKA-14372
    reset_only_on_new_epoch: bool = False  # KAFKA-13790
    unknown_replica_is_an_error: bool = False  # KAFKA-13837
    epoch_checked_before_replica: bool = False  # KAFKA-14078
    remembered_end_never_falls: bool = False  # REPLICA-STATE-MAX
    diverging_response_is_only_that: bool = False  # KAFKA-14704
    broker_epoch_in_isr: bool = False  # KIP-903
    no_epoch_bump_on_shrink: bool = False  # KAFKA-15021
    min_isr_gates_high_watermark: bool = False  # KAFKA-15583
    unclean_leader_check: bool = False  # KAFKA-12670
    eligible_leader_replicas: bool = False  # KIP-966
    dead_last_known_leader_waits: bool = False  # KAFKA-19522
    what_if_committed_isr_counts: bool = False  # WHAT-IF-HW-ON-COMMITTED-ISR
    what_if_proposed_shrink_counts: bool = False  # WHAT-IF-HW-ON-PROPOSED-SHRINK


RULES: tuple[Rule, ...] = (
    Rule("KIP-16", "lag_by_time_only", (0, 9)),
    Rule("KAFKA-1367", "isr_changes_are_propagated", (0, 9)),
    Rule("KAFKA-2143", "keep_log_within_leaders_range", (0, 9)),
    Rule("KAFKA-3924", "exit_runs_shutdown", (0, 10, 0, 1)),
    Rule("KAFKA-4485", "caught_up_as_of_previous_fetch", (0, 10, 2)),
    Rule("KAFKA-4039", "fatal_error_exits", (0, 11), ("KAFKA-3924",)),
    Rule("KIP-101", "epoch_truncation", (0, 11)),
    Rule("KIP-98", "idempotent_producers", (0, 11)),
    Rule("KAFKA-5494", "five_batches_remembered", (1, 0), ("KIP-98",)),
    Rule("INITIAL-FETCH-AT-HW", "fetch_begins_at_high_watermark", (1, 1)),
    Rule("LAST-ISR-MEMBER-STAYS", "last_isr_member_always_stays", (1, 1)),
    Rule("PREFERRED-ALWAYS-WRITES", "preferred_election_always_writes", (1, 1), until=(2, 2)),
    Rule("KAFKA-6051", "ending_fetcher_hangs_up", (1, 1)),
    Rule("KIP-279", "iterative_epoch_truncation", (2, 0, 0), ("KIP-101",)),
    Rule("KAFKA-6526", "enabling_unclean_elects", (2, 0, 0)),
    Rule("KAFKA-7415", "assign_epoch_at_leader", (2, 0, 1), ("KIP-279",)),
    Rule("KAFKA-7128", "join_needs_epoch_start", (2, 0, 1)),
    Rule("KAFKA-7164", "missed_epoch_restarts_fetcher", (2, 0, 1)),
    Rule("KAFKA-7414", "out_of_range_never_fatal", (2, 0, 1)),
    Rule("KAFKA-6835", "enabling_unclean_on_topic_elects", (2, 1)),
    Rule("KIP-320", "fetch_fencing", (2, 1)),
    Rule("KAFKA-7152", "log_end_is_caught_up", (2, 1)),
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
    Rule("KIP-497", "alter_partition", (2, 7)),
    Rule("KAFKA-10554", "truncation_on_fetch", (2, 8), ("KAFKA-7415", "KIP-320")),
    Rule("KAFKA-13141", "diverging_fetch_moves_no_state", (2, 8)),  # 2.8.1; the profile is 2.8.2
    Rule("KAFKA-13091", "high_watermark_on_isr_commit", (3, 1), ("KIP-497",)),
    Rule("KIP-704", "leader_recovery_state", (3, 2), ("KIP-497",)),
    Rule("KIP-841", "fenced_brokers_stay_out", (3, 3)),
    Rule("KAFKA-13790", "reset_only_on_new_epoch", (3, 3)),
    Rule("KAFKA-13837", "unknown_replica_is_an_error", (3, 3)),
    Rule("KAFKA-14078", "epoch_checked_before_replica", (3, 3), ("KAFKA-13837",)),
    Rule("REPLICA-STATE-MAX", "remembered_end_never_falls", (3, 3)),
    Rule("KAFKA-14372", "readers_go_to_the_isr", (3, 3, 2), ("KIP-392",)),
    Rule("KAFKA-14704", "diverging_response_is_only_that", (3, 4, 1), ("KAFKA-10554",)),
    Rule("KIP-903", "broker_epoch_in_isr", (3, 5), (), True),
    Rule("KAFKA-15021", "no_epoch_bump_on_shrink", (3, 6)),
    Rule("KAFKA-15583", "min_isr_gates_high_watermark", (3, 7)),
    Rule("KAFKA-12670", "unclean_leader_check", (3, 9), kraft_only=True),
    Rule("KIP-966", "eligible_leader_replicas", (4, 1), ("KAFKA-15583",), kraft_only=True),
    Rule("KAFKA-19522", "dead_last_known_leader_waits", (4, 1), kraft_only=True),
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
    version: tuple[int, ...]
    control: Control
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
)
_KRAFT_DEFAULT_SINCE = (3, 3)
_KRAFT_SINCE = (2, 8)
_KRAFT_ONLY_SINCE = (4, 0)


def parse_version(text: str) -> tuple[int, ...]:
    """Give "2.0.1" as (2, 0, 1). Raises `UnknownVersionError` where it is no version."""
    parts = text.split(".")
    if not 2 <= len(parts) <= 4 or not all(
        part.isascii() and part.isdigit() and len(part) <= 3 for part in parts
    ):
        raise UnknownVersionError(
            f"'{text}' is no Kafka version; profiles are {', '.join(PROFILE_NAMES)}"
        )
    return tuple(int(part) for part in parts)


def at_least(version: tuple[int, ...], since: tuple[int, ...]) -> bool:
    """Whether a release has what came with `since`; missing parts count as 0."""
    width = max(len(version), len(since))
    return _padded(version, width) >= _padded(since, width)


def _padded(version: tuple[int, ...], width: int) -> tuple[int, ...]:
    return version + (0,) * (width - len(version))


def profile_name(kafka: str) -> str:
    """Name the nearest profile at or below a release.

    Raises `UnknownVersionError` for what is no version, and for one below the first profile.
    """
    version = parse_version(kafka)
    found = [name for name in PROFILE_NAMES if at_least(version, parse_version(name))]
    if not found:
        raise UnknownVersionError(
            f"Kafka {kafka} is older than every profile; profiles are {', '.join(PROFILE_NAMES)}"
        )
    return found[-1]


def controls_of(kafka: str) -> tuple[Control, ...]:
    """What could control a cluster of that release, the default first."""
    version = parse_version(kafka)
    if at_least(version, _KRAFT_ONLY_SINCE):
        return ("kraft",)
    if not at_least(version, _KRAFT_SINCE):
        return ("zookeeper",)
    if at_least(version, _KRAFT_DEFAULT_SINCE):
        return ("kraft", "zookeeper")
    return ("zookeeper", "kraft")


def resolve_profile(
    kafka: str,
    *,
    control: str | None = None,
    rules: Mapping[str, bool] | None = None,
) -> Profile:
    """The profile of a release, with its controller chosen and single rules switched by hand.

    Raises `UnknownVersionError` for a version or a control that the release did not have, and
    `UnknownRuleError` for a rule that does not exist or lacks one that it builds on.
    """
    return _resolved(kafka, control, tuple((rules or {}).items()))


@lru_cache(maxsize=256)
def _resolved(kafka: str, control: str | None, switches: tuple[tuple[str, bool], ...]) -> Profile:
    name = profile_name(kafka)
    version = parse_version(name)
    controls = controls_of(kafka)
    if control is None:
        chosen = controls[0]
    elif control in controls:
        chosen = "kraft" if control == "kraft" else "zookeeper"
    else:
        raise UnknownVersionError(
            f"Kafka {kafka} has no {control} control; it has {' or '.join(controls)}"
        )
    on = {rule.name for rule in RULES if rule.is_in(version, chosen)}
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
        kafka=name,
        version=version,
        control=chosen,
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


def list_versions() -> list[dict[str, object]]:
    """Every profile as plain data: its name, controls, truncation family and rules."""
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
