"""The engine's cluster while a recording is replayed, shared by the functions of all verbs, and the
end of a step: the cluster runs undisturbed until it is read, like the real one."""

from collections.abc import Callable

from msgspec.structs import replace

from sim_engine.actions.steps import Crash, Notice, Timer
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import Broker, ClusterState, with_broker
from sim_engine.conformance.recording import (
    TOPIC,
    Elect,
    Network,
    NoticedBroker,
    RecordedStep,
    Recording,
)
from sim_engine.identifiers import FIRST_FRAME, BrokerId, FrameNumber
from sim_engine.protocol.leader.isr import maybe_shrink_isr
from sim_engine.protocol.messages import COMMANDS, OffsetsForLeaderEpochResponse
from sim_engine.simulation.clock import run_for, run_until
from sim_engine.simulation.fetch_rounds import observable
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    broker_session_has_ended,
    is_unnoticed,
)
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import deliver_commands
from sim_engine.versions import resolve_profile

SOON_MS = 100
"""The time after an unsettled step at which the real cluster was read, in ms."""

UNTIL_AT_MOST_MS = 600_000
MOST_FRAMES = 100_000

NOT_SENT = -1
"""The request number of a value that was never sent because there was no leader."""


class Replay:
    """The state of a replay between two steps."""

    def __init__(self, recording: Recording) -> None:
        profile = resolve_profile(
            recording.file.kafka,
            control=recording.scenario.control,
            rules=dict(recording.scenario.rules),
        )
        self.recording = recording
        first_frame = FrameNumber(FIRST_FRAME + 1)
        self.execution = StepExecution(
            start_cluster(recording.scenario, profile), first_frame, MOST_FRAMES
        )
        self.created = self.execution.cluster.controller.partition(TOPIC)
        """The partition as it was created, with the brokers that were running then."""
        self.step = recording.steps[0]
        """The current step."""
        self.next_steps = recording.steps[1:]
        self.requests: list[tuple[str, int]] = []
        """Each value that a producer sent, in order, with its index in the clients' requests."""
        self.asked_ms: dict[int, int] = {}
        """When each of these requests was sent."""
        self.answers: list[OffsetsForLeaderEpochResponse] = []
        """The last response about the ends of epochs, one for each requested epoch."""
        self.controller_frozen = False
        """Whether the ZooKeeper controller is frozen and therefore detects nothing."""
        stop_own_timers(self)
        for broker_id in recording.down_at_first:
            self.execution.act(Crash(broker=broker_id))
            notice(self, broker_id)

    @property
    def cluster(self) -> ClusterState:
        """The cluster as it is now."""
        return self.execution.cluster

    def put(self, cluster: ClusterState) -> None:
        """Set the cluster to a state that no action produces."""
        self.execution.cluster = cluster

    def begin(self, number: int) -> RecordedStep:
        """Begin a step of the recording."""
        self.step = self.recording.steps[number]
        self.next_steps = self.recording.steps[number + 1 :]
        return self.step


def notice(replay: Replay, broker_id: BrokerId) -> None:
    """Let the controller detect a broker's state, and deliver its commands to the other brokers."""
    replay.execution.act(Notice(broker=broker_id))
    deliver_commands(replay.execution)


def notice_as_recorded(replay: Replay, noticed: NoticedBroker) -> None:
    """Detect the changes that the real KRaft controller detected in this step; a controlled
    shutdown needs no detection.
    """
    broker_id = noticed.broker
    is_fenced = replay.cluster.controller.broker(broker_id).fenced
    if noticed.fenced is True and not is_fenced:
        _wait_for_broker_session_end(replay, broker_id)
        notice(replay, broker_id)
    elif noticed.fenced is not False and not noticed.registered:
        deliver_commands(replay.execution)
    elif noticed.registered:
        while _has_not_registered(replay, broker_id) and is_unnoticed(replay.cluster, broker_id):
            notice(replay, broker_id)
    elif broker_is_back(replay.cluster, broker_id):
        notice(replay, broker_id)


def _has_not_registered(replay: Replay, broker_id: BrokerId) -> bool:
    """Whether the controller knows an earlier process of a broker. It may still be unfenced: a new
    one may register after its session has ended and before the controller looks for ended sessions.
    """
    registered = replay.cluster.controller.broker(broker_id)
    return registered.incarnation != replay.cluster.broker(broker_id).incarnation


def _wait_for_broker_session_end(replay: Replay, broker_id: BrokerId) -> None:
    lost_ms = replay.cluster.broker(broker_id).contact_lost_ms
    if lost_ms is None:
        return
    left_ms = lost_ms + replay.cluster.session_timeout_ms - replay.cluster.now_ms
    if left_ms > 0:
        pass_time(replay, left_ms)


def freeze_controller(replay: Replay, *, frozen: bool) -> None:
    """Freeze or thaw a ZooKeeper controller: it detects nothing meanwhile, and sends no command
    again that a broker lost.
    """
    replay.controller_frozen = frozen
    messages = tuple(
        replace(one, held=frozen) if one.kind in COMMANDS else one
        for one in replay.cluster.messages
    )
    replay.put(replace(replay.cluster, messages=messages))


