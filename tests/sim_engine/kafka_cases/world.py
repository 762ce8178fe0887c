"""A cluster for one case, with requests and responses written by hand.

Kafka's unit tests call one broker with requests that they construct. `World` does the same to the
whole cluster: `fetch_as` and the methods like it send a request, deliver it and return the
response.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.identifiers import CONTROLLER, FIRST_OFFSET, BrokerId, LeaderEpoch, Offset
from sim_engine.protocol import messages
from tests.sim_engine.kafka_cases.case_cluster import CaseCluster


class World(CaseCluster):
    """A cluster whose brokers and controller receive requests and commands written by hand."""

    def ask(self, sender: int, leader: int, payload: messages.Payload) -> Any:
        """Send a request by hand, let it arrive, and take its answer off the wire.

        None where the request waits at the leader.
        """
        message = self.send(BrokerId(sender), BrokerId(leader), payload)
        self.deliver(message)
        return self.answer_to(message)

    def answer_with(self, payload_type: Any, follower: int = 2, **fields: Any) -> tuple[Event, ...]:
        """Send the follower's next request and respond to it by hand."""
        self.do("send_fetch", broker=follower)
        request = next(one for one in self.cluster.messages if one.sender == follower)
        self.lose_without_notice(request)
        if payload_type is messages.FetchResponse:
            assert isinstance(request.payload, messages.FetchRequest), "the follower fetches"
            fields = {"fetch_offset": request.payload.fetch_offset, **fields}
        elif payload_type is messages.OffsetsForLeaderEpochResponse:
            assert isinstance(request.payload, messages.OffsetsForLeaderEpochRequest), (
                "it truncates"
            )
            fields = {"requested_epoch": request.payload.leader_epoch, **fields}
        else:
            assert isinstance(request.payload, messages.ListOffsetsRequest), "it fell out of range"
            fields = {"which": request.payload.which, **fields}
        payload = payload_type(in_reply_to=request.id, **fields)
        return self.deliver(self.send(request.receiver, BrokerId(follower), payload))

    def tell(self, broker: int, **fields: Any) -> tuple[Event, ...]:
        """Let a broker hear of the partition's registration with these fields changed.

        The controller itself knows nothing of it, and the other brokers hear nothing.
        """
        registration = replace(self.registration(), **fields)
        payload: messages.Payload
        if self.cluster.profile.control == "kraft":
            payload = messages.MetadataRecords(
                offset=Offset(self.cluster.broker(BrokerId(broker)).metadata_offset + 1),
                partitions=(registration,),
                brokers=(),
            )
        else:
            payload = messages.LeaderAndIsr(
                controller_epoch=self.cluster.controller.controller_epoch,
                partitions=(registration,),
            )
        return self.deliver(self.send(CONTROLLER, BrokerId(broker), payload))

    def answer_to(self, message: messages.Message) -> Any:
        """Remove the response to a request from the network; none if there is none yet."""
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
    ) -> messages.FetchResponse | None:
        """A follower's fetch, written by hand; without a leader epoch it is not fenced."""
        request = messages.FetchRequest(
            fetch_offset=Offset(offset),
            log_start_offset=FIRST_OFFSET,
            current_leader_epoch=epoch,
            last_fetched_epoch=last_epoch,
            broker_epoch=broker_epoch,
            min_bytes=min_bytes,
        )
        answer: messages.FetchResponse | None = self.ask(follower, leader, request)
        return answer

    def lookup_as(
        self, follower: int, asked: int, *, leader: int = 1, epoch: LeaderEpoch | None = None
    ) -> messages.OffsetsForLeaderEpochResponse:
        """An OffsetsForLeaderEpoch request, written by hand."""
        request = messages.OffsetsForLeaderEpochRequest(
            leader_epoch=LeaderEpoch(asked), current_leader_epoch=epoch
        )
        answer: messages.OffsetsForLeaderEpochResponse = self.ask(follower, leader, request)
        return answer

    def list_offsets_as(
        self,
        follower: int,
        which: Literal["earliest", "latest"],
        *,
        leader: int = 1,
        epoch: LeaderEpoch | None = None,
    ) -> messages.ListOffsetsResponse:
        """A follower's ListOffsets request, written by hand."""
        request = messages.ListOffsetsRequest(which=which, current_leader_epoch=epoch)
        answer: messages.ListOffsetsResponse = self.ask(follower, leader, request)
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
    ) -> messages.AlterPartitionResponse:
        """An AlterPartition request, written by hand; its epochs are the controller's unless given.

        Only the controller and its answer count here: what it published stays under way.
        """
        now = self.registration()
        request = messages.AlterPartitionRequest(
            leader_epoch=LeaderEpoch(now.leader_epoch if leader_epoch is None else leader_epoch),
            partition_epoch=now.partition_epoch if partition_epoch is None else partition_epoch,
            new_isr=tuple(map(BrokerId, isr)),
            broker_epochs=None if broker_epochs is None else tuple(broker_epochs),
            leader_recovery_state=recovery,
            broker_epoch=broker_epoch,
        )
        message = self.send(BrokerId(leader), CONTROLLER, request)
        self.deliver(message)
        answer: messages.AlterPartitionResponse = self.answer_to(message)
        return answer


def values(count: int, epoch: int = 0, name: str = "m") -> str:
    """This many records of one epoch, in the notation of scenario files."""
    return f"{name}*{count}/{epoch}" if count else ""


def kinds(events: Sequence[Event]) -> list[type[Event]]:
    """The classes of the events."""
    return [type(event) for event in events]


def outcome_of(world: World, value: str) -> tuple[str, str | None]:
    """The outcome of the last request with a value, and its error."""
    produced = [one for one in world.cluster.clients.produced if one.value == value]
    return produced[-1].outcome, produced[-1].error
