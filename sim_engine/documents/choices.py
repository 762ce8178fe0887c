"""What can happen after a frame, and what cannot and why."""

from typing import Annotated

from msgspec import Meta

from sim_engine.documents.document import Document, Step
from sim_engine.events.run import RefusalNumbers
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline


class ChoiceDocument(Document, frozen=True, kw_only=True):
    """A step that somebody could take."""

    step: Step
    actor: Annotated[
        str,
        Meta(
            description="A broker's id as text, `controller`, a client's name, `network` or `time`."
        ),
    ]
    enabled: bool
    reason: Annotated[
        str | None, Meta(description="Why it cannot happen now, in English; null when it can.")
    ]
    reason_code: Annotated[
        str | None,
        Meta(description="Its words are in the catalogue under `reasons`; null when it can."),
    ]
    reason_numbers: Annotated[
        RefusalNumbers, Meta(description="What fills the places of the reason's words.")
    ]


def choices_document(timeline: Timeline, after: FrameNumber) -> list[ChoiceDocument]:
    """Every step that is offered after a frame, the most telling first."""
    return [
        ChoiceDocument(
            step=choice.step,
            actor=choice.actor,
            enabled=choice.enabled,
            reason=choice.reason,
            reason_code=choice.reason_code,
            reason_numbers=choice.reason_numbers,
        )
        for choice in timeline.choices(after)
    ]