def stop_own_timers(replay: Replay) -> None:
    """Stop the checkpoint timers of the brokers whose checkpoint times are taken from the
    recording.
    """
    for broker_id in replay.recording.own_checkpoint_times:
        broker = replay.cluster.broker(broker_id)
        timers = tuple(
            timer for timer in broker.timers if timer.kind != "high_watermark_checkpoint"
        )
        replay.put(with_broker(replay.cluster, replace(broker, timers=timers)))


def leader_of(replay: Replay) -> BrokerId:
    """The leader according to the controller."""
    return replay.cluster.controller.partition(TOPIC).leader


def isr_of(replay: Replay) -> tuple[BrokerId, ...]:
    """The ISR according to the controller."""
    return replay.cluster.controller.partition(TOPIC).isr


def pass_time(replay: Replay, ms: int) -> None:
    """Let the cluster run for `ms` milliseconds. The controller detects changes only as
    recorded.
    """
    run_for(replay.execution, ms, notices=False)


def pass_time_until(
    replay: Replay, reached: Callable[[], bool], *, at_most_ms: int = UNTIL_AT_MOST_MS
) -> None:
    """Let the cluster run until a condition is true, for at most `at_most_ms` milliseconds of
    virtual time.
    """
    run_until(replay.execution, at_most_ms, reached, notices=False)


SETTLED_MS = 2_000
"""Checkpoints with at most this interval (ms) have been written when a cluster has settled."""

READS_APART_MS = 700
"""A cluster had settled if two reads this far apart (ms) agreed."""

LAG_THAT_NEVER_PASSES_MS = 300_000
"""With a replica.lag.time.max.ms of at least this, recordings do not wait for the ISR to shrink."""

MOST_READS = 200


def wait_until_idle(replay: Replay) -> None:
    """Let the cluster run until two reads agree and no ISR change is due, as in the recording.

    Time passes as on the real cluster: a long poll that takes longer stays parked.
    """
    if _was_over_at_once(replay.step):
        return
    pass_time(replay, replay.step.read_after_ms or SOON_MS)
    if not replay.step.settled:
        _close_broker_sessions(replay)
        return
    for _ in range(MOST_READS):
        before = observable(replay.cluster)
        pass_time(replay, READS_APART_MS)
        closed = _close_broker_sessions(replay)
        if not closed and observable(replay.cluster) == before and not _isr_is_overdue(replay):
            break
    _write_checkpoints(replay)


def _was_over_at_once(step: RecordedStep) -> bool:
    """Whether the next step or read followed before anything else could happen.

    This is the case if nothing was read, unless the step waited for parked requests to expire. An
    unsettled election was read after the controller's response, which it sends after writing its
    records; the brokers had not read them yet.
    """
    if step.saw is None:
        return not (isinstance(step.verb, Network) and step.verb.hold is not None)
    return isinstance(step.verb, Elect) and not step.settled


def _isr_is_overdue(replay: Replay) -> bool:
    """Whether a leader that can change its ISR is about to remove a lagging member."""
    cluster = replay.cluster
    return any(
        replica.leading is not None
        and view.settings.replica_lag_time_max_ms < LAG_THAT_NEVER_PASSES_MS
        and maybe_shrink_isr(replica, view) is not None
        for broker in cluster.brokers
        if broker.running and cluster.reaches_controller(broker.broker_id)
        for replica in broker.replicas
        for view in (cluster.view_of(replica),)
    )


def _close_broker_sessions(replay: Replay) -> bool:
    """Close the sessions of processes that ended by themselves; the controller detects this."""
    closed = False
    for broker in replay.cluster.brokers:
        ended_itself = broker.process == "failed" and not broker.broker_session_kept
        if ended_itself and broker_session_has_ended(replay.cluster, broker.broker_id):
            notice(replay, broker.broker_id)
            closed = True
    return closed


def _write_checkpoints(replay: Replay) -> None:
    """Write the checkpoint files that the real cluster had written by then."""
    for broker in replay.cluster.brokers:
        for timer in broker.timers if broker.running else ():
            if timer.period_ms <= SETTLED_MS and timer.kind.endswith("checkpoint"):
                replay.execution.act(Timer(broker=broker.broker_id, kind=timer.kind))
        if broker.running and broker.broker_id in replay.recording.own_checkpoint_times:
            _write_if_recorded(replay, broker)


def _write_if_recorded(replay: Replay, broker: Broker) -> None:
    """Write a checkpoint if the recorded file changed; its contents are compared later."""
    saw = replay.step.saw
    seen = None if saw is None else saw.brokers.get(broker.broker_id)
    recorded = None if seen is None else seen.high_watermark_checkpoint
    replica = broker.replica(TOPIC)
    if recorded is None or replica is None or recorded == replica.checkpoint_high_watermark:
        return
    replay.execution.act(Timer(broker=broker.broker_id, kind="high_watermark_checkpoint"))
