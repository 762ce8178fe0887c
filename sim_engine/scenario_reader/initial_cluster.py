"""Reads the initial state of a cluster: brokers, settings, topics, partitions, and the logs of
replicas with their offsets, checkpoints and leader epochs.
"""

import re
from collections.abc import Sequence

from sim_engine.actions.base import (
    CLIENT_PATTERN,
    MAX_BROKER_ID,
    MAX_BROKERS,
    MAX_OFFSET,
    MAX_RECORDS,
)
from sim_engine.budget import go_on
from sim_engine.configs import (
    INT_MAX,
    ConfigValue,
    Level,
    WrongConfigError,
    check_config,
    setting_names,
)
from sim_engine.error_texts import ErrorCode, Wording, Words, error, literal, noun
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, BrokerId, LeaderEpoch, Offset
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
    Profile,
)

RECORD_WORD = re.compile(r"(?P<value>[^/*]+)(\*(?P<count>[0-9]{1,9}))?(/(?P<epoch>[0-9]{1,10}))?")
VALUE_RULE = noun("value_characters")


def is_record_value(value: str) -> bool:
    """Whether a record may have this value."""
    return (
        1 <= len(value) <= 32
        and value.isprintable()
        and not any(character.isspace() or character in "/*" for character in value)
    )


def value_error(value: str) -> Wording:
    """Why a record may not have this value."""
    given = literal(shown(value)) if value else noun("empty")
    return error("not_matching", what=noun("a_value"), right=VALUE_RULE, given=given)


