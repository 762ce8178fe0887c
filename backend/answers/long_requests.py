"""The bodies of requests whose answers take long: searches, and assessments of clusters.

Like those of `requests`, they are declared once, for the service and for a page that answers
itself.
"""

from typing import Annotated, ClassVar

from msgspec import Meta, field

from backend import limit_table
from backend.answers.requests import AFrame, Document, Name, Request
from sim_engine.exploration.alphabet import Grain
from sim_engine.identifiers import Acks

_Value = Annotated[str, Meta(max_length=64)]
_Partition = Annotated[str, Meta(max_length=262, pattern=r"^[a-zA-Z0-9._-]+-\d{1,6}$")]
_Partitions = Annotated[list[_Partition], Meta(max_length=limit_table.ASSESSMENT_SEARCHED.number)]
_Brokers = Annotated[
    list[Annotated[int, Meta(ge=0, lt=2**31)]],
    Meta(max_length=limit_table.ASSESSMENT_BROKERS.number),
]


class SearchCreate(Request, frozen=True, kw_only=True):
    """A search: can this property be violated from here? With its bounds."""

    property: Annotated[str, Meta(min_length=1, max_length=64)] = "NoAckedRecordLost"
    after: AFrame | None = None
    """The frame to start from. Default: the head."""
    grain: Grain = "step"
    """The granularity of a step: a user's step, or a single message."""
    max_depth: Annotated[int, Meta(ge=1, le=limit_table.SEARCH_STEPS.number)] = 12
    """The maximum number of steps."""
    states: Annotated[int, Meta(ge=1, le=limit_table.SEARCH_STATES.number)] = (
        limit_table.SEARCH_STATES.number
    )
    """The maximum number of states."""
    budget: dict[str, Annotated[int, Meta(ge=0, le=limit_table.SEARCH_FAULTS.number)]] | None = None
    """How often each fault of `/searches/faults` may happen. The defaults are listed there."""
    acks: Acks = "all"
    """The acks of the records that the search sends. Except with `all`, the loss of any
    acknowledged record violates NoAckedRecordLost."""
    seconds: Annotated[int, Meta(ge=1, le=limit_table.SEARCH_SECONDS.number)] = 20
    """The limit of processor time."""


class AssessedFile(Request, frozen=True, kw_only=True):
    """One file or one output of a tool, of a whole cluster."""

    name: Name
    """Its path, which identifies the broker and the partition."""
    text: Annotated[str, Meta(max_length=limit_table.ASSESSMENT_BODY_BYTES.number)]


_Files = Annotated[list[AssessedFile], Meta(max_length=limit_table.IMPORT_FILES.number)]


class AssessmentCreate(Request, frozen=True, kw_only=True):
    """The output of a real cluster's tools, and the settings that the reader changed."""

    body_limit: ClassVar[limit_table.Limit] = limit_table.ASSESSMENT_BODY_BYTES

    files: _Files = field(default_factory=list)
    reading: Annotated[int, Meta(ge=1)] | None = None
    """In place of files: the number of a reading of the cluster that this service watches. Only
    `highwater connect --watch --open` starts such a service."""
    kafka: Annotated[str, Meta(max_length=16)] | None = None
    """The cluster's release, if known."""
    down: _Brokers = field(default_factory=list)
    """Brokers that are known to be down. Of those that the input does not mention, the worse case
    is taken."""
    settings: Annotated[dict[_Value, _Value], Meta(max_length=16)] = field(default_factory=dict)
    """Values that replace those of the input, by the names of the document's `settings`."""
    racks: Annotated[
        dict[Annotated[str, Meta(pattern=r"^\d{1,9}$")], _Value],
        Meta(max_length=limit_table.ASSESSMENT_BROKERS.number),
    ] = field(default_factory=dict)
    """Racks of brokers that replace those of the input; an empty one is unknown. Brokers of one
    rack lose power together."""


class PartitionSearchCreate(AssessmentCreate, frozen=True, kw_only=True):
    """A cluster, and the partition of it that is searched."""

    partition: _Partition


class SearchedAssessmentCreate(AssessmentCreate, frozen=True, kw_only=True):
    """A cluster, and the partitions whose searches its document contains."""

    searched: _Partitions = field(default_factory=list)
    """Each is searched, unless its result is still kept."""


class WordsCreate(Request, frozen=True, kw_only=True):
    """A run of one partition from its printed state."""

    body_limit: ClassVar[limit_table.Limit] = limit_table.SCENARIO_BODY_BYTES

    scenario: Document
    """A complete scenario document."""
