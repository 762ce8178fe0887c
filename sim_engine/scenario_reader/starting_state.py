"""The first half of a scenario: its version, its brokers, its settings, and what the logs hold."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from sim_engine.configs import (
    INT_MAX,
    ConfigValue,
    Level,
    WrongConfigError,
    check_config,
    setting_names,
)
from sim_engine.releases import UnknownVersionError, find_level, find_release, is_range, parse_range
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.document import (
    BrokerSpec,
    LogSpec,
    PartitionSpec,
    RecordSpec,
    TopicSpec,
)
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.versions import (
    LEVEL_NAMES,
    RULE_NAMES,
    LevelName,
    Profile,
    UnknownRuleError,
    check_level,
    controls_of,
    resolve_profile,
)

MAX_BROKERS = 9
MAX_BROKER_ID = 1000
MAX_PARTITIONS = 16
MAX_RECORDS = 1000

_RACK = re.compile(r"[A-Za-z0-9._-]{1,32}")
BROKER_KEY = re.compile("0|[1-9][0-9]{0,9}")
_TOPIC_NAME = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}")
RECORD_WORD = re.compile(r"(?P<value>[^/*]+)(\*(?P<count>[0-9]{1,9}))?(/(?P<epoch>[0-9]{1,10}))?")
_RACK = re.compile(r"[A-Za-z0-9._-]{1,32}")

VALUE_RULE = "1 to 32 printable characters without space, / and *"


class Version(Struct, frozen=True, kw_only=True):
    """The release that a scenario names, as written, and what it resolved to."""

    kafka: str = ""
    control: str | None = None
    levels: dict[LevelName, str] = {}
    rules: dict[str, bool] = {}
    profile: Profile | None = None
    """`None` where the version is wrong; what depends on it is then left unchecked."""


def is_record_value(value: str) -> bool:
    """Whether a record may have that value."""
    return (
        1 <= len(value) <= 32
        and value.isprintable()
        and not any(character.isspace() or character in "/*" for character in value)
    )


def read_version(checker: Checker, document: Mapping[str, Any]) -> Version:
    """`kafka`, `control`, the level of the protocol and `rules`, only right together."""
    kafka = (
        check_version_name(checker, document["kafka"], "/kafka") if "kafka" in document else None
    )
    control = document.get("control")
    if control is not None:
        control = checker.one_of(control, "/control", ("zookeeper", "kraft"), what="control")
        if kafka is not None and control not in controls_of(kafka):
            had = " or ".join(controls_of(kafka))
            checker.report("/control", f"Kafka {kafka} had no {control} control; it had {had}")
            control = None
    rules: dict[str, bool] = {}
    for name, switched in checker.mapping(
        document.get("rules", {}), "/rules", what="rules"
    ).items():
        where = pointer("/rules", name)
        if name not in RULE_NAMES:
            checker.unknown_name(name, where, RULE_NAMES, what="rule")
            continue
        rules[name] = checker.switch(switched, where, what=f"rule {name}")
    profile = None
    if kafka is not None:
        try:
            profile = resolve_profile(kafka, control=control, rules=rules)
        except UnknownRuleError as problem:
            checker.report("/rules", str(problem))
    levels: dict[LevelName, str] = {}
    for name in LEVEL_NAMES:
        if name in document:
            level = check_level_name(checker, document[name], f"/{name}", name, profile)
            if level is not None and profile is not None:
                levels[name] = level
                profile = profile.at_level(level)
    return Version(kafka=kafka or "", control=control, levels=levels, rules=rules, profile=profile)


def check_level_exists(checker: Checker, value: object, where: str) -> str | None:
    """A level of the protocol, "3.5" or "3.5-IV1", as it was written; null where it is wrong."""
    return _known_version(checker, value, where, find_level)


def check_level_name(
    checker: Checker, value: object, where: str, name: LevelName, profile: Profile | None
) -> str | None:
    """A level that the cluster can speak, as it was written; null where it is wrong."""
    level = check_level_exists(checker, value, where)
    if level is None or profile is None:
        return None
    if name != profile.level_name:
        controller = "KRaft" if profile.control == "kraft" else "ZooKeeper"
        checker.report(
            where,
            f"a cluster under {controller} has {profile.level_name}, not {name}",
            code="wrong_config",
        )
        return None
    try:
        check_level(level, profile.version, profile.control)
    except UnknownVersionError as problem:
        checker.report(where, str(problem), code="unknown_version")
        return None
    return level


def read_condition(checker: Checker, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """To which releases words apply: `kafka` is a release or ranges, `control` one of two."""
    condition: dict[str, Any] = {}
    if "kafka" in given:
        condition["kafka"] = list(
            check_version_ranges(checker, given["kafka"], pointer(where, "kafka"), what="kafka")
        )
    if "control" in given:
        condition["control"] = checker.one_of(
            given["control"], pointer(where, "control"), ("zookeeper", "kraft"), what="control"
        )
    return condition


def check_version_ranges(
    checker: Checker, value: object, where: str, *, what: str
) -> tuple[str, ...]:
    """One release or range, or a list of them; what is wrong is left out and reported."""
    if isinstance(value, str):
        name = check_version_range(checker, value, where)
        return () if name is None else (name,)
    names = (
        check_version_range(checker, item, pointer(where, index))
        for index, item in enumerate(checker.items(value, where, what=what, least=1, most=100))
    )
    return tuple(name for name in names if name is not None)


def check_version_name(checker: Checker, value: object, where: str) -> str | None:
    """A release that exists, as a string; `None` where it is wrong."""
    return _known_version(checker, value, where, find_release)


def check_version_range(checker: Checker, value: object, where: str) -> str | None:
    """A release, or a range of releases such as ">=0.11 <3.6"; `None` where it is wrong."""
    ranged = isinstance(value, str) and is_range(value)
    return _known_version(checker, value, where, parse_range if ranged else find_release)


def _known_version(
    checker: Checker, value: object, where: str, find: Callable[[str], object]
) -> str | None:
    if not _is_version_text(checker, value, where):
        return None
    assert isinstance(value, str), "it is a text"
    try:
        find(value)
    except UnknownVersionError as problem:
        checker.report(where, str(problem).replace(value, shown(value)), code="unknown_version")
        return None
    return value


def _is_version_text(checker: Checker, value: object, where: str) -> bool:
    """Whether a version is written as a text; says what is wrong where it is not."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        quoted = checker.written(where) or shown(value)
        checker.report(
            where,
            f'a version is a string: write "{quoted}" with the quotes; '
            "without them it is a number, and 0.10 is 0.1",
            code="wrong_type",
        )
        return False
    if not isinstance(value, str):
        checker.report(
            where, f'a version is a string like "2.0.1", not {kind_of(value)}', code="wrong_type"
        )
        return False
    return True


