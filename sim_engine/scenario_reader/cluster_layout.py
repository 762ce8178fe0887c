"""Reads the brokers, settings, topics and partitions of a scenario."""

import re
from collections.abc import Sequence

from sim_engine.actions.fields import CLIENT_PATTERN, MAX_BROKER_ID, MAX_BROKERS
from sim_engine.configs import (
    INT_MAX,
    ConfigValue,
    Level,
    WrongConfigError,
    check_config,
    setting_names,
)
from sim_engine.error_texts import ErrorCode, Wording, error, literal, noun
from sim_engine.identifiers import BrokerId, LeaderEpoch
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.document import (
    BrokerSpec,
    LogSpec,
    PartitionSpec,
    TopicSpec,
)
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.starting_logs import read_log
from sim_engine.versions import (
    Profile,
)

MAX_PARTITIONS = 16
MIN_ISR = "min.insync.replicas"
NAME_CHARACTERS = noun("characters", most=32, of="A-Z a-z 0-9 . _ -")
"""The characters of a rack and of a client's name."""
_RACK = re.compile(CLIENT_PATTERN)
BROKER_KEY = re.compile("0|[1-9][0-9]{0,9}")
_TOPIC_NAME = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}")


def read_brokers(
    checker: Checker, value: object, profile: Profile | None
) -> tuple[BrokerSpec, ...]:
    """Read `brokers: [1, 2]`, or a mapping from broker to its properties."""
    where = "/brokers"
    brokers: dict[BrokerId, BrokerSpec] = {}
    if isinstance(value, dict):
        for key, about in value.items():
            inner = pointer(where, key)
            if not BROKER_KEY.fullmatch(key):
                reason = error("not_an_integer", what=noun("a_broker"), given=literal(shown(key)))
                checker.report(inner, reason, at_key=True)
                continue
            broker_id = _broker_id(checker, int(key), inner)
            special = checker.mapping(
                {} if about is None else about,
                inner,
                what=noun("a_broker"),
                known=("rack", "configs"),
            )
            rack = special.get("rack")
            if rack is not None:
                rack = check_rack(checker, rack, pointer(inner, "rack"))
            brokers[broker_id] = BrokerSpec(
                id=broker_id,
                rack=rack,
                configs=read_broker_configs(
                    checker, special.get("configs", {}), pointer(inner, "configs"), profile
                ),
            )
    else:
        for index, item in enumerate(
            checker.items(value, where, what="brokers", least=1, most=MAX_BROKERS, limit="brokers")
        ):
            inner = pointer(where, index)
            broker_id = _broker_id(checker, item, inner)
            if broker_id in brokers:
                checker.report(inner, error("broker_twice", broker=broker_id))
            brokers[broker_id] = BrokerSpec(id=broker_id)
    if isinstance(value, dict) and not 1 <= len(value) <= MAX_BROKERS:
        checker.report(
            where,
            error("broker_count", most=MAX_BROKERS, count=len(value)),
            code="out_of_range",
            limit="brokers" if value else None,
        )
    return tuple(brokers.values())


def _broker_id(checker: Checker, value: object, where: str) -> BrokerId:
    return BrokerId(checker.integer(value, where, 0, MAX_BROKER_ID, what=noun("a_broker")))


def check_rack(checker: Checker, value: object, where: str) -> str:
    """Check the name of a rack."""
    return checker.matching(value, where, _RACK, what=noun("a_rack"), right=NAME_CHARACTERS)


def read_broker_configs(
    checker: Checker, value: object, where: str, profile: Profile | None
) -> dict[str, ConfigValue]:
    """Read the settings of a single broker, which cannot be those of the controller, or, with
    eligible leader replicas, min.insync.replicas (KIP-966).
    """
    configs = read_configs(
        checker, value, where, level="broker", profile=profile, of_one_broker=True
    )
    has_elr = profile is not None and profile.rules.eligible_leader_replicas
    if has_elr and MIN_ISR in configs:
        reason = error("min_isr_of_one_broker", name=MIN_ISR)
        checker.report(pointer(where, MIN_ISR), reason, code="wrong_config")
    return configs


