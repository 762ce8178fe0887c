"""The behaviour of each Kafka release: the rules (KIPs and JIRA issues) that are on.

A release is a set of flags that select named functions. The engine never compares version numbers
to decide what a broker does; only `kafka_history.py` and `configs.py` know the releases of rules
and defaults. Rules are resolved for the exact release and for the protocol level of its cluster
(`metadata.version`, `inter.broker.protocol.version`).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, get_args, get_type_hints

from msgspec import Struct, structs

from sim_engine.error_texts import WrongValueError, error, listed
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
CONTROLS: tuple[Control, ...] = get_args(Control)
CONTROL_TITLES: Mapping[Control, str] = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}
"""The products' names, for error messages."""
LevelName = Literal["metadata_version", "inter_broker_protocol_version"]
LEVEL_NAMES: tuple[LevelName, ...] = ("metadata_version", "inter_broker_protocol_version")
"""The keys of the protocol level in a scenario, under KRaft and under ZooKeeper."""


class UnknownRuleError(WrongValueError):
    """An unknown rule name, or an invalid combination of rules."""


RULES: Mapping[str, Rule] = {
    field: annotation.__metadata__[0]
    for field, annotation in get_type_hints(Rules, include_extras=True).items()
}
"""Every rule by its field of `Rules`, in the order in which Kafka added them."""

RULE_NAMES: tuple[str, ...] = tuple(rule.name for rule in RULES.values())
_FIELD_BY_NAME: Mapping[str, str] = {rule.name: field for field, rule in RULES.items()}

FEATURES: Mapping[str, Rule] = {
    rule.feature.name: rule for rule in RULES.values() if rule.feature is not None
}
"""The features of KRaft clusters, each with the rule that it switches."""
FEATURE_LEVELS = (0, 1)


class Profile(Struct, frozen=True, kw_only=True):
    """All version-dependent decisions for the protocol."""

    kafka: str
    """The release as requested: "3.5" or "3.5.1"."""
    version: Number
    """The exact release: for a line, its newest patch."""
    control: Control
    level: str
    """The protocol level of the cluster, for example "3.5-IV2"."""
    switches: tuple[tuple[str, bool], ...] = ()
    """The rules that a scenario switches on or off, in addition to the release's own."""
    rules: Rules

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
        """Whether records have leader epochs and replicas have an epoch file (from 0.11)."""
        return self.rules.epoch_truncation

    @property
    def fetcher_restart(
        self,
    ) -> Literal["leader_changed", "leader_changed_or_epoch_gap", "leader_or_epoch", "epoch"]:
        """When a follower restarts its fetcher, and therefore truncates (`Partition.makeFollower`):
        for a new leader id (up to 2.0.0); also if the epoch increased by more than one (KAFKA-7164,
        2.0.1); for a new id or epoch (KIP-320, 2.1 to 3.2); for a higher epoch (KAFKA-13790, from
        3.3).
        """
        if self.rules.reset_only_on_new_epoch:
            return "epoch"
        if self.rules.fetch_fencing:
            return "leader_or_epoch"
        if self.rules.missed_epoch_restarts_fetcher:
            return "leader_changed_or_epoch_gap"
        return "leader_changed"

    @property
    def out_of_range_exit(self) -> Literal["halt", "hang", "exit", "none"]:
        """The reaction of a follower whose log is longer than its leader's, if unclean election is
        disabled: up to 0.10.0.0 its process halts; up to 0.10.2 it begins to shut down and hangs;
        from 0.11 to 2.0.0 it exits with status 1; later releases truncate.
        """
        if self.rules.out_of_range_never_fatal:
            return "none"
        if self.rules.fatal_error_exits:
            return "exit"
        return "hang" if self.rules.exit_runs_shutdown else "halt"

    @property
    def level_name(self) -> LevelName:
        """The name of this cluster's level, which is also its key in a scenario file."""
        return level_name_of(self.control)

    @property
    def metadata_version(self) -> str | None:
        """The metadata.version; None under ZooKeeper."""
        return self.level if self.level_name == "metadata_version" else None

    @property
    def inter_broker_protocol_version(self) -> str | None:
        """The inter.broker.protocol.version; None under KRaft."""
        return self.level if self.level_name == "inter_broker_protocol_version" else None

    def at_level(self, level: str) -> "Profile":
        """The same release in a cluster at another protocol level.

        Raises `UnknownVersionError` if the release does not support it.
        """
        return _resolved(self.kafka, self.control, self.switches, level)


def level_name_of(control: Control) -> LevelName:
    """The name of the protocol level under a controller."""
    return "metadata_version" if control == "kraft" else "inter_broker_protocol_version"


PROFILE_NAMES: tuple[str, ...] = tuple(name for line in LINES for name in line.menu)
"""The releases on the menu. All other releases have their own rules too."""

_KRAFT_DEFAULT_SINCE = (3, 3)
_KRAFT_SINCE = (2, 8)
_KRAFT_ONLY_SINCE = (4, 0)
_METADATA_VERSION_SINCE = (3, 3)


def is_same_release(one: str, other: str) -> bool:
    """Whether two names mean the same release: "2.0" is 2.0.1."""
    return find_release(one).number == find_release(other).number