def read_brokers(checker: Checker, value: object) -> tuple[BrokerSpec, ...]:
    """`brokers: [1, 2]`, or a mapping from broker to what is special about it."""
    where = "/brokers"
    brokers: dict[int, BrokerSpec] = {}
    if isinstance(value, dict):
        for key, about in value.items():
            inner = pointer(where, key)
            if not BROKER_KEY.fullmatch(key):
                checker.report(inner, f"a broker is a whole number, not {shown(key)}", at_key=True)
                continue
            broker_id = checker.integer(int(key), inner, 0, MAX_BROKER_ID, what="a broker")
            special = checker.mapping(
                {} if about is None else about, inner, what="a broker", known=("rack",)
            )
            rack = special.get("rack")
            if rack is not None:
                rack = check_rack(checker, rack, pointer(inner, "rack"))
            brokers[broker_id] = BrokerSpec(id=broker_id, rack=rack)
    else:
        for index, item in enumerate(
            checker.items(value, where, what="brokers", least=1, most=MAX_BROKERS)
        ):
            inner = pointer(where, index)
            broker_id = checker.integer(item, inner, 0, MAX_BROKER_ID, what="a broker")
            if broker_id in brokers:
                checker.report(inner, f"broker {broker_id} is here twice")
            brokers[broker_id] = BrokerSpec(id=broker_id)
    if isinstance(value, dict) and not 1 <= len(value) <= MAX_BROKERS:
        checker.report(
            where,
            f"brokers has 1 to {MAX_BROKERS} entries, not {len(value)}",
            code="out_of_range",
        )
    return tuple(brokers.values())


def check_rack(checker: Checker, value: object, where: str) -> str:
    """The name of a rack."""
    return checker.matching(
        value, where, _RACK, what="a rack", right="1 to 32 of A-Z a-z 0-9 . _ -"
    )


