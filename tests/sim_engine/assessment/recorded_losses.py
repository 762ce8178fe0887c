"""Losses that lessons and recordings of real clusters show, each with its last failure and the
state before it, as a tool prints it.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from sim_engine.cluster.state import ClusterState, ProducedRecord
from sim_engine.command_line.run import describe_topics
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import Recording
from sim_engine.conformance.replay import replay_steps
from sim_engine.conformance.replay_state import Replay
from sim_engine.documents.assessment import AssessmentVerdict, FailureName
from sim_engine.identifiers import NO_LEADER
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.assessment.clusters import assessed

_ACTIONS: dict[str, FailureName] = {
    "crash": "crash",
    "power_loss": "power_loss",
    "disk_loss": "disk_loss",
    "isolate": "isolated_leader",
}
_VERBS: dict[type[object], FailureName] = {
    verbs.Kill: "crash",
    verbs.PowerLoss: "power_loss",
    verbs.CutOff: "isolated_leader",
}
_SETTINGS = ("min.insync.replicas", "unclean.leader.election.enable")


class Moment(Struct, frozen=True):
    """A state, and the failure that led to it, if one did."""

    cluster: ClusterState
    failure: FailureName | None


class Loss(Struct, frozen=True):
    """The last failure before a loss, and the state before it."""

    before: ClusterState
    failure: FailureName
    record: ProducedRecord

    @property
    def verdict(self) -> AssessmentVerdict | None:
        """What an assessment says that this failure does in the printed state."""
        cluster = self.before
        configs = dict(cluster.configs)
        settings = {name: str(configs[name]).lower() for name in _SETTINGS if name in configs}
        assessment = assessed(
            describe_topics(cluster),
            cluster.profile.kafka,
            down=[broker.broker_id for broker in cluster.brokers if not broker.alive],
            settings={**settings, "acks": str(self.record.acks)},
        )
        (kind,) = (
            kind
            for kind in assessment.kinds
            if self.record.partition in {str(one.name) for one in kind.kind.partitions}
        )
        return kind.cells[self.failure].result.verdict


def of_lesson(scenario: Scenario) -> Iterator[Moment]:
    """The moments of a lesson."""
    timeline = Timeline(scenario)
    timeline.run_all()
    for number in timeline.path(timeline.head):
        frame = timeline.frames[number]
        name, of = next(iter((frame.action or {"": {}}).items()))
        failure = _ACTIONS.get(name)
        if name == "ask_election" and isinstance(of, dict) and of.get("kind") == "unclean":
            failure = "unclean_election"
        yield Moment(frame.cluster, failure)


def of_recording(recording: Recording) -> Iterator[Moment]:
    """The moments of a recording."""
    replay = Replay(recording)
    yield Moment(replay.cluster, None)
    for _ in replay_steps(replay):
        verb = replay.step.verb
        failure = _VERBS.get(type(verb))
        if isinstance(verb, verbs.Elect) and verb.kind == "unclean":
            failure = "unclean_election"
        yield Moment(replay.cluster, failure)


def loss_among(moments: Sequence[Moment]) -> Loss | None:
    """The first loss of an acknowledged record; None without one, or without a failure."""
    for number, moment in enumerate(moments):
        for record in moment.cluster.clients.produced:
            if record.outcome == "acked" and _is_lost(moment.cluster, record):
                for earlier in range(number, 0, -1):
                    failure = moments[earlier].failure
                    if failure is not None:
                        return Loss(moments[earlier - 1].cluster, failure, record)
                return None
    return None


def _is_lost(cluster: ClusterState, record: ProducedRecord) -> bool:
    registration = cluster.controller.partition(record.partition)
    holders = {
        broker.broker_id
        for broker in cluster.brokers
        if (replica := broker.replica(record.partition)) is not None
        and any(one.id == record.id for one in replica.log.records)
    }
    leader = registration.leader
    if leader == NO_LEADER or not cluster.broker(leader).alive:
        return not holders
    replica = cluster.replica(leader, record.partition)
    leads = replica.leading is not None and replica.leader_epoch == registration.leader_epoch
    return leader not in holders if leads else not holders
