"""Does what a recording did, as it did it, and holds what it saw.

When the controller notices a broker is recorded, not computed; everything that follows from it is
the engine's own doing.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from sim_engine.actions import (
    AskElection,
    Boot,
    Crash,
    Deliver,
    Drop,
    Heal,
    Hold,
    Isolate,
    Notice,
    Pause,
    PowerLoss,
    Produce,
    Reassign,
    Release,
    Resume,
    Shutdown,
    Timer,
    Transaction,
)
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import Broker, ClusterState, with_broker, with_replica
from sim_engine.conformance.compare import (
    Difference,
    compare_metadata_records,
    compare_step,
)
from sim_engine.conformance.recording import (
    API_MESSAGES,
    KRAFT_CONTROLLER,
    TOPIC,
    RecordedStep,
    Recording,
    RecordingError,
)
from sim_engine.error_codes import ErrorCode
from sim_engine.events.controller import MetadataRecordsWritten
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, NO_LEADER, BrokerId, MessageKind
from sim_engine.protocol.leader.isr_membership import maybe_shrink_isr
from sim_engine.protocol.leader.offset_requests import handle_offsets_for_leader_epoch
from sim_engine.protocol.log.replica_log import read_from
from sim_engine.protocol.messages import (
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.simulation.autoplay import long_poll, observable
from sim_engine.simulation.clock import run_for, run_until, settle
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_is_back,
    is_unnoticed,
    session_has_ended,
)
from sim_engine.simulation.performing.late_metadata import waiting_records
from sim_engine.simulation.play import LimitReachedError, Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import deliver_commands, play_step
from sim_engine.versions import resolve_profile

SOON_MS = 100
"""How long after an unsettled step the real cluster was read."""

SETTLED_MS = 2_000
"""Checkpoints that are due at least this often have been written when a cluster has settled."""

READS_APART_MS = 700
"""A cluster had settled when two reads so far apart agreed."""

LAG_THAT_NEVER_PASSES_MS = 300_000
"""With a replica.lag.time.max.ms of this or more no recording waits for an ISR to shrink."""

MOST_READS = 200
UNTIL_AT_MOST_MS = 600_000
MOST_FRAMES = 100_000

Arguments = Mapping[str, Any]


def conform(recording: Recording) -> list[Difference]:
    """Replay a recording; give every difference, in the order of its steps."""
    replay = Replay(recording)
    differences: list[Difference] = []
    for number, step in enumerate(recording.steps):
        try:
            differences.extend(replay.do(number, step))
        except (RefusedError, LimitReachedError) as error:
            differences.append(
                Difference(
                    step=number,
                    where=f"do/{step.verb}",
                    expected="done on the real cluster",
                    got=f"refused: {getattr(error, 'reason', error)}",
                )
            )
            break
    return differences


class Replay:
    """The engine's cluster while a recording is replayed on it."""

    def __init__(self, recording: Recording) -> None:
        scenario = recording.scenario
        profile = resolve_profile(
            recording.kafka, control=scenario.control, rules=dict(scenario.rules)
        )
        self.recording = recording
        self.play = Play(start_cluster(recording.scenario, profile), 0, MOST_FRAMES)
        self._requests: list[tuple[str, int]] = []
        self._step = recording.steps[0]
        self._next_steps = recording.steps[1:]
        self._asked_ms: dict[int, int] = {}
        self._answers: list[OffsetsForLeaderEpochResponse] = []
        self._controller_frozen = False
        self._written: list[dict[str, Any]] = [_created(self.play.cluster)]
        self._stop_own_timers()
        for broker_id in recording.down_at_first:
            self.play.act(Crash(broker=broker_id))
            self.play.act(Notice(broker=broker_id))
            deliver_commands(self.play)

    @property
    def cluster(self) -> ClusterState:
        """The cluster as it is now."""
        return self.play.cluster

    def do(self, number: int, step: RecordedStep) -> list[Difference]:
        """Do one step, let the cluster come to rest as the real one did, and compare."""
        before = len(self.play.played)
        self._step = step
        self._next_steps = self.recording.steps[number + 1 :]
        asked = VERB_ACTIONS[step.verb](self, step.arguments)
        for notice in step.noticed:
            self._notice(notice)
        self._come_to_rest(step)
        self._collect_records(before)
        differences = [
            *self._compare_produced(number, step, asked),
            *self._compare_consumed(number, step),
            *self._compare_answers(number, step),
            *compare_metadata_records(self.recording, number, step, self._written),
            *compare_step(
                self.recording,
                number,
                step,
                self.cluster,
                tuple(played.transition.cluster for played in self.play.played[before:]),
            ),
        ]
        self._written = []
        return differences

    # --- coming to rest --------------------------------------------------------------------

    def _come_to_rest(self, step: RecordedStep) -> None:
        """Leave the cluster alone until two reads agree and no ISR change is due, as was done.

        Waits take the time that they take: a long poll longer than that stays parked.
        """
        if _was_over_at_once(step):
            return
        run_for(self.play, SOON_MS, notices=False)
        if not step.settled:
            self._close_sessions()
            return
        for _ in range(MOST_READS):
            before = observable(self.cluster)
            run_for(self.play, READS_APART_MS, notices=False)
            closed = self._close_sessions()
            if not closed and observable(self.cluster) == before and not self._isr_is_overdue():
                break
        self._write_checkpoints()

    def _isr_is_overdue(self) -> bool:
        """Whether a leader that can change its ISR is about to drop a member for its lag."""
        return any(
            replica.leading is not None
            and settings.replica_lag_time_max_ms < LAG_THAT_NEVER_PASSES_MS
            and maybe_shrink_isr(
                replica,
                settings=settings,
                now_ms=self.cluster.now_ms,
            )
            is not None
            for broker in self.cluster.brokers
            if broker.running and self.cluster.reaches_controller(broker.broker_id)
            for replica in broker.replicas
            for settings in (self.cluster.settings_of(replica.partition),)
        )

    def _close_sessions(self) -> bool:
        """A process that ended by itself closed its session; the controller has noticed."""
        closed = False
        for broker in self.cluster.brokers:
            ended_itself = broker.process == "failed" and not broker.session_kept
            if ended_itself and session_has_ended(self.cluster, broker.broker_id):
                self.play.act(Notice(broker=broker.broker_id))
                deliver_commands(self.play)
                closed = True
        return closed

    def _write_checkpoints(self) -> None:
        for broker in self.cluster.brokers:
            for timer in broker.timers if broker.running else ():
                if timer.period_ms <= SETTLED_MS and timer.kind.endswith("checkpoint"):
                    self.play.act(Timer(broker=broker.broker_id, kind=timer.kind))
            if broker.running and broker.broker_id in self.recording.own_checkpoint_times:
                self._write_if_recorded(broker)

    def _write_if_recorded(self, broker: Broker) -> None:
        """A checkpoint is written where the recorded file changed; what it says is held."""
        saw = self._step.saw
        recorded = (
            None
            if saw is None
            else saw["brokers"][str(broker.broker_id)]["high_watermark_checkpoint"]
        )
        replica = broker.replica(TOPIC)
        if recorded is None or replica is None or recorded == replica.checkpoint_high_watermark:
            return
        self.play.act(Timer(broker=broker.broker_id, kind="high_watermark_checkpoint"))

    def _stop_own_timers(self) -> None:
        """Whose checkpoints are written as recorded has no timer for them."""
        for broker_id in self.recording.own_checkpoint_times:
            broker = self.cluster.broker(broker_id)
            timers = tuple(
                timer for timer in broker.timers if timer.kind != "high_watermark_checkpoint"
            )
            self._put(with_broker(self.cluster, replace(broker, timers=timers)))

    def _notice(self, notice: Mapping[str, Any]) -> None:
        """What the real controller noticed in this step; a stop notices by itself."""
        broker_id: BrokerId = notice["broker"]
        registered = self.cluster.controller.broker(broker_id)
        if notice.get("fenced") is True and not registered.fenced:
            self._advance_to_session_end(broker_id)
            self.play.act(Notice(broker=broker_id))
        elif notice.get("fenced") is False or notice.get("registered"):
            if not broker_is_back(self.cluster, broker_id):
                return
            self.play.act(Notice(broker=broker_id))
        deliver_commands(self.play)

    def _advance_to_session_end(self, broker_id: BrokerId) -> None:
        lost = self.cluster.broker(broker_id).contact_lost_ms
        if lost is None:
            return
        left = lost + self.cluster.session_timeout_ms - self.cluster.now_ms
        if left > 0:
            run_for(self.play, left, notices=False)

    def _collect_records(self, first: int) -> None:
        for played in self.play.played[first:]:
            for happened in played.transition.events:
                if isinstance(happened, MetadataRecordsWritten):
                    records = happened.numbers()["records"]
                    assert isinstance(records, list), "the event carries records"
                    self._written.extend(record for record in records if isinstance(record, dict))

    # --- clients ---------------------------------------------------------------------------

    def produce(self, arguments: Arguments) -> list[str]:
        """Each value its own request; the next goes out when the one before is answered."""
        values: list[str] = list(arguments["values"])
        for value in values:
            self._requests.append((value, len(self.cluster.clients.produced)))
            if arguments["broker"] is None and self._leader() == NO_LEADER:
                self._requests[-1] = (value, -1)
                continue
            target = self._leader() if arguments["broker"] is None else arguments["broker"]
            self.play.act(self._produced_by(arguments, value, target))
            self._asked_ms[self._requests[-1][1]] = self.cluster.now_ms
            if arguments.get("wait", True):
                self._await_answer(len(self.cluster.clients.produced) - 1)
        return values

    def _produced_by(self, arguments: Arguments, value: str, target: BrokerId) -> Produce:
        """Who sends a value: a plain producer, an idempotent one, or the one with transactions.

        A batch that a later step sends again under its producer id was of that producer when it
        was sent first.
        """
        sequence = arguments.get("sequence", self._sequences_by_value().get(value))
        plain = Produce(
            to=TOPIC,
            values=(value,),
            acks="all" if arguments["acks"] in ("all", -1) else arguments["acks"],
            as_="client",
            broker=target,
            timeout_ms=arguments["timeout_ms"],
        )
        if sequence is None:
            return plain
        if arguments.get("transactional"):
            return replace(plain, as_="transactional", sequence=sequence)
        return replace(plain, as_="idempotent", idempotent=True, sequence=sequence)

    def _sequences_by_value(self) -> dict[str, int]:
        return {
            value: step.arguments["producer_id_epoch_sequence"][2]
            for step in self.recording.steps
            if "producer_id_epoch_sequence" in step.arguments
            for value in step.arguments["values"]
        }

    def transaction(self, arguments: Arguments) -> None:
        """The first partition of a transaction is added, or the transaction ends."""
        begins = arguments.get("add_partition")
        self.play.act(Transaction(as_="transactional", do="begin" if begins else arguments["end"]))

    def _leader(self) -> BrokerId:
        return self.cluster.controller.partition(TOPIC).leader

    def _await_answer(self, request: int) -> None:
        """The next request goes out, or the step is over, as soon as this one is answered.

        A step that was read at once is over before a slow answer has come.
        """
        timeout_ms = self.cluster.clients.produced[request].timeout_ms
        run_until(
            self.play,
            timeout_ms if self._step.settled else SOON_MS,
            lambda: self.cluster.clients.produced[request].outcome != "pending",
            notices=False,
        )

    def answer(self, arguments: Arguments) -> list[str]:
        """Take the answer to an earlier request, once it has come."""
        request = self._request_of(arguments["value"])
        if request >= 0:
            self._await_answer(request)
        return [arguments["value"]]

    def _compare_produced(
        self, number: int, step: RecordedStep, asked: list[str] | None
    ) -> list[Difference]:
        differences: list[Difference] = []
        for index, recorded in enumerate((*step.produced, *step.produced_later)):
            outcome, offset, error = self._outcome_of(recorded["value"])
            for name, got in (("outcome", outcome), ("offset", offset), ("error", error)):
                if recorded.get(name) is None or recorded[name] == got:
                    continue
                differences.append(
                    Difference(
                        step=number,
                        where=f"produced/{index}/{name}",
                        expected=recorded[name],
                        got=got,
                    )
                )
        return differences

    def _outcome_of(self, value: str) -> tuple[str, int | None, str | None]:
        request = self._request_of(value)
        if request < 0:
            return "not_sent", None, None
        produced = self.cluster.clients.produced[request]
        if produced.outcome == "pending" and self.cluster.now_ms >= (
            self._asked_ms[request] + produced.timeout_ms
        ):
            # The real producer gave up as long after.
            return "no_answer", produced.offset, produced.error
        return produced.outcome, produced.offset, produced.error

    def _request_of(self, value: str) -> int:
        return [request for asked, request in self._requests if asked == value][-1]

    def consume(self, arguments: Arguments) -> None:
        """A consumer reads at a broker; what it got is held in `consumed_from`."""

    def _compare_consumed(self, number: int, step: RecordedStep) -> list[Difference]:
        if step.consumed_from is None:
            return []
        replica = self.cluster.replica(step.arguments["broker"], TOPIC)
        records = read_from(replica.log, step.arguments["offset"], up_to=replica.high_watermark)
        served = replica.leading is not None or (
            self.cluster.profile.rules.follower_reads and replica.role == "follower"
        )
        got: dict[str, Any] = {
            "records": [[record.offset, record.value] for record in records],
            "high_watermark": replica.high_watermark,
            "error": None if served else str(ErrorCode.NOT_LEADER_OR_FOLLOWER),
        }
        recorded = step.consumed_from
        return [
            Difference(step=number, where=f"consumed_from/{name}", expected=recorded[name], got=own)
            for name, own in got.items()
            if recorded.get(name) is not None and recorded[name] != own
        ]

    def offsets_for_leader_epoch(self, arguments: Arguments) -> None:
        """A client asks a broker where leader epochs end; what it said is held in `answers`."""
        broker_id: BrokerId = arguments["broker"]
        broker = self.cluster.broker(broker_id)
        if not broker.running:
            raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
        self._answers = [
            _epoch_end(
                self.cluster,
                broker_id,
                OffsetsForLeaderEpochRequest(
                    leader_epoch=answer["asked"],
                    current_leader_epoch=arguments.get("current_leader_epoch"),
                ),
            )
            for answer in self._step.answers
        ]

    def _compare_answers(self, number: int, step: RecordedStep) -> list[Difference]:
        differences: list[Difference] = []
        for index, (recorded, answer) in enumerate(zip(step.answers, self._answers, strict=False)):
            epoch, end = answer.end_offset
            error = None if answer.error is ErrorCode.NONE else str(answer.error)
            for name, got in (("leader_epoch", epoch), ("end_offset", end), ("error", error)):
                # An answer without an error says so by null.
                unread = name != "error" and recorded.get(name) is None
                if unread or recorded.get(name) == got:
                    continue
                differences.append(
                    Difference(
                        step=number,
                        where=f"answers/{index}/{name}",
                        expected=recorded.get(name),
                        got=got,
                    )
                )
        return differences

    # --- brokers ---------------------------------------------------------------------------

    def create_topic(self, arguments: Arguments) -> None:
        """The topic is there from the start; its partition's record was the first written."""

    def kill(self, arguments: Arguments) -> None:
        """SIGKILL; with `session: ended` the controller has noticed when the step is over."""
        self.play.act(Crash(broker=arguments["broker"]))
        if arguments.get("session") == "ended":
            self.session_end(arguments)

    def session_end(self, arguments: Arguments) -> None:
        """The znode of a dead or frozen broker is removed; a frozen controller sees it later."""
        if self._controller_frozen:
            return
        self.play.act(Notice(broker=arguments["broker"]))
        deliver_commands(self.play)

    def power_loss(self, arguments: Arguments) -> None:
        """SIGKILL, and the log cut to its first records; the checkpoint files stay as they were.

        Where one power loss follows another at once they are one: all processes die first, and
        then each log is cut.
        """
        if not self._step.settled:
            for following in self._next_steps:
                if following.verb != "power_loss":
                    break
                if self.cluster.broker(following.arguments["broker"]).alive:
                    self.play.act(Crash(broker=following.arguments["broker"]))
        broker_id: BrokerId = arguments["broker"]
        replica = self.cluster.replica(broker_id, TOPIC)
        keep = replica.log.log_start_offset + arguments["keep"]
        # The loss is emulated by cutting the file, whatever of it had been flushed.
        self._put(with_replica(self.cluster, replace(replica, flushed=min(replica.flushed, keep))))
        self.play.act(PowerLoss(broker=broker_id, keep={TOPIC: keep}))
        if arguments.get("session") == "ended":
            self.session_end(arguments)

    def delete_file(self, arguments: Arguments) -> None:
        """A checkpoint file of a dead broker is deleted."""
        if arguments["file"] != "replication-offset-checkpoint":
            raise RecordingError("/do/delete_file", f"no model of {arguments['file']}")
        broker = self.cluster.broker(arguments["broker"])
        self._put(
            replace(
                self.cluster,
                brokers=tuple(
                    other
                    if other.broker_id != broker.broker_id
                    else replace(
                        broker,
                        replicas=tuple(
                            replace(replica, checkpoint_high_watermark=None)
                            for replica in broker.replicas
                        ),
                    )
                    for other in self.cluster.brokers
                ),
            )
        )

    def _put(self, cluster: ClusterState) -> None:
        self.play.cluster = cluster

    def stop(self, arguments: Arguments) -> None:
        """SIGTERM: a controlled shutdown, to its end."""
        play_step(self.play, Shutdown(broker=arguments["broker"]))

    def start(self, arguments: Arguments) -> None:
        """The process starts. Under ZooKeeper it registers at once; KRaft's steps are recorded."""
        broker_ids: list[BrokerId] = arguments.get("brokers") or [arguments["broker"]]
        for broker_id in broker_ids:
            self.play.act(Boot(broker=broker_id, session=self._old_session(broker_id)))
        self._stop_own_timers()
        if self.cluster.profile.control == "kraft" or self._controller_frozen:
            return
        for broker_id in self._in_order_of_coming_up(broker_ids):
            if self.cluster.broker(broker_id).session_kept:
                continue
            while broker_is_back(self.cluster, broker_id) or session_has_ended(
                self.cluster, broker_id
            ):
                self.play.act(Notice(broker=broker_id))
                deliver_commands(self.play)
            if len(broker_ids) > 1:
                run_for(self.play, SOON_MS, notices=False)

    def _old_session(self, broker_id: BrokerId) -> Literal["kept"] | None:
        """Under ZooKeeper a session that was not said to have ended lives on."""
        lives = (
            self.cluster.profile.control == "zookeeper"
            and not self._controller_frozen
            and session_has_ended(self.cluster, broker_id)
        )
        return "kept" if lives else None

    def _in_order_of_coming_up(self, broker_ids: list[BrokerId]) -> list[BrokerId]:
        """Who of several that start at once is up first is chance: the recorded ISR tells."""
        isr: list[BrokerId] = (self._step.saw or {}).get("isr") or []
        return sorted(
            broker_ids,
            key=lambda broker_id: isr.index(broker_id) if broker_id in isr else len(isr),
        )

    def freeze(self, arguments: Arguments) -> None:
        """SIGSTOP, once what is in flight has arrived."""
        run_for(self.play, SOON_MS, notices=False)
        if arguments["broker"] == self.recording.controller_broker:
            self._controller_frozen = True
            return
        self.play.act(Pause(broker=arguments["broker"]))

    def thaw(self, arguments: Arguments) -> None:
        """SIGCONT. A ZooKeeper broker whose session has ended opens a new one.

        The controller sees who is there now and who is not. A broker that went and came back
        meanwhile it tells from one that stayed by its broker epoch alone (KIP-380, from 2.2).
        """
        if arguments["broker"] == self.recording.controller_broker:
            self._controller_frozen = False
            for broker in self.cluster.brokers:
                while is_unnoticed(self.cluster, broker.broker_id) and not bounce_is_unseen(
                    self.cluster, broker.broker_id
                ):
                    self.play.act(Notice(broker=broker.broker_id))
                    deliver_commands(self.play)
            return
        self.play.act(Resume(broker=arguments["broker"]))
        self._open_session(arguments["broker"])

    def _open_session(self, broker_id: BrokerId) -> None:
        """A ZooKeeper broker whose session has ended opens a new one as soon as it can."""
        if self.cluster.profile.control == "zookeeper" and broker_is_back(self.cluster, broker_id):
            self.play.act(Notice(broker=broker_id))
            deliver_commands(self.play)

    # --- time ------------------------------------------------------------------------------

    def wait(self, arguments: Arguments) -> None:
        """Some time, or until something shows; what the controller notices is in `noticed`."""
        if "ms" in arguments:
            run_for(self.play, self._end_sessions_within(arguments["ms"]), notices=False)
            return
        until = arguments["until"]
        if "isr_shrinks" in until:
            members = len(self._isr())
            self._run_until(lambda: len(self._isr()) < members)
        elif "answered" in until:
            value = until["answered"]
            self._run_until(lambda: self._outcome_of(value)[0] != "pending")

    def _end_sessions_within(self, ms: int) -> int:
        """Sessions of brokers that are cut off from ZooKeeper end by themselves in their time.

        Gives how much of the time is left after the last of them.
        """
        if self.cluster.profile.control == "kraft":
            return ms
        until_ms = self.cluster.now_ms + ms
        for broker in self.cluster.brokers:
            lost_ms = broker.contact_lost_ms
            if not broker.running or lost_ms is None:
                continue
            end_ms = lost_ms + self.cluster.session_timeout_ms
            if end_ms <= until_ms and session_has_ended(self.cluster, broker.broker_id):
                run_for(self.play, max(0, end_ms - self.cluster.now_ms), notices=False)
                self.play.act(Notice(broker=broker.broker_id))
                deliver_commands(self.play)
        return until_ms - self.cluster.now_ms

    def _isr(self) -> tuple[BrokerId, ...]:
        return self.cluster.controller.partition(TOPIC).isr

    def _run_until(self, reached: Callable[[], bool]) -> None:
        run_until(self.play, UNTIL_AT_MOST_MS, reached, notices=False)

    # --- the controller --------------------------------------------------------------------

    def elect(self, arguments: Arguments) -> None:
        """An administrator asks for an election; one that is not needed changes nothing."""
        try:
            self.play.act(AskElection(partition=TOPIC, kind=arguments["kind"]))
        except RefusedError:
            return
        if self._step.settled:
            deliver_commands(self.play)

    def reassign(self, arguments: Arguments) -> None:
        """Other replicas, or the same in another order."""
        play_step(self.play, Reassign(partition=TOPIC, replicas=tuple(arguments["replicas"])))

    def cut_off(self, arguments: Arguments) -> None:
        """A broker's connections to the controller are closed and refused."""
        self.play.act(Isolate(broker=arguments["broker"], from_=CONTROLLER))

    def reconnect(self, arguments: Arguments) -> None:
        """A broker reaches the controller again."""
        self.play.act(Heal(broker=arguments["broker"]))
        self._read_all(arguments["broker"])
        self._open_session(arguments["broker"])

    # --- the network -----------------------------------------------------------------------

    def network(self, arguments: Arguments) -> None:
        """Hold, release or drop messages of one kind between two brokers, or cut ZooKeeper off."""
        if arguments.get("cut"):
            self.cut_off(arguments)
        elif arguments.get("heal"):
            self.reconnect(arguments)
        elif arguments.get("to") == KRAFT_CONTROLLER:
            self._metadata(arguments)
        elif "hold" in arguments:
            self._hold(_message_route(arguments, arguments["hold"]))
        elif "release" in arguments:
            self._release(_message_route(arguments, arguments["release"]))
        else:
            self._drop(_message_route(arguments, arguments["drop"]))

    def _metadata(self, arguments: Arguments) -> None:
        """Hold a broker's metadata; once released, it reads all of it in one delivery."""
        broker_id: BrokerId = arguments["from"]
        if "hold" in arguments:
            settle(self.play, notices=False)
            self.play.act(Hold(kind=METADATA_RECORD, to=broker_id))
            return
        self.play.act(Release(kind=METADATA_RECORD, to=broker_id))
        self._read_all(broker_id)

    def _read_all(self, broker_id: BrokerId) -> None:
        """A broker that can read its metadata again gets all of it with its first fetch."""
        waiting = waiting_records(self.cluster, broker_id)
        if waiting:
            self.play.act(Deliver(kind=METADATA_RECORD, to=broker_id, records=len(waiting)))

    def _hold(self, route: tuple[MessageKind, BrokerId, BrokerId]) -> None:
        """From now on; a request that waits at the leader runs out and its answer is applied."""
        settle(self.play, notices=False)
        self._put(replace(self.cluster, network_holds=(*self.cluster.network_holds, route)))

    def _release(self, route: tuple[MessageKind, BrokerId, BrokerId]) -> None:
        self._put(
            replace(
                self.cluster,
                network_holds=tuple(held for held in self.cluster.network_holds if held != route),
                messages=tuple(
                    replace(message, held=False) if _goes(message, route) else message
                    for message in self.cluster.messages
                ),
            )
        )

    def _drop(self, route: tuple[MessageKind, BrokerId, BrokerId]) -> None:
        for message in self.cluster.messages:
            if _goes(message, route) and message.held:
                self._act_on(Drop, message)

    def fetch(self, arguments: Arguments) -> None:
        """Let exactly so many held fetch requests through."""
        follower: BrokerId = arguments["broker"]
        leader: BrokerId = arguments["from"]
        for remaining in range(arguments["rounds"], 0, -1):
            settle(self.play, notices=False)
            request = self._only(("fetch_request", follower, leader))
            self._act_on(Release, request)
            self._act_on(Deliver, request)
            self._end_wait(follower, leader)
            answer = self._only(("fetch_response", leader, follower))
            if remaining == 1 and arguments["response"] == "held":
                self._act_on(Hold, answer)
            else:
                self._act_on(Deliver, answer)

    def _end_wait(self, follower: BrokerId, leader: BrokerId) -> None:
        leading = self.cluster.replica(leader, TOPIC).leading
        if leading is not None and any(parked.follower == follower for parked in leading.parked):
            self.play.act(long_poll(leader, TOPIC, follower))

    def _only(self, route: tuple[MessageKind, BrokerId, BrokerId]) -> Message:
        for message in self.cluster.messages:
            if _goes(message, route):
                return message
        raise RefusedError("no_such_message", kind=route[0], link=(route[1], route[2]))

    def _act_on(self, act: type[Deliver | Drop | Hold | Release], message: Message) -> None:
        self.play.act(
            act(
                kind=message.kind,
                from_=message.sender,
                to=message.receiver,
                partition=message.partition,
            )
        )


