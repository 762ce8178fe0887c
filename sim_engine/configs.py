"""The settings of Kafka's brokers, topics and clients: their names, allowed values, and defaults by
release.

Only settings of brokers and topics that affect replication are included; any other name is
rejected, never ignored. Names are Kafka's, and defaults are from the release's documentation. The
settings of clients are not set in a scenario, which defines their behaviour step by step.

Releases with the same rules, settings and defaults form a group: a run under one is a run under all
of them. Every statement about a range of releases is checked over all releases, and each group is
played once.
"""

from collections.abc import Collection, Mapping
from functools import cache
from itertools import groupby
from typing import Literal

from msgspec import Struct, structs

from sim_engine.error_texts import Wording, WrongValueError, error, listed
from sim_engine.left_out import find_left_out
from sim_engine.releases import (
    MODELLED,
    Number,
    at_least,
    ends_line,
    find_release,
    line_name,
    release_number,
)
from sim_engine.versions import PROFILE_NAMES, Control, controls_of, resolve_profile

ConfigValue = int | bool | str
Level = Literal["broker", "topic"]

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1
_ROUNDED_LONG_MAX = (9_223_372_036_854_775_808, 9_223_372_036_854_776_000)
"""LONG_MAX as a double: all of its digits, and the form in which JavaScript prints it."""
SHORT_MAX = 2**15 - 1


class WrongConfigError(WrongValueError):
    """An unknown setting or an invalid value; the reason states what is allowed."""


class _Setting(Struct, frozen=True):
    """One of Kafka's settings, and its default."""

    name: str
    default: ConfigValue
    changed: tuple[Number, ConfigValue] | None = None
    """The release that changed the default, and the default from that release on."""
    since: Number = ()
    """The release that added it."""

    def default_in(self, version: Number) -> ConfigValue:
        """Its default in a release."""
        if self.changed is not None and at_least(version, self.changed[0]):
            return self.changed[1]
        return self.default


class Setting(_Setting, frozen=True, kw_only=True):
    """A setting of brokers or topics.

    `control` is the only kind of controller whose clusters read it. `topic_name` is its name on a
    topic; `None` if topics do not have it. `modelled` is false if nothing that it controls is
    modelled: it is accepted, so that the configuration of a real cluster can be kept whole.
    """

    minimum: int = 0
    maximum: int = INT_MAX
    topic_name: str | None = None
    until: Number | None = None
    """The release that removed it."""
    control: Control | None = None
    choices: tuple[str, ...] = ()
    """The allowed values of a text setting; the empty text means Kafka's null."""
    modelled: bool = True
    of_controller: bool = False
    """Whether only the controller reads it, so that it cannot differ from broker to broker."""

    @property
    def is_switch(self) -> bool:
        """Whether its values are true and false."""
        return isinstance(self.default, bool)

    def is_in(self, version: Number) -> bool:
        """Whether a release has it."""
        is_removed = self.until is not None and at_least(version, self.until)
        return at_least(version, self.since) and not is_removed