def controls_of(kafka: str) -> tuple[Control, ...]:
    """The controllers that a release supports, the default first."""
    version = find_release(kafka).number
    if at_least(version, _KRAFT_ONLY_SINCE):
        return ("kraft",)
    if not at_least(version, _KRAFT_SINCE):
        return ("zookeeper",)
    if at_least(version, _KRAFT_DEFAULT_SINCE):
        return ("kraft", "zookeeper")
    return ("zookeeper", "kraft")


def dotted(name: LevelName) -> str:
    """The level in the spelling of Kafka's tools and settings."""
    return name.replace("_", ".")


def levels_of(version: Number, control: Control) -> tuple[str, str]:
    """The lowest and the highest protocol level that a release supports.

    Under KRaft `metadata.version` exists from 3.3 (KIP-778); brokers of older releases use the
    level of their release. 4.0 dropped levels older than 3.3 (KIP-1124).
    """
    newest = newest_level(version)
    if control == "zookeeper":
        return ("0.8.2", newest)
    if not at_least(version, _METADATA_VERSION_SINCE):
        return (newest, newest)
    return ("3.3-IV3" if at_least(version, _KRAFT_ONLY_SINCE) else "3.0-IV1", newest)


def check_level(name: str, version: Number, control: Control) -> str:
    """The level with this name, "3.5" or "3.5-IV1", if the release supports it.

    Raises `UnknownVersionError` if there is no such level or the release does not support it.
    """
    level = find_level(name)
    lowest, highest = levels_of(version, control)
    if level_reached(level, lowest) and level_reached(highest, level):
        return level
    called = dotted(level_name_of(control))
    release = ".".join(map(str, version))
    if lowest == highest:
        raise UnknownVersionError(error("no_level_setting", kafka=release, level=highest))
    raise UnknownVersionError(
        error(
            "level_not_supported",
            kafka=release,
            name=called,
            level=level,
            oldest=lowest,
            newest=highest,
        )
    )


def resolve_profile(
    kafka: str, *, control: str | None = None, rules: Mapping[str, bool] | None = None
) -> Profile:
    """The profile of a release at its own level, with a controller and rules that are switched on
    or off.

    Raises `UnknownVersionError` for an unknown release and for a controller that it does not
    support, and `UnknownRuleError` for an unknown rule or one whose required rule is off.
    """
    return _resolved(kafka, control, tuple((rules or {}).items()), None)


@lru_cache(maxsize=1024)
def _resolved(
    kafka: str, control: str | None, switches: tuple[tuple[str, bool], ...], level: str | None
) -> Profile:
    version = find_release(kafka).number
    controls = controls_of(kafka)
    chosen = next((one for one in controls if control in (None, one)), None)
    if chosen is None:
        names = listed(controls, "any_of")
        reason = error("control_not_supported", kafka=kafka, control=str(control), names=names)
        raise UnknownVersionError(reason)
    speaks = newest_level(version) if level is None else check_level(level, version, chosen)
    on = _rules_in_use(version, chosen, speaks)
    for rule_name, switched_on in switches:
        if rule_name not in _FIELD_BY_NAME:
            raise UnknownRuleError(error("no_rule", name=rule_name, names=tuple(RULE_NAMES)))
        (on.add if switched_on else on.discard)(rule_name)
    _require_together(on)
    return Profile(
        kafka=kafka,
        version=version,
        control=chosen,
        level=speaks,
        switches=switches,
        rules=Rules(**{_FIELD_BY_NAME[rule_name]: True for rule_name in on}),
    )


def _rules_in_use(version: Number, control: Control, level: str) -> set[str]:
    """The rules of a release that its cluster's level enables. A rule that requires a disabled rule
    is disabled too.
    """
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
    """Whether the code of a release has a rule, whatever the protocol level of its cluster."""
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
                raise UnknownRuleError(error("rule_needs_rule", name=rule.name, right=needed))


def switches_of_feature(
    name: str, level: int, *, kafka: str, control: str | None = None
) -> dict[str, bool]:
    """The switched rules of a cluster whose feature has this level; none if it is the default.

    `name` is one of `FEATURES`, `level` one of `FEATURE_LEVELS`. Level 0 is also that of every
    cluster without the feature. Raises `UnknownVersionError` if the release does not exist, or if
    it or its controller does not have the feature and the level is not 0.
    """
    rule = FEATURES[name]
    assert rule.feature is not None, "only features are named"
    profile = resolve_profile(kafka, control=control)
    since = rule.feature.since
    if profile.control != "kraft" or not at_least(profile.version, number_of(since)):
        if level == 0:
            return {}
        raise UnknownVersionError(
            error(
                "no_feature",
                kafka=kafka,
                control=CONTROL_TITLES[profile.control],
                name=name,
                since=since,
            )
        )
    is_on = level > 0
    return {} if rules_by_name(profile)[rule.name] == is_on else {rule.name: is_on}


def rules_by_name(profile: Profile) -> dict[str, bool]:
    """Rule name → whether it is on, in the order in which Kafka added them."""
    on = structs.asdict(profile.rules)
    return {rule.name: bool(on[field]) for field, rule in RULES.items()}


def other_releases() -> list[str]:
    """The release lines that are not on the menu, oldest first."""
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
