"""Where each replica's log starts and ends, and which epochs it has.

High watermarks are asked for first and log ends after them, those of leaders last: a live cluster
moves on between two requests, and in this order a log cannot seem to end too early.
"""

from collections.abc import Iterable, Mapping, Sequence

from kafka.errors import for_code
from kafka.protocol.admin import DescribeLogDirsRequest
from kafka.protocol.consumer.offsets import ListOffsetsRequest, OffsetForLeaderEpochRequest

from backend.cluster_connection.asking import Asking, Replica, by_topic, grouped, partitions_of
from sim_engine.cluster_import.logs import CONTEXT, KEPT_WHOLE
from sim_engine.cluster_import.parsed_state import (
    Epochs,
    Origin,
    ParsedLog,
    ParsedPartition,
    Partition,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset

_CONSUMER = -1
"""The replica id of a client, which the leader answers with the high watermark."""
_DEBUGGING = -2
"""The replica id that every replica answers, with its log end (`DEBUGGING_REPLICA_ID`)."""
_LATEST = -1
_EARLIEST = -2
_MOST_EPOCHS = KEPT_WHOLE


async def read_logs(asking: Asking, partitions: Mapping[Partition, ParsedPartition]) -> None:
    """Add the logs of all replicas whose brokers run, and the leaders' high watermarks."""
    parsed = asking.parsed
    leaders = {
        name: about.leader
        for name, about in partitions.items()
        if about.leader is not None and about.leader != NO_LEADER
    }
    followers = [
        (name, broker)
        for name, about in partitions.items()
        for broker in about.replicas
        if broker in parsed.live and broker not in about.offline and broker != leaders.get(name)
    ]
    marks = await _offsets(asking, leaders.items(), _CONSUMER, _LATEST)
    starts = await _offsets(asking, [*followers, *leaders.items()], _DEBUGGING, _EARLIEST)
    ends = await _offsets(asking, followers, _DEBUGGING, _LATEST)
    ends |= await _offsets(asking, leaders.items(), _DEBUGGING, _LATEST)
    parsed.high_watermarks.update({name: offset for (name, _), offset in marks.items()})
    epochs = await _Epochs(asking, partitions, leaders, starts, ends).read()
    await _read_log_dirs(asking, partitions, ends)
    for (name, broker), end in sorted(ends.items()):
        parsed.logs.append(
            ParsedLog(
                partition=name,
                origin=Origin("", 0, broker),
                end=end,
                log_start=starts.get((name, broker)),
                epochs=epochs.get(name) if leaders.get(name) == broker else None,
            )
        )


async def _offsets(
    asking: Asking, replicas: Iterable[Replica], replica_id: int, timestamp: int
) -> dict[Replica, Offset]:
    """Ask each broker for an offset of its replicas."""
    topic = ListOffsetsRequest.ListOffsetsTopic
    found: dict[Replica, Offset] = {}

    async def ask(broker: BrokerId, names: list[Partition]) -> None:
        request = ListOffsetsRequest(
            replica_id=replica_id,
            isolation_level=0,
            timeout_ms=int(asking.brokers.client.request_s * 1000),
            topics=by_topic(
                names,
                lambda name, listed: topic(name=name, partitions=listed),
                lambda name: topic.ListOffsetsPartition(
                    partition_index=name.number,
                    current_leader_epoch=-1,
                    timestamp=timestamp,
                    max_num_offsets=1,
                ),
            ),
        )
        response = await asking.broker("offsets", broker, request)
        for topic_name, one in partitions_of(response):
            name = Partition(topic_name, one.partition_index)
            offset = (*(one.old_style_offsets or ()), one.offset)[0]
            if asking.is_good("offsets", one.error_code, name) and offset >= 0:
                found[name, broker] = Offset(offset)

    await asking.each(replicas, ask)
    return found


class _Epochs:
    """Walks through the epochs of leaders, from the newest backwards, as far as the records go
    that a scenario keeps. A leader answers where an epoch ends, or the one before it if it has no
    records of it.
    """

    def __init__(
        self,
        asking: Asking,
        partitions: Mapping[Partition, ParsedPartition],
        leaders: Mapping[Partition, BrokerId],
        starts: Mapping[Replica, Offset],
        ends: Mapping[Replica, Offset],
    ) -> None:
        self._asking = asking
        self._leaders = leaders
        self._starts = {
            name: starts.get((name, leader), Offset(0)) for name, leader in leaders.items()
        }
        self._front = {name: _front(name, partitions[name], starts, ends) for name in leaders}
        self._found: dict[Partition, list[tuple[LeaderEpoch, Offset]]] = {}
        """Newest first; the start of the last one is not known yet."""
        self._next = {
            name: epoch
            for name, leader in leaders.items()
            if (epoch := partitions[name].leader_epoch) is not None and (name, leader) in ends
        }

    async def read(self) -> dict[Partition, Epochs]:
        """The epochs by partition."""
        while self._next:
            await self._asking.each([(name, self._leaders[name]) for name in self._next], self._ask)
        return {name: tuple(reversed(found)) for name, found in self._found.items() if found}

    async def _ask(self, broker: BrokerId, names: list[Partition]) -> None:
        topic = OffsetForLeaderEpochRequest.OffsetForLeaderTopic
        request = OffsetForLeaderEpochRequest(
            replica_id=_CONSUMER,
            topics=by_topic(
                names,
                lambda name, listed: topic(topic=name, partitions=listed),
                lambda name: topic.OffsetForLeaderPartition(
                    partition=name.number, current_leader_epoch=-1, leader_epoch=self._next[name]
                ),
            ),
        )
        response = await self._asking.broker("epochs", broker, request)
        asked = {name: self._next.pop(name) for name in names}
        for topic_name, one in partitions_of(response):
            name = Partition(topic_name, one.partition)
            if self._asking.is_good("epochs", one.error_code, name):
                self._add(name, one.leader_epoch, one.end_offset, asked[name])

    def _add(self, name: Partition, epoch: int, end: int, asked: LeaderEpoch) -> None:
        found = self._found.setdefault(name, [])
        if found:  # where an epoch ends, the next one starts
            found[-1] = (found[-1][0], Offset(end))
        start = self._starts[name]
        if not 0 <= epoch <= asked or (found and end <= start):
            return  # none, or older than the log
        found.append((LeaderEpoch(epoch), start))
        is_enough = len(found) > 2 and end <= self._front[name]
        if epoch > 0 and not is_enough and len(found) < _MOST_EPOCHS:
            self._next[name] = LeaderEpoch(epoch - 1)


def _front(
    name: Partition,
    about: ParsedPartition,
    starts: Mapping[Replica, Offset],
    ends: Mapping[Replica, Offset],
) -> int:
    """The lowest offset whose epoch a scenario can need, or less."""
    known = [ends[name, broker] for broker in about.replicas if (name, broker) in ends]
    first = [starts[name, broker] for broker in about.replicas if (name, broker) in starts]
    lowest = min(first, default=0)
    is_kept_whole = not known or max(known) - lowest <= KEPT_WHOLE
    return lowest if is_kept_whole else min(known) - CONTEXT


async def _read_log_dirs(
    asking: Asking, partitions: Mapping[Partition, ParsedPartition], ends: Mapping[Replica, Offset]
) -> None:
    """Which log directories have failed; and how far behind the logs are whose end is not known."""

    async def ask(broker: BrokerId, names: Sequence[Partition]) -> None:
        topic = DescribeLogDirsRequest.DescribableLogDirTopic
        numbers = grouped((name.topic, name.number) for name in names)
        request = DescribeLogDirsRequest(
            topics=[topic(topic=name, partitions=listed) for name, listed in numbers.items()]
        )
        response = await asking.broker("log_dirs", broker, request)
        if response is None or not asking.is_good("log_dirs", response.error_code or 0):
            return
        for folder in response.results:
            if for_code(folder.error_code).__name__ == "KafkaStorageError":
                asking.parsed.assume("log_dir_failed", broker=broker)
            elif asking.is_good("log_dirs", folder.error_code, broker):
                for topic_name, one in partitions_of(folder):
                    name = Partition(topic_name, one.partition_index)
                    if (name, broker) not in ends and not one.is_future_key:
                        asking.parsed.lags[name, broker] = one.offset_lag

    replicas = [
        (name, broker)
        for name, about in partitions.items()
        for broker in about.replicas
        if broker in asking.parsed.live
    ]
    await asking.each(replicas, ask)
    if not asking.parsed.high_watermarks:
        asking.parsed.lags.clear()  # they are relative to them
