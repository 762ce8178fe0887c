"""The shortest scenario that still fails: steps are taken away, then what is left is made simpler.

Delta debugging (Zeller and Hildebrandt, ddmin) over the steps, down to where no single step and no
pair of steps can go, then the arguments of steps and the cluster that they happen to. A candidate
that the reader of scenarios refuses is none. Nothing here is left to chance: one scenario shrinks
to one result.
"""

import json
from collections.abc import Callable, Iterator
from typing import get_args

from sim_engine.actions import STEPS, Crash, Fetch, SendFetch, Words, name_of
from sim_engine.exploration.sought import sought
from sim_engine.identifiers import Acks
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.play import LimitReachedError
from sim_engine.simulation.timeline import Timeline

MOST_RUNS = 20_000
"""A shrink ends after this many candidates with the shortest one found so far."""

_PAIRS_UP_TO = 40
"""Pairs of steps are tried where there are no more steps than this."""

_SIMPLER_STEPS = {
    name_of(SendFetch): name_of(Fetch),
    **{name_of(kind): name_of(Crash) for kind in STEPS if kind.befalls == "machine"},
}
_WORDS = frozenset(name_of(kind) for kind in get_args(Words))

Fails = Callable[[Scenario], bool]


class NothingToShrinkError(Exception):
    """The scenario does not fail in the first place."""


def violates(property_name: str, acks: Acks = "all") -> Fails:
    """Whether a run of a scenario violates a property, as `sought` says it.

    Raises `ValueError` for a property that does not exist.
    """
    is_sought = sought(property_name, acks)

    def fails(scenario: Scenario) -> bool:
        timeline = Timeline(scenario)
        looked_at = 0
        for item, said in enumerate(scenario.steps):
            if isinstance(said.step, Words):
                continue
            timeline.run_step(item, said.step)
            made = timeline.frames[looked_at:]
            if any(is_sought(frame.verdicts, frame.cluster) for frame in made):
                return True
            looked_at += len(made)
        first = timeline.frames[0]
        return is_sought(first.verdicts, first.cluster)

    return fails


def shrink(scenario: Scenario, fails: Fails) -> Scenario:
    """The shortest scenario found that fails as this one does, without its author's words.

    Raises `NothingToShrinkError` where it does not fail.
    """
    if not fails(scenario):
        raise NothingToShrinkError
    return _Shrink(fails).run(scenario)


