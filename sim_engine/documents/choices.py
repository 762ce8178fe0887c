"""The steps that are possible after a frame, and the reasons why others are not."""

from sim_engine.documents.document import Document, Step
from sim_engine.events.run import RefusalNumbers
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline


class ChoiceDocument(Document, frozen=True, kw_only=True):
    """A step that a user can be offered."""

    step: Step
    actor: str
    """A broker's id as text, `controller`, a client's name, `network` or `time`."""
    enabled: bool
    rank: int
    """Its relevance: the lowest is the most relevant. The variants of one step for one actor, such
    as the directions in which a broker is isolated, have the same."""
    row: int | None
    """The position of its button on the row of a broker, the lowest first; null if it has none."""
    reason: str | None
    """Why it is not possible now, in English; null if it is possible."""
    reason_code: str | None
    """The reason's code; the texts are in the catalogue under `reasons`. Null if the step is
    possible."""
    reason_numbers: RefusalNumbers
    """The values for the reason's text."""


def choices_document(timeline: Timeline, after: FrameNumber) -> list[ChoiceDocument]:
    """Every step that is offered after a frame, the most relevant first."""
    return [
        ChoiceDocument(
            step=choice.step,
            actor=choice.actor,
            enabled=choice.enabled,
            rank=choice.rank,
            row=choice.row,
            reason=choice.reason,
            reason_code=choice.reason_code,
            reason_numbers=choice.reason_numbers,
        )
        for choice in timeline.choices(after)
    ]
