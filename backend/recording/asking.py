"""What clients and administrators ask of real brokers: one request after another on a connection of
this program alone, past the forwarders.

A response with an error is a value: its name, as Kafka writes it. No response is None.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

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
from kafka.protocol.metadata import FindCoordinatorRequest, FindCoordinatorResponse
from kafka.protocol.producer import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    EndTxnRequest,
    EndTxnResponse,
    InitProducerIdRequest,
    InitProducerIdResponse,
    ProduceRequest,
    ProduceResponse,
)
from kafka.record import MemoryRecords
from kafka.record.abc import ABCRecord
from kafka.record.default_records import ControlRecord
from kafka.record.memory_records import MemoryRecordsBuilder
from msgspec import Struct

from backend.cluster_connection.connection import Address, Connection
from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import ClientSettings
from backend.recording.failures import RecordingFailedError, failure
from sim_engine.actions.steps import Isolation
from sim_engine.conformance.recording import Produce, ProduceResult, Row
from sim_engine.error_texts import Words
from sim_engine.identifiers import Offset

TOPIC_NAME = "t"
PARTITION = 0
_NEWEST = {
    AddPartitionsToTxnRequest: 3,
    EndTxnRequest: 4,
    FetchRequest: 12,
    FindCoordinatorRequest: 3,
    ProduceRequest: 11,
}
"""The last versions that name topics by name, and whose producers name each partition of a
transaction before they write to it.
"""
TRANSACTIONS = "__transaction_state"
_TRANSACTIONAL_ID = "highwater"
_LONGEST_TRANSACTION_MS = 900_000
_COORDINATOR_S = 30.0
_AGAIN_S = 0.2
_NOT_YET = {
    "COORDINATOR_LOAD_IN_PROGRESS",
    "COORDINATOR_NOT_AVAILABLE",
    "NOT_COORDINATOR",
    "CONCURRENT_TRANSACTIONS",
}
"""The errors after which a producer asks its coordinator again."""
_OLD_BATCHES = 3
"""The first version of Produce with batches of format 2."""
_NEW_NAMES = {"NOT_LEADER_FOR_PARTITION": "NOT_LEADER_OR_FOLLOWER"}
_ASK_S = 20.0


class WritingConnection(Connection):
    """A connection on which this program also writes, and asks as an administrator."""

    responses: ClassVar[Mapping[type[ApiMessage], type[ApiMessage]]] = {
        **Connection.responses,
        AddPartitionsToTxnRequest: AddPartitionsToTxnResponse,
        AlterPartitionReassignmentsRequest: AlterPartitionReassignmentsResponse,
        CreateTopicsRequest: CreateTopicsResponse,
        ElectLeadersRequest: ElectLeadersResponse,
        EndTxnRequest: EndTxnResponse,
        FetchRequest: FetchResponse,
        FindCoordinatorRequest: FindCoordinatorResponse,
        IncrementalAlterConfigsRequest: IncrementalAlterConfigsResponse,
        InitProducerIdRequest: InitProducerIdResponse,
        ProduceRequest: ProduceResponse,
    }

    def offers(self, request: type[ApiMessage]) -> int | None:
        """The version of a request that will be sent, and never one that works differently."""
        version = super().offers(request)
        return None if version is None else min(version, _NEWEST.get(request, version))

    async def send(self, request: ApiMessage) -> None:
        """Send a request that has no response."""
        request.API_VERSION = self.offers(type(request))
        request.with_header(correlation_id=0, client_id=self._client.client_id)
        self._writer.write(request.encode(framed=True, header=True))
        await self._writer.drain()


class FetchedFromBroker(Struct, frozen=True, kw_only=True):
    """What a consumer that starts at an offset receives from one broker."""

    error: str | None
    high_watermark: Offset
    last_stable_offset: Offset | None
    rows: list[Row]
    """All that was sent, with markers."""
    records: list[Row]
    """What the consumer passes on: no markers, and with read_committed nothing that was aborted."""
    aborted: list[list[int]]
    """Pairs of a producer id and the first offset of its transaction."""
    next_offset: Offset


class RequestFailedError(RecordingFailedError):
    """A broker or the transaction coordinator did not do what it was asked for."""


class Clients:
    """The connections of this program to the brokers, by the ports at which these listen."""

    def __init__(self, ports: Mapping[int, int]) -> None:
        self._ports = ports
        self._settings = ClientSettings(client_id="highwater-record")
        self._producer: tuple[int, int] | None = None
        self._sequence = 0
        self._has_partition = False
        """Whether the partition is in the transaction that is open."""

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

    def next_sequence(self, own: int | None) -> int:
        """The sequence number of a batch: its own, or the next, which is then taken."""
        if own is not None and own != self._sequence:
            return own
        self._sequence += 1
        return self._sequence - 1

    async def produce(self, node: int, value: str, verb: Produce) -> ProduceResult:
        """Send one value as one batch, and wait for the response as long as the leader may take."""
        acks = -1 if verb.acks == "all" else int(verb.acks)
        settings = replace(self._settings, request_s=verb.timeout_ms / 1000 + 5)
        try:
            connection = await WritingConnection.open(
                Address("127.0.0.1", self._ports[node]), settings
            )
        except ConnectionFailedError:
            return ProduceResult(value=value, outcome="no_answer")
        try:
            version = connection.offers(ProduceRequest)
            assert version is not None, "every broker takes records"
            numbers = (-1, -1, -1)
            if verb.sequence is not None:
                numbers = (*await self._ids(verb), verb.sequence)
            magic = 2 if version >= _OLD_BATCHES else 1
            records = _batch(value, magic, numbers, is_transactional=verb.transactional)
            request = _produce(records, acks, verb)
            if acks == 0:
                await connection.send(request)
                return ProduceResult(value=value, outcome="no_answer")
            response = await connection.ask(request)
        except (ConnectionFailedError, RequestFailedError):
            return ProduceResult(value=value, outcome="no_answer")
        finally:
            await connection.close()
        (one,) = response.responses[0].partition_responses
        if one.error_code:
            return ProduceResult(value=value, outcome="failed", error=name_of(one.error_code))
        return ProduceResult(value=value, outcome="acked", offset=Offset(one.base_offset))

    async def _ids(self, verb: Produce) -> tuple[int, int]:
        """The producer's id and epoch."""
        if verb.transactional and not self._has_partition:
            await self._add_partition()
        assert self._producer is not None, "it was asked for before"
        return self._producer

    async def take_id(self, node: int, kind: Literal["idempotent", "transactional"]) -> None:
        """Ask for the id and the epoch of the producer that has one: a broker for an idempotent
        one, otherwise the coordinator. Raises `RequestFailedError`.
        """
        request = _init_producer_id(_TRANSACTIONAL_ID if kind == "transactional" else None)
        broker = node if kind == "idempotent" else None
        answer = await self._of_coordinator(request, lambda answer: answer.error_code, broker)
        self._producer = (answer.producer_id, answer.producer_epoch)

    async def _add_partition(self) -> None:
        assert self._producer is not None, "a transaction has begun"
        topic = AddPartitionsToTxnRequest.AddPartitionsToTxnTopic
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=_TRANSACTIONAL_ID,
            v3_and_below_producer_id=self._producer[0],
            v3_and_below_producer_epoch=self._producer[1],
            v3_and_below_topics=[topic(name=TOPIC_NAME, partitions=[PARTITION])],
        )
        await self._of_coordinator(
            request,
            lambda answer: (
                answer.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code
            ),
        )
        self._has_partition = True

    async def end_transaction(self, *, committed: bool) -> None:
        """Commit or abort the transaction; one that wrote nothing ends without a marker. Raises
        `RequestFailedError`.
        """
        assert self._producer is not None, "a transaction has begun"
        if not self._has_partition:
            return
        request = EndTxnRequest(
            transactional_id=_TRANSACTIONAL_ID,
            producer_id=self._producer[0],
            producer_epoch=self._producer[1],
            committed=committed,
        )
        await self._of_coordinator(request, lambda answer: answer.error_code)
        self._has_partition = False

    async def _of_coordinator(
        self, request: ApiMessage, error_of: Callable[[ApiMessage], int], broker: int | None = None
    ) -> ApiMessage:
        """The response of the transaction coordinator, wherever it is now, or of a broker, as soon
        as it is ready. Raises `RequestFailedError` for a lasting error.
        """
        until = time.monotonic() + _COORDINATOR_S
        error: Words = failure("not_responded")
        while time.monotonic() < until:
            node = await self._coordinator() if broker is None else broker
            answer = None if node is None else await self.ask(node, request)
            if answer is not None:
                if not error_of(answer):
                    return answer
                error = name = name_of(error_of(answer))
                if name not in _NOT_YET:
                    break
            await asyncio.sleep(_AGAIN_S)
        if broker is None:
            raise RequestFailedError(failure("coordinator_error", error=error))
        raise RequestFailedError(failure("broker_error", broker=broker, error=error))

    async def _coordinator(self) -> int | None:
        """The transaction coordinator, as the first node names it that knows it."""
        find = FindCoordinatorRequest(key=_TRANSACTIONAL_ID, key_type=1)
        for node in sorted(self._ports, reverse=True):
            found = await self.ask(node, find, 5)
            if found is not None and not found.error_code:
                named: int = found.node_id
                return named
        return None

    async def fetch(
        self, node: int, offset: int, *, isolation: Isolation = "read_uncommitted"
    ) -> FetchedFromBroker | None:
        """What a consumer receives that starts at an offset; None without a response."""
        request = FetchRequest(
            replica_id=-1,
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=10_000_000,
            isolation_level=int(isolation == "read_committed"),
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
        return _fetched(one, offset)

    async def latest_offset(
        self, node: int, *, isolation: Isolation = "read_uncommitted"
    ) -> Offset | str | None:
        """The end that a consumer is told, or the error; None without a response."""
        partition = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition(
            partition_index=PARTITION, timestamp=-1
        )
        topic = ListOffsetsRequest.ListOffsetsTopic(name=TOPIC_NAME, partitions=[partition])
        level = int(isolation == "read_committed")
        request = ListOffsetsRequest(replica_id=-1, isolation_level=level, topics=[topic])
        response = await self.ask(node, request, 5)
        if response is None:
            return None
        (one,) = response.topics[0].partitions
        if one.error_code:
            return name_of(one.error_code)
        return Offset(one.offset)

    async def create_topic(
        self,
        node: int,
        assignment: Sequence[Sequence[int]],
        configs: Mapping[str, object],
        name: str = TOPIC_NAME,
    ) -> str | None:
        """Create a topic; the error, or None."""
        topic = CreateTopicsRequest.CreatableTopic(
            name=name,
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
                    name=setting, value=_text(value)
                )
                for setting, value in configs.items()
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


def _init_producer_id(transactional_id: str | None) -> InitProducerIdRequest:
    return InitProducerIdRequest(
        transactional_id=transactional_id, transaction_timeout_ms=_LONGEST_TRANSACTION_MS
    )


def _batch(
    value: str, magic: int, numbers: tuple[int, int, int], *, is_transactional: bool
) -> bytes:
    builder = MemoryRecordsBuilder(
        magic,
        0,
        1_000_000,
        transactional=is_transactional,
        producer_id=numbers[0],
        producer_epoch=numbers[1],
        base_sequence=numbers[2],
    )
    builder.append(int(time.time() * 1000), None, value.encode())
    builder.close()
    return bytes(builder.buffer())


def _produce(records: bytes, acks: int, verb: Produce) -> ProduceRequest:
    topic = ProduceRequest.TopicProduceData
    data = topic.PartitionProduceData(index=PARTITION, records=records)
    return ProduceRequest(
        transactional_id=_TRANSACTIONAL_ID if verb.transactional else None,
        acks=acks,
        timeout_ms=verb.timeout_ms,
        topic_data=[topic(name=TOPIC_NAME, partition_data=[data])],
    )


def _fetched(response: ApiMessage, offset: int) -> FetchedFromBroker:
    """What a response to a consumer has from an offset on, as recordings write it."""
    aborted = sorted(
        (one.first_offset, one.producer_id) for one in response.aborted_transactions or ()
    )
    open_now: set[int] = set()
    rows: list[Row] = []
    passed_on: list[Row] = []
    batches = MemoryRecords(bytes(response.records or b""))
    while batches.has_next():
        batch = batches.next_batch()
        open_now |= {producer for first, producer in aborted if first == batch.base_offset}
        of_batch = [[one.offset, *content_of(one)] for one in batch if one.offset >= offset]
        rows += of_batch
        if batch.magic > 1 and batch.is_control_batch:
            open_now.discard(batch.producer_id)
        elif batch.magic <= 1 or not (batch.is_transactional and batch.producer_id in open_now):
            passed_on += of_batch
    return FetchedFromBroker(
        error=_error(response.error_code),
        high_watermark=Offset(response.high_watermark),
        last_stable_offset=response.last_stable_offset,
        rows=rows,
        records=passed_on,
        aborted=[[producer, first] for first, producer in aborted],
        next_offset=Offset(int(rows[-1][0] or 0) + 1 if rows else offset),
    )


def content_of(record: ABCRecord) -> Row:
    """A record's value; of a marker, its kind after null."""
    if isinstance(record, ControlRecord):
        return [None, "abort" if record.abort else "commit"]
    return [record.value.decode()]


class ProduceRequested(Struct, kw_only=True):
    """A producer's request for one value."""

    client: str | None
    verb: Produce
    task: "asyncio.Task[ProduceResult]"

    @property
    def is_acked(self) -> bool:
        """Whether it was acknowledged by now."""
        return self.task.done() and self.task.result().outcome == "acked"


async def not_sent(value: str) -> ProduceResult:
    """The result of a value that has no leader to be sent to."""
    return ProduceResult(value=value, outcome="not_sent")