SETTINGS: tuple[Setting, ...] = (
    Setting("min.insync.replicas", 1, minimum=1, topic_name="min.insync.replicas", since=(0, 8, 2)),
    Setting(
        "unclean.leader.election.enable",
        True,
        changed=((0, 11), False),  # KIP-106
        topic_name="unclean.leader.election.enable",
    ),
    Setting(
        "replica.lag.time.max.ms",
        10_000,
        changed=((2, 5), 30_000),  # KIP-537
        minimum=1,
        maximum=LONG_MAX,
    ),
    Setting("replica.lag.max.messages", 4_000, maximum=LONG_MAX, until=(0, 9)),  # KIP-16
    Setting("replica.fetch.wait.max.ms", 500),
    Setting("replica.fetch.min.bytes", 1, modelled=False),
    Setting("replica.fetch.max.bytes", 1_048_576, modelled=False),
    Setting("replica.fetch.response.max.bytes", 10_485_760, modelled=False, since=(0, 10, 1)),
    Setting("replica.fetch.backoff.ms", 1_000, since=(0, 9)),
    Setting("replica.socket.timeout.ms", 30_000),
    Setting("replica.high.watermark.checkpoint.interval.ms", 5_000, minimum=1, maximum=LONG_MAX),
    Setting("num.replica.fetchers", 1, modelled=False, minimum=1),
    Setting(
        "log.flush.interval.messages",
        LONG_MAX,
        minimum=1,
        maximum=LONG_MAX,
        topic_name="flush.messages",
    ),
    Setting(
        # Kafka has no default for it, and then uses the scheduler's interval.
        "log.flush.interval.ms",
        LONG_MAX,
        modelled=False,
        minimum=1,
        maximum=LONG_MAX,
        topic_name="flush.ms",
    ),
    Setting(
        "log.flush.scheduler.interval.ms", LONG_MAX, modelled=False, minimum=1, maximum=LONG_MAX
    ),
    Setting("log.flush.offset.checkpoint.interval.ms", 60_000, minimum=1),
    Setting("log.flush.start.offset.checkpoint.interval.ms", 60_000, modelled=False, since=(0, 11)),
    Setting("default.replication.factor", 1, modelled=False, minimum=1, maximum=SHORT_MAX),
    Setting("offsets.topic.replication.factor", 3, modelled=False, minimum=1, maximum=SHORT_MAX),
    Setting(
        "auto.leader.rebalance.enable",
        False,
        changed=((0, 8, 2), True),
        modelled=False,
        of_controller=True,
        since=(0, 8, 1),
    ),
    Setting(
        "leader.imbalance.check.interval.seconds",
        300,
        modelled=False,
        of_controller=True,
        minimum=1,
        maximum=LONG_MAX,
        since=(0, 8, 1),
    ),
    Setting(
        "leader.imbalance.per.broker.percentage",
        10,
        of_controller=True,
        since=(0, 8, 1),
        until=(4, 0),  # KAFKA-18743
    ),
    Setting(
        "unclean.leader.election.interval.ms",  # KAFKA-12670
        300_000,
        of_controller=True,
        minimum=1,
        maximum=LONG_MAX,
        since=(3, 9),
        control="kraft",
    ),
    Setting("controlled.shutdown.enable", False, changed=((0, 8, 2), True)),
    Setting("controlled.shutdown.max.retries", 3, modelled=False, until=(4, 0)),
    Setting(
        "controlled.shutdown.retry.backoff.ms",
        5_000,
        modelled=False,
        maximum=LONG_MAX,
        until=(4, 0),  # KAFKA-18360
    ),
    Setting(
        "zookeeper.session.timeout.ms",
        6_000,
        changed=((2, 5), 18_000),  # KIP-537
        minimum=1,
        until=(4, 0),
        control="zookeeper",
    ),
    Setting(
        "broker.session.timeout.ms",
        9_000,
        of_controller=True,
        minimum=1,
        since=(2, 8),
        control="kraft",
    ),
    Setting(
        "broker.heartbeat.interval.ms",
        2_000,
        modelled=False,
        minimum=1,
        since=(2, 8),
        control="kraft",
    ),
    Setting("request.timeout.ms", 30_000, modelled=False, minimum=1),
    Setting(
        "replica.selector.class",  # KIP-392
        "org.apache.kafka.common.replica.LeaderSelector",
        since=(2, 4),
        choices=(
            "org.apache.kafka.common.replica.LeaderSelector",
            "org.apache.kafka.common.replica.RackAwareReplicaSelector",
        ),
    ),
)


_BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}
_BY_TOPIC_NAME: Mapping[str, Setting] = {
    setting.topic_name: setting for setting in SETTINGS if setting.topic_name is not None
}


def setting_names(level: Level) -> tuple[str, ...]:
    """The names of the settings on brokers or topics, of any release."""
    return tuple(_BY_NAME if level == "broker" else _BY_TOPIC_NAME)


def exists_in(name: str, kafka: str) -> bool:
    """Whether a release has a setting, under its name on brokers or topics."""
    return (_BY_NAME.get(name) or _BY_TOPIC_NAME[name]).is_in(release_number(kafka))


def default_of(name: str, kafka: str) -> ConfigValue:
    """The default of a setting in a release."""
    return (_BY_NAME.get(name) or _BY_TOPIC_NAME[name]).default_in(release_number(kafka))


def effective_configs(
    kafka: str,
    control: str,
    cluster: Mapping[str, ConfigValue],
    topic: Mapping[str, ConfigValue] | None = None,
    broker: Mapping[str, ConfigValue] | None = None,
) -> dict[str, ConfigValue]:
    """Every setting of a release with its effective value, under its name on brokers.

    The cluster's value replaces the default, that of a single `broker` replaces both, and the
    topic's value replaces all three. Settings that the release or its controller does not have are
    omitted, so that a scenario can run under a different version.
    """
    effective: dict[str, ConfigValue] = {}
    for setting, default in _settings_of(release_number(kafka), control):
        value = cluster.get(setting.name, default)
        if broker is not None:
            value = broker.get(setting.name, value)
        if topic is not None and setting.topic_name is not None:
            value = topic.get(setting.topic_name, value)
        effective[setting.name] = value
    return effective


@cache
def _settings_of(version: Number, control: str) -> tuple[tuple[Setting, ConfigValue], ...]:
    """The settings of a release under a controller, with their defaults."""
    return tuple(
        (setting, setting.default_in(version))
        for setting in SETTINGS
        if setting.is_in(version) and setting.control in (None, control)
    )


