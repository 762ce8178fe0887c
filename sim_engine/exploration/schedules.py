"""Random schedules: a cluster and steps from a seed, over all possible actions.

Steps are chosen from those that `simulation.choices` lists, so a new action is included as soon as
it is offered. Each schedule draws its own probability for every kind of step (swarm testing: Groce
et al., 2012). With equal probabilities, all schedules would be similar; this way, a rare kind is
frequent in some schedules and absent from others.
"""

from collections.abc import Iterator, Mapping

from sim_engine.actions import (
    Consume,
    Crash,
    Deliver,
    Detect,
    Elect,
    Fetch,
    Happening,
    Heal,
    Hold,
    OneMessage,
    Produce,
    Release,
    Resume,
    Run,
    SendFetch,
    Settle,
    Shutdown,
    Start,
    StepStruct,
    Timer,
)
from sim_engine.exploration.seeded_random import SeededRandom
from sim_engine.identifiers import METADATA_RECORD
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import PROFILE_NAMES, controls_of

STEPS = 40
MOST_REFUSALS = 30
"""A schedule ends after this many consecutive impossible steps."""

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


def random_schedule(
    seed: int, *, steps: int = STEPS, kafka: str | None = None, control: str | None = None
) -> Scenario:
    """A scenario of consecutively possible steps, from a seed.

    The last step may be one that makes the engine raise an exception.
    """
    start = _start_of(seed, kafka, control)
    chance = SeededRandom(seed * 2 + 1)
    timeline = Timeline(start)
    weights: dict[_Drawn, int] = {} if chance.below(_ONE_IN) else dict(_LATE_METADATA)
    done: list[JsonObject] = []
    refusals = 0
    while len(done) < steps and refusals < MOST_REFUSALS:
        step = _draw(timeline, chance, weights).as_step()
        try:
            timeline.act(timeline.head, step)
        except RefusedError:
            refusals += 1
            continue
        except LimitReachedError:
            break
        except Exception:  # keep the schedule that causes the exception
            done.append(step)
            break
        refusals = 0
        done.append(step)
    return read_scenario_document({**scenario_document(start), "steps": done})


def _start_of(seed: int, kafka: str | None, control: str | None) -> Scenario:
    """A small cluster from a seed, with a random version and controller unless they are given."""
    # Drawn from a separate stream, so that the rest of the cluster is the same under every version.
    versions = SeededRandom(seed * 2)
    release = versions.one_of(PROFILE_NAMES) if kafka is None else kafka
    chosen = versions.one_of(controls_of(release)) if control is None else control
    chance = SeededRandom(seed)
    brokers = list(range(1, 2 + chance.one_of((1, 2, 2, 2, 3))))
    configs: JsonObject = {"unclean.leader.election.enable": bool(chance.below(2))}
    if chance.below(2):
        configs["min.insync.replicas"] = 2
    if chance.below(4) == 0:
        configs["log.flush.interval.messages"] = 1
    partitions: list[JsonObject] = [{"replicas": brokers}]
    if chance.below(5) == 0:
        partitions.append({"replicas": brokers[1:]})
    if len(brokers) > 1 and chance.below(2):
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
