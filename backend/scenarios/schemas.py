"""The schemas of the shipped scenarios, the versions and the texts."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from backend.articles.schemas import Assessment
from backend.frames.packing import FrameEntry
from backend.http.schemas import Shape, Text, reference
from backend.scenarios.front_page import IntroducedTerm, MomentName
from sim_engine.documents.choices import SettingDocument, StepFormDocument
from sim_engine.documents.lesson_entries import PictureDocument
from sim_engine.documents.operator_words import OperatorReference


class ScenarioSummaryRead(Shape):
    """A shipped scenario, without its steps."""

    id: str
    alias: str | None
    chapter: Literal["basics", "truncation", "failures"] = Field(
        description="The part of the course that it belongs to."
    )
    title: Text
    summary: Text
    source: list[str]
    sources: list[Text] = Field(description="The title by language, for articles.")
    kafka: str
    control: str | None
    brokers: int
    steps: int


Outcome = Literal["lost", "fails", "holds"]
Mishap = Literal["lost", "diverged", "leaderless", "went_back", "shrank"]


class ListedScenarioRead(ScenarioSummaryRead):
    """A shipped scenario, as in the list of lessons."""

    outcomes: list[Outcome | None] = Field(
        description="The outcome in each release of `versions`: an acknowledged record is lost, "
        "another property is violated, or all hold. Null if the release does not have one of its "
        "steps."
    )
    changes: list[str] = Field(
        description="The releases of `versions` from which on its outcome is different."
    )
    failures: dict[Literal["lost", "fails"], Text] = Field(
        description="For each outcome that occurs: all releases with it, as ranges in words."
    )
    mishaps: list[Mishap] = Field(
        description="The properties that it violates under its own release."
    )
    kips: list[str] = Field(description="The KIPs and issues that it covers.")
    articles: list[int] = Field(description="The articles with a claim that it shows.")
    story_steps: int = Field(description="The number of steps in its story.")
    minutes: int = Field(description="The reading time, in minutes.")
    picture: Annotated[object, reference(PictureDocument)] = Field(description="The decisive step.")


class LandmarkRead(Shape):
    """A rule with a large effect, and the first release on the menu that has it."""

    name: str
    kafka: str


class FidelityCountsRead(Shape):
    """The numbers of checks against real Kafka."""

    recordings: int
    releases: int
    cases: int


class ScenarioListRead(Shape):
    """In teaching order."""

    scenarios: list[ListedScenarioRead]
    versions: list[str] = Field(description="The releases on the menu, oldest first.")
    path: list[str] = Field(description="A short selection of lessons, in order.")
    terms: dict[str, str] = Field(
        description="Id of a term of the glossary → id of the lesson that shows it."
    )
    landmarks: list[LandmarkRead] = Field(description="By release.")
    fidelity: FidelityCountsRead


class LessonClaimRead(Shape):
    """A claim of an article that a lesson shows."""

    article: int = Field(description="The article's number.")
    title: Text = Field(description="The article's title.")
    number: int = Field(description="The claim's number in the article.")
    claim: Text
    assessment: Assessment
    step: int = Field(description="The step that shows it, under the lesson's own release.")


class NextLessonRead(Shape):
    """The lesson that follows in teaching order."""

    id: str
    title: Text


class ScenarioRead(ScenarioSummaryRead):
    """A shipped scenario, with its text and what it teaches."""

    scenario: dict[str, object] = Field(description="The complete scenario document.")
    text: str = Field(description="The source file, unchanged.")
    claims: list[LessonClaimRead] = Field(description="In article order.")
    remember: Text = Field(description="The key takeaway.")
    next: NextLessonRead | None = Field(description="The next lesson; null after the last one.")


class MomentRead(Shape):
    """A step of the front page's story whose sentence is shown."""

    name: MomentName
    step: int
    terms: list[IntroducedTerm] = Field(description="The words that it uses first.")


class SideRead(Shape):
    """The story under one release."""

    kafka: str
    frames: list[Annotated[object, reference(FrameEntry)]] = Field(
        description="The last frame of each step, from the start, with the events of the step."
    )


class FrontPageRead(Shape):
    """A lesson under two releases. Both have the same steps."""

    lesson: str
    moments: list[MomentRead] = Field(description="In order.")
    parts_at: int = Field(description="The first step after which the logs differ.")
    runs: list[SideRead] = Field(description="The last release that loses a record comes first.")


class PlannedQuestionRead(Shape):
    """A question of a lesson, with its answers."""

    text: Text
    answers: list[Text]
    correct: int = Field(description="The index of the correct answer, from 0.")
    reasons: list[Text] = Field(
        description="For each answer, why it is correct or not; empty if the author gives none."
    )


