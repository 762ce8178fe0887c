"""The shapes of the shipped stories, the versions and the words."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from backend.articles.schemas import Verdict
from backend.frames.packing import FrameEntry
from backend.http.answers import Shape, Text, reference
from sim_engine import PictureDocument, SettingDocument, StepFormDocument, StoryStepDocument


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


Outcome = Literal["lost", "fails", "holds"]
Mishap = Literal["lost", "diverged", "leaderless", "went_back", "shrank"]


class ListedScenarioRead(ScenarioSummaryRead):
    outcomes: list[Outcome | None] = Field(
        description="How it ends in each release of `versions`: an acknowledged record is lost, "
        "another property fails, or all hold. Null where it is not checked."
    )
    mishaps: list[Mishap] = Field(description="What goes wrong in it, under its own release.")
    kips: list[str] = Field(description="The KIPs and issues that it is about.")
    articles: list[int] = Field(description="The articles of which it shows a claim.")
    story_steps: int = Field(description="How many steps its story has.")
    minutes: int = Field(description="How long it takes to read.")
    picture: Annotated[object, reference(PictureDocument)] = Field(
        description="The step in which it is decided."
    )


class LandmarkRead(Shape):
    """A rule that changed much, and the first release of the menu that has it."""

    name: str
    kafka: str


class EvidenceRead(Shape):
    """What the engine is held to, counted."""

    recordings: int
    releases: int
    cases: int


class ScenarioListRead(Shape):
    """In teaching order."""

    scenarios: list[ListedScenarioRead]
    versions: list[str] = Field(description="The releases of the menu, oldest first.")
    path: list[str] = Field(description="The lessons for whoever takes only a few, in order.")
    landmarks: list[LandmarkRead] = Field(description="By release.")
    evidence: EvidenceRead


class FoundStepRead(Shape):
    step: int
    told: Text = Field(description="What happens in the step, in one sentence.")


class FoundLessonRead(Shape):
    """A lesson in which every word is found."""

    id: str
    step: FoundStepRead | None = Field(
        description="The first step that says all of it; null where other parts do."
    )


class FoundLessonListRead(Shape):
    """Those with the words in their titles first, then by teaching order."""

    lessons: list[FoundLessonRead]


class LessonClaimRead(Shape):
    """A claim of an article that a lesson shows."""

    article: int = Field(description="The article's number.")
    title: Text = Field(description="The article's title.")
    number: int = Field(description="The claim's number in the article.")
    claim: Text
    verdict: Verdict
    step: int = Field(description="The step that shows it, under the lesson's own release.")


class NextLessonRead(Shape):
    id: str
    title: Text


class ScenarioRead(ScenarioSummaryRead):
    scenario: dict[str, object] = Field(description="The whole document.")
    text: str = Field(description="The file that it was read from, as its author wrote it.")
    claims: list[LessonClaimRead] = Field(description="In the order of the articles.")
    remember: Text = Field(description="The one line to remember of it.")
    next: NextLessonRead | None = Field(description="The lesson to go on with; null at the end.")


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
