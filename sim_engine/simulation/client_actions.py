"""Producers and consumers act: produce, retry, refresh, consume."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from sim_engine.cluster.clients import Client, ConsumedRecord, ProducedRecord
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.errors import ErrorCode
from sim_engine.protocol.events import Evidence, event
from sim_engine.protocol.leader import handle_produce
from sim_engine.protocol.log import read_from
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn

Arguments = Mapping[str, Any]

DEFAULT_PRODUCER = "p1"
DEFAULT_CONSUMER = "c1"
DEFAULT_TIMEOUT_MS = 30_000
MOST_RECORDS_IN_A_LOG = 1_000


def produce(turn: Turn, arguments: Arguments) -> None:
    """One record to the leader that the producer believes in, or to a broker that is named."""
    _produce(
        turn,
        producer=arguments.get("as", DEFAULT_PRODUCER),
        value=arguments["values"][0],
        partition=arguments["to"],
        acks=arguments.get("acks", "all"),
        broker=arguments.get("broker"),
        timeout_ms=arguments.get("timeout_ms", DEFAULT_TIMEOUT_MS),
    )


def retry(turn: Turn, arguments: Arguments) -> None:
    """The producer's oldest unanswered or failed request once more, as a request of its own."""
    name = arguments.get("as", DEFAULT_PRODUCER)
    clients = turn.cluster.clients
    if clients.find(name) is None:
        raise RefusedError("no_producer", producer=name)
    waiting = [
        produced
        for produced in clients.produced
        if produced.producer == name and produced.outcome != "acked" and not produced.retried
    ]
    if not waiting:
        raise RefusedError("nothing_to_retry", producer=name)
    oldest = waiting[0]
    index = oldest.request
    turn.cluster = replace(
        turn.cluster,
        clients=replace(
            clients,
            produced=(
                *clients.produced[:index],
                replace(oldest, retried=True),
                *clients.produced[index + 1 :],
            ),
        ),
    )
    _produce(
        turn,
        producer=name,
        value=oldest.value,
        partition=oldest.partition,
        acks=oldest.acks,
        broker=None,
        timeout_ms=oldest.timeout_ms,
    )


def _produce(
    turn: Turn,
    *,
    producer: str,
    value: str,
    partition: str,
    acks: Any,
    broker: BrokerId | None,
    timeout_ms: int,
) -> None:
    client = _client(turn, producer, "producer")
    target = broker if broker is not None else _believed_leader(turn, client, partition)
    if broker is not None and broker not in turn.cluster.controller.partition(partition).replicas:
        raise RefusedError("not_a_replica", broker=broker, partition=partition)
    clients = turn.cluster.clients
    request = len(clients.produced)
    produced = ProducedRecord(
        request=request,
        id=None,
        producer=producer,
        value=value,
        acks=acks,
        partition=partition,
        broker=target,
        offset=None,
        outcome="pending",
        error=None,
        frame=turn.frame,
        timeout_ms=timeout_ms,
    )
    turn.cluster = replace(
        turn.cluster, clients=replace(clients, produced=(*clients.produced, produced))
    )
    if target == NO_LEADER:
        _fail_without_leader(turn, produced)
        return
    if turn.cluster.broker(target).process == "paused":
        turn.say(
            event(
                "ProduceWaiting",
                rule="PRODUCE-ACKS",
                producer=producer,
                value=value,
                partition=partition,
                broker=target,
            )
        )
        return
    if not turn.cluster.broker(target).running:
        turn.leave_unanswered(request, target)
        return
    _handle_produce(turn, produced)


def handle_waiting_produces(turn: Turn, broker_id: BrokerId) -> None:
    """The requests that came while a broker stood still, in the order in which they were sent."""
    for produced in turn.cluster.clients.produced:
        if produced.waits_at(broker_id):
            _handle_produce(turn, produced)


