"""The JSON documents that the command line and the service return."""

from sim_engine.documents.changes import ChangeDocument
from sim_engine.documents.choices import (
    ChoiceDocument,
    SettingDocument,
    StepFormDocument,
    choices_document,
    initial_consequences,
    producer_setting_documents,
    setting_documents,
    step_forms,
)
from sim_engine.documents.clients import ProducedDocument, values_with
from sim_engine.documents.comparison import ComparisonDocument, comparison_document
from sim_engine.documents.events import EventDocument, event_document
from sim_engine.documents.frames import FrameContent, FrameDocument, frame_document
from sim_engine.documents.lesson_entries import PictureDocument, picture_of
from sim_engine.documents.messages import MessageMoveDocument, SentMessageDocument
from sim_engine.documents.properties import PropertyDocument
from sim_engine.documents.replicas import LogRecordDocument, ReplicaDocument
from sim_engine.documents.runs import RunDocument, canonical_line, run_digest, run_document
from sim_engine.documents.schemas import (
    Column,
    ColumnType,
    alphabet_schemas,
    columns_of,
    describe_documents,
    run_schema,
)
from sim_engine.documents.share_facts import FactsDocument, facts_document
from sim_engine.documents.shared_summary import (
    UNKNOWN_CAUSE,
    SharedCause,
    SharedFault,
    SharedLesson,
    SharedLoss,
    SharedSummary,
)
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.documents.stored_frames import (
    StoredEvent,
    StoredFrame,
    StoredProperty,
    changes_of,
    headline_of,
    moves_of,
    read_frame,
)
from sim_engine.documents.story import (
    StoredAct,
    StoryMark,
    StoryStepDocument,
    stored_story,
    story_to,
)

__all__ = [
    "UNKNOWN_CAUSE",
    "ChangeDocument",
    "ChoiceDocument",
    "Column",
    "ColumnType",
    "ComparisonDocument",
    "EventDocument",
    "FactsDocument",
    "FrameContent",
    "FrameDocument",
    "LogRecordDocument",
    "MessageMoveDocument",
    "PictureDocument",
    "ProducedDocument",
    "PropertyDocument",
    "ReplicaDocument",
    "RunDocument",
    "SentMessageDocument",
    "SettingDocument",
    "SharedCause",
    "SharedFault",
    "SharedLesson",
    "SharedLoss",
    "SharedSummary",
    "StateDocument",
    "StepFormDocument",
    "StoredAct",
    "StoredEvent",
    "StoredFrame",
    "StoredProperty",
    "StoryMark",
    "StoryStepDocument",
    "alphabet_schemas",
    "canonical_line",
    "changes_of",
    "choices_document",
    "columns_of",
    "comparison_document",
    "describe_documents",
    "event_document",
    "facts_document",
    "frame_document",
    "headline_of",
    "initial_consequences",
    "moves_of",
    "picture_of",
    "producer_setting_documents",
    "read_frame",
    "run_digest",
    "run_document",
    "run_schema",
    "setting_documents",
    "state_document",
    "step_forms",
    "stored_story",
    "story_to",
    "values_with",
]
