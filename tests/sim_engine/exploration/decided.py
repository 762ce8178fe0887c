"""What a search decides in small clusters: the questions of the page's presets, and their results.

Each question has budgets, from small to large. A grain is searched with one after the other, until
a violation is found or a search is cut.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct, to_builtins

from sim_engine.exploration.search import SearchOptions, SearchResult, search
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST
from sim_engine.identifiers import Acks
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

FILE = "frontend/src/search/decided.json"
KAFKA = "3.9"
SECONDS = 10
"""The limit of processor time of each search."""
WatchedGrain = Literal["exchange", "message"]
_GRAINS: tuple[WatchedGrain, ...] = ("exchange", "message")
_DEPTH = 40
BROKERS = (2, 3)


class Question(Struct, frozen=True):
    """What a preset asks."""

    acks: Acks
    budgets: tuple[Mapping[str, int], ...]


QUESTIONS: Mapping[str, Question] = {
    "crashes": Question(
        "all", ({"crash": 1, "produce": 1, "epoch": 1}, {"crash": 2, "produce": 1, "epoch": 2})
    ),
    "power": Question(
        "all",
        (
            {"power_loss": 1, "produce": 1, "epoch": 1},
            {"crash": 1, "power_loss": 1, "produce": 1, "epoch": 2},
        ),
    ),
    # A leader that does not know that it was deposed has no followers, so it acknowledges nothing
    # with acks=all.
    "zombie": Question(
        1, ({"isolate": 1, "produce": 1, "epoch": 1}, {"isolate": 1, "produce": 2, "epoch": 2})
    ),
}


class Decided(Struct, frozen=True, kw_only=True):
    """A search that was decided: it found a violation, or it is complete. `budget` is the place of
    its budget in the question.
    """

    preset: str
    control: str
    brokers: int
    grain: WatchedGrain
    budget: int
    violated: bool
    states: int
    cpu_seconds: float


def decided_document(told: Callable[[str], None]) -> dict[str, object]:
    """Search everything, and return the document of the file; `told` is called with each result."""
    found = []
    for one in decided():
        told(f"{one}")
        found.append(one)
    return {
        "kafka": KAFKA,
        "brokers": BROKERS,
        "seconds": SECONDS,
        "questions": to_builtins(QUESTIONS),
        "decided": to_builtins(found),
    }


def decided() -> Iterator[Decided]:
    """What is decided within the limit, in every cluster."""
    for control in ("kraft", "zookeeper"):
        for brokers in BROKERS:
            for preset, question in QUESTIONS.items():
                for grain in _GRAINS:
                    for place in range(len(question.budgets)):
                        began = time.process_time()
                        result = asked(preset, control, brokers, grain, place)
                        if result.verdict != "violated" and not result.complete:
                            break
                        yield Decided(
                            preset=preset,
                            control=control,
                            brokers=brokers,
                            grain=grain,
                            budget=place,
                            violated=result.verdict == "violated",
                            states=result.states,
                            cpu_seconds=round(time.process_time() - began, 1),
                        )
                        if result.verdict == "violated":
                            break


def asked(
    preset: str,
    control: str,
    brokers: int,
    grain: WatchedGrain,
    place: int,
    seconds: float | None = SECONDS,
) -> SearchResult:
    """The result of one search in a new cluster with one partition on all brokers. Without a limit
    of seconds it has one of states.
    """
    ids = list(range(1, brokers + 1))
    scenario = read_scenario_document(
        {
            "scenario": 1,
            "id": "decided",
            "kafka": KAFKA,
            "control": control,
            "brokers": ids,
            "configs": {"min.insync.replicas": 2},
            "topics": [{"name": "t", "partitions": [{"replicas": ids}]}],
            "steps": [],
        }
    )
    question = QUESTIONS[preset]
    options = SearchOptions(
        property=NO_ACKED_RECORD_LOST,
        grain=grain,
        max_depth=_DEPTH,
        budget=question.budgets[place],
        seconds=seconds,
        acks=question.acks,
    )
    timeline = Timeline(scenario)
    return search(timeline.frames[timeline.head], options, time.process_time)