def read_configs(
    checker: Checker, value: object, where: str, *, level: Level, profile: Profile | None
) -> dict[str, ConfigValue]:
    """Settings by Kafka's names, each checked for name, type, range and version."""
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
            configs[name] = check_config(name, given, level=level, kafka=profile.kafka)
        except WrongConfigError as problem:
            checker.report(inner, str(problem), code="wrong_config")
    return configs


def read_topics(
    checker: Checker, value: object, brokers: Sequence[int], profile: Profile | None
) -> tuple[TopicSpec, ...]:
    """`topics`: where every partition lives and how it starts."""
    topics: dict[str, TopicSpec] = {}
    count = 0
    for index, item in enumerate(
        checker.items(value, "/topics", what="topics", least=1, most=MAX_PARTITIONS)
    ):
        where = pointer("/topics", index)
        given = checker.mapping(
            item,
            where,
            what="a topic",
            known=("name", "configs", "partitions"),
            required=("name", "partitions"),
        )
        name = ""
        if "name" in given:
            name = checker.matching(
                given["name"],
                pointer(where, "name"),
                _TOPIC_NAME,
                what="a topic's name",
                right="1 to 249 of A-Z a-z 0-9 . _ -",
            )
            if name in topics:
                checker.report(pointer(where, "name"), f"there are two topics {name}")
        partitions = checker.items(
            given.get("partitions", []),
            pointer(where, "partitions"),
            what="partitions",
            least=1 if "partitions" in given else 0,
            most=MAX_PARTITIONS,
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
            f"there are at most {MAX_PARTITIONS} partitions in all, not {count}",
            code="out_of_range",
        )
    return tuple(topics.values())


def read_broker_list(
    checker: Checker, value: object, where: str, brokers: Sequence[int], *, what: str
) -> tuple[int, ...]:
    """A list of different brokers that exist."""
    found: list[int] = []
    for index, item in enumerate(checker.items(value, where, what=what, least=1, most=MAX_BROKERS)):
        inner = pointer(where, index)
        broker = check_broker(checker, item, inner, brokers)
        if broker in found:
            checker.report(inner, f"broker {broker} is in {what} twice")
        elif broker is not None:
            found.append(broker)
    return tuple(found)


def check_broker(checker: Checker, value: object, where: str, brokers: Sequence[int]) -> int | None:
    """The id of a broker that exists."""
    if isinstance(value, bool) or not isinstance(value, int):
        checker.report(
            where,
            f"a broker is a whole number, not {kind_of(value)}",
            code="wrong_type",
        )
        return None
    if brokers and value not in brokers:
        known = ", ".join(map(str, brokers))
        checker.report(
            where, f"there is no broker {value}; brokers are {known}", code="unknown_reference"
        )
        return None
    return value


def _read_partition(
    checker: Checker, value: object, where: str, brokers: Sequence[int]
) -> PartitionSpec:
    given = checker.mapping(
        value,
        where,
        what="a partition",
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
            checker, given["leader"], pointer(where, "leader"), replicas, what="the leader"
        )
    epochs = {
        name: checker.integer(given.get(name, 0), pointer(where, name), 0, INT_MAX, what=name)
        for name in ("leader_epoch", "partition_epoch")
    }
    isr = None
    if given.get("isr") is not None:
        isr = _read_isr(checker, given["isr"], pointer(where, "isr"), replicas, leader)
    logs: dict[int, LogSpec] = {}
    for key, log in checker.mapping(
        given.get("logs", {}), pointer(where, "logs"), what="logs"
    ).items():
        inner = pointer(pointer(where, "logs"), key)
        broker = check_broker_key(checker, key, inner, replicas, what="logs")
        if broker is not None:
            logs[broker] = _read_log(checker, log, inner, epochs["leader_epoch"])
    return PartitionSpec(replicas=replicas, leader=leader, isr=isr, logs=logs, **epochs)


def check_replica(
    checker: Checker, value: object, where: str, replicas: Sequence[int], *, what: str
) -> int | None:
    """A broker that has a replica of the partition."""
    broker = check_broker(checker, value, where, ())
    if broker is not None and replicas and broker not in replicas:
        known = ", ".join(map(str, replicas))
        checker.report(
            where,
            f"{what} is one of the partition's replicas {known}, not {broker}",
            code="unknown_reference",
        )
        return None
    return broker


