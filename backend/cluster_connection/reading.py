"""Asks a cluster for its state: brokers, partitions, settings and logs.

If leaders or ISRs change while it is read, everything is asked for anew, up to three times.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence

from kafka.protocol.admin import (
    DescribeConfigsRequest,
    DescribeQuorumRequest,
    DescribeTopicPartitionsRequest,
    ListPartitionReassignmentsRequest,
)
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.metadata import MetadataRequest
from msgspec.structs import replace

from backend.cluster_connection.asking import Asking, Brokers, grouped, partitions_of, shortened
from backend.cluster_connection.connection import Address, Connection
from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.log_ends import read_logs
from backend.cluster_connection.properties import ClientSettings
from backend.cluster_connection.releases import Offered, note_cluster, note_releases
from sim_engine.cluster_import.assembly import select
from sim_engine.cluster_import.other_output import METADATA_LOG
from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState, Partition
from sim_engine.configs import SETTINGS
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch

_TRIES = 3
_TOPIC, _BROKER = 2, 4
_DEFAULT_SOURCE = 5
_ORDERED = 4
"""The first version of Metadata whose brokers keep replicas in order (0.11)."""
_AT_ONCE = 2_000
"""Partitions in one response."""


async def read_cluster(
    addresses: Sequence[Address],
    client: ClientSettings,
    topics: Collection[str] = (),
    *,
    whole: bool = False,
    most_logs: int = 0,
) -> ParsedState:
    """The state of a cluster, by the first of these brokers that can be used.

    Of all topics, or of these: partitions, leaders, ISRs. Of the partitions that a scenario has
    room for: logs, and the settings of their topics and brokers. With `whole`, of all partitions
    the settings that the engine has, and logs of at most `most_logs` partitions, those in an
    unusual state first. What is refused is among the assumptions, each kind once. Raises
    `ConnectionFailedError` if no broker can be used or none describes a topic.
    """
    brokers = Brokers(client, await _first(addresses, client))
    try:
        for _ in range(_TRIES):
            asking = Asking(brokers, ParsedState())
            moved = await (
                _read_whole(asking, topics, most_logs) if whole else _read(asking, topics)
            )
            if not moved:
                break
        else:
            asking.parsed.assume("changed_while_read", partitions=shortened(moved))
        return asking.parsed
    finally:
        await brokers.close()


async def _first(addresses: Sequence[Address], client: ClientSettings) -> Connection:
    failures: list[str] = []
    for address in addresses:
        try:
            return await Connection.open(address, client)
        except ConnectionFailedError as error:
            failures.append(str(error))
    raise ConnectionFailedError("; ".join(dict.fromkeys(failures)))


async def _read(asking: Asking, topics: Collection[str]) -> set[Partition]:
    """Read everything once, and return the partitions that changed meanwhile."""
    parsed, first = asking.parsed, asking.brokers.first
    note_cluster(parsed, first.versions, first.finalized)
    parsed.partitions.update(await _partitions(asking, topics))
    if (first.offers(MetadataRequest) or 0) < _ORDERED:
        parsed.assume("replicas_unordered")
    wanted = select(replace(parsed, unknown=[]), {}, topics)
    await asyncio.gather(
        _read_releases(asking, parsed.live & {*wanted.ids}),
        _read_reassignments(asking, wanted.partitions),
        _read_quorum(asking),
        _read_topic_configs(asking, sorted({name.topic for name in wanted.partitions})),
        *(_read_broker_configs(asking, broker) for broker in sorted(parsed.live & {*wanted.ids})),
    )
    moved = await _read_logs(asking, wanted.partitions)
    asking.report()
    return moved


async def _read_logs(asking: Asking, names: Iterable[Partition]) -> set[Partition]:
    """Read the logs of partitions, and return those that changed meanwhile."""
    partitions = {name: asking.parsed.partitions[name] for name in names}
    await read_logs(asking, partitions)
    after = await _partitions(asking, sorted({name.topic for name in partitions}))
    return asking.moved | {
        name
        for name, was in partitions.items()
        if name not in after or _decided(after[name]) != _decided(was)
    }


async def _read_whole(asking: Asking, topics: Collection[str], most_logs: int) -> set[Partition]:
    """Read what an assessment needs of all partitions, which are of one moment; and the logs of
    some. Returns those of them that changed meanwhile.
    """
    parsed, first = asking.parsed, asking.brokers.first
    note_cluster(parsed, first.versions, first.finalized)
    parsed.partitions.update(await _partitions(asking, topics))
    names = sorted({name.topic for name in parsed.partitions})
    modelled = sorted(one.topic_name for one in SETTINGS if one.topic_name is not None)
    await asyncio.gather(
        _read_releases(asking, parsed.live),
        _read_reassignments(asking, parsed.partitions),
        _read_quorum(asking),
        *(
            _read_topic_configs(asking, names[start : start + _AT_ONCE], modelled)
            for start in range(0, len(names), _AT_ONCE)
        ),
        *(_read_broker_configs(asking, broker) for broker in sorted(parsed.live)),
    )
    followed = sorted(parsed.partitions, key=lambda name: _interest(name, parsed.partitions[name]))
    moved = await _read_logs(asking, followed[:most_logs]) if most_logs else set()
    asking.report()
    return moved


def _interest(name: Partition, about: ParsedPartition) -> tuple[bool, bool, Partition]:
    is_whole = set(about.isr or ()) == set(about.replicas)
    return about.leader != NO_LEADER, is_whole, name


async def _read_releases(asking: Asking, brokers: Iterable[BrokerId]) -> None:
    """Which release each broker runs: each states it when it is connected to. Of one that is not
    reached, nothing is known.
    """

    async def offered_by(broker: BrokerId) -> tuple[BrokerId, Offered] | None:
        try:
            connection = await asking.brokers.to(broker)
        except ConnectionFailedError as error:
            asking.not_reached(broker, error)
            return None
        return broker, Offered(connection.versions, connection.supported)

    answers = await asyncio.gather(*map(offered_by, brokers))
    note_releases(asking.parsed, dict(one for one in answers if one is not None))


# --- partitions ----------------------------------------------------------------------------------


async def _partitions(asking: Asking, topics: Collection[str]) -> dict[Partition, ParsedPartition]:
    """The partitions of these topics, or of all, as they are now; and the brokers that run."""
    first, brokers = asking.brokers.first, asking.brokers
    if first.offers(MetadataRequest) is None:
        raise ConnectionFailedError(
            f"{first.address}: no Metadata here: name a broker, not a controller"
        )
    response = await first.ask(MetadataRequest(topics=None, allow_auto_topic_creation=False))
    addresses = {BrokerId(one.node_id): Address(one.host, one.port) for one in response.brokers}
    brokers.addresses = addresses
    brokers.controller = next((one for one in addresses if one == response.controller_id), None)
    asking.parsed.live = set(addresses)
    asking.parsed.racks = {BrokerId(one.node_id): one.rack for one in response.brokers if one.rack}
    names = {topic.name for topic in response.topics}
    if missing := sorted(set(topics) - names):
        raise ConnectionFailedError(
            f"{first.address}: no such topic, or no right to describe it: {', '.join(missing)}"
        )
    if not names:
        raise ConnectionFailedError(
            f"{first.address}: no topics: there are none, or this user may describe none"
        )
    wanted = [one for one in response.topics if not topics or one.name in topics]
    found = {
        Partition(topic.name, one.partition_index): _partition(one)
        for topic in wanted
        if asking.is_good("metadata", topic.error_code, topic.name)
        for one in topic.partitions
    }
    if first.offers(DescribeTopicPartitionsRequest) is not None:
        found |= await _with_elr(asking, sorted(one.name for one in wanted))
    return found


async def _with_elr(asking: Asking, topics: Sequence[str]) -> dict[Partition, ParsedPartition]:
    """The partitions of these topics as the newer request describes them, in parts."""
    request = DescribeTopicPartitionsRequest
    found: dict[Partition, ParsedPartition] = {}
    cursor = None
    while True:
        names = [request.TopicRequest(name=name) for name in topics]
        response = await asking.first(
            "elr", request(topics=names, response_partition_limit=_AT_ONCE, cursor=cursor)
        )
        for topic in () if response is None else response.topics:
            if asking.is_good("elr", topic.error_code, topic.name):
                for one in topic.partitions:
                    found[Partition(topic.name, one.partition_index)] = _partition(
                        one,
                        elr=_ids(one.eligible_leader_replicas),
                        last_known_elr=_ids(one.last_known_elr),
                    )
        after = None if response is None else response.next_cursor
        if after is None:
            return found
        cursor = request.Cursor(topic_name=after.topic_name, partition_index=after.partition_index)
        topics = [name for name in topics if name >= after.topic_name]


def _partition(
    one: ApiMessage, elr: tuple[BrokerId, ...] = (), last_known_elr: tuple[BrokerId, ...] = ()
) -> ParsedPartition:
    epoch = one.leader_epoch
    return ParsedPartition(
        replicas=_ids(one.replica_nodes),
        leader=BrokerId(one.leader_id) if one.leader_id >= 0 else NO_LEADER,
        isr=_ids(one.isr_nodes),
        elr=elr,
        last_known_elr=last_known_elr,
        leader_epoch=None if epoch is None or epoch < 0 else LeaderEpoch(epoch),
        offline=_ids(one.offline_replicas),
        file="",
    )


def _decided(about: ParsedPartition) -> tuple[object, ...]:
    """What must stay while a partition is read."""
    return about.replicas, about.leader, about.isr, about.elr, about.leader_epoch


async def _read_reassignments(asking: Asking, partitions: Iterable[Partition]) -> None:
    request = ListPartitionReassignmentsRequest
    numbers = grouped((name.topic, name.number) for name in partitions)
    topic = request.ListPartitionReassignmentsTopics
    asked = request(
        timeout_ms=int(asking.brokers.client.request_s * 1000),
        topics=[topic(name=name, partition_indexes=listed) for name, listed in numbers.items()],
    )
    response = await asking.controller("reassignments", asked)
    if response is not None and asking.is_good("reassignments", response.error_code):
        for topic_name, one in partitions_of(response):
            about = asking.parsed.partitions.get(Partition(topic_name, one.partition_index))
            if about is not None:
                about.adding = _ids(one.adding_replicas)
                about.removing = _ids(one.removing_replicas)


async def _read_quorum(asking: Asking) -> None:
    request = DescribeQuorumRequest
    if asking.brokers.first.offers(request) is None:
        return  # there is none under ZooKeeper
    topic = request.TopicData
    log = topic(topic_name=METADATA_LOG, partitions=[topic.PartitionData(partition_index=0)])
    response = await asking.controller("quorum", request(topics=[log]))
    if response is not None and asking.is_good("quorum", response.error_code):
        for _, one in partitions_of(response):
            if asking.is_good("quorum", one.error_code):
                asking.parsed.brokers.update(
                    BrokerId(node.replica_id) for node in one.observers or ()
                )


# --- settings ------------------------------------------------------------------------------------


async def _read_topic_configs(
    asking: Asking, topics: Sequence[str], settings: Sequence[str] | None = None
) -> None:
    response = await asking.first("topic_settings", _configs_of(_TOPIC, topics, settings))
    for one in () if response is None else response.results:
        if asking.is_good("topic_settings", one.error_code, one.resource_name):
            asking.parsed.set_configs("topic", one.resource_name, _not_default(one))


async def _read_broker_configs(asking: Asking, broker: BrokerId) -> None:
    request = _configs_of(_BROKER, [str(broker)])
    response = await asking.broker("broker_settings", broker, request)
    for one in () if response is None else response.results:
        if asking.is_good("broker_settings", one.error_code, broker):
            asking.parsed.set_configs("broker", str(broker), _not_default(one))


def _configs_of(
    kind: int, names: Sequence[str], settings: Sequence[str] | None = None
) -> ApiMessage:
    """The question for these settings, or for all, of topics or brokers."""
    resource = DescribeConfigsRequest.DescribeConfigsResource
    return DescribeConfigsRequest(
        resources=[
            resource(resource_type=kind, resource_name=name, configuration_keys=settings)
            for name in names
        ]
    )


def _not_default(result: ApiMessage) -> dict[str, str]:
    """The settings of a result that differ from Kafka's defaults and have a value, which secrets
    have not. The oldest version of the response has a flag in place of the source.
    """
    return {
        one.name: one.value
        for one in result.configs
        if not (one.is_default or one.config_source == _DEFAULT_SOURCE)
        and not (one.is_sensitive or one.value is None)
    }


def _ids(brokers: Iterable[int] | None) -> tuple[BrokerId, ...]:
    return tuple(map(BrokerId, brokers or ()))