def needed_steps(scenario: Scenario, fails: Fails) -> tuple[int, ...]:
    """Which steps of a scenario, by index, are enough for it to fail: none of them can go.

    The cluster and the arguments of steps stay as they are, and so nothing of an author's words is
    among them. Raises `NothingToShrinkError` where it does not fail.
    """
    if not fails(scenario):
        raise NothingToShrinkError
    document = scenario_document(scenario)
    places = {
        id(step): index
        for index, step in enumerate(document["steps"])
        if not _WORDS.intersection(step)
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
        assert self._still(document), "words change nothing"
        while True:
            before = document
            document = self._fewer_steps(document)
            document = self._first_of(document, _simpler_clusters)
            document = self._first_of(document, _simpler_steps)
            if document == before:
                return read_scenario_document(document)

    def _still(self, document: JsonObject) -> bool:
        key = json.dumps(document, sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self._known) < MOST_RUNS and self._run(document)
        return self._known[key]

    def _run(self, document: JsonObject) -> bool:
        try:
            return self._fails(read_scenario_document(document))
        except (ScenarioError, LimitReachedError):
            return False

    def needed(self, document: JsonObject) -> JsonObject:
        """The document without the steps that can go one by one; those it keeps are the same."""
        size = max(1, len(document["steps"]) // 2)
        while True:
            shorter = self._without_chunks(document, size)
            if size == 1 and shorter == document:
                return document
            document, size = shorter, max(1, size // 2)

    def _fewer_steps(self, document: JsonObject) -> JsonObject:
        document = self.needed(document)
        if len(document["steps"]) <= _PAIRS_UP_TO:
            return self._first_of(document, _without_two_steps)
        return document

    def _without_chunks(self, document: JsonObject, size: int) -> JsonObject:
        end = len(document["steps"])
        while end > 0:
            steps = document["steps"]
            candidate = {**document, "steps": steps[: max(0, end - size)] + steps[end:]}
            if self._still(candidate):
                document = candidate
            end -= size
        return document

    def _first_of(
        self, document: JsonObject, candidates: Callable[[JsonObject], Iterator[JsonObject]]
    ) -> JsonObject:
        """Take the first candidate that still fails, as often as there is one."""
        while True:
            found = next((each for each in candidates(document) if self._still(each)), None)
            if found is None:
                return document
            document = found


def _bare(document: JsonObject) -> JsonObject:
    """The document without what only people read."""
    for_people = ("alias", "chapter", "source", "control_run")
    kept = {key: value for key, value in document.items() if key not in for_people}
    steps = [step for step in document["steps"] if not _WORDS.intersection(step)]
    return {
        **kept,
        "summary": "",
        "steps": [
            {
                kind: {key: value for key, value in arguments.items() if key != "refused"}
                for kind, arguments in step.items()
            }
            for step in steps
        ],
    }


def _without_two_steps(document: JsonObject) -> Iterator[JsonObject]:
    steps = document["steps"]
    for second in reversed(range(len(steps))):
        for first in reversed(range(second)):
            left = steps[:first] + steps[first + 1 : second] + steps[second + 1 :]
            yield {**document, "steps": left}


# --- the cluster -----------------------------------------------------------------------------


def _simpler_clusters(document: JsonObject) -> Iterator[JsonObject]:
    for broker in reversed(document["brokers"]):
        yield _without_broker(document, broker)
    for key in ("rules", "configs"):
        for name in document[key]:
            yield {**document, key: _without(document[key], name)}
    topics: list[JsonObject] = document["topics"]
    for index, topic in enumerate(topics):
        others = topics[:index] + topics[index + 1 :]
        if others:
            yield {**document, "topics": others}
        for simpler in _simpler_topics(topic):
            yield {**document, "topics": [*topics[:index], simpler, *topics[index + 1 :]]}
    if document["seed"] != 1:
        yield {**document, "seed": 1}


def _without_broker(document: JsonObject, broker: object) -> JsonObject:
    """The cluster without a broker, and the steps that do not name it."""

    def trimmed(partition: JsonObject) -> JsonObject:
        about: JsonObject = {
            key: [member for member in value if member != broker]
            if key in ("replicas", "isr")
            else value
            for key, value in partition.items()
        }
        if "logs" in about:
            about["logs"] = _without(about["logs"], str(broker))
        return about

    return {
        **document,
        "brokers": [other for other in document["brokers"] if other != broker],
        "topics": [
            {**topic, "partitions": [trimmed(partition) for partition in topic["partitions"]]}
            for topic in document["topics"]
        ],
        "steps": [step for step in document["steps"] if not _names(step, broker)],
    }


def _names(step: JsonObject, broker: object) -> bool:
    (arguments,) = step.values()
    return any(arguments.get(key) == broker for key in ("broker", "from", "to", "leader"))


def _simpler_topics(topic: JsonObject) -> Iterator[JsonObject]:
    for name in topic["configs"]:
        yield {**topic, "configs": _without(topic["configs"], name)}
    partitions: list[JsonObject] = topic["partitions"]
    if len(partitions) > 1:
        yield {**topic, "partitions": partitions[:-1]}
    for index, partition in enumerate(partitions):
        simpler: list[JsonObject] = [
            _without(partition, key) for key in partition if key != "replicas"
        ]
        simpler += [
            {**partition, "logs": _without(partition["logs"], broker)}
            for broker in partition.get("logs", {})
        ]
        for each in simpler:
            yield {**topic, "partitions": [*partitions[:index], each, *partitions[index + 1 :]]}


# --- steps -----------------------------------------------------------------------------------


def _simpler_steps(document: JsonObject) -> Iterator[JsonObject]:
    steps = document["steps"]
    for index, step in enumerate(steps):
        ((kind, arguments),) = step.items()
        for simpler in _simpler_step(kind, arguments):
            yield {**document, "steps": [*steps[:index], simpler, *steps[index + 1 :]]}


def _simpler_step(kind: str, arguments: JsonObject) -> Iterator[JsonObject]:
    if kind in _SIMPLER_STEPS:
        yield {_SIMPLER_STEPS[kind]: _without(arguments, "keep")}
    for key, value in arguments.items():
        yield {kind: _without(arguments, key)}
        if isinstance(value, list) and len(value) > 1:
            for index in reversed(range(len(value))):
                yield {kind: {**arguments, key: value[:index] + value[index + 1 :]}}
        if key == "ms" and value > 1:
            yield {kind: {**arguments, key: value // 2}}


def _without(mapping: JsonObject, key: str) -> JsonObject:
    return {name: value for name, value in mapping.items() if name != key}
