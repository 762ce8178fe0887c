"""A cluster for one case: its steps, its clock, and requests written by hand.

Kafka's unit tests call one broker with requests that they make up. `World` does the same to the
whole cluster: `fetch_as` and its kin put a request on the wire, let it arrive and hand back the
answer; `do` plays a step of a scenario.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState, with_replica
from sim_engine.events import Event
from sim_engine.identifiers import (
    CONTROLLER,
    FIRST_OFFSET,
    BrokerId,
    Endpoint,
    FrameNumber,
    LeaderEpoch,
    Offset,
    TimeMs,
    TopicPartition,
)
from sim_engine.protocol.leader.leading import leading_state, remote_of
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    FetchRequest,
    FetchResponse,
    LeaderAndIsr,
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    MetadataRecords,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    Payload,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import LeadingState, RemoteReplica, Replica
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.simulation.effects.messages import remove, send
from sim_engine.simulation.fetch_rounds import delivery_of
from sim_engine.simulation.play import Play
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.timeline import Timeline
from sim_engine.simulation.transition import perform
from sim_engine.simulation.turn import Turn

T = TopicPartition("t-0")


class World:
    """One cluster of one release, which changes as it is acted on.

    `partition` is what the scenario file says of `t-0`; more topics come as `topics`.
    """

    def __init__(
        self,
        kafka: str = "3.9",
        *,
        control: str | None = None,
        rules: Mapping[str, bool] | None = None,
        brokers: Sequence[int] | None = None,
        configs: Mapping[str, Any] | None = None,
        topics: Sequence[Mapping[str, Any]] | None = None,
        **partition: Any,
    ) -> None:
        partition.setdefault("replicas", [1, 2, 3])
        ids = set(brokers or ()) or {*partition["replicas"]}
        document: dict[str, Any] = {
            "id": "case",
            "kafka": kafka,
            "brokers": sorted(ids),
            "configs": dict(configs or {}),
            "topics": list(topics or [{"name": "t", "partitions": [partition]}]),
            "rules": dict(rules or {}),
            "steps": [],
        }
        if control is not None:
            document["control"] = control
        self.scenario = read_scenario_document(document)
        self.cluster: ClusterState = Timeline(self.scenario).frames[0].cluster

    # --- reading ---------------------------------------------------------------------------

    def replica(self, broker: int, partition: TopicPartition = T) -> Replica:
        """A broker's replica."""
        return self.cluster.replica(BrokerId(broker), partition)

    def leading(self, broker: int, partition: TopicPartition = T) -> LeadingState:
        """What a leader holds."""
        return leading_state(self.replica(broker, partition))

    def remote(self, leader: int, follower: int, partition: TopicPartition = T) -> RemoteReplica:
        """What a leader believes of a follower."""
        remote = remote_of(self.leading(leader, partition), BrokerId(follower))
        assert remote is not None, "the leader knows of it"
        return remote

    def registration(self, partition: TopicPartition = T) -> PartitionRegistration:
        """The controller's view."""
        return self.cluster.controller.partition(partition)

    def log(self, broker: int, partition: TopicPartition = T) -> str:
        """A log as a scenario file writes it."""
        return " ".join(
            record.value if record.epoch is None else f"{record.value}/{record.epoch}"
            for record in self.replica(broker, partition).log.records
        )

    def in_flight(self, kind: str) -> list[Message]:
        """The messages of one kind that are under way."""
        return [message for message in self.cluster.messages if message.kind == kind]

    @property
    def now_ms(self) -> TimeMs:
        """The clock."""
        return self.cluster.now_ms

    # --- doing -----------------------------------------------------------------------------

    def do(self, kind: str, /, **arguments: Any) -> tuple[Event, ...]:
        """Play one step; `from_` is the argument `from`. Gives what happened."""
        if "from_" in arguments:
            arguments["from"] = arguments.pop("from_")
        step = read_step({kind: arguments}, self.scenario)
        play = Play(self.cluster, FrameNumber(1), 1_000)
        play_step(play, step)
        self.cluster = play.cluster
        return tuple(event for played in play.played for event in played.transition.events)

    def produce(self, *values: str, acks: Any = "all", **arguments: Any) -> tuple[Event, ...]:
        """Produce to `t-0`."""
        arguments.setdefault("to", T)
        return self.do("produce", values=list(values), acks=acks, **arguments)

    def wait(self, ms: int) -> None:
        """Let the clock move, and nothing else."""
        self.cluster = replace(self.cluster, now_ms=self.cluster.now_ms + ms)

    def change(self, broker: int, **fields: Any) -> None:
        """Replace fields of a broker's replica of `t-0`."""
        self.cluster = with_replica(self.cluster, replace(self.replica(broker), **fields))

    def change_registration(self, **fields: Any) -> None:
        """Replace fields of the controller's view of `t-0`; nobody is told."""
        controller = self.cluster.controller
        partitions = tuple(
            replace(known, **fields) if known.partition == T else known
            for known in controller.partitions
        )
        self.cluster = replace(self.cluster, controller=replace(controller, partitions=partitions))

    # --- messages --------------------------------------------------------------------------

    def send(self, sender: Endpoint, receiver: Endpoint, payload: Payload) -> Message:
        """Put a message about `t-0` on the wire."""
        turn = Turn(self.cluster, FrameNumber(1))
        number = send(turn, sender, receiver, T, payload)
        self.cluster = turn.cluster
        return next(message for message in self.cluster.messages if message.id == number)

    def deliver(self, message: Message) -> tuple[Event, ...]:
        """Let the oldest message of this kind on this way arrive."""
        done = perform(self.cluster, delivery_of(message), FrameNumber(1))
        self.cluster = done.cluster
        return done.events

    def deliver_all(self, kind: str, to: Endpoint | None = None) -> tuple[Event, ...]:
        """Let every message of a kind arrive, in order."""
        events: list[Event] = []
        for message in self.in_flight(kind):
            if to in (None, message.receiver):
                events.extend(self.deliver(message))
        return tuple(events)

    def ask(self, sender: int, leader: int, payload: Payload) -> Any:
        """Send a request by hand, let it arrive, and take its answer off the wire.

        None where the request waits at the leader.
        """
        message = self.send(BrokerId(sender), BrokerId(leader), payload)
        self.deliver(message)
        return self.answer_to(message)

    def lose_without_notice(self, message: Message) -> None:
        """Take a message off the wire; who sent it goes on waiting."""
        turn = Turn(self.cluster, FrameNumber(1))
        remove(turn, message)
        self.cluster = turn.cluster

    def answer_with(self, payload_type: Any, follower: int = 2, **fields: Any) -> tuple[Event, ...]:
        """Let the follower's next request go out and answer it by hand."""
        self.do("send_fetch", broker=follower)
        request = next(one for one in self.cluster.messages if one.sender == follower)
        self.lose_without_notice(request)
        if payload_type is FetchResponse:
            assert isinstance(request.payload, FetchRequest), "the follower fetches"
            fields = {"fetch_offset": request.payload.fetch_offset, **fields}
        elif payload_type is OffsetsForLeaderEpochResponse:
            assert isinstance(request.payload, OffsetsForLeaderEpochRequest), "it truncates"
            fields = {"requested_epoch": request.payload.leader_epoch, **fields}
        else:
            assert isinstance(request.payload, ListOffsetsRequest), "it fell out of range"
            fields = {"which": request.payload.which, **fields}
        payload = payload_type(in_reply_to=request.id, **fields)
        return self.deliver(self.send(request.receiver, BrokerId(follower), payload))

    def tell(self, broker: int, **fields: Any) -> tuple[Event, ...]:
        """Let a broker hear of the partition's registration with these fields changed.

        The controller itself knows nothing of it, and the other brokers hear nothing.
        """
        registration = replace(self.registration(), **fields)
        payload: Payload
        if self.cluster.profile.control == "kraft":
            payload = MetadataRecords(
                offset=Offset(self.cluster.broker(BrokerId(broker)).metadata_offset + 1),
                partitions=(registration,),
                brokers=(),
            )
        else:
            payload = LeaderAndIsr(
                controller_epoch=self.cluster.controller.controller_epoch,
                partitions=(registration,),
            )
        return self.deliver(self.send(CONTROLLER, BrokerId(broker), payload))

    def answer_to(self, message: Message) -> Any:
        """Take the answer to a request off the wire; none where there is none yet."""
        for other in self.cluster.messages:
            if other.in_reply_to == message.id:
                self.lose_without_notice(other)
                return other.payload
        return None

    def fetch_as(
        self,
        follower: int,
        offset: int,
        *,
        leader: int = 1,
        epoch: LeaderEpoch | None = None,
        last_epoch: LeaderEpoch | None = None,
        broker_epoch: int | None = None,
        min_bytes: int = 1,
    ) -> FetchResponse | None:
        """A follower's fetch, written by hand; without a leader epoch it is not fenced."""
        request = FetchRequest(
            fetch_offset=Offset(offset),
            log_start_offset=FIRST_OFFSET,
            current_leader_epoch=epoch,
            last_fetched_epoch=last_epoch,
            broker_epoch=broker_epoch,
            min_bytes=min_bytes,
        )
        answer: FetchResponse | None = self.ask(follower, leader, request)
        return answer

    def lookup_as(
        self, follower: int, asked: int, *, leader: int = 1, epoch: LeaderEpoch | None = None
    ) -> OffsetsForLeaderEpochResponse:
        """An OffsetsForLeaderEpoch request, written by hand."""
        request = OffsetsForLeaderEpochRequest(
            leader_epoch=LeaderEpoch(asked), current_leader_epoch=epoch
        )
        answer: OffsetsForLeaderEpochResponse = self.ask(follower, leader, request)
        return answer

    def list_offsets_as(
        self,
        follower: int,
        which: Literal["earliest", "latest"],
        *,
        leader: int = 1,
        epoch: LeaderEpoch | None = None,
    ) -> ListOffsetsResponse:
        """A follower's ListOffsets request, written by hand."""
        request = ListOffsetsRequest(which=which, current_leader_epoch=epoch)
        answer: ListOffsetsResponse = self.ask(follower, leader, request)
        return answer

    def propose_as(
        self,
        leader: int,
        isr: Sequence[int],
        *,
        leader_epoch: int | None = None,
        partition_epoch: int | None = None,
        broker_epochs: Sequence[int] | None = None,
        broker_epoch: int | None = None,
        recovery: str = "RECOVERED",
    ) -> AlterPartitionResponse:
        """An AlterPartition request, written by hand; its epochs are the controller's unless given.

        Only the controller and its answer count here: what it published stays under way.
        """
        now = self.registration()
        request = AlterPartitionRequest(
            leader_epoch=LeaderEpoch(now.leader_epoch if leader_epoch is None else leader_epoch),
            partition_epoch=now.partition_epoch if partition_epoch is None else partition_epoch,
            new_isr=tuple(map(BrokerId, isr)),
            broker_epochs=None if broker_epochs is None else tuple(broker_epochs),
            leader_recovery_state=recovery,
            broker_epoch=broker_epoch,
        )
        message = self.send(BrokerId(leader), CONTROLLER, request)
        self.deliver(message)
        answer: AlterPartitionResponse = self.answer_to(message)
        return answer


def values(count: int, epoch: int = 0, name: str = "m") -> str:
    """So many records of one epoch, as a scenario file writes them."""
    return f"{name}*{count}/{epoch}" if count else ""


def kinds(events: Sequence[Event]) -> list[type[Event]]:
    """The classes of what happened."""
    return [type(event) for event in events]


def outcome_of(world: World, value: str) -> tuple[str, str | None]:
    """What became of the last request that carried a value, and its error."""
    produced = [one for one in world.cluster.clients.produced if one.value == value]
    return produced[-1].outcome, produced[-1].error