def check_config(
    name: str, value: object, *, level: Level, kafka: str, of_one_broker: bool = False
) -> ConfigValue:
    """Return the value if the release has the setting and allows the value; `of_one_broker` is
    whether a single broker has it.

    Raises `WrongConfigError`, which states what is allowed.
    """
    setting = (_BY_NAME if level == "broker" else _BY_TOPIC_NAME).get(name)
    if setting is None:
        raise WrongConfigError(_why_unknown(name, level))
    if of_one_broker and setting.of_controller:
        raise WrongConfigError(error("setting_of_controller", name=name))
    version = release_number(kafka)
    if setting.until is not None and at_least(version, setting.until):
        raise WrongConfigError(error("setting_removed", name=name, since=_dotted(setting.until)))
    if not at_least(version, setting.since):
        raise WrongConfigError(
            error("setting_too_new", name=name, since=_dotted(setting.since), kafka=kafka)
        )
    if setting.is_switch:
        if not isinstance(value, bool):
            raise WrongConfigError(error("setting_not_a_switch", name=name))
        return value
    if setting.choices:
        if not isinstance(value, str) or value not in (default_of(name, kafka), *setting.choices):
            raise WrongConfigError(
                error("setting_choices", name=name, names=listed(setting.choices, "any_of"))
            )
        return value
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongConfigError(error("setting_not_an_integer", name=name))
    if value in _ROUNDED_LONG_MAX and setting.maximum == LONG_MAX:
        # A page that read a scenario and sends it back cannot write the number itself.
        return LONG_MAX
    if not setting.minimum <= value <= setting.maximum:
        raise WrongConfigError(_out_of_range(name, setting, value))
    return value


def _out_of_range(name: str, setting: Setting, value: int) -> Wording:
    lowest, highest = setting.minimum, setting.maximum
    if -(10**20) < value < 10**20:
        return error(
            "setting_out_of_range", name=name, lowest=lowest, highest=highest, number=value
        )
    return error("setting_far_out_of_range", name=name, lowest=lowest, highest=highest)


def _why_unknown(name: str, level: Level) -> Wording:
    of_broker, of_topic = _BY_NAME.get(name), _BY_TOPIC_NAME.get(name)
    if level == "broker" and of_topic is not None:
        return error("setting_of_topic", name=name, right=of_topic.name)
    if level == "topic" and of_broker is not None:
        if of_broker.topic_name is None:
            return error("setting_of_broker", name=name)
        return error("setting_of_broker_named", name=name, right=of_broker.topic_name)
    left_out = find_left_out(name)
    if left_out is None:
        return error("no_setting", name=name)
    return left_out.error(left_out.spelling_of(name))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


class ClientSetting(_Setting, frozen=True, kw_only=True):
    """A setting of producers or consumers.

    A scenario defines the behaviour of its clients step by step, so these settings are not set in
    it. They are the defaults of clients of that release.
    """

    client: Literal["producer", "consumer"]


CLIENT_SETTINGS: tuple[ClientSetting, ...] = (
    ClientSetting("acks", "1", changed=((3, 0), "all"), client="producer"),  # KIP-679
    ClientSetting(
        "enable.idempotence",
        False,
        changed=((3, 0), True),  # KIP-679; in force from 3.0.1 and 3.1.1 on
        since=(0, 11),
        client="producer",
    ),
    ClientSetting("retries", 0, changed=((2, 1), INT_MAX), client="producer"),
    ClientSetting("delivery.timeout.ms", 120_000, since=(2, 1), client="producer"),
    ClientSetting("request.timeout.ms", 30_000, since=(0, 9), client="producer"),
    ClientSetting("max.in.flight.requests.per.connection", 5, client="producer"),
    ClientSetting("isolation.level", "read_uncommitted", since=(0, 11), client="consumer"),
    ClientSetting("auto.offset.reset", "latest", client="consumer"),
)


def client_defaults(client: str, kafka: str) -> dict[str, ConfigValue]:
    """The default of each client setting in a release."""
    version = release_number(kafka)
    return {
        setting.name: setting.default_in(version)
        for setting in CLIENT_SETTINGS
        if setting.client == client and at_least(version, setting.since)
    }


@cache
def release_groups() -> tuple[tuple[str, ...], ...]:
    """Every modelled release by its complete name, oldest first, in groups of consecutive releases
    of one line that have the same rules, settings and defaults.
    """
    return tuple(tuple(group) for _, group in groupby(MODELLED, _behaviour))


def newest_of_groups(releases: Collection[str]) -> tuple[str, ...]:
    """Of each group the newest one of these releases, oldest first."""
    kept = ([name for name in group if name in releases] for group in release_groups())
    return tuple(group[-1] for group in kept if group)


def usual_name(release: str) -> str:
    """A short name of a release: the one on the menu; otherwise its line's, if it is the newest of
    its line.
    """
    number = find_release(release).number
    on_menu = next((name for name in PROFILE_NAMES if find_release(name).number == number), None)
    return on_menu or (line_name(release) if ends_line(release) else release)


def _behaviour(release: str) -> tuple[object, ...]:
    """Everything that the release decides about a run."""
    controls = controls_of(release)
    profiles = (resolve_profile(release, control=control) for control in controls)
    return (
        line_name(release),
        controls,
        [structs.replace(profile, kafka="", version=()) for profile in profiles],
        [
            default_of(setting.name, release)
            for setting in SETTINGS
            if exists_in(setting.name, release)
        ],
        [client_defaults(setting.client, release) for setting in CLIENT_SETTINGS],
    )