def _was_over_at_once(step: RecordedStep) -> bool:
    """Whether the next step, or the reading, followed before anything else could happen.

    So it did where nothing was read, unless the step waited for requests to run out that were
    parked. An election that did not settle was read when the controller had answered, which it does
    once it has written; brokers had yet to read of it.
    """
    if step.saw is None:
        return "hold" not in step.arguments
    return step.verb == "elect" and not step.settled


def _message_route(arguments: Arguments, what: str) -> tuple[MessageKind, BrokerId, BrokerId]:
    """The messages meant. `from` and `to` name follower and leader for requests and responses."""
    request, response = API_MESSAGES[arguments["api"]]
    if what == "request":
        return request, arguments["from"], arguments["to"]
    return response, arguments["to"], arguments["from"]


def _epoch_end(
    cluster: ClusterState, broker_id: BrokerId, request: OffsetsForLeaderEpochRequest
) -> OffsetsForLeaderEpochResponse:
    """What a broker answers, by the function that answers followers; nothing changes by it.

    One that hosts no replica says since 2.1 that it does not lead what its metadata knows of
    (`ReplicaManager.lastOffsetForLeaderEpoch`).
    """
    replica = cluster.broker(broker_id).replica(TOPIC)
    if replica is None:
        error = (
            ErrorCode.NOT_LEADER_OR_FOLLOWER
            if cluster.profile.rules.fetch_fencing
            else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        )
        return OffsetsForLeaderEpochResponse(
            in_reply_to=0, requested_epoch=request.leader_epoch, error=error
        )
    asks = Message(
        id=0,
        sender=CONTROLLER,
        receiver=broker_id,
        partition=TOPIC,
        payload=request,
        sent_ms=cluster.now_ms,
    )
    outcome = handle_offsets_for_leader_epoch(
        replica, asks, request, settings=cluster.settings_of(TOPIC)
    )
    answer = outcome.sends[0].payload
    assert isinstance(answer, OffsetsForLeaderEpochResponse), "the answer to that request"
    return answer


