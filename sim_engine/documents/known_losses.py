"""The document of a known way to lose acknowledged records, played on a partition of the reader's.
Sentences are in every language.
"""

from typing import Literal

from sim_engine.json_types import Document, PublishedJson
from sim_engine.scenario_reader.document import Text

Likelihood = Literal["now", "one_failure", "depends", "rare"]
"""`now`: nothing more has to fail. `one_failure`: one failure, or one command, is enough.
`depends`: several brokers fail at the same time if they share their power. `rare`: several failures
one after another, or messages in a particular order.
"""


class FilmCell(Document, frozen=True, kw_only=True):
    """One record of a replica's log in a figure."""

    offset: int
    value: str
    epoch: int | None
    """The record's leader epoch; null before 0.11."""
    kind: Literal["committed", "uncommitted", "lost"]
    """`lost`: the replica had this acknowledged record, and no replica that counts has it now."""


class FilmRow(Document, frozen=True, kw_only=True):
    """One replica in a figure."""

    broker: int
    leads: bool
    """Whether it is the leader according to the controller."""
    runs: bool
    high_watermark: int | None
    """Null if the broker is down."""
    cells: tuple[FilmCell, ...]


class FilmFigure(Document, frozen=True, kw_only=True):
    """The logs at the moment of the loss, with the lost records where they were before."""

    first: int
    """The offset of the first cell."""
    rows: tuple[FilmRow, ...]


class ClosedBy(Document, frozen=True, kw_only=True):
    """What closes a known way to lose, proved by a run."""

    id: str
    kind: Literal["setting", "release", "procedure"]
    text: Text
    """What to do, with the reader's brokers."""
    result: Text
    """What becomes of the record in that run."""
    run: PublishedJson | None
    """The scenario of the run that keeps everything; null if it is not a run."""


class KnownLoss(Document, frozen=True, kw_only=True):
    """A known way to lose acknowledged records under this release and these settings."""

    id: str
    title: Text
    what: Text
    """What happens, in general."""
    partitions: tuple[str, ...]
    likelihood: Likelihood
    likely: Text
    """The likelihood in words."""
    why: Text
    """Why it is judged so: what still has to happen, with the reader's brokers."""
    failures: int
    """How many failures it still needs."""
    since: str | None
    """The first release with it; null if all have it."""
    until: str | None
    """The last release with it; null if the newest has it."""
    closed_by: tuple[ClosedBy, ...]
    film: PublishedJson
    """The scenario that shows it, with the reader's brokers. Its last step loses the record."""
    figure: FilmFigure
    lessons: tuple[str, ...]
    """The ids of the lessons that show it."""
    finding: str | None
    """The name of its page in the documentation of findings; null if it has none."""


class KnownLossLeftOut(Document, frozen=True, kw_only=True):
    """A known way to lose that does not lose here, with the reason."""

    id: str
    title: Text
    why: Text


class KnownLosses(Document, frozen=True, kw_only=True):
    """The known ways to lose records of one partition, the likeliest first, and those that do not
    apply to it.
    """

    entries: tuple[KnownLoss, ...]
    left_out: tuple[KnownLossLeftOut, ...]
