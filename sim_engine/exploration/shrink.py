"""Shrinks a scenario to the shortest one that still fails: removes steps, and then simplifies the
rest.

Applies delta debugging (ddmin, Zeller and Hildebrandt) to the steps until no single step and no
pair of steps can be removed, and then simplifies the arguments of steps and the cluster. Candidates
that are not valid scenarios are skipped. The result is deterministic.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, cast

from sim_engine.actions import STEPS, WORD_NAMES, Words
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Crash, Fetch, SendFetch
from sim_engine.exploration.targets import search_target
from sim_engine.identifiers import Acks
from sim_engine.scenario_reader.document import (
    PartitionJson,
    Scenario,
    ScenarioError,
    ScenarioJson,
    StepJson,
    TopicJson,
)
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline

MOST_RUNS = 20_000
"""Shrinking stops after this many candidates and returns the shortest one found."""

_PAIRS_UP_TO = 40
"""Pairs of steps are tried only up to this number of steps."""

_SIMPLER_STEPS = {
    name_of(SendFetch): name_of(Fetch),
    **{name_of(kind): name_of(Crash) for kind in STEPS if kind.affects == "machine"},
}

Fails = Callable[[Scenario], bool]
_Value = TypeVar("_Value")


class NothingToShrinkError(Exception):
    """The given scenario does not fail, so it cannot be shrunk."""


def violates(property_name: str, acks: Acks = "all") -> Fails:
    """Return a function that checks whether a run of a scenario violates a property, as defined by
    `search_target`.

    Raises `ValueError` for an unknown property.
    """
    is_sought = search_target(property_name, acks)

    def fails(scenario: Scenario) -> bool:
        timeline = Timeline(scenario)
        looked_at = 0
        for number, step in enumerate(scenario.steps):
            if isinstance(step.step, Words):
                continue
            timeline.run_step(number, step.step)
            made = timeline.frames[looked_at:]
            if any(is_sought(frame.verdicts, frame.cluster) for frame in made):
                return True
            looked_at += len(made)
        first = timeline.frames[0]
        return is_sought(first.verdicts, first.cluster)

    return fails


def shrink(scenario: Scenario, fails: Fails) -> Scenario:
    """Return the shortest scenario found that fails like this one, without the author's texts.

    Raises `NothingToShrinkError` if the scenario does not fail.
    """
    if not fails(scenario):
        raise NothingToShrinkError
    return _Shrink(fails).run(scenario)


def needed_steps(scenario: Scenario, fails: Fails) -> tuple[int, ...]:
    """Return the indexes of a minimal set of steps with which a scenario still fails: none of them
    can be removed.

    The cluster and the arguments of steps are not changed, and the author's texts are removed.
    Raises `NothingToShrinkError` if the scenario does not fail.
    """
    if not fails(scenario):
        raise NothingToShrinkError
    document = scenario_document(scenario)
    places = {
        id(step): index
        for index, step in enumerate(document["steps"])
        if not WORD_NAMES.intersection(step)
    }
    document["steps"] = [step for step in document["steps"] if id(step) in places]
    kept = _Shrink(fails).needed(document)
    return tuple(places[id(step)] for step in kept["steps"])


class _Shrink:
    def __init__(self, fails: Fails) -> None:
        self._fails = fails
        self._known: dict[str, bool] = {}

    def run(self, scenario: Scenario) -> Scenario:
        document = _bare(scenario_document(scenario))
        assert self._still(document), "removing the texts does not change the result"
        while True:
            before = document
            document = self._fewer_steps(document)
            document = self._first_of(document, _simpler_clusters)
            document = self._first_of(document, _simpler_steps)
            if document == before:
                return read_scenario_document(document)

    def _still(self, document: ScenarioJson) -> bool:
        key = json.dumps(document, sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self._known) < MOST_RUNS and self._run(document)
        return self._known[key]

    def _run(self, document: ScenarioJson) -> bool:
        try:
            return self._fails(read_scenario_document(document))
        except (ScenarioError, LimitReachedError):
            return False

    def needed(self, document: ScenarioJson) -> ScenarioJson:
        """The document without the steps that can be removed one by one. The remaining steps are
        unchanged.
        """
        size = max(1, len(document["steps"]) // 2)
        while True:
            shorter = self._without_chunks(document, size)
            if size == 1 and shorter == document:
                return document
            document, size = shorter, max(1, size // 2)

    def _fewer_steps(self, document: ScenarioJson) -> ScenarioJson:
        document = self.needed(document)
        if len(document["steps"]) <= _PAIRS_UP_TO:
            return self._first_of(document, _without_two_steps)
        return document

    def _without_chunks(self, document: ScenarioJson, size: int) -> ScenarioJson:
        end = len(document["steps"])
        while end > 0:
            steps = document["steps"]
            candidate = document.copy()
            candidate["steps"] = steps[: max(0, end - size)] + steps[end:]
            if self._still(candidate):
                document = candidate
            end -= size
        return document

    def _first_of(
        self, document: ScenarioJson, candidates: Callable[[ScenarioJson], Iterator[ScenarioJson]]
    ) -> ScenarioJson:
        """Replace the document by the first candidate that still fails, until there is none."""
        while True:
            smaller = next((each for each in candidates(document) if self._still(each)), None)
            if smaller is None:
                return document
            document = smaller


def _bare(document: ScenarioJson) -> ScenarioJson:
    """The document without texts for readers."""
    bare = document.copy()
    bare.pop("alias", None)
    bare.pop("chapter", None)
    bare.pop("vocabulary", None)
    bare.pop("control_run", None)
    bare["source"] = []
    bare["summary"] = dict.fromkeys(document["summary"], "")
    bare["steps"] = [
        {kind: _without(arguments, "refused") for kind, arguments in step.items()}
        for step in document["steps"]
        if not WORD_NAMES.intersection(step)
    ]
    return bare


def _without_two_steps(document: ScenarioJson) -> Iterator[ScenarioJson]:
    steps = document["steps"]
    for second in reversed(range(len(steps))):
        for first in reversed(range(second)):
            left = steps[:first] + steps[first + 1 : second] + steps[second + 1 :]
            yield {**document, "steps": left}


# --- the cluster -----------------------------------------------------------------------------


def _simpler_clusters(document: ScenarioJson) -> Iterator[ScenarioJson]:
    for broker in reversed([int(broker) for broker in document["brokers"]]):
        yield _without_broker(document, broker)
    for name in document["rules"]:
        yield {**document, "rules": _without(document["rules"], name)}
    for name in document["configs"]:
        yield {**document, "configs": _without(document["configs"], name)}
    topics = document["topics"]
    for index, topic in enumerate(topics):
        others = topics[:index] + topics[index + 1 :]
        if others:
            yield {**document, "topics": others}
        for simpler in _simpler_topics(topic):
            yield {**document, "topics": [*topics[:index], simpler, *topics[index + 1 :]]}
    if document["seed"] != 1:
        yield {**document, "seed": 1}


def _without_broker(document: ScenarioJson, broker: int) -> ScenarioJson:
    """The document without a broker and without the steps that name it."""

    def trimmed(partition: PartitionJson) -> PartitionJson:
        kept = partition.copy()
        kept["replicas"] = [replica for replica in kept["replicas"] if replica != broker]
        if "isr" in kept:
            kept["isr"] = [replica for replica in kept["isr"] if replica != broker]
        if "logs" in kept:
            kept["logs"] = _without(kept["logs"], str(broker))
        return kept

    brokers = document["brokers"]
    return {
        **document,
        "brokers": (
            _without(brokers, str(broker))
            if isinstance(brokers, dict)
            else [other for other in brokers if other != broker]
        ),
        "topics": [
            {**topic, "partitions": [trimmed(partition) for partition in topic["partitions"]]}
            for topic in document["topics"]
        ],
        "steps": [step for step in document["steps"] if not _names(step, broker)],
    }


def _names(step: StepJson, broker: int) -> bool:
    (arguments,) = step.values()
    return any(arguments.get(key) == broker for key in ("broker", "from", "to", "leader"))


def _simpler_topics(topic: TopicJson) -> Iterator[TopicJson]:
    configs = topic.get("configs", {})
    for name in configs:
        yield {**topic, "configs": _without(configs, name)}
    partitions = topic["partitions"]
    if len(partitions) > 1:
        yield {**topic, "partitions": partitions[:-1]}
    for index, partition in enumerate(partitions):
        for simpler in _simpler_partitions(partition):
            yield {**topic, "partitions": [*partitions[:index], simpler, *partitions[index + 1 :]]}


def _simpler_partitions(partition: PartitionJson) -> Iterator[PartitionJson]:
    for key in partition:
        if key != "replicas":
            yield cast("PartitionJson", _without(partition, key))
    logs = partition.get("logs", {})
    for broker in logs:
        yield {**partition, "logs": _without(logs, broker)}


# --- steps -----------------------------------------------------------------------------------


def _simpler_steps(document: ScenarioJson) -> Iterator[ScenarioJson]:
    steps = document["steps"]
    for index, step in enumerate(steps):
        ((kind, arguments),) = step.items()
        for simpler in _simpler_step(kind, arguments):
            yield {**document, "steps": [*steps[:index], simpler, *steps[index + 1 :]]}


def _simpler_step(kind: str, arguments: Mapping[str, object]) -> Iterator[StepJson]:
    if kind in _SIMPLER_STEPS:
        yield {_SIMPLER_STEPS[kind]: _without(arguments, "keep")}
    for key, value in arguments.items():
        yield {kind: _without(arguments, key)}
        if isinstance(value, list) and len(value) > 1:
            for index in reversed(range(len(value))):
                yield {kind: {**arguments, key: value[:index] + value[index + 1 :]}}
        if key == "ms" and isinstance(value, int) and value > 1:
            yield {kind: {**arguments, key: value // 2}}


def _without(mapping: Mapping[str, _Value], key: str) -> dict[str, _Value]:
    return {name: value for name, value in mapping.items() if name != key}
