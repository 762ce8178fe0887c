"""One action's working copy of the cluster.

A turn collects what an action changes and what happened; when the action is refused the turn is
thrown away and nothing has changed. Every message sent, every answer given to a client and every
process that ends goes through here, so each of those is done in one way only.
"""

from msgspec.structs import replace

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.start import tells_of_isr_changes, with_settings
from sim_engine.cluster.state import (
    Broker,
    ClusterState,
    IsrChanges,
    Process,
    with_assigned_replicas,
    with_broker,
    with_replica,
)
from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event, Evidence
from sim_engine.events.isr import IsrChangeBlocked, IsrChangeRejected
from sim_engine.events.log import ReplicaDeleted
from sim_engine.events.producer import ProduceAcknowledged, ProduceFailed, ProduceUnanswered
from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint
from sim_engine.protocol.controller.state import Controller, ControllerOutcome
from sim_engine.protocol.controller.zookeeper import complete_reassignment, write_isr
from sim_engine.protocol.follower.fetch_loop import disconnected
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr_membership import proposed_event
from sim_engine.protocol.leader.leadership import with_isr
from sim_engine.protocol.log.producer_state import last_sequence
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    LeaderAndIsr,
    Message,
    MetadataRecords,
    Payload,
    StopReplica,
    UpdateMetadata,
)
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration
from sim_engine.protocol.outcome import Outcome, ProduceAnswer, step_down_answers
from sim_engine.protocol.replica import PendingIsr, Replica, without_memory
from sim_engine.records import Record

REQUESTS = (
    "fetch_request",
    "offsets_for_leader_epoch_request",
    "list_offsets_request",
)

ZOOKEEPER_COMMANDS = ("leader_and_isr", "stop_replica", "update_metadata")
COMMANDS = (*ZOOKEEPER_COMMANDS, "metadata_record")
"""What the controller keeps for a broker that it cannot reach, and sends once it can."""