def check_broker_key(
    checker: Checker, key: str, where: str, replicas: Sequence[int], *, what: str
) -> int | None:
    """A replica that is the key of a mapping; a key is text even where it looks like a number."""
    if BROKER_KEY.fullmatch(key) and (int(key) in replicas or not replicas):
        return int(key)
    known = ", ".join(map(str, replicas))
    checker.report(
        where,
        f"{what} are by replica; there is no replica {shown(key)}, replicas are {known}",
        code="unknown_reference",
        at_key=True,
    )
    return None


def _read_isr(
    checker: Checker, value: object, where: str, replicas: Sequence[int], leader: int | None
) -> tuple[int, ...]:
    isr: list[int] = []
    for index, item in enumerate(
        checker.items(value, where, what="isr", least=1, most=MAX_BROKERS)
    ):
        inner = pointer(where, index)
        broker = check_replica(checker, item, inner, replicas, what="a member of the ISR")
        if broker in isr:
            checker.report(inner, f"broker {broker} is in isr twice")
        elif broker is not None:
            isr.append(broker)
    leads = leader if leader is not None else (replicas[0] if replicas else None)
    if isr and leads is not None and leads not in isr:
        checker.report(
            where,
            f"the ISR contains the leader, which is {leads}"
            + ("" if leader is not None else "; write leader: where another replica leads"),
        )
    return tuple(isr)


def _read_log(checker: Checker, value: object, where: str, leader_epoch: int) -> LogSpec:
    given = checker.mapping(
        value,
        where,
        what="a log",
        known=("log", "log_start", "high_watermark", "flushed", "checkpoint", "epochs"),
    )
    log_start = checker.integer(
        given.get("log_start", 0), pointer(where, "log_start"), 0, 10**9, what="log_start"
    )
    records = read_records(checker, given.get("log", ""), pointer(where, "log"), log_start)
    _check_record_epochs(checker, records, pointer(where, "log"), leader_epoch)
    end = log_start + len(records)

    def offset(name: str, lowest: int, highest: int) -> int | None:
        if given.get(name) is None:
            return None
        return _offset(checker, given[name], pointer(where, name), lowest, highest, name)

    checkpoint_where = pointer(where, "checkpoint")
    checkpoint = checker.mapping(
        given.get("checkpoint", {}),
        checkpoint_where,
        what="checkpoint",
        known=("high_watermark", "recovery_point"),
    )
    flushed = offset("flushed", 0, end)
    checkpoint_high_watermark = recovery_point = None
    if checkpoint.get("high_watermark") is not None:
        # The file may be ahead of a log that lost its end: loading clamps it.
        checkpoint_high_watermark = checker.integer(
            checkpoint["high_watermark"],
            pointer(checkpoint_where, "high_watermark"),
            0,
            10**9,
            what="high_watermark",
        )
    if checkpoint.get("recovery_point") is not None:
        recovery_where = pointer(checkpoint_where, "recovery_point")
        recovery_point = _offset(
            checker, checkpoint["recovery_point"], recovery_where, 0, end, "recovery_point"
        )
        if flushed is not None and recovery_point > flushed:
            checker.report(
                recovery_where,
                f"everything below the recovery point is flushed: {recovery_point} is above "
                f"flushed {flushed}",
            )
    return LogSpec(
        records=records,
        log_start=log_start,
        high_watermark=offset("high_watermark", log_start, end),
        flushed=flushed,
        checkpoint_high_watermark=checkpoint_high_watermark,
        checkpoint_recovery_point=recovery_point,
        epochs=(
            None
            if given.get("epochs") is None
            else _read_epochs(
                checker,
                given["epochs"],
                pointer(where, "epochs"),
                log_start=log_start,
                records=records,
                leader_epoch=leader_epoch,
            )
        ),
    )


def _offset(
    checker: Checker, value: object, where: str, lowest: int, highest: int, name: str
) -> int:
    offset = checker.integer(value, where, -(10**18), 10**18, what=name)
    if not lowest <= offset <= highest:
        checker.report(
            where,
            f"{name} is from {lowest} to the end of the log, {highest}, not {offset}",
            code="out_of_range",
        )
        return lowest
    return offset


