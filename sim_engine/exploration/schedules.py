"""Random schedules: a cluster and steps from a seed, over the whole alphabet of what can happen.

What is on offer is what `simulation.choices` lists, so a new action is walked as soon as it is
offered. Each schedule draws its own likelihood for every kind of step (swarm testing: Groce et al.,
2012), because schedules in which everything is equally likely all look alike: a kind that seldom
happens is frequent in some of them and absent from others.
"""

from collections.abc import Iterator
from typing import Any

from sim_engine.exploration.chance import Chance
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import PROFILE_NAMES, controls_of

STEPS = 40
MOST_REFUSALS = 30
"""After this many steps in a row that cannot happen a schedule ends."""

_OFTEN = {
    "deliver": 8,
    "fetch": 8,
    "produce": 5,
    "send_fetch": 5,
    "start": 4,
    "detect": 4,
    "elect": 2,
    "heal": 2,
    "resume": 2,
    "consume": 2,
    "timer": 2,
}
"""Kinds without which a cluster soon stands still. Every other kind has weight 1."""

_SWARM = (0, 1, 1, 3)

_LATE_METADATA = {
    "hold metadata_record": 8,
    "elect preferred": 15,
    "shutdown": 8,
    "deliver late": 4,
}
"""In one schedule of four these are frequent together: alone they seldom come to anything, for a
leadership has to move to and fro while one broker is not told."""
_ONE_IN = 4


def random_schedule(
    seed: int, *, steps: int = STEPS, kafka: str | None = None, control: str | None = None
) -> Scenario:
    """A scenario of steps that can happen one after another, from a seed.

    The last step may be one on which the engine fails.
    """
    start = _start_of(seed, kafka, control)
    chance = Chance(seed * 2 + 1)
    timeline = Timeline(start)
    weights: dict[str, int] = {} if chance.below(_ONE_IN) else dict(_LATE_METADATA)
    done: list[dict[str, Any]] = []
    refusals = 0
    while len(done) < steps and refusals < MOST_REFUSALS:
        step = _draw(timeline, chance, weights)
        try:
            timeline.act(timeline.head, step)
        except RefusedError:
            refusals += 1
            continue
        except LimitReachedError:
            break
        except Exception:  # whatever it is, the schedule that shows it is wanted
            done.append(step)
            break
        refusals = 0
        done.append(step)
    return read_scenario_document({**scenario_document(start), "steps": done})


def _start_of(seed: int, kafka: str | None, control: str | None) -> Scenario:
    """A small cluster from a seed; its version and control as well, where none is asked for."""
    # Drawn apart, so that the rest of a seed's cluster is the same under every version.
    versions = Chance(seed * 2)
    release = kafka or versions.one_of(PROFILE_NAMES)
    chosen = control or versions.one_of(controls_of(release))
    chance = Chance(seed)
    brokers = list(range(1, 2 + chance.one_of((1, 2, 2, 2, 3))))
    configs: dict[str, Any] = {"unclean.leader.election.enable": bool(chance.below(2))}
    if chance.below(2):
        configs["min.insync.replicas"] = 2
    if chance.below(4) == 0:
        configs["log.flush.interval.messages"] = 1
    partitions: list[dict[str, Any]] = [{"replicas": brokers}]
    if chance.below(5) == 0:
        partitions.append({"replicas": brokers[1:]})
    if len(brokers) > 1 and chance.below(2):
        # Then a preferred election moves the leadership while every broker lives.
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


def _draw(timeline: Timeline, chance: Chance, weights: dict[str, int]) -> dict[str, Any]:
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for step in list_steps(timeline.frames[timeline.head].cluster):
        by_kind.setdefault(_kind(step), []).append(step)
    for kind in by_kind:
        if kind not in weights:
            name = kind.split(" ")[0]
            weights[kind] = max(_OFTEN.get(name, 1) * chance.one_of(_SWARM), int(name in _OFTEN))
    return chance.one_of(by_kind[chance.weighted([(kind, weights[kind]) for kind in by_kind])])


def _kind(step: dict[str, Any]) -> str:
    """What a schedule draws one likelihood for: the step, told apart by its own `kind`, and a
    delivery of one message from one of several and from one that is skipped."""
    ((name, arguments),) = step.items()
    if name == "deliver" and ("records" in arguments or "skip" in arguments):
        return "deliver late"
    return f"{name} {arguments['kind']}" if "kind" in arguments else str(name)


def repair_steps(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """What ends every fault that is open at the head: links mend, what is held goes on, who stands
    still or is down comes back; then the cluster settles.

    Each step is to be done before the next is asked for; one that cannot happen is no harm.
    """
    cluster = timeline.frames[timeline.head].cluster
    for broker in cluster.brokers:
        if any(broker.broker_id in link for link in cluster.links_cut):
            yield {"heal": {"broker": broker.broker_id}}
    for kind, sender, receiver in cluster.network_holds:
        yield {"release": {"kind": kind, "from": sender, "to": receiver}}
    for message in timeline.frames[timeline.head].cluster.messages:
        if message.held:
            where = {"kind": message.kind, "from": message.sender, "to": message.receiver}
            yield {"release": where}
    for broker in cluster.brokers:
        if broker.process == "paused":
            yield {"resume": {"broker": broker.broker_id}}
        if broker.process == "shutting_down":
            yield {"crash": {"broker": broker.broker_id}}
    for _ in range(2):
        for broker in timeline.frames[timeline.head].cluster.brokers:
            if not broker.alive:
                yield {"start": {"broker": broker.broker_id}}
        yield {"settle": {}}
        yield {"run": {"ms": 40_000}}
    yield {"settle": {}}
