"""A whole run: how it ended, and the digest by which two runs are told apart."""

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
    """A run of all steps of a scenario under one version, as `run --json` prints it."""

    scenario: Annotated[str, Meta(description="The scenario's id.")]
    kafka: Annotated[str, Meta(description="The release that it ran under.")]
    control: Control
    engine: Annotated[str, Meta(description="The version of the engine.")]
    frames: Annotated[int, Meta(ge=1, description="How many frames were made.")]
    digest: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{64}$",
            description="The SHA-256 of all frames, each in canonical JSON and ended by a line "
            "feed: the same for the same run on any machine.",
        ),
    ]
    final: Annotated[StateDocument, Meta(description="The state after the last step.")]
    properties: Annotated[dict[str, PropertyDocument], Meta(description="Name → verdict.")]
    story: Annotated[
        tuple[StoryStepDocument, ...], Meta(description="The run in steps, from its start on.")
    ]


def run_document(timeline: Timeline) -> RunDocument:
    """A run that has been done."""
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
    """A frame as digests read it: JSON without spaces, keys sorted, ended by a line feed.

    It may also be one that was read back from JSON.
    """
    return _canonical.encode(frame) + b"\n"
