"""The shapes of the shipped stories, the versions and the words."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from backend.articles.schemas import Verdict
from backend.drawing.thumbnails import ThumbnailDocument
from backend.frames.packing import FrameEntry
from backend.http.answers import Shape, Text, reference
from sim_engine import SettingDocument, StepFormDocument, StoryStepDocument


class ScenarioSummaryRead(Shape):
    id: str
    alias: str | None
    chapter: Literal["basics", "truncation", "failures"] = Field(
        description="The part of the course that it belongs to."
    )
    title: Text
    summary: Text
    source: list[str]
    sources: list[Text] = Field(description="The same by language: articles have a title in each.")
    kafka: str
    control: str | None
    brokers: int
    steps: int


class ListedScenarioRead(ScenarioSummaryRead):
    thumbnail: Annotated[object, reference(ThumbnailDocument)]


class ScenarioListRead(Shape):
    """In teaching order."""

    scenarios: list[ListedScenarioRead]


class LessonClaimRead(Shape):
    """A claim of an article that a lesson shows."""

    article: int = Field(description="The article's number.")
    title: Text = Field(description="The article's title.")
    number: int = Field(description="The claim's number in the article.")
    claim: Text
    verdict: Verdict
    step: int = Field(description="The step that shows it, under the lesson's own release.")


class ScenarioRead(ScenarioSummaryRead):
    scenario: dict[str, object] = Field(description="The whole document.")
    text: str = Field(description="The file that it was read from, as its author wrote it.")
    claims: list[LessonClaimRead] = Field(description="In the order of the articles.")


class ScenarioRunRead(Shape):
    kafka: str
    story: list[Annotated[object, reference(StoryStepDocument)]] = Field(
        description="Its steps, from the start on."
    )
    frames: list[Annotated[object, reference(FrameEntry)]]


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


class StepFormListRead(Shape):
    """In the order in which the format describes them."""

    steps: list[Annotated[object, reference(StepFormDocument)]]


class SettingListRead(Shape):
    kafka: str
    control: str
    settings: list[Annotated[object, reference(SettingDocument)]]


Pattern = Annotated[
    str | list[object],
    Field(
        description="A text of one language. A string where nothing is put in; else its parts in "
        'order: strings, {"value": "offset"} for the number of that name, and {"select": '
        '"records", "variants": {"one": …, "other": …}, "default": "other"} for a choice: the '
        "variant of the value as text, else of its plural category, else the default."
    ),
]


class EventTextRead(Shape):
    text: Pattern
    formula: Pattern | None


class PropertyTextRead(Shape):
    title: Pattern
    violated_title: Pattern
    sentence: Pattern


class TextsRead(Shape):
    """Every text of the narration in one language, by what it is about.

    Its ids are names joined by "-", which also stands for dots and spaces in them.
    """

    model_config = ConfigDict(extra="allow")

    events: dict[str, EventTextRead] = Field(description="By `kind-variant`, or `kind`.")
    properties: dict[str, PropertyTextRead]
    rules: dict[str, Pattern]
    reasons: dict[str, Pattern] = Field(description="Why an action is refused, by its code.")
    terms: dict[str, Pattern]
    steps: dict[str, Pattern] = Field(description="By `step-argument`, `step-value`, or `step`.")
    changes: dict[str, Pattern]
    values: dict[str, Pattern] = Field(
        description="Words for values, by the number's name: a selection by `value`."
    )


class CatalogueRead(Shape):
    """Every word the engine says."""

    model_config = ConfigDict(extra="allow")

    sources: dict[str, str] = Field(description="Where to read about a source of an event.")
    languages: dict[str, TextsRead] = Field(description="The texts by language.")