def _goes(message: Message, route: tuple[MessageKind, BrokerId, BrokerId]) -> bool:
    return (message.kind, message.sender, message.receiver) == route


def _created(cluster: ClusterState) -> dict[str, Any]:
    """The record that a KRaft controller writes for a new partition."""
    registration = cluster.controller.partition(TOPIC)
    return {
        "record": "PartitionRecord",
        "leader": registration.leader,
        "isr": list(registration.isr),
        "leader_epoch": registration.leader_epoch,
        "partition_epoch": registration.partition_epoch,
    }


VERB_ACTIONS: Mapping[str, Callable[[Replay, Arguments], list[str] | None]] = {
    "create_topic": Replay.create_topic,
    "produce": Replay.produce,
    "answer": Replay.answer,
    "kill": Replay.kill,
    "session_end": Replay.session_end,
    "power_loss": Replay.power_loss,
    "delete_file": Replay.delete_file,
    "stop": Replay.stop,
    "start": Replay.start,
    "freeze": Replay.freeze,
    "thaw": Replay.thaw,
    "wait": Replay.wait,
    "elect": Replay.elect,
    "reassign": Replay.reassign,
    "cut_off": Replay.cut_off,
    "reconnect": Replay.reconnect,
    "network": Replay.network,
    "fetch": Replay.fetch,
    "consume": Replay.consume,
    "offsets_for_leader_epoch": Replay.offsets_for_leader_epoch,
    "transaction": Replay.transaction,
}
