"""The schemas of assessments."""

from typing import Annotated

from pydantic import Field

from backend.http.schemas import Shape, reference
from backend.limit_table import (
    ASSESSMENT_BODY_BYTES,
    ASSESSMENT_BROKERS,
    ASSESSMENT_SEARCHED,
    IMPORT_FILES,
    SCENARIO_BODY_BYTES,
)
from backend.sessions.schemas import Request
from sim_engine.documents.assessment import AssessmentPage

AssessmentPageRead = Annotated[object, reference(AssessmentPage)]
_Value = Annotated[str, Field(max_length=64)]


class AssessedFile(Request):
    """One file or one output of a tool, of a whole cluster."""

    name: str = Field(
        min_length=1,
        max_length=400,
        description="Its path, which identifies the broker and the partition.",
    )
    text: str = Field(max_length=ASSESSMENT_BODY_BYTES.number)


class AssessmentCreate(Request):
    """The output of a real cluster's tools, and the settings that the reader changed."""

    body_limit = ASSESSMENT_BODY_BYTES

    files: list[AssessedFile] = Field([], max_length=IMPORT_FILES.number)
    reading: Annotated[int, Field(ge=1)] | None = Field(
        None,
        description="In place of files: the number of a reading of the cluster that this service "
        "watches. Only `highwater connect --watch --open` starts such a service.",
    )
    kafka: Annotated[str, Field(max_length=16)] | None = Field(
        None, description="The cluster's release, if known."
    )
    down: Annotated[
        list[Annotated[int, Field(ge=0, lt=2**31)]], Field(max_length=ASSESSMENT_BROKERS.number)
    ] = Field(
        [],
        description="Brokers that are known to be down. Of those that the input does not mention, "
        "the worse case is taken.",
    )
    settings: Annotated[dict[_Value, _Value], Field(max_length=16)] = Field(
        {},
        description="Values that replace those of the input, by the names of the document's "
        "`settings`.",
    )
    racks: Annotated[
        dict[Annotated[str, Field(pattern=r"^\d{1,9}$")], _Value],
        Field(max_length=ASSESSMENT_BROKERS.number),
    ] = Field(
        {},
        description="Racks of brokers that replace those of the input; an empty one is unknown. "
        "Brokers of one rack lose power together.",
    )


_Partition = Annotated[str, Field(max_length=262, pattern=r"^[a-zA-Z0-9._-]+-\d{1,6}$")]


class PartitionSearchCreate(AssessmentCreate):
    """A cluster, and the partition of it that is searched."""

    partition: _Partition


class SearchedAssessmentCreate(AssessmentCreate):
    """A cluster, and the partitions whose searches its document contains."""

    searched: Annotated[list[_Partition], Field(max_length=ASSESSMENT_SEARCHED.number)] = Field(
        [], description="Each is searched, unless its result is still kept."
    )


class KeptFiles(Shape):
    """What was pasted, without the values of secrets. Every line stays where it was."""

    files: list[AssessedFile]


class WordsCreate(Request):
    """A run of one partition from its printed state."""

    body_limit = SCENARIO_BODY_BYTES

    scenario: dict[str, object] = Field(description="A complete scenario document.")


class AssessmentStarted(Shape):
    """The data of the `started` event, which is the first one."""

    id: str


class AssessmentReport(Shape):
    """An assessment as a text for a chat or a ticket."""

    markdown: str


class AssessmentShared(Shape):
    """A stored assessment. `delete_token` is returned only here."""

    sid: str
    url: str
    delete_token: str