def read_configs(
    checker: Checker,
    value: object,
    where: str,
    *,
    level: Level,
    profile: Profile | None,
    of_one_broker: bool = False,
) -> dict[str, ConfigValue]:
    """Read settings by Kafka's names; checks the name, type, range and version of each."""
    configs: dict[str, ConfigValue] = {}
    for name, given in checker.mapping(value, where, what="configs").items():
        inner = pointer(where, name)
        names = setting_names(level)
        if name not in names and name not in setting_names(
            "broker" if level == "topic" else "topic"
        ):
            checker.unknown_name(name, inner, names, what="setting")
            continue
        if profile is None:
            continue
        try:
            configs[name] = check_config(
                name, given, level=level, kafka=profile.kafka, of_one_broker=of_one_broker
            )
        except WrongConfigError as problem:
            checker.report(inner, problem.reason, code="wrong_config")
    return configs


def read_topics(
    checker: Checker, value: object, brokers: Sequence[BrokerId], profile: Profile | None
) -> tuple[TopicSpec, ...]:
    """Read `topics`: the replicas and the initial state of every partition."""
    topics: dict[str, TopicSpec] = {}
    count = 0
    for index, item in enumerate(
        checker.items(
            value, "/topics", what="topics", least=1, most=MAX_PARTITIONS, limit="partitions"
        )
    ):
        where = pointer("/topics", index)
        given = checker.mapping(
            item,
            where,
            what=noun("a_topic"),
            known=("name", "configs", "partitions"),
            required=("name", "partitions"),
        )
        name = ""
        if "name" in given:
            name = checker.matching(
                given["name"],
                pointer(where, "name"),
                _TOPIC_NAME,
                what=noun("a_topic_name"),
                right=noun("characters", most=249, of="A-Z a-z 0-9 . _ -"),
            )
            if name in topics:
                checker.report(pointer(where, "name"), error("topic_twice", name=name))
        partitions = checker.items(
            given.get("partitions", []),
            pointer(where, "partitions"),
            what="partitions",
            least=1 if "partitions" in given else 0,
            most=MAX_PARTITIONS,
            limit="partitions",
        )
        count += len(partitions)
        topics[name] = TopicSpec(
            name=name,
            configs=read_configs(
                checker,
                given.get("configs", {}),
                pointer(where, "configs"),
                level="topic",
                profile=profile,
            ),
            partitions=tuple(
                _read_partition(
                    checker, partition, pointer(pointer(where, "partitions"), number), brokers
                )
                for number, partition in enumerate(partitions)
            ),
        )
    if count > MAX_PARTITIONS:
        checker.report(
            "/topics",
            error("too_many_partitions", most=MAX_PARTITIONS, count=count),
            code="out_of_range",
            limit="partitions",
        )
    return tuple(topics.values())


def read_broker_list(
    checker: Checker, value: object, where: str, brokers: Sequence[BrokerId], *, what: str
) -> tuple[BrokerId, ...]:
    """Read a list of distinct existing brokers."""
    found: list[BrokerId] = []
    for index, item in enumerate(checker.items(value, where, what=what, least=1, most=MAX_BROKERS)):
        inner = pointer(where, index)
        broker = check_broker(checker, item, inner, brokers)
        if broker in found:
            checker.report(inner, error("broker_twice_in", broker=broker, what=literal(what)))
        elif broker is not None:
            found.append(broker)
    return tuple(found)


def check_broker(
    checker: Checker, value: object, where: str, brokers: Sequence[BrokerId]
) -> BrokerId | None:
    """Check the id of an existing broker."""
    if isinstance(value, bool) or not isinstance(value, int):
        reason = error("not_an_integer", what=noun("a_broker"), given=kind_of(value))
        checker.report(where, reason, code="wrong_type")
        return None
    if brokers and value not in brokers:
        known = tuple(map(str, brokers))
        reason = error("no_broker", broker=value, names=known)
        checker.report(where, reason, code="unknown_reference")
        return None
    return BrokerId(value)