def _handle_produce(turn: Turn, produced: ProducedRecord) -> None:
    """A produce request is handled by the broker that it was sent to."""
    partition, target, acks = produced.partition, produced.broker, produced.acks
    replica = turn.cluster.replica(target, partition)
    if len(replica.log.records) >= MOST_RECORDS_IN_A_LOG:
        raise RefusedError("log_full", partition=partition, limit=MOST_RECORDS_IN_A_LOG)
    record_id = f"r{turn.cluster.clients.next_record}"
    outcome = handle_produce(
        replica,
        value=produced.value,
        record_id=record_id,
        acks=acks,
        request=produced.request,
        deadline_ms=turn.cluster.now_ms + produced.timeout_ms,
        settings=turn.cluster.settings_of(partition),
        now_ms=turn.cluster.now_ms,
        eligible=turn.eligible(target),
    )
    appended = outcome.replica.log_end_offset > replica.log_end_offset
    if appended:
        clients = turn.cluster.clients
        turn.cluster = replace(
            turn.cluster,
            clients=replace(
                clients,
                next_record=clients.next_record + 1,
                produced=(
                    *clients.produced[: produced.request],
                    replace(
                        produced,
                        id=record_id,
                        offset=replica.log_end_offset,
                        outcome="no_answer" if acks == 0 else "pending",
                    ),
                    *clients.produced[produced.request + 1 :],
                ),
            ),
        )
        turn.say(
            event(
                "RecordProduced",
                rule="PRODUCE-ACKS",
                sources=("Partition", "ReplicaManager"),
                producer=produced.producer,
                value=produced.value,
                partition=partition,
                broker=target,
                offset=replica.log_end_offset,
                leader_epoch=replica.leader_epoch,
                acks=acks,
                log_end_offset=outcome.replica.log_end_offset,
                evidence=Evidence(
                    partition=partition,
                    replicas=(target,),
                    offsets=(replica.log_end_offset,),
                ),
            )
        )
    turn.apply(outcome)
    if any(answer.error is ErrorCode.NOT_LEADER_OR_FOLLOWER for answer in outcome.answers):
        _refresh(turn, produced.producer, partition)


def _fail_without_leader(turn: Turn, produced: ProducedRecord) -> None:
    clients = turn.cluster.clients
    error = str(ErrorCode.LEADER_NOT_AVAILABLE)
    turn.cluster = replace(
        turn.cluster,
        clients=replace(
            clients,
            produced=(
                *clients.produced[: produced.request],
                replace(produced, outcome="failed", error=error),
            ),
        ),
    )
    turn.say(
        event(
            "ProduceFailed",
            variant=error,
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=NO_LEADER,
            error=error,
        )
    )


def refresh(turn: Turn, arguments: Arguments) -> None:
    """A client asks again who leads."""
    name = arguments.get("as", DEFAULT_PRODUCER)
    client = turn.cluster.clients.find(name)
    if client is None:
        raise RefusedError("no_producer", producer=name)
    for partition in turn.cluster.partitions:
        _refresh(turn, name, partition)


def _believed_leader(turn: Turn, client: Client, partition: str) -> BrokerId:
    """Who a client sends to: it asks again where it never asked, or its connection is gone."""
    believed = client.leader_of(partition)
    if believed is None or believed == NO_LEADER or not turn.cluster.broker(believed).alive:
        return _refresh(turn, client.name, partition, quiet=believed is None)
    return believed


def _refresh(turn: Turn, name: str, partition: str, *, quiet: bool = False) -> BrokerId:
    client = turn.cluster.clients.find(name)
    assert client is not None, "the client exists"
    leader = turn.cluster.controller.partition(partition).leader
    changed = client.leader_of(partition) != leader
    leaders = {**dict(client.leaders), partition: leader}
    _put_client(turn, replace(client, leaders=tuple(sorted(leaders.items()))))
    if changed and not quiet:
        turn.say(
            event(
                "ClientMetadataRefreshed",
                sources=("ReplicaManager",),
                client=name,
                partition=partition,
                leader=leader,
            )
        )
    return leader


