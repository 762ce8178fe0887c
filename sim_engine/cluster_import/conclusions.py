"""Concludes from everything that was read what no single source says: the names of topics by their
ids, the newest lines of logs, and what has to be assumed of partitions of which only a part is
known. Of several lines of logs the newest counts, and a tool that prints the state now counts more
than a line.

It also determines the release of a cluster and its kind of controller, as a range with its reasons.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster_import.parsed_state import (
    LogLine,
    Origin,
    ParsedLog,
    ParsedPartition,
    ParsedState,
    Partition,
    Statement,
)
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, BrokerId, LeaderEpoch, Offset
from sim_engine.releases import Number, at_least, newest_of_lines, number_of
from sim_engine.versions import Control, resolve_profile

_UNCLEAN = "unclean.leader.election.enable"
_MOST_NAMED = 8
"""How many topics or partitions one statement lists."""


def conclude(parsed: ParsedState) -> None:
    """Complete the partitions, in place. Every assumption is added to the statements. Does nothing
    the second time.
    """
    if parsed.concluded:
        return
    parsed.concluded = True
    _name_topics(parsed)
    _conclude_from_logs(parsed)
    for partition, about in [*parsed.partitions.items()]:
        if not about.replicas and not about.isr and (about.leader is None or about.leader < 0):
            del parsed.partitions[partition]
            parsed.assume("replicas_unknown", about.file, about.line, partition=str(partition))
        elif not about.replicas or about.leader is None or about.isr is None:
            parsed.partitions[partition] = _completed(parsed, partition, about)
    _place_topics(parsed)
    _allow_unclean_elections(parsed)
    _compare_with_elections(parsed)
    _compare_with_reassignments(parsed)
    _say_what_is_missing(parsed)


def _name_topics(parsed: ParsedState) -> None:
    """Replace the ids of topics by their names. A partition under both is one partition."""
    by_id = [one for one in parsed.partitions if one.topic in parsed.topic_ids]
    for partition in by_id:
        about = parsed.partitions.pop(partition)
        named = Partition(parsed.topic_ids[partition.topic], partition.number)
        parsed.describe(named, about)
    parsed.log_lines = [
        replace(line, partition=Partition(name, line.partition.number))
        if (name := parsed.topic_ids.get(line.partition.topic)) is not None
        else line
        for line in parsed.log_lines
    ]


def _completed(
    parsed: ParsedState, partition: Partition, about: ParsedPartition
) -> ParsedPartition:
    isr = about.isr
    leaders = () if about.leader is None or about.leader < 0 else (about.leader,)
    replicas = about.replicas or tuple(sorted({*leaders, *(isr or ()), *about.elr}))
    if not about.replicas:
        name = "replicas_assumed"
    elif isr is None:
        isr = tuple(one for one in replicas if one not in about.adding) or replicas
        name = "state_assumed"
    else:
        name = "leader_assumed"
    leader = about.leader
    if leader is None:
        leader = next((one for one in replicas if one in (isr or ())), replicas[0])
    parsed.assume(
        name, about.file, about.line, partition=str(partition), replicas=list(replicas),
        leader=leader,
    )  # fmt: skip
    return replace(about, replicas=replicas, leader=leader, isr=isr or ())


def _place_topics(parsed: ParsedState) -> None:
    """Place the topics of which only the numbers are known, as a new cluster does."""
    described = {partition.topic for partition in parsed.partitions}
    for topic, (count, factor, file, line) in sorted(parsed.planned.items()):
        if topic in described:
            continue
        brokers = sorted(parsed.brokers) or [BrokerId(number) for number in range(factor)]
        factor = min(factor, len(brokers))
        for number in range(count):
            replicas = tuple(brokers[(number + one) % len(brokers)] for one in range(factor))
            parsed.partitions[Partition(topic, number)] = ParsedPartition(
                replicas=replicas, leader=replicas[0], isr=replicas, file=file, line=line
            )
        parsed.assume("placement_assumed", file, line, topic=topic, brokers=list(brokers))


def _allow_unclean_elections(parsed: ParsedState) -> None:
    """Take the setting to be on where a controller has used it, unless the input states it."""
    if any(
        _UNCLEAN in configs for configs in (parsed.cluster_configs, *parsed.broker_configs.values())
    ):
        return
    for topic, (file, line) in sorted(parsed.unclean_elections.items()):
        configs = parsed.topic_configs.setdefault(topic, {})
        if _UNCLEAN not in configs:
            configs[_UNCLEAN] = "true"
            parsed.assume("unclean_election_logged", file, line, topic=topic)


def _compare_with_elections(parsed: ParsedState) -> None:
    for partition, (file, line) in parsed.preferred.items():
        about = parsed.partitions.get(partition)
        if about is not None and about.leader != about.replicas[0]:
            numbers = {"partition": str(partition), "preferred": about.replicas[0]}
            leader = "none" if about.leader is None or about.leader < 0 else str(about.leader)
            parsed.assume("election_contradicts", file, line, leader=leader, **numbers)


def _compare_with_reassignments(parsed: ParsedState) -> None:
    for partition, (file, line) in parsed.reassigning.items():
        about = parsed.partitions.get(partition)
        if about is not None and not about.adding and not about.removing:
            parsed.assume("reassignment_unknown", file, line, partition=str(partition))


def _say_what_is_missing(parsed: ParsedState) -> None:
    """Report the topics of which only a part was printed, as with `--under-replicated-partitions`,
    and the partitions that other tools know and none describes.
    """
    counts: dict[str, int] = {}
    for partition in parsed.partitions:
        counts[partition.topic] = counts.get(partition.topic, 0) + 1
    part = sorted(
        topic for topic, count in counts.items() if count < parsed.partition_counts.get(topic, 0)
    )
    without_head = sorted(parsed.listed - parsed.partition_counts.keys())
    for name, topics in (("part_printed", part), ("topic_line_missing", without_head)):
        if topics:
            parsed.assume(name, topics=_some(topics), count=len(topics))
    others = sorted(
        {*parsed.high_watermarks, *(one for one, _ in parsed.lags)} - parsed.partitions.keys(),
        key=str,
    )
    if others and parsed.partitions:
        names = _some(map(str, others))
        parsed.assume("offsets_not_described", partitions=names, count=len(others))


def _some(names: Iterable[str]) -> list[str]:
    listed = list(names)
    return listed[:_MOST_NAMED] + (["…"] if len(listed) > _MOST_NAMED else [])


class _Newest:
    """The state of a partition after its lines, in the order of their times."""

    def __init__(self, lines: Iterable[LogLine]) -> None:
        self.last: LogLine | None = None
        self.values: dict[str, object] = {}
        self.ends: dict[BrokerId, Offset] = {}
        self.starts: dict[LeaderEpoch, Offset] = {}
        self.before: LeaderEpoch | None = None
        self.proposed: tuple[BrokerId, ...] | None = None
        self.named: dict[BrokerId, None] = {}
        self.time_of_offsets = ""
        self.least_epoch = FIRST_EPOCH
        for line in sorted(lines, key=lambda one: one.time):
            self._add(line)

    def _add(self, line: LogLine) -> None:
        self.last = line
        epoch = self.values.get("leader_epoch")
        if line.leader_epoch is not None and isinstance(epoch, int) and epoch > line.leader_epoch:
            return  # from a broker that has not received the newer epoch
        for name in _KEPT:
            value = getattr(line, name)
            if value is not None:
                self.values[name] = value
        if line.isr is not None or line.refused:
            self.proposed = None
        if line.proposed is not None:
            self.proposed = line.proposed
        if line.epoch_start is not None and isinstance(self.values.get("leader_epoch"), int):
            self.starts[LeaderEpoch(int(str(self.values["leader_epoch"])))] = line.epoch_start
            if self.before is None:
                self.before = line.before_epoch
        if line.ends or line.high_watermark is not None:
            self.time_of_offsets = line.time
        self.ends.update(line.ends)
        if line.least_epoch is not None:
            self.least_epoch = max(self.least_epoch, line.least_epoch)
        named = (
            *(line.replicas or ()),
            *(line.isr or ()),
            *(line.proposed or ()),
            *(line.others or ()),
            *line.ends,
        )
        self.named.update(dict.fromkeys(sorted(named)))
        if line.leader is not None and line.leader >= 0:
            self.named[line.leader] = None

    @property
    def leader_epoch(self) -> LeaderEpoch | None:
        """The newest leader epoch, which is not lower than that of a record."""
        epoch = self.values.get("leader_epoch")
        stated = LeaderEpoch(epoch) if isinstance(epoch, int) else FIRST_EPOCH
        return max(stated, self.least_epoch) or (stated if epoch is not None else None)

    @property
    def isr(self) -> tuple[BrokerId, ...] | None:
        """The newest ISR, also if the controller has not confirmed it yet."""
        isr = self.values.get("isr")
        return self.proposed or (isr if isinstance(isr, tuple) else None)

    @property
    def epochs(self) -> tuple[tuple[LeaderEpoch, Offset], ...]:
        """The epoch cache as far as the lines state it; the first epoch may have begun earlier."""
        entries = sorted(self.starts.items())
        rising = [
            one for one in entries if all(one[1] <= later[1] for later in entries if later > one)
        ]
        if rising and rising[0][1] > FIRST_OFFSET:
            before = FIRST_EPOCH if self.before is None else self.before
            if before < rising[0][0]:
                rising.insert(0, (before, FIRST_OFFSET))
        return tuple(rising)


_KEPT = (
    "leader", "isr", "replicas", "elr", "last_known_elr", "adding", "removing", "leader_epoch",
    "partition_epoch", "high_watermark",
)  # fmt: skip


def _conclude_from_logs(parsed: ParsedState) -> None:
    """Add what the logs state to the described partitions, and to `parsed.logs`; without any
    described partition, the logs describe them. What contradicts a description is reported.
    """
    by_partition: dict[Partition, list[LogLine]] = {}
    for line in parsed.log_lines:
        by_partition.setdefault(line.partition, []).append(line)
    described = bool(parsed.partitions)
    logs: list[ParsedLog] = []
    for partition, lines in sorted(by_partition.items()):
        newest = _Newest(lines)
        assert newest.last is not None, "a partition has a line"
        if partition in parsed.partitions:
            parsed.partitions[partition] = _checked(parsed, partition, newest)
        elif described:
            for line in lines:
                parsed.pass_over("not_used_not_described", line.file, line.line)
            continue
        else:
            _describe(parsed, partition, newest)
        logs += _logs_of(parsed, partition, newest)
    parsed.logs[:0] = logs  # what was read from files counts more
    _conclude_brokers(parsed)


def _checked(parsed: ParsedState, partition: Partition, newest: _Newest) -> ParsedPartition:
    """A described partition with the epochs of the logs, if they are of the same leader and ISR."""
    about, last = parsed.partitions[partition], newest.last
    assert last is not None, "a partition has a line"
    leader, isr = newest.values.get("leader"), newest.isr
    same_leader = leader is None or about.leader is None or leader == about.leader
    confirmed = newest.values.get("isr")
    same_isr = isr is None or about.isr is None or {*isr} == {*about.isr}
    for column, same, printed, logged in (
        ("Leader", same_leader, (about.leader,), (leader,)),
        ("Isr", same_isr, about.isr or (), isr or ()),
    ):
        if not same:
            numbers = {
                "partition": str(partition),
                "column": column,
                "printed": ",".join(map(str, printed)) or "–",
                "logged": ",".join(map(str, logged)) or "–",
                "time": last.time or "–",
            }
            parsed.assume("log_contradicts", last.file, last.line, **numbers)
    after = replace(
        about,
        replicas=about.replicas
        or _brokers_in(newest.values.get("replicas"))
        or tuple(newest.named),
        leader=_broker_in(leader) if about.leader is None else about.leader,
        isr=isr if about.isr is None else about.isr,
        adding=about.adding or _brokers_in(newest.values.get("adding")),
        removing=about.removing or _brokers_in(newest.values.get("removing")),
    )
    epoch, version = newest.leader_epoch, newest.values.get("partition_epoch")
    if same_leader and epoch is not None:
        after.leader_epoch = max(epoch, about.leader_epoch or FIRST_EPOCH)
    agrees = isinstance(confirmed, tuple) and about.isr is not None and {*confirmed} == {*about.isr}
    if same_leader and agrees and isinstance(version, int):
        after.partition_epoch = max(version, about.partition_epoch or 0)
    return after


def _describe(parsed: ParsedState, partition: Partition, newest: _Newest) -> None:
    """A partition that only logs name: its replicas are all that they name."""
    last, values = newest.last, newest.values
    assert last is not None, "a partition has a line"
    replicas = _brokers_in(values.get("replicas")) or tuple(sorted(newest.named))
    leader, isr = _broker_in(values.get("leader")), newest.isr
    if leader is None and isr is None:
        # A log end alone does not show who leads.
        parsed.pass_over("not_used_not_described", last.file, last.line)
        return
    if isr is None:
        isr = replicas if leader is None or leader >= 0 else ()
    if leader is None:
        leader = (isr or replicas)[0]
    version = values.get("partition_epoch")
    parsed.partitions[partition] = ParsedPartition(
        replicas=replicas,
        leader=leader,
        isr=tuple(member for member in isr if member in replicas) or isr,
        elr=_brokers_in(values.get("elr")),
        last_known_elr=_brokers_in(values.get("last_known_elr")),
        adding=tuple(one for one in _brokers_in(values.get("adding")) if one in replicas),
        removing=tuple(one for one in _brokers_in(values.get("removing")) if one in replicas),
        leader_epoch=newest.leader_epoch,
        partition_epoch=version if isinstance(version, int) else None,
        file=last.file,
        line=last.line,
    )
    parsed.assume(
        "described_by_log",
        last.file,
        last.line,
        partition=str(partition),
        time=last.time or "–",
        replicas=list(replicas),
    )


def _logs_of(parsed: ParsedState, partition: Partition, newest: _Newest) -> Iterator[ParsedLog]:
    last = newest.last
    assert last is not None, "a partition has a line"
    mark = newest.values.get("high_watermark")
    if isinstance(mark, int):
        parsed.high_watermarks.setdefault(partition, Offset(mark))
    about = parsed.partitions.get(partition)
    if about is None or not newest.ends:
        return
    parsed.assume(
        "log_offsets", last.file, last.line, partition=str(partition),
        time=newest.time_of_offsets or "–",
    )  # fmt: skip
    for broker, end in sorted(newest.ends.items()):
        if broker in about.replicas:
            epochs = tuple(one for one in newest.epochs if one[1] <= end) or None
            origin = Origin(last.file, last.line, broker)
            yield ParsedLog(partition=partition, origin=origin, end=end, epochs=epochs)


def _conclude_brokers(parsed: ParsedState) -> None:
    """The state of each broker after the newest line about it."""
    states: dict[BrokerId, str] = {}
    for line in sorted(parsed.broker_lines, key=lambda one: one.time):
        states.update(dict.fromkeys(line.brokers, line.state))
    parsed.shutting_down.update(one for one, state in states.items() if state == "shutting_down")
    parsed.down.update(one for one, state in states.items() if state == "down")
    parsed.up.update(one for one, state in states.items() if state == "up")
    parsed.brokers.update(one for one, state in states.items() if state != "down")


def _brokers_in(value: object) -> tuple[BrokerId, ...]:
    return value if isinstance(value, tuple) else ()


def _broker_in(value: object) -> BrokerId | None:
    return BrokerId(value) if isinstance(value, int) else None


# --- the release ----------------------------------------------------------------------------------


class ReleaseFound(Struct, frozen=True):
    """A release by the name of its line, and a controller if it supports two. `oldest` and `newest`
    are the lines that match the input, and `why` what shows it.
    """

    kafka: str
    control: Control | None
    oldest: str
    newest: str
    why: tuple[Statement, ...] = ()


def releases_for(parsed: ParsedState, asked: str | None) -> list[ReleaseFound]:
    """The requested release, otherwise those that match the input, the newest first.

    Raises `UnknownVersionError` for an unknown release.
    """
    control = _control(parsed)
    if asked is not None:
        return [ReleaseFound(asked, _where_it_was_a_choice(asked, control), asked, asked)]
    oldest = max(parsed.since, key=number_of, default="0.8.2")
    since, until = number_of(oldest), min(parsed.until, key=number_of, default=None)
    lines = [
        line
        for line in newest_of_lines()
        if _fits(line.number, since, None if until is None else number_of(until), control)
    ]
    if not lines:  # if tools and brokers have different versions, the brokers' files count
        lines = [line for line in newest_of_lines() if _fits(line.number, since, None, control)]
        until = None
    names = [line.name for line in lines] or [newest_of_lines()[-1].name]
    shown = [
        bounds[release]
        for release, bounds in ((oldest, parsed.since), (until, parsed.until))
        if release in bounds
    ]
    why = tuple(map(Statement, dict.fromkeys(shown)))
    return [
        ReleaseFound(kafka, _where_it_was_a_choice(kafka, control), names[0], names[-1], why)
        for kafka in reversed(names)
    ]


def _control(parsed: ParsedState) -> Control | None:
    """The kind of controller; input that exists only under KRaft determines it."""
    if "kraft" in parsed.controls:
        return "kraft"
    return "zookeeper" if "zookeeper" in parsed.controls else None


def _fits(number: Number, since: Number, until: Number | None, control: Control | None) -> bool:
    if not at_least(number, since) or (until is not None and at_least(number, until)):
        return False
    if control == "zookeeper":
        return not at_least(number, (4, 0))
    return control is None or at_least(number, (2, 8))


def _where_it_was_a_choice(kafka: str, control: Control | None) -> Control | None:
    own = resolve_profile(kafka).control
    if control is None or control == own:
        return None
    number = number_of(kafka)
    both = at_least(number, (2, 8)) and not at_least(number, (4, 0))
    return control if both else None