class Turn:
    """The cluster while one action changes it, and the frame that the action makes."""

    def __init__(self, cluster: ClusterState, frame: int) -> None:
        self.cluster = cluster
        self.frame = frame
        self.events: list[Event] = []
        self.unclean_election = False

    # --- reading ---------------------------------------------------------------------------

    def eligible(self, leader: BrokerId) -> frozenset[BrokerId]:
        """Who may join an ISR, as far as a leader knows.

        A broker goes by the metadata it has read, or been told by UpdateMetadata.
        """
        return frozenset(
            broker.broker_id
            for broker in self.cluster.broker(leader).known_brokers
            if broker.active
        )

    def known_registration(self, partition: str) -> PartitionRegistration:
        """A partition, its leader and epoch, as a client that asks is told.

        Under ZooKeeper it asks the running broker whose cache is newest; where none runs, and under
        KRaft, it is what the controller holds now.
        """
        known = [
            registration
            for broker in self.cluster.brokers
            if broker.running
            for registration in broker.known_partitions
            if registration.partition == partition
        ]
        if not known:
            return self.cluster.controller.partition(partition)
        return max(known, key=lambda registration: registration.leader_epoch)

    # --- events ----------------------------------------------------------------------------

    def say(self, *events: Event) -> None:
        """Note what happened, in order."""
        self.events.extend(events)

    # --- messages --------------------------------------------------------------------------

    def send(
        self, sender: Endpoint, receiver: Endpoint, partition: str | None, payload: Payload
    ) -> int:
        """Put a message on its way; give its id."""
        message = Message(
            id=self.cluster.next_message_id,
            sender=sender,
            receiver=receiver,
            partition=partition,
            payload=payload,
            sent_ms=self.cluster.now_ms,
        )
        held = (message.kind, sender, receiver) in self.cluster.network_holds
        self.cluster = replace(
            self.cluster,
            messages=(*self.cluster.messages, replace(message, held=held)),
            next_message_id=message.id + 1,
        )
        if message.kind not in COMMANDS:
            self._lose_if_unreachable(message)
        return message.id

    def _lose_if_unreachable(self, message: Message) -> None:
        down = isinstance(message.receiver, int) and not self.cluster.broker(message.receiver).alive
        if down or self.cluster.is_cut(message.sender, message.receiver):
            self.lose(message)

    def take(self, message: Message) -> None:
        """Remove a message from the network: it has arrived, or is lost."""
        self.cluster = replace(
            self.cluster,
            messages=tuple(other for other in self.cluster.messages if other.id != message.id),
        )

    def lose(self, message: Message) -> None:
        """A message is lost with its connection: who waits for an answer sees a disconnect."""
        self.take(message)
        self._disconnect(message)

    def _disconnect(self, message: Message) -> None:
        waiting_at = message.sender if message.kind in REQUESTS else message.receiver
        request_id = message.id if message.in_reply_to is None else message.in_reply_to
        if message.kind in ("alter_partition_request", "alter_partition_response"):
            self._lose_proposal(message, request_id)
            return
        if isinstance(waiting_at, int) and message.partition is not None:
            replica = self.cluster.broker(waiting_at).replica(message.partition)
            if replica is not None:
                self.put(disconnected(replica, request_id))

    def _lose_proposal(self, message: Message, request_id: int) -> None:
        """A lost AlterPartition is sent anew (a network error is retried).

        The change stays pending all the while, for the controller may have made it: who may have
        joined must go on counting for the high watermark (KIP-497).
        """
        leader = message.sender if message.receiver == CONTROLLER else message.receiver
        assert isinstance(leader, int), "leaders propose"
        assert message.partition is not None, "a proposal is about one partition"
        replica = self.cluster.replica(leader, message.partition)
        pending = None if replica.leading is None else replica.leading.pending_isr
        if pending is None or pending.request != request_id:
            return
        self._set_pending(replica, replace(pending, request=None))
        self.propose_again(leader)

    def propose_again(self, leader: BrokerId) -> None:
        """Send the proposals of a leader that were lost, if it runs and nothing is cut."""
        broker = self.cluster.broker(leader)
        if not broker.running or not self.cluster.reaches_controller(leader):
            return
        for replica in broker.replicas:
            pending = None if replica.leading is None else replica.leading.pending_isr
            if pending is not None and pending.request is None and not pending.given_up:
                self.send_proposal(replica, pending)

    def _set_pending(self, replica: Replica, pending: PendingIsr) -> Replica:
        assert replica.leading is not None, "only a leader proposes"
        changed = replace(replica, leading=replace(replica.leading, pending_isr=pending))
        self.put(changed)
        return changed

    # --- replicas --------------------------------------------------------------------------

    def put(self, replica: Replica) -> None:
        """Take over a replica as it is now."""
        self.cluster = with_replica(self.cluster, replica)

    def put_broker(self, broker: Broker) -> None:
        """Take over a broker as it is now."""
        self.cluster = with_broker(self.cluster, broker)

    def apply(self, outcome: Outcome) -> None:
        """Take over what a replica's transition returned: state, messages, answers, proposals."""
        replica = outcome.replica
        self.put(replica)
        self.say(*outcome.events)
        for send in outcome.sends:
            self.send(replica.broker_id, send.receiver, send.partition, send.payload)
        for answer in outcome.answers:
            self.answer_producer(answer, replica)
        if outcome.isr_write is not None:
            self.write_isr(replica.broker_id, replica.partition, outcome.isr_write)
        if outcome.process_ends == "exit":
            self.stop_cleanly(replica.broker_id, "failed")
        elif outcome.process_ends == "halt":
            self.end_process(replica.broker_id, "failed")
        elif outcome.process_ends == "hang":
            self._hang(replica.broker_id)

    def delete_replica(self, replica: Replica) -> None:
        """A replica that its broker does not host any more is deleted with its log; what was under
        way for it ends, and who waited there is told."""
        broker_id, partition = replica.broker_id, replica.partition
        for answer in step_down_answers(replica):
            self.answer_producer(answer, replica)
        broker = self.cluster.broker(broker_id)
        self.put_broker(
            replace(
                broker,
                replicas=tuple(kept for kept in broker.replicas if kept.partition != partition),
            )
        )
        for message in self.cluster.messages:
            if (
                message.partition == partition
                and broker_id in (message.sender, message.receiver)
                and message.kind not in COMMANDS
            ):
                self.lose(message)
        self._forget_fetches_of(broker_id, partition)
        for parked in () if replica.leading is None else replica.leading.parked:
            self.put(
                disconnected(self.cluster.replica(parked.follower, partition), parked.message_id)
            )
        self.say(
            ReplicaDeleted(
                broker=broker_id,
                partition=partition,
                log_end_offset=replica.log_end_offset,
                evidence=Evidence(
                    partition=partition,
                    replicas=(broker_id,),
                    offsets=tuple(record.offset for record in replica.log.records),
                    records=replica.log.records,
                ),
            )
        )

    def _hang(self, broker_id: BrokerId) -> None:
        """0.10.2 begins to shut down and never ends: the process and its session stay, its fetchers
        are gone (recorded)."""
        broker = self.cluster.broker(broker_id)
        self.put_broker(
            replace(
                broker,
                process="shutting_down",
                replicas=tuple(
                    replace(
                        replica,
                        fetcher=(
                            None
                            if replica.fetcher is None
                            else replace(replica.fetcher, phase="failed", awaiting=None)
                        ),
                        late_requests=(),
                    )
                    for replica in broker.replicas
                ),
            )
        )

    # --- clients ---------------------------------------------------------------------------

    def answer_producer(self, answer: ProduceAnswer, replica: Replica) -> None:
        """Tell a producer what became of its request; who was answered hears nothing more."""
        produced = self._produced(answer.request)
        if produced.outcome != "pending":
            return
        settings = self.cluster.settings_of(replica.partition)
        if answer.error is ErrorCode.NONE:
            self._set_produced(
                replace(produced, outcome="acked", acked_frame=self.frame, offset=answer.offset)
            )
            self.say(
                ProduceAcknowledged(
                    variant="all" if produced.acks == "all" else "1",
                    producer=produced.producer,
                    value=produced.value,
                    partition=produced.partition,
                    offset=answer.offset,
                    acks=produced.acks,
                    broker=replica.broker_id,
                    high_watermark=replica.high_watermark,
                )
            )
            return
        self._set_produced(replace(produced, outcome="failed", error=str(answer.error)))
        self.say(
            ProduceFailed(
                variant=answer.error,
                rule=_produce_rule(answer.error),
                sources=("Partition", "ReplicaManager"),
                producer=produced.producer,
                value=produced.value,
                partition=produced.partition,
                broker=replica.broker_id,
                error=answer.error,
                isr=replica.leading.isr if replica.leading is not None else (),
                min_insync_replicas=settings.effective_min_insync_replicas,
                producer_id=produced.producer_id,
                sequence=produced.sequence,
                last_sequence=None
                if produced.producer_id is None
                else last_sequence(replica.log, produced.producer_id),
            )
        )

    def note_duplicate(self, request: int, known: Record) -> None:
        """A request turned out to be one that the log holds already: it is about that record."""
        self._set_produced(replace(self._produced(request), id=known.id, offset=known.offset))

    def leave_unanswered(self, request: int, broker_id: BrokerId) -> None:
        """The connection of a produce request is gone: its producer will never know."""
        produced = self._produced(request)
        if produced.outcome != "pending":
            return
        self._set_produced(replace(produced, outcome="no_answer"))
        self.say(
            ProduceUnanswered(
                producer=produced.producer,
                value=produced.value,
                partition=produced.partition,
                broker=broker_id,
            )
        )

    def _produced(self, request: int) -> ProducedRecord:
        return self.cluster.clients.produced[request]

    def _set_produced(self, changed: ProducedRecord) -> None:
        clients = self.cluster.clients
        produced = clients.produced
        self.cluster = replace(
            self.cluster,
            clients=replace(
                clients,
                produced=(
                    *produced[: changed.request],
                    changed,
                    *produced[changed.request + 1 :],
                ),
            ),
        )

    # --- processes -------------------------------------------------------------------------

    def stop_cleanly(self, broker_id: BrokerId, process: Process) -> None:
        """A process ends in order: flushed logs, every checkpoint, the clean-shutdown marker.

        A broker that ends itself does so too (recorded on 1.1.1: exiting runs the shutdown hook).
        """
        broker = self.cluster.broker(broker_id)
        self.put_broker(
            replace(
                broker,
                replicas=tuple(
                    replace(
                        replica,
                        flushed=replica.log_end_offset,
                        checkpoint_high_watermark=replica.high_watermark,
                        checkpoint_recovery_point=replica.log_end_offset,
                    )
                    for replica in broker.replicas
                ),
            )
        )
        self.end_process(broker_id, process)
        registered = self.cluster.controller.broker(broker_id)
        self.put_broker(
            replace(
                self.cluster.broker(broker_id),
                clean_shutdown=True,
                clean_shutdown_epoch=(
                    registered.broker_epoch if registered.incarnation == broker.incarnation else -1
                ),
            )
        )

    def end_process(self, broker_id: BrokerId, process: Process) -> None:
        """A process is gone: its memory, what was under way to and from it, who waited on it."""
        broker = self.cluster.broker(broker_id)
        waiting = [
            delayed.request
            for replica in broker.replicas
            if replica.leading is not None
            for delayed in replica.leading.produces
        ]
        waiting.extend(
            produced.request
            for produced in self.cluster.clients.produced
            if produced.waits_at(broker_id)
        )
        parked = [
            (parked.follower, replica.partition, parked.message_id)
            for replica in broker.replicas
            if replica.leading is not None
            for parked in replica.leading.parked
        ]
        self.lose_contact(broker_id)
        broker = self.cluster.broker(broker_id)
        self.put_broker(
            replace(
                broker,
                process=process,
                replicas=tuple(without_memory(replica) for replica in broker.replicas),
                known_brokers=(),
                known_partitions=(),
                isr_changes=IsrChanges(),
                timers=(),
                ending_fetchers=(),
                down_since_frame=self.frame,
                controller_epoch=0,
                metadata_offset=0,
            )
        )
        for message in self.cluster.messages:
            # A ZooKeeper controller goes on trying while it takes the broker for live.
            retried = message.kind in ZOOKEEPER_COMMANDS
            if broker_id in (message.sender, message.receiver) and not retried:
                self.lose(message)
        self._forget_fetches_of(broker_id)
        for follower, partition, message_id in parked:
            self.put(disconnected(self.cluster.replica(follower, partition), message_id))
        for request in waiting:
            self.leave_unanswered(request, broker_id)

    def _forget_fetches_of(self, follower: BrokerId, partition: str | None = None) -> None:
        """Fetches of a process that has ended, or of a replica that is deleted, wait at their
        leaders no longer."""
        for broker in self.cluster.brokers:
            for replica in broker.replicas:
                leading = replica.leading
                if leading is None or partition not in (None, replica.partition):
                    continue
                others = tuple(fetch for fetch in leading.parked if fetch.follower != follower)
                if others != leading.parked:
                    self.put(replace(replica, leading=replace(leading, parked=others)))

    def lose_contact(self, broker_id: BrokerId) -> None:
        """From now on the controller does not hear of a broker; its session runs out."""
        broker = self.cluster.broker(broker_id)
        if broker.contact_lost_ms is not None:
            return
        order = self.cluster.losses_of_contact + 1
        self.cluster = replace(self.cluster, losses_of_contact=order)
        self.put_broker(
            replace(broker, contact_lost_ms=self.cluster.now_ms, contact_lost_order=order)
        )

    def regain_contact(self, broker_id: BrokerId) -> None:
        """The controller hears of a broker again, if it runs and nothing is cut."""
        broker = self.cluster.broker(broker_id)
        if broker.running and self.cluster.reaches_controller(broker_id):
            self.put_broker(replace(broker, contact_lost_ms=None))
            self.propose_again(broker_id)
            self._write_blocked_isrs(broker_id)

    def _write_blocked_isrs(self, leader: BrokerId) -> None:
        """What waited for ZooKeeper is written now, if nobody has written since."""
        for replica in self.cluster.broker(leader).replicas:
            blocked = None if replica.leading is None else replica.leading.blocked_isr
            if blocked is not None:
                assert replica.leading is not None, "only a leader changes its ISR"
                self.put(replace(replica, leading=replace(replica.leading, blocked_isr=None)))
                self.write_isr(leader, replica.partition, blocked)

    # --- the ISR ---------------------------------------------------------------------------

    def write_isr(self, leader: BrokerId, partition: str, change: PendingIsr) -> None:
        """A leader changes its ISR: by writing the znode, or by asking the controller (KIP-497).

        Whether the write succeeds or not, the high watermark is looked at after it.
        """
        replica = self.cluster.replica(leader, partition)
        if replica.leading is None:
            return
        rules = self.cluster.profile.rules
        if rules.alter_partition:
            self._ask_controller(replica, change)
            return
        if not self.cluster.reaches_controller(leader):
            self.say(IsrChangeBlocked(broker=leader, partition=partition))
            self.put(replace(replica, leading=replace(replica.leading, blocked_isr=change)))
            return
        error, written = write_isr(
            self.cluster.controller,
            partition,
            leader,
            change.isr,
            replica.partition_epoch,
            recovered=rules.leader_recovery_state,
        )
        if written is None:
            self.say(_isr_rejected(replica, error))
            self._look_at_high_watermark(replica)
            return
        self.cluster = replace(self.cluster, controller=written.controller)
        self.say(*written.events)
        self.take_isr(replica, written.controller.partition(partition))
        self._note_isr_change(leader, partition)
        self.finish_reassignment(partition)

    def _note_isr_change(self, leader: BrokerId, partition: str) -> None:
        """Remember to tell the controller of an ISR that this leader has written itself."""
        broker = self.cluster.broker(leader)
        if tells_of_isr_changes(self.cluster.profile):
            noted = sorted({*broker.isr_changes.partitions, partition})
            changes = replace(
                broker.isr_changes, partitions=tuple(noted), last_change_ms=self.cluster.now_ms
            )
            self.put_broker(replace(broker, isr_changes=changes))

    def finish_reassignment(self, partition: str) -> None:
        """A ZooKeeper controller watches the ISR of a partition that moves, and ends the move."""
        if self.cluster.profile.control == "zookeeper":
            outcome = complete_reassignment(
                self.cluster.controller, partition, self.cluster.profile, self.cluster.policies()
            )
            if outcome is not None:
                self.apply_controller(outcome)

    def _look_at_high_watermark(self, replica: Replica) -> None:
        self.apply(
            maybe_increment_high_watermark(
                replica,
                settings=self.cluster.settings_of(replica.partition),
                now_ms=self.cluster.now_ms,
                eligible=self.eligible(replica.broker_id),
            )
        )

    def take_isr(self, replica: Replica, registration: PartitionRegistration) -> None:
        """A leader learns that its ISR is committed."""
        rules = self.cluster.profile.rules
        self.apply(
            with_isr(
                replica,
                registration.isr,
                registration.partition_epoch,
                settings=self.cluster.settings_of(replica.partition),
                now_ms=self.cluster.now_ms,
                eligible=self.eligible(replica.broker_id),
                look_at_high_watermark=(
                    not rules.alter_partition or rules.high_watermark_on_isr_commit
                ),
            )
        )

    def _ask_controller(self, replica: Replica, change: PendingIsr) -> None:
        pending = self._set_pending(replica, change)
        if change.kind == "shrink":
            # Of who is to join the leader has said so before it looked at the high watermark.
            self.say(proposed_event(pending, change, self.cluster.profile.rules))
        if self.cluster.is_cut(replica.broker_id, CONTROLLER):
            self.say(
                IsrChangeBlocked(
                    variant="controller",
                    rule="KIP-497",
                    sources=("KIP-497",),
                    broker=replica.broker_id,
                    partition=replica.partition,
                )
            )
            return
        self.send_proposal(pending, change)

    def send_proposal(self, replica: Replica, change: PendingIsr) -> None:
        """Send the AlterPartition request of a pending change."""
        replica = self._set_pending(replica, replace(change, request=self.cluster.next_message_id))
        assert replica.leading is not None, "only a leader proposes"
        epochs: tuple[int, ...] | None = None
        rules = self.cluster.profile.rules
        known = {
            broker.broker_id: broker.broker_epoch
            for broker in self.cluster.broker(replica.broker_id).known_brokers
        }
        if rules.broker_epoch_in_isr and self.cluster.profile.control == "kraft":
            remotes = {remote.broker_id: remote.broker_epoch for remote in replica.leading.remotes}
            epochs = tuple(
                known.get(member, -1)
                if member == replica.broker_id
                else _or_unknown(remotes.get(member))
                for member in change.isr
            )
        self.send(
            replica.broker_id,
            CONTROLLER,
            replica.partition,
            AlterPartitionRequest(
                leader_epoch=replica.leader_epoch,
                partition_epoch=replica.partition_epoch,
                new_isr=change.isr,
                broker_epochs=epochs,
                leader_recovery_state="RECOVERED",
                broker_epoch=known.get(replica.broker_id),
            ),
        )

    # --- the controller --------------------------------------------------------------------

    def apply_controller(self, outcome: ControllerOutcome) -> None:
        """Take over what the controller decided, and send word of it."""
        before = self.cluster.controller
        self.cluster = replace(self.cluster, controller=outcome.controller)
        if any(
            was.replicas != now.replicas
            for was, now in zip(before.partitions, outcome.controller.partitions, strict=True)
        ):
            self.cluster = with_settings(with_assigned_replicas(self.cluster))
        self.unclean_election = self.unclean_election or outcome.unclean
        self.say(*outcome.events)
        controller = outcome.controller
        self._update_metadata(before, joined=True)
        for broker_id, partitions in outcome.commands:
            self.send(
                CONTROLLER,
                broker_id,
                partitions[0].partition if len(partitions) == 1 else None,
                LeaderAndIsr(
                    controller_epoch=controller.controller_epoch,
                    broker_epoch=self._generation(controller.broker(broker_id)),
                    partitions=partitions,
                ),
            )
        for broker_id, partition in outcome.stops:
            self.send(
                CONTROLLER,
                broker_id,
                partition,
                StopReplica(
                    controller_epoch=controller.controller_epoch,
                    broker_epoch=self._generation(controller.broker(broker_id)),
                ),
            )
        self._update_metadata(before, joined=False)
        if outcome.changed_partitions or outcome.changed_brokers:
            for broker in self.cluster.brokers:
                if broker.alive:
                    self._publish(broker, outcome.changed_partitions, outcome.changed_brokers)

    def _update_metadata(self, before: Controller, *, joined: bool) -> None:
        """Under ZooKeeper, tell live brokers what changed: those that have `joined` everything,
        ahead of their commands; the others what is new, behind theirs."""
        after = self.cluster.controller
        if self.cluster.profile.control == "kraft":
            return
        took_over = before.controller_epoch != after.controller_epoch
        changed = tuple(
            now
            for was, now in zip(before.partitions, after.partitions, strict=True)
            if was is not now or took_over
        )
        for was_known, registered in zip(before.brokers, after.brokers, strict=True):
            has_joined = not was_known.live or was_known.incarnation != registered.incarnation
            if not registered.live or has_joined is not joined:
                continue
            if joined:
                self.tell_metadata(registered.broker_id, after.partitions)
            elif changed or before.brokers is not after.brokers:
                self.tell_metadata(registered.broker_id, changed)

    def tell_metadata(
        self, broker_id: BrokerId, partitions: tuple[PartitionRegistration, ...]
    ) -> None:
        """Queue an UpdateMetadata; one that stands last in the queue is added to."""
        controller = self.cluster.controller
        queued = next(
            (
                message
                for message in reversed(self.cluster.messages)
                if message.receiver == broker_id and message.sender == CONTROLLER
            ),
            None,
        )
        if (
            queued is not None
            and isinstance(queued.payload, UpdateMetadata)
            and queued.payload.controller_epoch == controller.controller_epoch
            and not queued.held
        ):
            self.take(queued)
            newer = {registration.partition for registration in partitions}
            partitions = (
                *(told for told in queued.payload.partitions if told.partition not in newer),
                *partitions,
            )
        self.send(
            CONTROLLER,
            broker_id,
            None,
            UpdateMetadata(
                controller_epoch=controller.controller_epoch,
                broker_epoch=self._generation(controller.broker(broker_id)),
                partitions=partitions,
                brokers=tuple(broker for broker in controller.brokers if broker.live),
            ),
        )

    def _generation(self, registered: BrokerRegistration) -> int | None:
        rules = self.cluster.profile.rules
        return registered.broker_epoch if rules.broker_generations else None

    def _publish(
        self,
        broker: Broker,
        partitions: tuple[PartitionRegistration, ...],
        brokers: tuple[BrokerRegistration, ...],
    ) -> None:
        """Let a broker read the new end of the metadata log.

        Records that only speak of brokers are read together with what follows them, as one fetch of
        the log does.
        """
        offset = self.cluster.controller.metadata_offset
        registered_now = self.cluster.controller.broker(broker.broker_id)
        if registered_now.incarnation != broker.incarnation:
            # A process that has not registered yet reads the log once it has.
            return
        last = next(
            (
                message
                for message in reversed(self.cluster.messages)
                if message.receiver == broker.broker_id and message.sender == CONTROLLER
            ),
            None,
        )
        if (
            last is not None
            and isinstance(last.payload, MetadataRecords)
            and not last.payload.partitions
        ):
            known = {registered.broker_id: registered for registered in last.payload.brokers}
            known.update({registered.broker_id: registered for registered in brokers})
            merged = replace(
                last,
                payload=MetadataRecords(
                    offset=offset,
                    partitions=partitions,
                    brokers=tuple(known[broker_id] for broker_id in sorted(known)),
                ),
                partition=partitions[0].partition if len(partitions) == 1 else None,
            )
            self.cluster = replace(
                self.cluster,
                messages=tuple(
                    merged if message.id == last.id else message
                    for message in self.cluster.messages
                ),
            )
            return
        self.send(
            CONTROLLER,
            broker.broker_id,
            partitions[0].partition if len(partitions) == 1 else None,
            MetadataRecords(offset=offset, partitions=partitions, brokers=brokers),
        )

    def publish_everything(self, broker_id: BrokerId) -> None:
        """Let a broker that has just registered read the whole metadata log."""
        broker = self.cluster.broker(broker_id)
        controller = self.cluster.controller
        for message in self.cluster.messages:
            if message.receiver == broker_id and message.kind == "metadata_record":
                self.take(message)
        self.send(
            CONTROLLER,
            broker.broker_id,
            None,
            MetadataRecords(
                offset=controller.metadata_offset,
                partitions=tuple(
                    partition
                    for partition in controller.partitions
                    if broker_id in partition.replicas
                    or broker.replica(partition.partition) is not None
                ),
                brokers=controller.brokers,
            ),
        )


def _or_unknown(broker_epoch: int | None) -> int:
    return -1 if broker_epoch is None else broker_epoch


def _produce_rule(error: ErrorCode) -> str | None:
    if error in (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND):
        return "MIN-INSYNC-REPLICAS"
    if error in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.UNKNOWN_PRODUCER_ID):
        return "KIP-98"
    return "PRODUCE-ACKS"


def _isr_rejected(replica: Replica, error: ErrorCode) -> Event:
    return IsrChangeRejected(
        rule="ZK-ISR-WRITE",
        sources=("Partition", "KIP-497"),
        broker=replica.broker_id,
        partition=replica.partition,
        error=error,
    )
