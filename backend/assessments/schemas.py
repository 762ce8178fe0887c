"""The schemas of assessments."""

from typing import Annotated

from fastapi import Body

from backend.answers import long_requests
from backend.http.schemas import Shape, reference
from backend.sessions.schemas import as_declared
from sim_engine.documents.assessment import AssessmentPage

AssessmentPageRead = Annotated[object, reference(AssessmentPage)]
AssessmentCreate = Annotated[
    long_requests.AssessmentCreate,
    Body(),
    as_declared(long_requests.AssessmentCreate),
    reference(long_requests.AssessmentCreate),
]
PartitionSearchCreate = Annotated[
    long_requests.PartitionSearchCreate,
    Body(),
    as_declared(long_requests.PartitionSearchCreate),
    reference(long_requests.PartitionSearchCreate),
]
SearchedAssessmentCreate = Annotated[
    long_requests.SearchedAssessmentCreate,
    Body(),
    as_declared(long_requests.SearchedAssessmentCreate),
    reference(long_requests.SearchedAssessmentCreate),
]
WordsCreate = Annotated[
    long_requests.WordsCreate,
    Body(),
    as_declared(long_requests.WordsCreate),
    reference(long_requests.WordsCreate),
]


class KeptFile(Shape):
    """A file of the request."""

    name: str
    text: str


class KeptFiles(Shape):
    """What was pasted, without the values of secrets. Every line stays where it was."""

    files: list[KeptFile]


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
