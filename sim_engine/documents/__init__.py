"""The JSON documents that the command line and the service return."""

from sim_engine.documents.choices import ChoiceDocument, choices_document
from sim_engine.documents.comparison import ComparisonDocument, comparison_document
from sim_engine.documents.events import EventDocument, event_document
from sim_engine.documents.frames import FrameContent, FrameDocument, frame_document
from sim_engine.documents.pictures import PictureDocument, picture_of
from sim_engine.documents.properties import PropertyDocument
from sim_engine.documents.replicas import ReplicaDocument
from sim_engine.documents.runs import RunDocument, canonical_line, run_digest, run_document
from sim_engine.documents.schema import describe_documents, run_schema
from sim_engine.documents.share_facts import FactsDocument, facts_document
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.documents.step_forms import (
    SettingDocument,
    StepFormDocument,
    producer_setting_documents,
    setting_documents,
    step_forms,
)
from sim_engine.documents.story import StoredAct, StoryStepDocument, stored_story, story_to

__all__ = [
    "ChoiceDocument",
    "ComparisonDocument",
    "EventDocument",
    "FactsDocument",
    "FrameContent",
    "FrameDocument",
    "PictureDocument",
    "PropertyDocument",
    "ReplicaDocument",
    "RunDocument",
    "SettingDocument",
    "StateDocument",
    "StepFormDocument",
    "StoredAct",
    "StoryStepDocument",
    "canonical_line",
    "choices_document",
    "comparison_document",
    "describe_documents",
    "event_document",
    "facts_document",
    "frame_document",
    "picture_of",
    "producer_setting_documents",
    "run_digest",
    "run_document",
    "run_schema",
    "setting_documents",
    "state_document",
    "step_forms",
    "stored_story",
    "story_to",
]