def read_log(checker: Checker, value: object, where: str, leader_epoch: LeaderEpoch) -> LogSpec:
    """Read one replica's initial log, offsets and checkpoints.

    `leader_epoch` is the partition's; no epoch of a record or cache entry may be higher.
    """
    go_on()
    given = checker.mapping(
        value,
        where,
        what=noun("a_log"),
        known=("log", "log_start", "high_watermark", "flushed", "checkpoint", "epochs"),
    )
    log_start = _any_offset(
        checker, given.get("log_start", 0), pointer(where, "log_start"), "log_start"
    )
    records = read_records(checker, given.get("log", ""), pointer(where, "log"), log_start)
    _check_record_epochs(checker, records, pointer(where, "log"), leader_epoch)
    end = Offset(log_start + len(records))

    def offset(name: str, lowest: Offset, highest: Offset) -> Offset | None:
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
    flushed = offset("flushed", FIRST_OFFSET, end)
    checkpoint_high_watermark = recovery_point = None
    if checkpoint.get("high_watermark") is not None:
        # The checkpoint may be ahead of a log that lost its end; loading limits it to the log.
        checkpoint_high_watermark = _any_offset(
            checker,
            checkpoint["high_watermark"],
            pointer(checkpoint_where, "high_watermark"),
            "high_watermark",
        )
    if checkpoint.get("recovery_point") is not None:
        recovery_where = pointer(checkpoint_where, "recovery_point")
        recovery_point = _offset(
            checker,
            checkpoint["recovery_point"],
            recovery_where,
            FIRST_OFFSET,
            end,
            "recovery_point",
        )
        if flushed is not None and recovery_point > flushed:
            checker.report(
                recovery_where,
                error("recovery_point_not_flushed", number=recovery_point, flushed=flushed),
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


def _any_offset(checker: Checker, value: object, where: str, name: Words) -> Offset:
    return Offset(checker.integer(value, where, 0, MAX_OFFSET, what=name))


def _offset(
    checker: Checker, value: object, where: str, lowest: Offset, highest: Offset, name: str
) -> Offset:
    offset = Offset(checker.integer(value, where, -(10**18), 10**18, what=name))
    if not lowest <= offset <= highest:
        checker.report(
            where,
            error(
                "offset_out_of_log",
                what=literal(name),
                lowest=lowest,
                highest=highest,
                number=offset,
            ),
            code="out_of_range",
        )
        return lowest
    return offset


def read_records(
    checker: Checker, value: object, where: str, log_start: Offset = FIRST_OFFSET
) -> tuple[RecordSpec, ...]:
    """Read a log in one line, `m1/0 m2/0 x*20/1`.

    A record without an epoch has the epoch of the previous record; the first one has epoch 0.
    """
    records: list[RecordSpec] = []
    epoch = FIRST_EPOCH
    for word, count, own_epoch in split_records(checker, value, where):
        epoch = epoch if own_epoch is None else LeaderEpoch(own_epoch)
        if len(records) + (count or 1) > MAX_RECORDS:
            checker.report(
                where,
                error("too_many_records", most=MAX_RECORDS),
                code="out_of_range",
                limit="records_a_log",
            )
            break
        if count is None:
            records.append(RecordSpec(word, epoch))
        else:
            records.extend(RecordSpec(f"{word}{number + 1}", epoch) for number in range(count))
    return tuple(records)


def split_records(
    checker: Checker, value: object, where: str
) -> list[tuple[str, int | None, int | None]]:
    """The entries of a log: value, count (`x*20`) and epoch (`/1`); the last two are optional."""
    words: list[tuple[str, int | None, int | None]] = []
    text = checker.string(value, where, what=noun("a_log"))
    for word in text.split():
        match = RECORD_WORD.fullmatch(word)
        if match is None:
            checker.report(where, error("record_form", given=shown(word)))
            continue
        count = int(match["count"]) if match["count"] is not None else None
        epoch = int(match["epoch"]) if match["epoch"] is not None else None
        last = match["value"] if count is None else f"{match['value']}{count}"
        if not is_record_value(last):
            checker.report(where, value_error(last))
        elif count is not None and not 1 <= count <= MAX_RECORDS:
            checker.report(
                where,
                error("record_count", count=count, most=MAX_RECORDS),
                code="out_of_range",
                limit="records_a_log" if count else None,
            )
        elif epoch is not None and epoch > INT_MAX:
            reason = error(
                "out_of_range", what=noun("an_epoch"), lowest=0, highest=INT_MAX, number=epoch
            )
            checker.report(where, reason, code="out_of_range")
        else:
            words.append((match["value"], count, epoch))
    return words


def _check_record_epochs(
    checker: Checker, records: Sequence[RecordSpec], where: str, leader_epoch: LeaderEpoch
) -> None:
    before = 0
    for record in records:
        epoch = record.epoch or 0
        if epoch < before:
            checker.report(
                where,
                error("record_epoch_decreases", value=record.value, epoch=epoch, before=before),
            )
            return
        before = epoch
    if before > leader_epoch:
        checker.report(
            where,
            error("log_epoch_too_high", epoch=before, leader_epoch=leader_epoch),
        )


def _read_epochs(
    checker: Checker,
    value: object,
    where: str,
    *,
    log_start: Offset,
    records: Sequence[RecordSpec],
    leader_epoch: LeaderEpoch,
) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    epochs = read_epoch_pairs(checker, value, where)
    end = log_start + len(records)
    for index, (epoch, start) in enumerate(epochs):
        inner = pointer(where, index)
        if epoch > leader_epoch:
            reason = error("entry_epoch_too_high", epoch=epoch, leader_epoch=leader_epoch)
            checker.report(inner, reason)
        if not log_start <= start <= end:
            checker.report(
                inner,
                error(
                    "offset_out_of_log",
                    what=noun("start_of_epoch"),
                    lowest=log_start,
                    highest=end,
                    number=start,
                ),
                code="out_of_range",
            )
        elif start < end and (right := records[start - log_start].epoch) != epoch:
            reason = error("record_epoch_differs", offset=start, right=str(right), epoch=epoch)
            checker.report(inner, reason)
    return epochs


def read_epoch_pairs(
    checker: Checker, value: object, where: str
) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    """Read an epoch file, `[[epoch, start offset], …]`, with increasing epochs."""
    pairs: list[tuple[LeaderEpoch, Offset]] = []
    for index, item in enumerate(checker.items(value, where, what="epochs", most=MAX_RECORDS)):
        inner = pointer(where, index)
        numbers = checker.items(item, inner, what=noun("epoch_and_start"), least=2, most=2)
        if len(numbers) != 2:
            continue
        epoch = LeaderEpoch(
            checker.integer(numbers[0], pointer(inner, 0), 0, INT_MAX, what=noun("an_epoch"))
        )
        start = _any_offset(checker, numbers[1], pointer(inner, 1), noun("a_start_offset"))
        if pairs and epoch <= pairs[-1][0]:
            checker.report(inner, error("epoch_not_rising", epoch=epoch, before=pairs[-1][0]))
        elif pairs and start < pairs[-1][1]:
            checker.report(inner, error("start_decreases", offset=start, before=pairs[-1][1]))
        else:
            pairs.append((epoch, start))
    return tuple(pairs)


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
