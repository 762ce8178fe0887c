"""A whole run: how it ended, and a digest that identifies it."""

import hashlib
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from sim_engine.documents.document import Document
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.documents.properties import PropertyDocument, properties_document
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.documents.story import StoryStepDocument, story_to
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import Control

_canonical = msgspec.json.Encoder(order="sorted")


class RunDocument(Document, frozen=True, kw_only=True):
    """A run of all steps of a scenario under one version: the output of `run --json`."""

    scenario: str
    """The scenario's id."""
    kafka: str
    """The Kafka release of the run."""
    control: Control
    engine: str
    """The engine's version."""
    frames: Annotated[int, Meta(ge=1)]
    """The number of frames."""
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """The SHA-256 of all frames, each in canonical JSON with a final line feed. The same run has
    the same digest on every machine."""
    final: StateDocument
    """The state after the last step."""
    properties: dict[str, PropertyDocument]
    """Property name → verdict."""
    story: tuple[StoryStepDocument, ...]
    """The run's steps, from its start."""


def run_document(timeline: Timeline) -> RunDocument:
    """The document of a run that has performed all of its steps."""
    last = timeline.frames[timeline.head]
    return RunDocument(
        scenario=timeline.scenario.id,
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        engine=ENGINE_VERSION,
        frames=len(timeline.frames),
        digest=run_digest(timeline),
        final=state_document(last.cluster),
        properties=properties_document(last.verdicts),
        story=story_to(timeline, timeline.head),
    )


def run_digest(timeline: Timeline) -> str:
    """The SHA-256 of all frames in canonical JSON, in hexadecimal."""
    digest = hashlib.sha256()
    for frame in timeline.frames:
        digest.update(canonical_line(frame_document(timeline, frame.frame)))
    return digest.hexdigest()


def canonical_line(frame: FrameDocument | Mapping[str, object]) -> bytes:
    """A frame in the form that digests use: JSON without spaces, with sorted keys and a final line
    feed.

    Also accepts a frame that was decoded from JSON.
    """
    return _canonical.encode(frame) + b"\n"