class PlannedStepRead(Shape):
    """A step of a lesson, and what the author says and asks after it."""

    step: int
    summary: Text
    notes: list[Text]
    questions: list[PlannedQuestionRead]


class PlannedLessonRead(Shape):
    """A lesson of the learning path, under the release for which it was written."""

    id: str
    title: Text
    summary: Text
    kafka: str
    minutes: int = Field(description="The reading time.")
    remember: Text = Field(description="Its key point.")
    steps: list[PlannedStepRead] = Field(description="From the start, which is step 0.")


class LessonPlanRead(Shape):
    """The learning path as a lesson plan."""

    lessons: list[PlannedLessonRead] = Field(description="In the order of the path.")


class VersionRead(Shape):
    """One Kafka release: which rules it has."""

    model_config = ConfigDict(extra="allow")

    kafka: str
    controls: list[str]
    default_control: str
    rules: dict[str, bool]


class VersionListRead(Shape):
    """The Kafka releases that a run can select."""

    versions: list[VersionRead]
    others: list[str] = Field(description="The release lines that are not on the menu.")


class SourceListRead(Shape):
    """The sources that events refer to, for one release."""

    kafka: str
    sources: dict[str, str] = Field(
        description="The address of every source that an event refers to. For a Kafka class: its "
        "file at the tag of this release, or of the last release that has it."
    )


OperatorReferenceRead = Annotated[object, reference(OperatorReference)]


class StepFormListRead(Shape):
    """In the order of the format's documentation."""

    steps: list[Annotated[object, reference(StepFormDocument)]]


class SettingListRead(Shape):
    """The settings that a scenario can have under one release."""

    kafka: str
    control: str
    settings: list[Annotated[object, reference(SettingDocument)]]
    producers: list[Annotated[object, reference(SettingDocument)]] = Field(
        description="The settings of producers, with the defaults of this release's producer."
    )


Pattern = Annotated[
    str | list[object],
    Field(
        description="A text in one language: a string if it has no placeholders, otherwise its "
        'parts in order: strings, {"value": "offset"} for a placeholder, and {"select": '
        '"records", "variants": {"one": …, "other": …}, "default": "other"} for a selection: '
        "the variant with the value's text, otherwise with its plural category, otherwise the "
        "default."
    ),
]


class EventTextRead(Shape):
    """The sentence for an event, and its arithmetic."""

    text: Pattern
    formula: Pattern | None


class PropertyTextRead(Shape):
    """The texts for a property."""

    title: Pattern
    violated_title: Pattern
    sentence: Pattern


class TextsRead(Shape):
    """All texts of the narration in one language, grouped by subject.

    Ids are names joined by "-", which also replaces dots and spaces in names.
    """

    model_config = ConfigDict(extra="allow")

    events: dict[str, EventTextRead] = Field(description="By `kind-variant`, or `kind`.")
    properties: dict[str, PropertyTextRead]
    rules: dict[str, Pattern]
    reasons: dict[str, Pattern] = Field(description="Reason code → why a step is refused.")
    terms: dict[str, Pattern]
    term_words: dict[str, Pattern] = Field(
        description="The words for a term in texts, separated by bars, by the term's id."
    )
    steps: dict[str, Pattern] = Field(description="By `step-argument`, `step-value`, or `step`.")
    changes: dict[str, Pattern]
    values: dict[str, Pattern] = Field(
        description="Texts for values, by the number's name: a selection on `value`."
    )


class DrawingRead(Shape):
    """A dot, or an arrow if it has a `to`."""

    label: str = Field(description="The name of its text in the page's texts of the diagram.")
    at: str = Field(default="broker", description="The lane of a dot, or where an arrow begins.")
    to: str | None = None
    tone: str = "plain"
    before: bool = Field(default=False, description="It precedes the effects of its frame.")
    lost: bool = False
    values: dict[str, str] = Field(
        default={}, description="A value of its label → the number of the event that it is."
    )
    needs: str | None = Field(default=None, description="Drawn only if the event has this number.")
    if_moved: bool = Field(default=False, description="Drawn only if `before` and `after` differ.")
    unless: str | None = Field(
        default=None, description="Not drawn if the frame has an event of this kind."
    )
    form: str | None = Field(
        default=None, description="A drawing that depends on the rest of the frame: isr or link."
    )


class CatalogueRead(Shape):
    """All texts of the engine."""

    model_config = ConfigDict(extra="allow")

    sources: dict[str, str] = Field(description="The address of a source of an event.")
    drawings: dict[str, list[DrawingRead]] = Field(
        description="The dots and arrows of an event in the diagram of messages over time, by "
        "`kind-variant` or `kind`; none for an event that it does not draw."
    )
    languages: dict[str, TextsRead] = Field(description="The texts by language.")
