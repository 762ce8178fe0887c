"""In which releases each way loses records, under each controller: the result of playing it in
every release from every usual state. `scripts/write-known-losses` writes the table.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product

from msgspec import json

from sim_engine.identifiers import Acks, TopicPartition
from sim_engine.json_types import JsonObject
from sim_engine.known_losses.catalogue import WAYS, Way
from sim_engine.known_losses.films import find_film
from sim_engine.known_losses.start_state import MIN_ISR, UNCLEAN, StartState, start_state
from sim_engine.release_groups import release_groups
from sim_engine.releases import Stretch, stretches_of
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import CONTROLS, Control, controls_of

Ranges = Mapping[str, Mapping[Control, tuple[Stretch, ...]]]
"""A way's id → a controller → the first and last release of each stretch in which it loses."""

_TABLE = "releases.json"
_USUAL: tuple[JsonObject, ...] = (
    {"replicas": [1, 2, 3]},
    {"replicas": [1, 2]},
    {"replicas": [1, 2, 3], "isr": [1, 2]},
)
"""Partitions of which every broker runs."""


@cache
def ranges() -> Ranges:
    """The table as it was written."""
    text = files("sim_engine.known_losses").joinpath(_TABLE).read_bytes()
    return json.decode(text, type=dict[str, dict[Control, tuple[Stretch, ...]]])


def ranges_text(table: Ranges) -> str:
    """The table as JSON, one way on each line."""
    lines = (f' "{name}": {json.encode(one).decode()}' for name, one in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def compute_ranges() -> Ranges:
    """Play every way in every release."""
    return {
        way.id: {
            control: found
            for control in CONTROLS
            if (found := stretches_of(tuple(_releases_with(way, control))))
        }
        for way in WAYS
    }


def _releases_with(way: Way, control: Control) -> Iterator[str]:
    for group in release_groups():
        if control in controls_of(group[0]) and loses_in(way, group[0], control):
            yield from group


def loses_in(way: Way, kafka: str, control: Control) -> bool:
    """Whether a way loses records in a release, from one of the usual states."""
    return any(find_film(way, state) is not None for state in usual_states(kafka, control))


def usual_states(kafka: str, control: Control) -> Iterator[StartState]:
    """The usual states of a partition, under the usual settings."""
    acks: Acks
    for partition, (min_isr, unclean) in product(_USUAL, ((1, False), (2, False), (1, True))):
        document = {
            "scenario": 1,
            "id": "usual",
            "kafka": kafka,
            "control": control,
            "brokers": partition["replicas"],
            "configs": {MIN_ISR: min_isr, UNCLEAN: unclean},
            "topics": [{"name": "t", "partitions": [partition]}],
            "steps": [],
        }
        try:
            scenario = read_scenario_document(document)
        except ScenarioError:
            continue
        for acks in ("all", 1):
            yield start_state(scenario, TopicPartition("t-0"), acks)
