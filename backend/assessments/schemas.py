"""The schemas of assessments."""

from typing import Annotated

from backend.http.schemas import Shape, reference
from sim_engine.documents.assessment import AssessmentPage

AssessmentPageRead = Annotated[object, reference(AssessmentPage)]


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