def read_records(
    checker: Checker, value: object, where: str, log_start: int = 0
) -> tuple[RecordSpec, ...]:
    """A log in one line, `m1/0 m2/0 x*20/1`.

    A record without an epoch has that of the one before it, the first one 0.
    """
    records: list[RecordSpec] = []
    epoch = 0
    for word, count, own_epoch in split_records(checker, value, where):
        epoch = epoch if own_epoch is None else own_epoch
        if len(records) + (count or 1) > MAX_RECORDS:
            checker.report(where, f"a log has at most {MAX_RECORDS} records", code="out_of_range")
            break
        if count is None:
            records.append(RecordSpec(word, epoch))
        else:
            records.extend(RecordSpec(f"{word}{number + 1}", epoch) for number in range(count))
    return tuple(records)


def split_records(
    checker: Checker, value: object, where: str
) -> list[tuple[str, int | None, int | None]]:
    """The words of a log: value, how many (`x*20`) and epoch (`/1`), the last two where written."""
    words: list[tuple[str, int | None, int | None]] = []
    text = checker.string(value, where, what="a log")
    for word in text.split():
        match = RECORD_WORD.fullmatch(word)
        if match is None:
            checker.report(
                where,
                f"a record is value or value/epoch, twenty are x*20/epoch, not {shown(word)}",
            )
            continue
        count = int(match["count"]) if match["count"] is not None else None
        epoch = int(match["epoch"]) if match["epoch"] is not None else None
        last = match["value"] if count is None else f"{match['value']}{count}"
        if not is_record_value(last):
            checker.report(where, f"a value is {VALUE_RULE}, not {shown(last)}")
        elif count is not None and not 1 <= count <= MAX_RECORDS:
            checker.report(
                where,
                f"x*{count} is more than none and at most {MAX_RECORDS} records",
                code="out_of_range",
            )
        elif epoch is not None and epoch > INT_MAX:
            checker.report(
                where, f"an epoch is from 0 to {INT_MAX}, not {epoch}", code="out_of_range"
            )
        else:
            words.append((match["value"], count, epoch))
    return words


def _check_record_epochs(
    checker: Checker, records: Sequence[RecordSpec], where: str, leader_epoch: int
) -> None:
    before = 0
    for record in records:
        epoch = record.epoch or 0
        if epoch < before:
            checker.report(
                where,
                f"epochs never go down along a log: {record.value} has {epoch} after {before}",
            )
            return
        before = epoch
    if before > leader_epoch:
        checker.report(
            where,
            f"the log holds epoch {before}, so leader_epoch is at least {before}, "
            f"not {leader_epoch}",
        )


def _read_epochs(
    checker: Checker,
    value: object,
    where: str,
    *,
    log_start: int,
    records: Sequence[RecordSpec],
    leader_epoch: int,
) -> tuple[tuple[int, int], ...]:
    epochs = read_epoch_pairs(checker, value, where)
    end = log_start + len(records)
    for index, (epoch, start) in enumerate(epochs):
        inner = pointer(where, index)
        if epoch > leader_epoch:
            checker.report(inner, f"epoch {epoch} is above leader_epoch {leader_epoch}")
        if not log_start <= start <= end:
            checker.report(
                inner,
                f"an epoch starts from {log_start} to the end of the log, {end}, not at {start}",
                code="out_of_range",
            )
        elif start < end and records[start - log_start].epoch != epoch:
            checker.report(
                inner,
                f"the record at offset {start} has epoch {records[start - log_start].epoch}, "
                f"not {epoch}",
            )
    return epochs


def read_epoch_pairs(checker: Checker, value: object, where: str) -> tuple[tuple[int, int], ...]:
    """An epoch file, `[[epoch, start offset], …]`, with rising epochs."""
    pairs: list[tuple[int, int]] = []
    for index, item in enumerate(checker.items(value, where, what="epochs", most=MAX_RECORDS)):
        inner = pointer(where, index)
        numbers = checker.items(item, inner, what="[epoch, start offset]", least=2, most=2)
        if len(numbers) != 2:
            continue
        epoch = checker.integer(numbers[0], pointer(inner, 0), 0, INT_MAX, what="an epoch")
        start = checker.integer(numbers[1], pointer(inner, 1), 0, 10**9, what="a start offset")
        if pairs and epoch <= pairs[-1][0]:
            checker.report(inner, f"epochs rise: {epoch} comes after {pairs[-1][0]}")
        elif pairs and start < pairs[-1][1]:
            checker.report(
                inner, f"start offsets never go down: {start} comes after {pairs[-1][1]}"
            )
        else:
            pairs.append((epoch, start))
    return tuple(pairs)
