"""What clients and administrators ask of real brokers: one request after another on a connection of
this program alone, past the forwarders.

A response with an error is a value: its name, as Kafka writes it. No response is None.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import ClassVar

from kafka.errors import for_code
from kafka.protocol.admin import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    CreateTopicsRequest,
    CreateTopicsResponse,
    ElectLeadersRequest,
    ElectLeadersResponse,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer.fetch import FetchRequest, FetchResponse
from kafka.protocol.consumer.offsets import ListOffsetsRequest
from kafka.protocol.producer import (
    InitProducerIdRequest,
    InitProducerIdResponse,
    ProduceRequest,
    ProduceResponse,
)
from kafka.record import MemoryRecords
from kafka.record.memory_records import MemoryRecordsBuilder

from backend.cluster_connection.connection import Address, Connection
from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import ClientSettings
from sim_engine.conformance.recording import ProduceResult, Row
from sim_engine.identifiers import Offset

TOPIC_NAME = "t"
PARTITION = 0
_WITHOUT_TOPIC_IDS = {ProduceRequest: 12, FetchRequest: 12}
_OLD_BATCHES = 3
"""The first version of Produce with batches of format 2."""
_NEW_NAMES = {"NOT_LEADER_FOR_PARTITION": "NOT_LEADER_OR_FOLLOWER"}
_ASK_S = 20.0


class WritingConnection(Connection):
    """A connection on which this program also writes, and asks as an administrator."""

    responses: ClassVar[Mapping[type[ApiMessage], type[ApiMessage]]] = {
        **Connection.responses,
        AlterPartitionReassignmentsRequest: AlterPartitionReassignmentsResponse,
        CreateTopicsRequest: CreateTopicsResponse,
        ElectLeadersRequest: ElectLeadersResponse,
        FetchRequest: FetchResponse,
        IncrementalAlterConfigsRequest: IncrementalAlterConfigsResponse,
        InitProducerIdRequest: InitProducerIdResponse,
        ProduceRequest: ProduceResponse,
    }

    def offers(self, request: type[ApiMessage]) -> int | None:
        """The version of a request that will be sent; the last one that names topics by name."""
        version = super().offers(request)
        return None if version is None else min(version, _WITHOUT_TOPIC_IDS.get(request, version))


class FetchedFromBroker:
    """What a consumer that starts at an offset receives from one broker."""

    def __init__(self, error: str | None, high_watermark: Offset, rows: list[Row]) -> None:
        self.error = error
        self.high_watermark = high_watermark
        self.rows = rows


class Clients:
    """The connections of this program to the brokers, by the ports at which these listen."""

    def __init__(self, ports: Mapping[int, int]) -> None:
        self._ports = ports
        self._settings = ClientSettings(client_id="highwater-record")
        self._producer: tuple[int, int] | None = None
        self._sequence = 0

    async def ask(
        self, node: int, request: ApiMessage, most_s: float = _ASK_S
    ) -> ApiMessage | None:
        """The response of a node; None if none came within the time."""
        try:
            connection = await WritingConnection.open(
                Address("127.0.0.1", self._ports[node]), self._settings
            )
        except ConnectionFailedError:
            return None
        try:
            if connection.offers(type(request)) is None:
                return None
            return await connection.ask(request, most_s)
        except ConnectionFailedError:
            return None
        finally:
            await connection.close()

    async def features(self, node: int) -> dict[str, int]:
        """The finalized levels of the features, as a broker answers them."""
        connection = await WritingConnection.open(
            Address("127.0.0.1", self._ports[node]), self._settings
        )
        await connection.close()
        return connection.finalized

    async def produce(
        self,
        node: int,
        value: str,
        acks: int,
        timeout_ms: int,
        *,
        idempotent: bool,
        sequence: int | None,
    ) -> ProduceResult:
        """Send one value as one batch, and wait for the response as long as the leader may take."""
        try:
            connection = await WritingConnection.open(
                Address("127.0.0.1", self._ports[node]), self._settings
            )
        except ConnectionFailedError:
            return ProduceResult(value=value, outcome="no_answer")
        try:
            version = connection.offers(ProduceRequest)
            assert version is not None, "every broker takes records"
            numbers = await self._numbers(connection, sequence) if idempotent else (-1, -1, -1)
            records = _batch(value, 2 if version >= _OLD_BATCHES else 1, numbers)
            response = await connection.ask(
                _produce(records, acks, timeout_ms), timeout_ms / 1000 + 5
            )
        except ConnectionFailedError:
            return ProduceResult(value=value, outcome="no_answer")
        finally:
            await connection.close()
        (one,) = response.responses[0].partition_responses
        if one.error_code:
            return ProduceResult(value=value, outcome="failed", error=name_of(one.error_code))
        return ProduceResult(value=value, outcome="acked", offset=Offset(one.base_offset))

    async def _numbers(self, connection: Connection, sequence: int | None) -> tuple[int, int, int]:
        if self._producer is None:
            answer = await connection.ask(
                InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000)
            )
            self._producer = (answer.producer_id, answer.producer_epoch)
        if sequence is not None:
            return (*self._producer, sequence)
        self._sequence += 1
        return (*self._producer, self._sequence - 1)

    async def fetch(self, node: int, offset: int) -> FetchedFromBroker | None:
        """What a consumer receives that starts at an offset; None without a response."""
        request = FetchRequest(
            replica_id=-1,
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=10_000_000,
            isolation_level=0,
            session_id=0,
            session_epoch=-1,
            topics=[
                FetchRequest.FetchTopic(
                    topic=TOPIC_NAME,
                    partitions=[
                        FetchRequest.FetchTopic.FetchPartition(
                            partition=PARTITION, fetch_offset=offset, partition_max_bytes=10_000_000
                        )
                    ],
                )
            ],
            forgotten_topics_data=[],
            rack_id="",
        )
        response = await self.ask(node, request, 5)
        if response is None or not response.responses:
            return None
        (one,) = response.responses[0].partitions
        error = name_of(one.error_code) if one.error_code else None
        return FetchedFromBroker(
            error, Offset(one.high_watermark), _rows(one.records or b"", offset)
        )

    async def latest_offset(self, node: int) -> Offset | str | None:
        """The end that a consumer is told, or the error; None without a response."""
        partition = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition(
            partition_index=PARTITION, timestamp=-1
        )
        topic = ListOffsetsRequest.ListOffsetsTopic(name=TOPIC_NAME, partitions=[partition])
        request = ListOffsetsRequest(replica_id=-1, isolation_level=0, topics=[topic])
        response = await self.ask(node, request, 5)
        if response is None:
            return None
        (one,) = response.topics[0].partitions
        if one.error_code:
            return name_of(one.error_code)
        return Offset(one.offset)

    async def create_topic(
        self, node: int, assignment: Sequence[Sequence[int]], configs: Mapping[str, object]
    ) -> str | None:
        """Create the topic; the error, or None."""
        topic = CreateTopicsRequest.CreatableTopic(
            name=TOPIC_NAME,
            num_partitions=-1,
            replication_factor=-1,
            assignments=[
                CreateTopicsRequest.CreatableTopic.CreatableReplicaAssignment(
                    partition_index=index, broker_ids=list(replicas)
                )
                for index, replicas in enumerate(assignment)
            ],
            configs=[
                CreateTopicsRequest.CreatableTopic.CreatableTopicConfig(
                    name=name, value=_text(value)
                )
                for name, value in configs.items()
            ],
        )
        response = await self.ask(node, CreateTopicsRequest(topics=[topic], timeout_ms=30_000))
        if response is None:
            return "no_response"
        return _error(response.topics[0].error_code)

    async def elect(self, node: int, *, unclean: bool) -> str | None:
        """Ask for an election; the error, or None."""
        named = ElectLeadersRequest.TopicPartitions(topic=TOPIC_NAME, partitions=[PARTITION])
        request = ElectLeadersRequest(
            election_type=int(unclean), topic_partitions=[named], timeout_ms=30_000
        )
        response = await self.ask(node, request)
        if response is None:
            return "no_response"
        if response.error_code:
            return name_of(response.error_code)
        results = response.replica_election_results
        return _error(results[0].partition_result[0].error_code) if results else None

    async def reassign(self, node: int, replicas: Sequence[int] | None) -> str | None:
        """Ask for a reassignment, or for the end of the one in progress; the error, or None."""
        topic = AlterPartitionReassignmentsRequest.ReassignableTopic
        one = topic.ReassignablePartition(
            partition_index=PARTITION, replicas=None if replicas is None else list(replicas)
        )
        request = AlterPartitionReassignmentsRequest(
            timeout_ms=30_000, topics=[topic(name=TOPIC_NAME, partitions=[one])]
        )
        response = await self.ask(node, request)
        if response is None:
            return "no_response"
        if response.error_code:
            return name_of(response.error_code)
        return _error(response.responses[0].partitions[0].error_code)

    async def set_configs(
        self, node: int, resource: tuple[int, str], settings: Mapping[str, object]
    ) -> str | None:
        """Set dynamic settings of a resource, by its type and name; the error, or None."""
        kind, name = resource
        one = IncrementalAlterConfigsRequest.AlterConfigsResource(
            resource_type=kind,
            resource_name=name,
            configs=[
                IncrementalAlterConfigsRequest.AlterConfigsResource.AlterableConfig(
                    name=key, config_operation=0, value=_text(value)
                )
                for key, value in settings.items()
            ],
        )
        request = IncrementalAlterConfigsRequest(resources=[one], validate_only=False)
        response = await self.ask(node, request)
        if response is None:
            return "no_response"
        return _error(response.responses[0].error_code)


async def until_true(check: Callable[[], Awaitable[bool]], limit_s: float) -> bool:
    """Wait until an asynchronous function returns true; False after the limit."""
    until = time.monotonic() + limit_s
    while not await check():
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.1)
    return True


def name_of(error_code: int) -> str:
    """Kafka's name of an error, in the words of the newest release."""
    name: str = for_code(error_code).message
    return _NEW_NAMES.get(name, name)


def _error(error_code: int) -> str | None:
    return name_of(error_code) if error_code else None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _batch(value: str, magic: int, numbers: tuple[int, int, int]) -> bytes:
    builder = MemoryRecordsBuilder(
        magic,
        0,
        1_000_000,
        producer_id=numbers[0],
        producer_epoch=numbers[1],
        base_sequence=numbers[2],
    )
    builder.append(int(time.time() * 1000), None, value.encode())
    builder.close()
    return bytes(builder.buffer())


def _produce(records: bytes, acks: int, timeout_ms: int) -> ProduceRequest:
    topic = ProduceRequest.TopicProduceData
    data = topic.PartitionProduceData(index=PARTITION, records=records)
    return ProduceRequest(
        transactional_id=None,
        acks=acks,
        timeout_ms=timeout_ms,
        topic_data=[topic(name=TOPIC_NAME, partition_data=[data])],
    )


def _rows(content: bytes, offset: int) -> list[Row]:
    """The records from an offset on, as recordings write what a client reads."""
    rows: list[Row] = []
    records = MemoryRecords(bytes(content))
    while records.has_next():
        batch = records.next_batch()
        rows += [[one.offset, one.value.decode()] for one in batch if one.offset >= offset]
    return rows
