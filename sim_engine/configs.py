"""The settings of Kafka's brokers, topics and clients: their names, allowed values, and defaults by
release.

Only settings of brokers and topics that affect replication are included; any other name is
rejected, never ignored. Names are Kafka's, and defaults are from the release's documentation. The
settings of clients are not set in a scenario, which defines their behaviour step by step.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.error_texts import Wording, WrongValueError, error, listed
from sim_engine.left_out import find_left_out
from sim_engine.releases import at_least, release_number
from sim_engine.versions import Control

ConfigValue = int | bool | str
Level = Literal["broker", "topic"]

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1
_ROUNDED_LONG_MAX = (9_223_372_036_854_775_808, 9_223_372_036_854_776_000)
"""LONG_MAX as a double: all of its digits, and the form in which JavaScript prints it."""
SHORT_MAX = 2**15 - 1


class WrongConfigError(WrongValueError):
    """An unknown setting or an invalid value; the reason states what is allowed."""


class Setting(Struct, frozen=True, kw_only=True):
    """One of Kafka's settings.

    `defaults` are pairs of a release and the default from that release on, oldest first. `control`
    is the only kind of controller whose clusters read it. `topic_name` is its name on a topic;
    `None` if topics do not have it. `modelled` is false if nothing that it controls is modelled: it
    is accepted, so that the configuration of a real cluster can be kept whole.
    """

    name: str
    defaults: tuple[tuple[tuple[int, ...], ConfigValue], ...]
    minimum: int = 0
    maximum: int = INT_MAX
    topic_name: str | None = None
    since: tuple[int, ...] = ()
    until: tuple[int, ...] | None = None
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
        return isinstance(self.defaults[0][1], bool)


def always(value: ConfigValue) -> tuple[tuple[tuple[int, ...], ConfigValue], ...]:
    """The defaults of a setting that has the same one in every release."""
    return (((), value),)


SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="min.insync.replicas",
        defaults=always(1),
        minimum=1,
        topic_name="min.insync.replicas",
        since=(0, 8, 2),
    ),
    Setting(
        name="unclean.leader.election.enable",
        defaults=(((), True), ((0, 11), False)),  # KIP-106
        topic_name="unclean.leader.election.enable",
    ),
    Setting(
        name="replica.lag.time.max.ms",
        defaults=(((), 10_000), ((2, 5), 30_000)),  # KIP-537
        minimum=1,
        maximum=LONG_MAX,
    ),
    Setting(
        name="replica.lag.max.messages",  # KIP-16
        defaults=always(4_000),
        maximum=LONG_MAX,
        until=(0, 9),
    ),
    Setting(name="replica.fetch.wait.max.ms", defaults=always(500)),
    Setting(name="replica.fetch.min.bytes", modelled=False, defaults=always(1)),
    Setting(name="replica.fetch.max.bytes", modelled=False, defaults=always(1_048_576)),
    Setting(
        name="replica.fetch.response.max.bytes",
        modelled=False,
        defaults=always(10_485_760),
        since=(0, 10, 1),
    ),
    Setting(name="replica.fetch.backoff.ms", defaults=always(1_000), since=(0, 9)),
    Setting(name="replica.socket.timeout.ms", defaults=always(30_000)),
    Setting(
        name="replica.high.watermark.checkpoint.interval.ms",
        defaults=always(5_000),
        minimum=1,
        maximum=LONG_MAX,
    ),
    Setting(name="num.replica.fetchers", modelled=False, defaults=always(1), minimum=1),
    Setting(
        name="log.flush.interval.messages",
        defaults=always(LONG_MAX),
        minimum=1,
        maximum=LONG_MAX,
        topic_name="flush.messages",
    ),
    Setting(
        # Kafka has no default for it, and then uses the scheduler's interval.
        name="log.flush.interval.ms",
        modelled=False,
        defaults=always(LONG_MAX),
        minimum=1,
        maximum=LONG_MAX,
        topic_name="flush.ms",
    ),
    Setting(
        name="log.flush.scheduler.interval.ms",
        modelled=False,
        defaults=always(LONG_MAX),
        minimum=1,
        maximum=LONG_MAX,
    ),
    Setting(name="log.flush.offset.checkpoint.interval.ms", defaults=always(60_000), minimum=1),
    Setting(
        name="log.flush.start.offset.checkpoint.interval.ms",
        modelled=False,
        defaults=always(60_000),
        since=(0, 11),
    ),
    Setting(
        name="default.replication.factor",
        modelled=False,
        defaults=always(1),
        minimum=1,
        maximum=SHORT_MAX,
    ),
    Setting(
        name="offsets.topic.replication.factor",
        modelled=False,
        defaults=always(3),
        minimum=1,
        maximum=SHORT_MAX,
    ),
    Setting(
        name="auto.leader.rebalance.enable",
        modelled=False,
        of_controller=True,
        defaults=(((), False), ((0, 8, 2), True)),
        since=(0, 8, 1),
    ),
    Setting(
        name="leader.imbalance.check.interval.seconds",
        modelled=False,
        of_controller=True,
        defaults=always(300),
        minimum=1,
        maximum=LONG_MAX,
        since=(0, 8, 1),
    ),
    Setting(
        name="leader.imbalance.per.broker.percentage",
        of_controller=True,
        defaults=always(10),
        since=(0, 8, 1),
        until=(4, 0),  # KAFKA-18743
    ),
    Setting(
        name="unclean.leader.election.interval.ms",  # KAFKA-12670
        of_controller=True,
        defaults=always(300_000),
        minimum=1,
        maximum=LONG_MAX,
        since=(3, 9),
        control="kraft",
    ),
    Setting(name="controlled.shutdown.enable", defaults=(((), False), ((0, 8, 2), True))),
    Setting(
        name="controlled.shutdown.max.retries", modelled=False, defaults=always(3), until=(4, 0)
    ),
    Setting(
        name="controlled.shutdown.retry.backoff.ms",
        modelled=False,
        defaults=always(5_000),
        maximum=LONG_MAX,
        until=(4, 0),  # KAFKA-18360
    ),
    Setting(
        name="zookeeper.session.timeout.ms",
        defaults=(((), 6_000), ((2, 5), 18_000)),  # KIP-537
        minimum=1,
        until=(4, 0),
        control="zookeeper",
    ),
    Setting(
        name="broker.session.timeout.ms",
        of_controller=True,
        defaults=always(9_000),
        minimum=1,
        since=(2, 8),
        control="kraft",
    ),
    Setting(
        name="broker.heartbeat.interval.ms",
        modelled=False,
        defaults=always(2_000),
        minimum=1,
        since=(2, 8),
        control="kraft",
    ),
    Setting(name="request.timeout.ms", modelled=False, defaults=always(30_000), minimum=1),
    Setting(
        name="replica.selector.class",  # KIP-392
        defaults=always("org.apache.kafka.common.replica.LeaderSelector"),
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


def setting_names(level: Level, kafka: str | None = None) -> tuple[str, ...]:
    """The names of the settings on brokers or topics; with `kafka`, only those of one release."""
    known = _BY_NAME if level == "broker" else _BY_TOPIC_NAME
    return tuple(
        name for name, setting in known.items() if kafka is None or _exists_in(setting, kafka)
    )


def exists_in(name: str, kafka: str) -> bool:
    """Whether a release has a setting, under its name on brokers or topics."""
    return _exists_in(_BY_NAME.get(name) or _BY_TOPIC_NAME[name], kafka)


def default_of(name: str, kafka: str) -> ConfigValue:
    """The default of a setting in a release."""
    version = release_number(kafka)
    setting = _BY_NAME.get(name) or _BY_TOPIC_NAME[name]
    return value_at(setting.defaults, version)


def value_at(
    defaults: tuple[tuple[tuple[int, ...], ConfigValue], ...], version: tuple[int, ...]
) -> ConfigValue:
    """The default of a setting in a release, of those by the release that introduced each."""
    return [value for since, value in defaults if at_least(version, since)][-1]


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
    for setting in SETTINGS:
        if not _exists_in(setting, kafka) or setting.control not in (None, control):
            continue
        value = cluster.get(setting.name, default_of(setting.name, kafka))
        if broker is not None:
            value = broker.get(setting.name, value)
        if topic is not None and setting.topic_name is not None:
            value = topic.get(setting.topic_name, value)
        effective[setting.name] = value
    return effective


def check_config(
    name: str, value: object, *, level: Level, kafka: str, of_one_broker: bool = False
) -> ConfigValue:
    """Return the value if the release has the setting and allows the value; `of_one_broker` is
    whether a single broker has it.

    Raises `WrongConfigError`, which states what is allowed.
    """
    setting = _known_setting(name, level)
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


def _known_setting(name: str, level: Level) -> Setting:
    if level == "broker":
        if name in _BY_NAME:
            return _BY_NAME[name]
        if name in _BY_TOPIC_NAME:
            raise WrongConfigError(
                error("setting_of_topic", name=name, right=_BY_TOPIC_NAME[name].name)
            )
        raise WrongConfigError(_why_unknown(name))
    if name in _BY_TOPIC_NAME:
        return _BY_TOPIC_NAME[name]
    if name in _BY_NAME:
        topic_name = _BY_NAME[name].topic_name
        if topic_name is None:
            raise WrongConfigError(error("setting_of_broker", name=name))
        raise WrongConfigError(error("setting_of_broker_named", name=name, right=topic_name))
    raise WrongConfigError(_why_unknown(name))


def _why_unknown(name: str) -> Wording:
    left_out = find_left_out(name)
    if left_out is None:
        return error("no_setting", name=name)
    return left_out.error(left_out.spelling_of(name))


def _exists_in(setting: Setting, kafka: str) -> bool:
    version = release_number(kafka)
    if setting.until is not None and at_least(version, setting.until):
        return False
    return at_least(version, setting.since)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


class ClientSetting(Struct, frozen=True, kw_only=True):
    """A setting of producers or consumers, with its defaults as in `Setting`.

    A scenario defines the behaviour of its clients step by step, so these settings are not set in
    it. They are the defaults of clients of that release.
    """

    client: Literal["producer", "consumer"]
    name: str
    defaults: tuple[tuple[tuple[int, ...], ConfigValue], ...]
    since: tuple[int, ...] = ()


CLIENT_SETTINGS: tuple[ClientSetting, ...] = (
    ClientSetting(client="producer", name="acks", defaults=(((), "1"), ((3, 0), "all"))),  # KIP-679
    ClientSetting(
        client="producer",
        name="enable.idempotence",
        defaults=(((), False), ((3, 0), True)),  # KIP-679; in force from 3.0.1 and 3.1.1 on
        since=(0, 11),
    ),
    ClientSetting(client="producer", name="retries", defaults=(((), 0), ((2, 1), INT_MAX))),
    ClientSetting(
        client="producer", name="delivery.timeout.ms", defaults=always(120_000), since=(2, 1)
    ),
    ClientSetting(
        client="producer", name="request.timeout.ms", defaults=always(30_000), since=(0, 9)
    ),
    ClientSetting(
        client="producer", name="max.in.flight.requests.per.connection", defaults=always(5)
    ),
    ClientSetting(
        client="consumer",
        name="isolation.level",
        defaults=always("read_uncommitted"),
        since=(0, 11),
    ),
    ClientSetting(client="consumer", name="auto.offset.reset", defaults=always("latest")),
)


def client_defaults(client: str, kafka: str) -> dict[str, ConfigValue]:
    """The default of each client setting in a release."""
    version = release_number(kafka)
    return {
        setting.name: value_at(setting.defaults, version)
        for setting in CLIENT_SETTINGS
        if setting.client == client and at_least(version, setting.since)
    }
