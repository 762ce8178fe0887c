"""Which of an author's words a reader is told in a run: none that the run refutes.

Words that name their releases are told in those. Words of a shipped lesson that name none apply to
every release, and the library's tests hold them to it. Of anybody else's scenario they were written
for its own version. Under another one they are told only as long as each step has ended as it does
under that version.
"""

import json
from functools import lru_cache

from sim_engine.documents.comparison import comparison_document
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.applicability import words_under
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped, read_scenario_document
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.play import LimitReachedError
from sim_engine.simulation.timeline import Timeline


def words_told(scenario: Scenario, kafka: str, control: str) -> JsonObject:
    """As `words_under`, without the words that a run under this release and controller refutes."""
    document = scenario_document(scenario)
    words = words_under(document, kafka, control)
    if any(scenario == shipped for shipped in list_shipped() if shipped.id == scenario.id):
        return words
    unlike = _first_step_unlike(json.dumps(document), kafka, control)
    if unlike is None:
        return words
    told = [
        place
        for place in words["steps"]
        if place < unlike or _names_releases(document["steps"][place])
    ]
    return {**words, "steps": told}


def _names_releases(step: JsonObject) -> bool:
    words = step.get("note", step.get("ask"))
    return isinstance(words, dict) and ("kafka" in words or "control" in words)


@lru_cache(maxsize=64)
def _first_step_unlike(document: str, kafka: str, control: str) -> int | None:
    """The first entry of the steps that ends otherwise than under the scenario's own version; -1
    where the two differ from the start, or one of them is too long to say."""
    scenario = read_scenario_document(json.loads(document))
    own = Timeline(scenario)
    if (own.profile.kafka, own.profile.control) == (kafka, control):
        return None
    other = Timeline(scenario, kafka, control)
    try:
        own.run_all()
        other.run_all()
    except LimitReachedError:
        return -1
    for step in comparison_document(own, other).steps:
        if step.differs:
            return -1 if step.item is None else step.item
    return None