def _client(turn: Turn, name: str, kind: Any) -> Client:
    found = turn.cluster.clients.find(name)
    if found is None:
        found = Client(name=name, kind=kind)
        clients = turn.cluster.clients
        turn.cluster = replace(
            turn.cluster, clients=replace(clients, clients=(*clients.clients, found))
        )
    return found


def _put_client(turn: Turn, changed: Client) -> None:
    clients = turn.cluster.clients
    turn.cluster = replace(
        turn.cluster,
        clients=replace(
            clients,
            clients=tuple(
                changed if client.name == changed.name else client for client in clients.clients
            ),
        ),
    )


def consume(turn: Turn, arguments: Arguments) -> None:
    """A consumer reads from its position up to the leader's high watermark.

    Between the high watermark and the log's end it gets nothing and no error; outside the log it is
    out of range and starts at the high watermark again (`auto.offset.reset=latest`).
    """
    name = arguments.get("as", DEFAULT_CONSUMER)
    partition = arguments["partition"]
    client = _client(turn, name, "consumer")
    leader = _believed_leader(turn, client, partition)
    client = turn.cluster.clients.find(name) or client
    if leader == NO_LEADER:
        turn.say(
            event(
                "ConsumeFailed",
                variant="LEADER_NOT_AVAILABLE",
                consumer=name,
                partition=partition,
                broker=leader,
                error="LEADER_NOT_AVAILABLE",
            )
        )
        return
    if not turn.cluster.broker(leader).running:
        raise RefusedError(
            "receiver_down", broker=leader, state=turn.cluster.broker(leader).process
        )
    replica = turn.cluster.replica(leader, partition)
    if replica.leading is None:
        turn.say(
            event(
                "ConsumeFailed",
                variant="NOT_LEADER_OR_FOLLOWER",
                consumer=name,
                partition=partition,
                broker=leader,
                error=str(ErrorCode.NOT_LEADER_OR_FOLLOWER),
            )
        )
        _refresh(turn, name, partition)
        return
    position = client.position_in(partition)
    log = replica.log
    if not log.log_start_offset <= position <= log.log_end_offset:
        _set_position(turn, client, partition, replica.high_watermark)
        turn.say(
            event(
                "ConsumerOutOfRange",
                rule="CONSUMER-HIGH-WATERMARK",
                consumer=name,
                partition=partition,
                broker=leader,
                offset=position,
                log_end_offset=log.log_end_offset,
                reset_to=replica.high_watermark,
            )
        )
        return
    records = read_from(log, position, up_to=replica.high_watermark, most=arguments.get("max"))
    if not records:
        turn.say(
            event(
                "ConsumerReadNothing",
                rule="CONSUMER-HIGH-WATERMARK",
                consumer=name,
                partition=partition,
                broker=leader,
                offset=position,
                high_watermark=replica.high_watermark,
                log_end_offset=log.log_end_offset,
            )
        )
        return
    _set_position(turn, client, partition, position + len(records))
    clients = turn.cluster.clients
    turn.cluster = replace(
        turn.cluster,
        clients=replace(
            clients,
            consumed=(
                *clients.consumed,
                *(
                    ConsumedRecord(
                        consumer=name,
                        partition=partition,
                        offset=record.offset,
                        value=record.value,
                        id=record.id,
                        frame=turn.frame,
                    )
                    for record in records
                ),
            ),
        ),
    )
    turn.say(
        event(
            "ConsumerRead",
            rule="CONSUMER-HIGH-WATERMARK",
            sources=("ReplicaManager",),
            consumer=name,
            partition=partition,
            broker=leader,
            values=[record.value for record in records],
            from_offset=position,
            to_offset=position + len(records),
            high_watermark=replica.high_watermark,
            evidence=Evidence(
                partition=partition,
                replicas=(leader,),
                offsets=tuple(record.offset for record in records),
            ),
        )
    )


def _set_position(turn: Turn, client: Client, partition: str, position: int) -> None:
    positions = {**dict(client.positions), partition: position}
    _put_client(turn, replace(client, positions=tuple(sorted(positions.items()))))