def _read_partition(
    checker: Checker, value: object, where: str, brokers: Sequence[BrokerId]
) -> PartitionSpec:
    given = checker.mapping(
        value,
        where,
        what=noun("a_partition"),
        known=("replicas", "leader", "leader_epoch", "partition_epoch", "isr", "logs"),
        required=("replicas",),
    )
    if "replicas" not in given:
        return PartitionSpec(replicas=())
    replicas = read_broker_list(
        checker, given["replicas"], pointer(where, "replicas"), brokers, what="replicas"
    )
    leader = None
    if given.get("leader") is not None:
        leader = check_replica(
            checker, given["leader"], pointer(where, "leader"), replicas, what=noun("the_leader")
        )
    leader_epoch, partition_epoch = (
        checker.integer(given.get(name, 0), pointer(where, name), 0, INT_MAX, what=name)
        for name in ("leader_epoch", "partition_epoch")
    )
    isr = None
    if given.get("isr") is not None:
        isr = _read_isr(checker, given["isr"], pointer(where, "isr"), replicas, leader)
    logs: dict[BrokerId, LogSpec] = {}
    for key, log in checker.mapping(
        given.get("logs", {}), pointer(where, "logs"), what="logs"
    ).items():
        inner = pointer(pointer(where, "logs"), key)
        broker = check_broker_key(checker, key, inner, replicas, what="logs")
        if broker is not None:
            logs[broker] = read_log(checker, log, inner, LeaderEpoch(leader_epoch))
    return PartitionSpec(
        replicas=replicas,
        leader=leader,
        leader_epoch=LeaderEpoch(leader_epoch),
        partition_epoch=partition_epoch,
        isr=isr,
        logs=logs,
    )


def check_replica(
    checker: Checker, value: object, where: str, replicas: Sequence[BrokerId], *, what: Wording
) -> BrokerId | None:
    """Check a broker that has a replica of the partition."""
    broker = check_broker(checker, value, where, ())
    if broker is not None and replicas and broker not in replicas:
        known = tuple(map(str, replicas))
        checker.report(
            where,
            error("not_a_replica", what=what, names=known, broker=broker),
            code="unknown_reference",
        )
        return None
    return broker


def check_broker_key(
    checker: Checker, key: str, where: str, replicas: Sequence[BrokerId], *, what: str
) -> BrokerId | None:
    """Check a replica that is the key of a mapping. A key is text even if it looks like
    a number.
    """
    if BROKER_KEY.fullmatch(key) and (int(key) in replicas or not replicas):
        return BrokerId(int(key))
    known = tuple(map(str, replicas))
    checker.report(
        where,
        error("not_by_replica", what=literal(what), given=literal(shown(key)), names=known),
        code="unknown_reference",
        at_key=True,
    )
    return None


def _read_isr(
    checker: Checker,
    value: object,
    where: str,
    replicas: Sequence[BrokerId],
    leader: BrokerId | None,
) -> tuple[BrokerId, ...]:
    isr: list[BrokerId] = []
    for index, item in enumerate(
        checker.items(value, where, what="isr", least=1, most=MAX_BROKERS)
    ):
        inner = pointer(where, index)
        broker = check_replica(checker, item, inner, replicas, what=noun("isr_member"))
        if broker in isr:
            checker.report(inner, error("broker_twice_in", broker=broker, what=literal("isr")))
        elif broker is not None:
            isr.append(broker)
    leads = leader if leader is not None else (replicas[0] if replicas else None)
    if isr and leads is not None and leads not in isr:
        named: ErrorCode = "leader_not_in_isr" if leader is not None else "first_replica_not_in_isr"
        checker.report(where, error(named, broker=leads))
    return tuple(isr)
