"""The ZooKeeper controller: a broker that watches sessions and writes state znodes.

Every write of the controller bumps the leader epoch, even where the leader stays; writes of a
leader's own ISR do not. Brokers are told one by one, each in its own order
(`KafkaController`, `PartitionStateMachine`, `ReplicaStateMachine`, `Election`).
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.controller import (
    BrokerJoined,
    ControllerElected,
    ReplicasReordered,
    SessionExpired,
)
from sim_engine.events.election import ElectionCase, ElectionNotPossible
from sim_engine.events.isr import IsrChangeRepeated
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.controller.reassignment import assignment_of, is_complete, towards
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
    isr_change_events,
    isr_shrunk_event,
    leader_lost_event,
    reassignment_completed_event,
    reassignment_started_event,
    with_broker,
    with_partition,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile

_SOURCES = ("KafkaController", "PartitionStateMachine")


class Writer:
    """Collects what one run of the controller writes, and who has to be told."""

    def __init__(self, controller: Controller, profile: Profile, policies: Policies) -> None:
        self.controller = controller
        self.profile = profile
        self.policies = policies
        self.events: list[Event] = []
        self.unclean = False
        self._told: dict[BrokerId, dict[str, PartitionRegistration]] = {}
        self._stopped: list[tuple[BrokerId, str]] = []

    def write(
        self, partition: PartitionRegistration, *, bump_leader_epoch: bool = True
    ) -> PartitionRegistration:
        """Write a state znode; the version always grows, the leader epoch with it by default."""
        written = replace(
            partition,
            leader_epoch=partition.leader_epoch + (1 if bump_leader_epoch else 0),
            partition_epoch=partition.partition_epoch + 1,
        )
        self.controller = with_partition(self.controller, written)
        return written

    def tell(self, partition: PartitionRegistration, brokers: tuple[BrokerId, ...]) -> None:
        """Queue a LeaderAndIsr for those of `brokers` whose session lives."""
        active = {broker.broker_id for broker in self.controller.brokers if broker.live}
        for broker_id in brokers:
            if broker_id in active:
                self._told.setdefault(broker_id, {})[partition.partition] = partition

    def stop(self, partition: PartitionRegistration, broker_id: BrokerId) -> None:
        """Queue a StopReplica that deletes, if the broker's session lives."""
        if self.live(broker_id):
            self._stopped.append((broker_id, partition.partition))

    def outcome(self) -> ControllerOutcome:
        """What the run comes to."""
        return ControllerOutcome(
            controller=self.controller,
            commands=tuple(
                (broker_id, tuple(self._told[broker_id].values()))
                for broker_id in sorted(self._told)
            ),
            stops=tuple(self._stopped),
            events=tuple(self.events),
            unclean=self.unclean,
        )

    def live(self, broker_id: BrokerId) -> bool:
        """Whether the controller takes a broker for live."""
        return self.controller.broker(broker_id).live

    def elect_offline(self, before: PartitionRegistration, *, unclean_asked: bool = False) -> bool:
        """Elect for a partition whose leader is gone: in the order of the assignment, live and in
        the ISR; else, where unclean election is on, the first live replica. False if nobody can."""
        live_isr = tuple(broker_id for broker_id in before.isr if self.live(broker_id))
        leader = next((broker for broker in before.replicas if broker in live_isr), NO_LEADER)
        unclean = False
        isr = live_isr
        recovery = before.leader_recovery_state
        if leader == NO_LEADER and (
            unclean_asked or self.policies[before.partition].unclean_leader_election_enable
        ):
            leader = next((broker for broker in before.replicas if self.live(broker)), NO_LEADER)
            unclean = leader != NO_LEADER
            isr = (leader,)
            if self.profile.rules.leader_recovery_state:
                recovery = "RECOVERING"
        if leader == NO_LEADER:
            return False
        written = self.write(
            replace(before, leader=leader, isr=isr, leader_recovery_state=recovery)
        )
        self.unclean = self.unclean or unclean
        variant: ElectionCase = "unclean" if unclean else "clean"
        if not unclean and before.leader == NO_LEADER:
            variant = "returned"
        self.events.append(elected_event(before, written, variant, ("Election", *_SOURCES)))
        self.tell(written, written.replicas)
        return True


