"""The shapes of the shipped stories, the versions and the words."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from backend.drawing.thumbnails import ThumbnailDocument
from backend.http.answers import Shape, Text, reference


class ScenarioSummaryRead(Shape):
    id: str
    alias: str | None
    chapter: Literal["basics", "truncation", "failures"] = Field(
        description="The part of the course that it belongs to."
    )
    title: Text
    summary: Text
    source: list[str]
    kafka: str
    control: str | None
    brokers: int
    steps: int


class ListedScenarioRead(ScenarioSummaryRead):
    thumbnail: Annotated[Any, reference(ThumbnailDocument)]


class ScenarioListRead(Shape):
    """In teaching order."""

    scenarios: list[ListedScenarioRead]


class ScenarioRead(ScenarioSummaryRead):
    scenario: dict[str, Any] = Field(description="The whole document.")
    text: str = Field(description="The file that it was read from, as its author wrote it.")


class VersionRead(Shape):
    """One Kafka release: which rules it has."""

    model_config = ConfigDict(extra="allow")

    kafka: str
    controls: list[str]
    default_control: str
    rules: dict[str, bool]


class VersionListRead(Shape):
    versions: list[VersionRead]
    others: list[str] = Field(description="Lines of releases that are not on the menu.")


class SourceListRead(Shape):
    kafka: str
    sources: dict[str, str] = Field(
        description="An address for every source that an event names: for a class of Kafka, its "
        "file in the tag of this release, or in the last one that has it."
    )


class TemplateRead(Shape):
    """A sentence in both languages; `{name}` is a place for one of an event's numbers."""

    model_config = ConfigDict(extra="allow")

    en: str
    zh: str
    formula: Text | None = None


class PropertyTextRead(Shape):
    model_config = ConfigDict(extra="allow")

    title: Text
    violated_title: Text
    sentence: Text


class CatalogueRead(Shape):
    """Every word the engine says, by what it is about."""

    model_config = ConfigDict(extra="allow")

    events: dict[str, TemplateRead] = Field(description="By `kind.variant`, or `kind`.")
    rules: dict[str, Text]
    sources: dict[str, str] = Field(description="Where to read about it.")
    reasons: dict[str, Text] = Field(description="Why an action is refused, by its code.")
    properties: dict[str, PropertyTextRead]
    terms: dict[str, Text]
    steps: dict[str, Text]
    message_kinds: dict[str, Text]
    changes: dict[str, Text]
