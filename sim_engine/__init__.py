"""The replication protocol of Apache Kafka and its deterministic simulation.

A run is a function of its scenario and a version: the same frames on any machine. This is the
public surface; the rooms behind it are described in `README.md` beside this file.
"""

from sim_engine.actions import Happening, Step, TimeStep
from sim_engine.campaign import (
    FAULT_TYPES,
    LAG_BINS,
    ROW_VERSION,
    Cell,
    Grid,
    RunKey,
    RunRow,
    read_grid_document,
    read_grid_text,
    run_cell,
    run_scenario,
    shortest_example,
)
from sim_engine.documents import (
    ChoiceDocument,
    ComparisonDocument,
    EventDocument,
    FactsDocument,
    FrameContent,
    FrameDocument,
    PropertyDocument,
    ReplicaDocument,
    RunDocument,
    SettingDocument,
    StateDocument,
    StepFormDocument,
    StoredAct,
    StoryStepDocument,
    canonical_line,
    choices_document,
    comparison_document,
    describe_documents,
    event_document,
    facts_document,
    frame_document,
    run_document,
    run_schema,
    setting_documents,
    state_document,
    step_forms,
    stored_story,
    story_to,
)
from sim_engine.documents.author_words import words_told
from sim_engine.events.log import RecordLost
from sim_engine.exploration import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GRAINS,
    Grain,
    SearchOptions,
    SearchReport,
    SearchWatch,
    search,
    search_report,
)
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.json_types import JsonObject, JsonView
from sim_engine.languages import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    find_language,
    in_language,
    language_called,
)
from sim_engine.languages import say as say_message
from sim_engine.narration import catalogue, property_title, source_addresses
from sim_engine.narration import sentence as event_sentence
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.applicability import title_under, words_under
from sim_engine.scenario_reader.document import Problem, Scenario, ScenarioError
from sim_engine.scenario_reader.limits import SCENARIO_LIMITS
from sim_engine.scenario_reader.reader import (
    list_shipped,
    load_shipped,
    read_scenario_document,
    read_scenario_text,
    read_step,
    shipped_text,
)
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.scenario_reader.to_yaml import scenario_text
from sim_engine.simulation.budget import BudgetExceededError, spend, within
from sim_engine.simulation.choices import Choice
from sim_engine.simulation.play import LimitReachedError
from sim_engine.simulation.refusal import RefusedError as ActionRefusedError
from sim_engine.simulation.timeline import (
    MOST_FRAMES,
    ActResult,
    Frame,
    PlayedStep,
    Timeline,
)
from sim_engine.versions import (
    Profile,
    UnknownRuleError,
    list_versions,
    other_releases,
    resolve_profile,
)

__all__ = [
    "BUDGET_NAMES",
    "DEFAULT_BUDGET",
    "DEFAULT_LANGUAGE",
    "ENGINE_VERSION",
    "FAULT_KINDS",
    "FAULT_TYPES",
    "GRAINS",
    "LAG_BINS",
    "LANGUAGES",
    "MOST_FRAMES",
    "PROPERTY_NAMES",
    "ROW_VERSION",
    "SCENARIO_LIMITS",
    "ActResult",
    "ActionRefusedError",
    "BudgetExceededError",
    "Cell",
    "Choice",
    "ChoiceDocument",
    "ComparisonDocument",
    "EventDocument",
    "FactsDocument",
    "Frame",
    "FrameContent",
    "FrameDocument",
    "FrameNumber",
    "Grain",
    "Grid",
    "Happening",
    "JsonObject",
    "JsonView",
    "LimitReachedError",
    "PlayedStep",
    "Problem",
    "Profile",
    "PropertyDocument",
    "RecordLost",
    "ReplicaDocument",
    "RunDocument",
    "RunKey",
    "RunRow",
    "Scenario",
    "ScenarioError",
    "SearchOptions",
    "SearchReport",
    "SearchWatch",
    "SettingDocument",
    "StateDocument",
    "Step",
    "StepFormDocument",
    "StoredAct",
    "StoryStepDocument",
    "TimeStep",
    "Timeline",
    "UnknownRuleError",
    "UnknownVersionError",
    "canonical_line",
    "catalogue",
    "choices_document",
    "comparison_document",
    "describe_documents",
    "event_document",
    "event_sentence",
    "facts_document",
    "find_language",
    "frame_document",
    "in_language",
    "language_called",
    "list_shipped",
    "list_versions",
    "load_shipped",
    "other_releases",
    "property_title",
    "read_grid_document",
    "read_grid_text",
    "read_scenario_document",
    "read_scenario_text",
    "read_step",
    "resolve_profile",
    "run_cell",
    "run_document",
    "run_scenario",
    "run_schema",
    "say_message",
    "scenario_document",
    "scenario_text",
    "search",
    "search_report",
    "setting_documents",
    "shipped_text",
    "shortest_example",
    "source_addresses",
    "spend",
    "state_document",
    "step_forms",
    "stored_story",
    "story_to",
    "title_under",
    "within",
    "words_told",
    "words_under",
]
