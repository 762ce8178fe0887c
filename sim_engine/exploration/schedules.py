"""Random schedules: a cluster and steps from a seed, over all possible actions. The same seed gives
the same schedule on any machine.

Steps are chosen from those that `simulation.choices` lists, so a new action is included as soon as
it is offered. Each schedule draws its own probability for every kind of step (swarm testing: Groce
et al., 2012). With equal probabilities, all schedules would be similar; this way, a rare kind is
frequent in some schedules and absent from others.

Coverage goals are events that must occur in random schedules, because otherwise the schedules test
too little.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from sim_engine.actions.base import StepStruct
from sim_engine.actions.steps import (
    Advance,
    Consume,
    Crash,
    Deliver,
    Detect,
    Drop,
    Elect,
    Fetch,
    Happening,
    Heal,
    Hold,
    OneMessage,
    Pause,
    PowerLoss,
    Produce,
    Release,
    Resume,
    Run,
    SendFetch,
    Settle,
    Shutdown,
    Start,
    Timer,
    Transaction,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.events import clients, controller, fetch, isr, log, metadata, network, process
from sim_engine.events.base import Event
from sim_engine.identifiers import METADATA_RECORD, NO_LEADER
from sim_engine.json_types import JsonObject
from sim_engine.narration import RefusedError
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Frame, Timeline
from sim_engine.versions import PROFILE_NAMES, controls_of, resolve_profile

T = TypeVar("T")

_MASK = 2**64 - 1


class SeededRandom:
    """A stream of pseudo-random choices (SplitMix64: Steele, Lea and Flood, 2014)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """A whole number from 0 up to, but excluding, `bound`, which must be positive."""
        assert bound > 0, "the bound is positive"
        return self._next() % bound

    def one_of(self, items: Sequence[T]) -> T:
        """One of several elements, with equal probability."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[T, int]]) -> T:
        """One of several elements, with probability proportional to its weight. At least one weight
        must be positive.
        """
        left = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            if left < weight:
                return item
            left -= weight
        raise AssertionError("a number below the sum falls on an item")


def _is(kind: type[Event], *variants: str) -> Callable[[Event], bool]:
    return lambda happened: (
        isinstance(happened, kind) and (not variants or happened.variant in variants)
    )


GOALS: Mapping[str, Callable[[Event], bool]] = {
    "a log is truncated": _is(log.LogTruncated),
    "an unclean election": _is(controller.LeaderElected, "unclean"),
    "an election from the ELR": _is(controller.LeaderElected, "elr"),
    "a clean election": _is(controller.LeaderElected, "clean"),
    "a fetch is fenced": _is(fetch.FetchRejected, "FENCED_LEADER_EPOCH"),
    "a fetch has a newer leader epoch": _is(fetch.FetchRejected, "UNKNOWN_LEADER_EPOCH"),
    "an ISR expansion is pending": _is(isr.IsrExpandProposed),
    "an ISR shrink is pending": _is(isr.IsrShrinkProposed),
    "an ISR change is rejected": _is(isr.IsrChangeRejected),
    "a fetch is out of range": _is(fetch.FetchOutOfRange),
    "a fetch diverges": _is(fetch.FetchDiverging),
    "an epoch lookup": _is(fetch.EpochLookupAnswered),
    "unflushed records are lost": _is(log.UnflushedRecordsLost),
    "an acknowledged record is at risk": _is(log.RecordsAtRisk),
    "an acknowledged record is safe again": _is(log.RecordsSafeAgain),
    "an acknowledged record is lost": _is(log.RecordLost, "acked"),
    "an acknowledged record is replaced": _is(log.RecordLost, "replaced"),
    "a partition is offline": _is(controller.LeaderLost),
    "a produce has too few replicas": _is(clients.ProduceFailed, "NOT_ENOUGH_REPLICAS"),
    "a response arrives too late": _is(network.ResponseIgnored),
    "a command arrives too late": lambda happened: (
        isinstance(happened, metadata.CommandIgnored) and happened.variant is None
    ),
    "a command is skipped": _is(metadata.CommandSkipped),
    "metadata is held back": _is(network.MessageHeld, "metadata_record"),
    "metadata states are skipped": _is(metadata.StatesPassedOver),
    "a deposition is missed": _is(metadata.DepositionMissed),
    "a broker exits": lambda happened: isinstance(
        happened, process.BrokerExited | process.BrokerHung
    ),
    "a consumer is out of range": _is(clients.ConsumerOutOfRange),
    "a consumer's log was truncated": _is(clients.ConsumerTruncationDetected),
    "a consumer reads from a follower": _is(clients.ConsumerRead, "follower"),
    "a retry is recognized": _is(clients.DuplicateRecognised),
    "a sequence number is missing": _is(clients.ProduceFailed, "OUT_OF_ORDER_SEQUENCE_NUMBER"),
    "a transaction is committed": _is(clients.TransactionEnded, "commit"),
    "a transaction is aborted": _is(clients.TransactionEnded, "abort"),
}
"""Goal → the event that reaches it."""

RARE = frozenset({"a deposition is missed"})
"""Goals that random schedules reach so rarely (about one in four hundred of 3.9 under KRaft) that
they are required in only one version, with schedules written for them.
"""


def reached(frame: Frame) -> Iterator[str]:
    """The goals that a frame reaches."""
    for goal, shows in GOALS.items():
        if any(shows(happened) for happened in frame.events):
            yield goal


STEPS = 40
MOST_REFUSALS = 30
"""A schedule ends after this many consecutive impossible steps."""

_MOST_NOT_ACCEPTED = 400
"""The same for a caller that accepts only some steps."""

_OFTEN: Mapping[type[StepStruct], int] = {
    Deliver: 8,
    Fetch: 8,
    Produce: 5,
    SendFetch: 5,
    Start: 4,
    Detect: 4,
    Elect: 2,
    Heal: 2,
    Resume: 2,
    Consume: 2,
    Timer: 2,
}
"""Kinds without which a cluster soon stops making progress. Every other kind has weight 1."""

_SWARM = (0, 1, 1, 3)

_Drawn = tuple[type[StepStruct], str | None]
"""A group of steps with one probability: steps with the same `kind`. Deliveries of one message, of
several, and with `skip` are separate groups.
"""

_LATE_METADATA: Mapping[_Drawn, int] = {
    (Hold, METADATA_RECORD): 8,
    (Elect, "preferred"): 15,
    (Shutdown, None): 8,
    (Deliver, "late"): 4,
}
"""In one schedule of four, these kinds are frequent together. Alone they rarely have an effect,
because leadership must move back and forth while one broker does not receive metadata.
"""
_ONE_IN = 4

_ON_REAL_BROKERS: Sequence[Mapping[_Drawn, int]] = (
    _LATE_METADATA,
    {  # responses that stay in flight while leaders change
        (Produce, None): 10,
        (SendFetch, None): 12,
        (Deliver, "fetch_request"): 15,
        (Deliver, "fetch_response"): 8,
        (Hold, "fetch_response"): 1,
        (Drop, "fetch_response"): 8,
        (Shutdown, None): 6,
        (Start, None): 10,
        (Elect, "preferred"): 10,
    },
    {  # power losses of unflushed records
        (Produce, None): 10,
        (Fetch, None): 10,
        (PowerLoss, None): 8,
        (Detect, None): 8,
        (Start, None): 8,
        (Timer, "high_watermark_checkpoint"): 3,
    },
    {(Produce, None): 12, (Transaction, None): 12, (Fetch, None): 10, (Consume, None): 6},
    {},
)
"""Of the schedules for real brokers, one of as many has each of these kinds frequently together."""


_WITH_LAG: Mapping[_Drawn, int] = {
    (Produce, None): 12,
    (Fetch, None): 14,
    (Pause, None): 3,
    (Resume, None): 6,
    (Detect, None): 6,
    (Start, None): 8,
    (Elect, "preferred"): 6,
    (Settle, None): 4,
}
"""Replicas leave the ISR behind a new record, and come back with their fetches."""

LAG = "replica.lag.time.max.ms"
_LAG_MS = 3_000
OUTLASTS_LAG = Advance(ms=6_000)
"""The leader looks twice in each lag time, so whoever lags leaves the ISR in one and a half."""
_A_SESSION_MS = 27_000  # real brokers wait for a slow machine
ENDLESS_SESSION_MS = 900_000
"""Under KRaft, a live broker may be without the controller for as long."""


def random_schedule(
    seed: int,
    *,
    steps: int = STEPS,
    kafka: str | None = None,
    control: str | None = None,
    accepts: Callable[[Scenario], bool] | None = None,
) -> Scenario:
    """A scenario of consecutively possible steps, from a seed.

    With `accepts`, the cluster is as after a new topic of a real one, with its preferred leader,
    every fetch is answered, and a step is drawn again until the schedule up to it is accepted. In
    one of five, followers lag: after each step, `OUTLASTS_LAG` passes.

    The last step may be one that makes the engine raise an exception.
    """
    start = _start_of(seed, kafka, control, is_new=accepts is not None)
    most_refusals = MOST_REFUSALS if accepts is None else _MOST_NOT_ACCEPTED
    waits = (OUTLASTS_LAG,) if accepts is not None and LAG in start.configs else ()
    chance = SeededRandom(seed * 2 + 1)
    timeline = Timeline(start)
    if waits:
        weights = dict(_WITH_LAG)
    elif accepts is not None:
        weights = dict(chance.one_of(_ON_REAL_BROKERS))
    else:
        weights = {} if chance.below(_ONE_IN) else dict(_LATE_METADATA)
    done: list[JsonObject] = []
    refusals = 0
    while len(done) < steps * (1 + len(waits)) and refusals < most_refusals:
        drawn = _draw(timeline, chance, weights)
        now = timeline.frames[timeline.head].cluster
        step = (drawn if accepts is None else _with_what_survives(drawn, now)).as_step()
        played = [step, *(one.as_step() for one in waits)]
        if accepts is not None and not (
            _is_answered(drawn, now) and accepts(_with_steps(start, [*done, *played]))
        ):
            refusals += 1
            continue
        try:
            for one in played:
                timeline.act(timeline.head, one)
        except RefusedError:
            refusals += 1
            continue
        except LimitReachedError:
            break
        except Exception:  # keep the schedule that causes the exception
            done.append(step)
            break
        refusals = 0
        done += played
    return _with_steps(start, done)


def _with_what_survives(step: Happening, now: ClusterState) -> Happening:
    """A power loss with the records of the first partition that survive it: those flushed."""
    if not isinstance(step, PowerLoss) or step.keep is not None:
        return step
    replica = now.broker(step.broker).replica(now.partitions[0])
    return step if replica is None else replace(step, keep={replica.partition: replica.flushed})


def _is_answered(step: Happening, now: ClusterState) -> bool:
    """Whether a fetch goes to the controller's leader, and that broker runs. In a scenario it may
    also wait at one that is paused, and go to an earlier leader.
    """
    if isinstance(step, Deliver) and step.kind == "fetch_request":
        return isinstance(step.to, int) and now.broker(step.to).running
    if not isinstance(step, Fetch):
        return True
    for replica in now.broker(step.broker).replicas:
        if replica.fetcher is not None and step.partition in (None, replica.partition):
            leader = now.controller.partition(replica.partition).leader
            is_known = leader == replica.fetcher.leader != NO_LEADER
            return is_known and now.broker(leader).running
    return False


def _with_steps(start: Scenario, steps: list[JsonObject]) -> Scenario:
    return read_scenario_document({**scenario_document(start), "steps": steps})


def _start_of(seed: int, kafka: str | None, control: str | None, *, is_new: bool) -> Scenario:
    """A small cluster from a seed, with a random version and controller unless they are given."""
    # Drawn from a separate stream, so that the rest of the cluster is the same under every version.
    versions = SeededRandom(seed * 2)
    release = versions.one_of(PROFILE_NAMES) if kafka is None else kafka
    chosen = versions.one_of(controls_of(release)) if control is None else control
    chance = SeededRandom(seed)
    followers = (1, 2, 2, 2, 3, 4) if is_new else (1, 2, 2, 2, 3)
    brokers = list(range(1, 2 + chance.one_of(followers)))
    configs: JsonObject = {"unclean.leader.election.enable": bool(chance.below(2))}
    if chance.below(2):
        configs["min.insync.replicas"] = 2
    if chance.below(4) == 0:
        configs["log.flush.interval.messages"] = 1
    if is_new and chosen == "kraft":
        configs["broker.session.timeout.ms"] = _A_SESSION_MS
    rules = resolve_profile(release, control=chosen).rules
    # Otherwise one of two followers at the log end may leave the ISR before the other.
    is_sure = rules.log_end_is_caught_up or len(brokers) == 2
    if is_new and is_sure and versions.below(5) == 0:
        configs[LAG] = _LAG_MS
        if chosen == "kraft" and versions.below(2):
            configs["broker.session.timeout.ms"] = ENDLESS_SESSION_MS
    # A broker without replicas is one that a reassignment can add.
    has_spare = is_new and len(brokers) > 2 and chance.below(3) == 0
    replicas = brokers[:-1] if has_spare else brokers
    partitions: list[JsonObject] = [{"replicas": replicas}]
    if chance.below(5) == 0:
        # A new topic has as many replicas in each partition.
        partitions.append({"replicas": [*replicas[1:], replicas[0]] if is_new else brokers[1:]})
    if len(brokers) > 1 and chance.below(2) and not is_new:
        # Then a preferred election moves the leadership while every broker is alive.
        partitions[0]["leader"] = brokers[1]
    return read_scenario_document(
        {
            "scenario": 1,
            "id": f"walk-{seed}",
            "title": f"Random schedule {seed}",
            "kafka": release,
            "control": chosen,
            "seed": seed % 1_000,
            "brokers": brokers,
            "configs": configs,
            "topics": [{"name": "t", "partitions": partitions}],
            "steps": [],
        }
    )


def _draw(timeline: Timeline, chance: SeededRandom, weights: dict[_Drawn, int]) -> Happening:
    by_kind: dict[_Drawn, list[Happening]] = {}
    for step in list_steps(timeline.frames[timeline.head].cluster):
        by_kind.setdefault(_kind(step), []).append(step)
    for kind in by_kind:
        if kind not in weights:
            often = _OFTEN.get(kind[0])
            weights[kind] = max((often or 1) * chance.one_of(_SWARM), int(often is not None))
    return chance.one_of(by_kind[chance.weighted([(kind, weights[kind]) for kind in by_kind])])


def _kind(step: Happening) -> _Drawn:
    if isinstance(step, Deliver) and (step.records is not None or step.skip):
        return (Deliver, "late")
    if isinstance(step, OneMessage | Timer | Elect):
        return (type(step), step.kind)
    return (type(step), None)


def repair_steps(timeline: Timeline) -> Iterator[Happening]:
    """Yield the steps that end every fault at the head: restore links, release held messages,
    resume or start brokers; then let the cluster settle.

    The caller must perform each step before it requests the next one. An impossible step is
    harmless.
    """
    cluster = timeline.frames[timeline.head].cluster
    for broker in cluster.brokers:
        if any(broker.broker_id in link for link in cluster.links_cut):
            yield Heal(broker=broker.broker_id)
    for kind, sender, receiver in cluster.network_holds:
        yield Release(kind=kind, from_=sender, to=receiver)
    for message in timeline.frames[timeline.head].cluster.messages:
        if message.held:
            yield Release(kind=message.kind, from_=message.sender, to=message.receiver)
    for broker in cluster.brokers:
        if broker.process == "paused":
            yield Resume(broker=broker.broker_id)
        if broker.process == "shutting_down":
            yield Crash(broker=broker.broker_id)
    for _ in range(2):
        for broker in timeline.frames[timeline.head].cluster.brokers:
            if not broker.alive:
                yield Start(broker=broker.broker_id)
        yield Settle()
        yield Run(ms=40_000)
    yield Settle()
