"""The JSON documents that the command line and the service hand out."""

from sim_engine.documents.frames import (
    choices_document,
    event_document,
    frame_document,
    properties_document,
    run_digest,
    run_document,
)
from sim_engine.documents.share_facts import facts_document
from sim_engine.documents.state import state_document

__all__ = [
    "choices_document",
    "event_document",
    "facts_document",
    "frame_document",
    "properties_document",
    "run_digest",
    "run_document",
    "state_document",
]