def session_expired(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """A broker's session has ended: elect for what it led, then drop it from every ISR."""
    writer = Writer(
        with_broker(controller, replace(controller.broker(broker_id), live=False)),
        profile,
        policies,
    )
    writer.events.append(SessionExpired(broker=broker_id))
    for partition in writer.controller.partitions:
        if partition.leader == broker_id and not writer.elect_offline(partition):
            writer.events.append(_not_possible(writer, partition))
    _remove_from_isr(writer, broker_id)
    return writer.outcome()


def _not_possible(
    writer: Writer, partition: PartitionRegistration, *, leader_stops: bool = False
) -> Event:
    return ElectionNotPossible(
        variant="shutdown" if leader_stops else None,
        partition=partition.partition,
        isr=partition.isr,
        live=tuple(broker.broker_id for broker in writer.controller.brokers if broker.live),
        leader=partition.leader,
    )


def _remove_from_isr(writer: Writer, broker_id: BrokerId) -> None:
    """`removeReplicasFromIsr`: the last member stays, but through 1.0 only while unclean is off."""
    for before in writer.controller.partitions:
        if broker_id not in before.isr:
            continue
        keeps_last = not (
            writer.profile.last_isr_member_dropped_when_unclean
            and writer.policies[before.partition].unclean_leader_election_enable
        )
        remaining = tuple(member for member in before.isr if member != broker_id)
        isr = before.isr if not remaining and keeps_last else remaining
        led = before.leader == broker_id
        written = writer.write(replace(before, isr=isr, leader=NO_LEADER if led else before.leader))
        if led:
            writer.events.append(leader_lost_event(before, written, _SOURCES))
        if isr != before.isr:
            writer.events.append(
                isr_shrunk_event(
                    written,
                    (broker_id,),
                    by="controller",
                    rule="ZK-CONTROLLER-WRITE",
                    sources=_SOURCES,
                )
            )
        writer.tell(written, tuple(replica for replica in written.replicas if replica != broker_id))


def broker_joined(
    controller: Controller,
    broker_id: BrokerId,
    incarnation: int,
    broker_epoch: int,
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """A broker's session is there: tell it of its partitions, elect where nobody leads."""
    writer = Writer(
        with_broker(
            controller,
            replace(
                controller.broker(broker_id),
                live=True,
                in_controlled_shutdown=False,
                incarnation=incarnation,
                broker_epoch=broker_epoch,
            ),
        ),
        profile,
        policies,
    )
    writer.events.append(BrokerJoined(broker=broker_id))
    for partition in writer.controller.partitions:
        elected = False
        if partition.leader == NO_LEADER or not writer.live(partition.leader):
            elected = writer.elect_offline(partition)
        if not elected and broker_id in partition.replicas:
            writer.tell(partition, (broker_id,))
        _resume_reassignment(writer, partition.partition, broker_id)
    return writer.outcome()


def take_over(controller: Controller, profile: Profile, policies: Policies) -> ControllerOutcome:
    """Another broker becomes the controller (`onControllerFailover`): it reads everything from
    ZooKeeper, tells every live replica again, elects where nobody leads, and goes on with moves.

    Its epoch is one higher. It knows of nobody that was shutting down.
    """
    writer = Writer(
        replace(
            controller,
            controller_epoch=controller.controller_epoch + 1,
            brokers=tuple(
                replace(broker, in_controlled_shutdown=False) for broker in controller.brokers
            ),
        ),
        profile,
        policies,
    )
    writer.events.append(
        ControllerElected(
            before=controller.controller_epoch, controller_epoch=writer.controller.controller_epoch
        )
    )
    for partition in writer.controller.partitions:
        writer.tell(partition, partition.replicas)
        if partition.leader == NO_LEADER or not writer.live(partition.leader):
            writer.elect_offline(partition)
        moving = writer.controller.partition(partition.partition)
        if is_complete(assignment_of(moving), moving.isr):
            _complete(writer, moving)
        elif assignment_of(moving).in_progress:
            written = writer.write(moving)
            writer.tell(written, written.replicas)
    return writer.outcome()


def elect_preferred(
    controller: Controller, partition_name: str, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """Make the first replica of the assignment lead; null where it cannot or need not."""
    before = controller.partition(partition_name)
    preferred = before.preferred_leader
    if preferred not in before.isr or not controller.broker(preferred).live:
        return None
    if before.leader == preferred and not profile.preferred_election_always_writes:
        return None
    writer = Writer(controller, profile, policies)
    written = writer.write(replace(before, leader=preferred))
    writer.events.append(elected_event(before, written, "preferred", ("Election", *_SOURCES)))
    writer.tell(written, written.replicas)
    return writer.outcome()


def elect_asked(
    controller: Controller,
    partition_name: str,
    profile: Profile,
    policies: Policies,
    *,
    unclean: bool,
) -> ControllerOutcome | None:
    """An election for a partition without a leader; null where nobody can be elected."""
    writer = Writer(controller, profile, policies)
    if not writer.elect_offline(controller.partition(partition_name), unclean_asked=unclean):
        return None
    return writer.outcome()


def reorder_replicas(
    controller: Controller,
    partition_name: str,
    replicas: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Write the assignment in another order; it costs one leader epoch (seen on 1.1.1)."""
    writer = Writer(controller, profile, policies)
    written = writer.write(replace(controller.partition(partition_name), replicas=replicas))
    writer.events.append(_reordered(written))
    writer.tell(written, written.replicas)
    return writer.outcome()


def _reordered(written: PartitionRegistration) -> Event:
    return ReplicasReordered(
        rule="ZK-CONTROLLER-WRITE",
        sources=("KafkaController",),
        partition=written.partition,
        replicas=written.replicas,
        leader_epoch=written.leader_epoch,
    )


def reassign(
    controller: Controller,
    partition_name: str,
    target: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Begin to move a partition: all replicas, old and new, are told under a new leader epoch.

    Where the whole target is in the ISR already, the move is done at once instead.
    """
    before = controller.partition(partition_name)
    assignment = towards(before, target)
    writer = Writer(controller, profile, policies)
    writer.events.append(reassignment_started_event(before, assignment, _SOURCES))
    moving = replace(
        before,
        replicas=assignment.replicas,
        adding_replicas=assignment.adding,
        removing_replicas=assignment.removing,
    )
    if is_complete(assignment, before.isr):
        _complete(writer, moving)
    else:
        written = writer.write(moving)
        writer.tell(written, written.replicas)
    return writer.outcome()


def complete_reassignment(
    controller: Controller, partition_name: str, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """The controller sees the ISR change of a partition that moves; null where it is not done."""
    before = controller.partition(partition_name)
    if not is_complete(assignment_of(before), before.isr):
        return None
    writer = Writer(controller, profile, policies)
    _complete(writer, before)
    return writer.outcome()


def _complete(writer: Writer, moving: PartitionRegistration) -> None:
    """End a move: a leader among the target, then whoever leaves out of the ISR one by one, each
    write with a leader epoch of its own, then StopReplica (`onPartitionReassignment`, phase B)."""
    assignment = assignment_of(moving)
    target = assignment.target
    before = replace(moving, replicas=target, adding_replicas=(), removing_replicas=())
    candidates = [replica for replica in target if replica in moving.isr and writer.live(replica)]
    leader = moving.leader
    if candidates and (leader not in target or not writer.live(leader)):
        leader = candidates[0]
    written = writer.write(replace(before, leader=leader))
    if leader != moving.leader:
        writer.events.append(elected_event(moving, written, "reassigned", ("Election", *_SOURCES)))
    gone = [replica for replica in assignment.removing if replica in moving.isr]
    for replica in gone:
        # Whoever leads and leaves while nobody who stays can be elected leaves nobody to lead
        # (`removeReplicasFromIsr`).
        written = writer.write(
            replace(
                written,
                isr=tuple(member for member in written.isr if member != replica),
                leader=NO_LEADER if written.leader == replica else written.leader,
            )
        )
    if leader != NO_LEADER and written.leader == NO_LEADER:
        writer.events.append(leader_lost_event(moving, written, _SOURCES))
    if gone:
        writer.events.append(
            isr_shrunk_event(
                written, gone, by="controller", rule="ZK-CONTROLLER-WRITE", sources=_SOURCES
            )
        )
    writer.tell(written, target)
    for replica in assignment.removing:
        writer.stop(written, replica)
    writer.events.append(reassignment_completed_event(written, _SOURCES))


def _resume_reassignment(writer: Writer, partition_name: str, broker_id: BrokerId) -> None:
    """A broker that a partition moves to is back: all its replicas are told anew, under a new
    leader epoch (`maybeResumeReassignments`)."""
    moving = writer.controller.partition(partition_name)
    assignment = assignment_of(moving)
    if assignment.in_progress and broker_id in assignment.target:
        written = writer.write(moving)
        writer.tell(written, written.replicas)


def controlled_shutdown(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Move leaderships away and drop the broker from every ISR before it stops.

    Where nobody else in the ISR is live the move is refused; the broker stops all the same after
    its retries, and the partition loses its leader then.
    """
    writer = Writer(
        with_broker(controller, replace(controller.broker(broker_id), in_controlled_shutdown=True)),
        profile,
        policies,
    )
    for before in writer.controller.partitions:
        if before.leader == broker_id:
            successors = [
                replica
                for replica in before.replicas
                if replica in before.isr
                and replica != broker_id
                and writer.controller.broker(replica).active
            ]
            if not successors:
                writer.events.append(_not_possible(writer, before, leader_stops=True))
                continue
            written = writer.write(
                replace(
                    before,
                    leader=successors[0],
                    isr=tuple(member for member in before.isr if member != broker_id),
                )
            )
            writer.events.append(
                elected_event(before, written, "shutdown", ("Election", *_SOURCES))
            )
            writer.tell(written, written.replicas)
        elif broker_id in before.isr and len(before.isr) > 1:
            written = writer.write(
                replace(before, isr=tuple(member for member in before.isr if member != broker_id))
            )
            writer.events.append(
                isr_shrunk_event(
                    written,
                    (broker_id,),
                    by="controller",
                    rule="ZK-CONTROLLER-WRITE",
                    sources=_SOURCES,
                )
            )
            writer.tell(
                written, tuple(replica for replica in written.replicas if replica != broker_id)
            )
    return writer.outcome()


def write_isr(
    controller: Controller,
    partition_name: str,
    leader: BrokerId,
    new_isr: tuple[BrokerId, ...],
    expected_partition_epoch: int,
    *,
    recovered: bool,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """A leader's conditional write of its ISR: refused when the znode's version moved on.

    The leader epoch is not touched. The same write serves the leader that writes the znode itself
    (up to 2.6) and the controller that does it for the leader (KIP-497).
    """
    before = controller.partition(partition_name)
    if before.partition_epoch != expected_partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION, None
    written = replace(
        before,
        isr=new_isr,
        partition_epoch=before.partition_epoch + 1,
        leader_recovery_state="RECOVERED" if recovered else before.leader_recovery_state,
    )
    events = list(isr_change_events(before, written, "ZK-ISR-WRITE", ("Partition", "KIP-497")))
    return ErrorCode.NONE, ControllerOutcome(
        controller=with_partition(controller, written), events=tuple(events)
    )


def answer_alter_partition(
    controller: Controller,
    partition_name: str,
    leader: BrokerId,
    *,
    leader_epoch: int,
    partition_epoch: int,
    new_isr: tuple[BrokerId, ...],
    profile: Profile,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """The ZooKeeper controller's side of AlterIsr / AlterPartition (KIP-497, 2.7 on)."""
    before = controller.partition(partition_name)
    if leader_epoch < before.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH, None
    if before.leader != leader:
        return ErrorCode.INVALID_REQUEST, None
    if new_isr == before.isr:
        # Asked again because the first answer was lost: done already, nothing is written.
        return ErrorCode.NONE, ControllerOutcome(
            controller=controller,
            events=(
                IsrChangeRepeated(
                    partition=partition_name,
                    broker=leader,
                    isr=before.isr,
                    partition_epoch=before.partition_epoch,
                ),
            ),
        )
    if partition_epoch < before.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION, None
    if profile.rules.fenced_brokers_stay_out and not all(
        controller.broker(member).active for member in new_isr
    ):
        return ErrorCode.INELIGIBLE_REPLICA, None
    return write_isr(
        controller,
        partition_name,
        leader,
        new_isr,
        before.partition_epoch,
        recovered=profile.rules.leader_recovery_state,
    )
