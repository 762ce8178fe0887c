"""The engine's cluster while a recording is replayed, shared by the functions of all verbs."""

from collections.abc import Callable

from msgspec.structs import replace

from sim_engine.actions import Crash, Notice
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState, with_broker
from sim_engine.conformance.recording import TOPIC, RecordedStep, Recording
from sim_engine.identifiers import FIRST_FRAME, BrokerId, FrameNumber
from sim_engine.protocol.messages import OffsetsForLeaderEpochResponse
from sim_engine.simulation.clock import run_for, run_until
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
            recording.kafka,
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
