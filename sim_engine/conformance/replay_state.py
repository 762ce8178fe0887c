"""The engine's cluster while a recording is replayed on it, and what the verbs' functions share."""

from collections.abc import Callable

from msgspec.structs import replace

from sim_engine.actions import Crash, Notice
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState, with_broker
from sim_engine.conformance.recording import TOPIC, RecordedStep, Recording
from sim_engine.identifiers import FIRST_FRAME, BrokerId, FrameNumber
from sim_engine.protocol.messages import OffsetsForLeaderEpochResponse
from sim_engine.simulation.clock import run_for, run_until
from sim_engine.simulation.play import Play
from sim_engine.simulation.step_expansion import deliver_commands
from sim_engine.versions import resolve_profile

SOON_MS = 100
"""How long after an unsettled step the real cluster was read."""

UNTIL_AT_MOST_MS = 600_000
MOST_FRAMES = 100_000

NOT_SENT = -1
"""The request of a value that was never sent, because there was no leader."""


class Replay:
    """A replay between two steps."""

    def __init__(self, recording: Recording) -> None:
        profile = resolve_profile(
            recording.kafka,
            control=recording.scenario.control,
            rules=dict(recording.scenario.rules),
        )
        self.recording = recording
        first_frame = FrameNumber(FIRST_FRAME + 1)
        self.play = Play(start_cluster(recording.scenario, profile), first_frame, MOST_FRAMES)
        self.created = self.play.cluster.controller.partition(TOPIC)
        """The partition as it was created, with the brokers that were running then."""
        self.step = recording.steps[0]
        """The step that is being done."""
        self.next_steps = recording.steps[1:]
        self.requests: list[tuple[str, int]] = []
        """Each value that a producer sent, in order, with its index in the clients' requests."""
        self.asked_ms: dict[int, int] = {}
        """When each of these requests was sent."""
        self.answers: list[OffsetsForLeaderEpochResponse] = []
        """What a broker answered last of the ends of epochs, one for each epoch asked."""
        self.controller_frozen = False
        """Whether the ZooKeeper controller is frozen, and so notices nothing."""
        stop_own_timers(self)
        for broker_id in recording.down_at_first:
            self.play.act(Crash(broker=broker_id))
            notice(self, broker_id)

    @property
    def cluster(self) -> ClusterState:
        """The cluster as it is now."""
        return self.play.cluster

    def put(self, cluster: ClusterState) -> None:
        """Change the cluster in a way that no action does."""
        self.play.cluster = cluster

    def begin(self, number: int) -> RecordedStep:
        """Turn to a step of the recording."""
        self.step = self.recording.steps[number]
        self.next_steps = self.recording.steps[number + 1 :]
        return self.step


def notice(replay: Replay, broker_id: BrokerId) -> None:
    """The controller notices how a broker is, and what it tells the others arrives."""
    replay.play.act(Notice(broker=broker_id))
    deliver_commands(replay.play)


def stop_own_timers(replay: Replay) -> None:
    """Whose checkpoints are written as recorded has no timer for them."""
    for broker_id in replay.recording.own_checkpoint_times:
        broker = replay.cluster.broker(broker_id)
        timers = tuple(
            timer for timer in broker.timers if timer.kind != "high_watermark_checkpoint"
        )
        replay.put(with_broker(replay.cluster, replace(broker, timers=timers)))


def leader_of(replay: Replay) -> BrokerId:
    """The leader as the controller has it."""
    return replay.cluster.controller.partition(TOPIC).leader


def isr_of(replay: Replay) -> tuple[BrokerId, ...]:
    """The ISR as the controller has it."""
    return replay.cluster.controller.partition(TOPIC).isr


def pass_time(replay: Replay, ms: int) -> None:
    """Let the cluster run for a time. What the controller notices is recorded, not computed."""
    run_for(replay.play, ms, notices=False)


def pass_time_until(
    replay: Replay, reached: Callable[[], bool], *, at_most_ms: int = UNTIL_AT_MOST_MS
) -> None:
    """Let the cluster run until a condition is true, for at most `at_most_ms`."""
    run_until(replay.play, at_most_ms, reached, notices=False)
