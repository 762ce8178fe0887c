"""What each Kafka release does: which rule of which KIP or JIRA is on.

A release is a set of flags that choose among named functions. Nothing in the engine compares
version numbers to decide what a broker does; only `kafka_history.py` and `configs.py` know when a
rule or a default arrived. Rules are looked up at the exact release that was asked for and at the
level of the protocol that its cluster speaks (`metadata.version`, `inter.broker.protocol.version`).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, get_type_hints

from msgspec import Struct, structs

from sim_engine.kafka_history import LINES, Rule, Rules
from sim_engine.releases import (
    Number,
    UnknownVersionError,
    at_least,
    find_level,
    find_release,
    level_reached,
    newest_level,
    newest_of_lines,
    number_of,
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


RULES: Mapping[str, Rule] = {
    field: annotation.__metadata__[0]
    for field, annotation in get_type_hints(Rules, include_extras=True).items()
}
"""Every rule by its field of `Rules`, in the order in which Kafka got them."""

RULE_NAMES: tuple[str, ...] = tuple(rule.name for rule in RULES.values())
_FIELD_BY_NAME: Mapping[str, str] = {rule.name: field for field, rule in RULES.items()}


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


PROFILE_NAMES: tuple[str, ...] = tuple(name for line in LINES for name in line.menu)
"""The menu: releases between which most readers choose. Any other one has its own rules too."""

_KRAFT_DEFAULT_SINCE = (3, 3)
_KRAFT_SINCE = (2, 8)
_KRAFT_ONLY_SINCE = (4, 0)
_METADATA_VERSION_SINCE = (3, 3)


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
            f"Kafka {kafka} does not support {control}; it supports {' or '.join(controls)}"
        )
    speaks = newest_level(version) if level is None else check_level(level, version, chosen)
    on = _rules_in_use(version, chosen, speaks)
    for rule_name, switched_on in switches:
        if rule_name not in _FIELD_BY_NAME:
            raise UnknownRuleError(
                f"there is no rule '{rule_name}'; rules are {', '.join(RULE_NAMES)}"
            )
        (on.add if switched_on else on.discard)(rule_name)
    _require_together(on)
    switched = structs.replace(Rules(), **{_FIELD_BY_NAME[rule_name]: True for rule_name in on})
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
    for rule in RULES.values():
        if (
            _is_in_code(rule, version, control)
            and (rule.level is None or level_reached(level, rule.level))
            and on.issuperset(rule.needs)
        ):
            on.add(rule.name)
    return on


def _is_in_code(rule: Rule, version: Number, control: Control) -> bool:
    """Whether the code of a release has a rule, whatever level its cluster speaks."""
    if rule.since is None or rule.control not in (None, control):
        return False
    return any(
        at_least(version, number_of(first))
        and (end is None or not at_least(version, number_of(end)))
        for first, end in ((rule.since, rule.until), *rule.backports)
    )


def _require_together(on: Iterable[str]) -> None:
    names = set(on)
    for rule in RULES.values():
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
    on = structs.asdict(profile.rules)
    return {rule.name: bool(on[field]) for field, rule in RULES.items()}


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
