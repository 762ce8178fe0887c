"""Transitions per second, memory per step, and how both grow with the length of a run.

The schedule is fixed: three brokers, one partition, every message delivered separately. In each
round one record is written with acks=all, and both followers fetch it and learn that it is
committed. All invariants are checked in every state, as in a session and in a search.
"""

import time
import tracemalloc
from collections.abc import Iterator
from itertools import count, islice

from sim_engine.actions.steps import Action, Deliver, Produce, SendFetch
from sim_engine.identifiers import BrokerId, FrameNumber
from sim_engine.invariants.observation import observe
from sim_engine.invariants.safety import evaluate
from sim_engine.scenario_reader.reader import list_shipped, read_scenario_document
from sim_engine.simulation.fetch_rounds import long_poll
from sim_engine.simulation.timeline import Timeline
from sim_engine.simulation.transition import perform
from tests.sim_engine.builders import B1, PARTITION

SECONDS_AT_LEAST = 3.0
GOAL = 20_000
TRANSITIONS = 900
SIZES = (100, 1_000, 9_900)
"""A session has at most 10,000 frames, including the start and the warm-up."""
VERSIONS = ("0.10.2", "2.1", "3.9")


def measure() -> None:
    for kafka in VERSIONS:
        best = max(transitions_a_second(kafka) for _ in range(5))
        print(f"Kafka {kafka:<7} {best:>8,.0f} transitions per second (goal: {GOAL:,})")
    growth()
    shipped()


def transitions_a_second(kafka: str) -> float:
    """The fixed schedule without keeping its states, as in a search."""
    frame = start(kafka).frames[-1]
    cluster, history, verdicts = frame.cluster, frame.history, frame.verdicts
    began = time.process_time()
    for number, action in enumerate(islice(schedule(), TRANSITIONS), frame.frame + 1):
        after = perform(cluster, action, FrameNumber(number)).cluster
        history = observe(history, cluster, after, FrameNumber(number))
        verdicts = evaluate(history, after, FrameNumber(number), verdicts)
        cluster = after
    return TRANSITIONS / (time.process_time() - began)


def growth() -> None:
    """The same schedule, kept as frames as in a session."""
    a_step: dict[int, float] = {}
    for size in SIZES:
        tracemalloc.start()
        timeline = keep(size)
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del timeline
        began = time.process_time()
        keep(size)
        a_step[size] = (time.process_time() - began) / size
        print(
            f"{size:>6,} steps kept: {1e6 * a_step[size]:7.1f} µs each, "
            f"{kept / size / 1000:6.2f} kB each"
        )
    fewest, most = SIZES[0], SIZES[-1]
    print(
        f"a step of {most:,} costs {a_step[most] / a_step[fewest]:.2f} times one of {fewest:,} "
        "(1.00 is linear)"
    )


def shipped() -> None:
    """All shipped scenarios, with expanded steps and virtual time."""
    scenarios = list_shipped()
    actions = 0
    began = time.process_time()
    while (seconds := time.process_time() - began) < SECONDS_AT_LEAST:
        for scenario in scenarios:
            timeline = Timeline(scenario)
            timeline.run_all()
            actions += len(timeline.frames) - 1
    print(f"{len(scenarios)} shipped scenarios: {actions / seconds:,.0f} actions per second")


def keep(size: int) -> Timeline:
    """The given number of steps of the fixed schedule, each with its frame."""
    timeline = start("3.9")
    for action in islice(schedule(), size):
        timeline.act(timeline.head, action.as_step())
    return timeline


def start(kafka: str) -> Timeline:
    """Both followers have fetched once, so neither has to look for a divergence."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "benchmark",
                "kafka": kafka,
                "brokers": [1, 2, 3],
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
                "steps": [{"fetch": {"broker": 2}}, {"fetch": {"broker": 3}}],
            }
        )
    )
    timeline.run_all()
    return timeline


def schedule() -> Iterator[Action]:
    """Rounds of the same 15 actions: a record is written, both followers fetch it, and both fetch
    again, wait, and learn that it is committed."""
    for number in count(1):
        yield Produce(to=PARTITION, values=(f"m{number}",))
        for waits in (False, True):
            for follower in (2, 3):
                yield SendFetch(broker=BrokerId(follower), partition=PARTITION)
                yield Deliver(
                    kind="fetch_request", from_=BrokerId(follower), to=B1, partition=PARTITION
                )
                if waits:
                    yield long_poll(B1, PARTITION, BrokerId(follower))
                yield Deliver(
                    kind="fetch_response", from_=B1, to=BrokerId(follower), partition=PARTITION
                )
