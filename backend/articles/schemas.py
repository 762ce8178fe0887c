"""The schemas of the articles and their claims."""

from typing import Annotated, Literal

from pydantic import Field

from backend.http.schemas import Shape, Text, reference
from sim_engine.documents.lesson_entries import PictureDocument

Assessment = Literal["right", "nearly", "wrong"]


class WatchRead(Shape):
    """A lesson step that shows what Kafka does."""

    lesson: str
    title: Text = Field(description="The lesson's title.")
    kafka: str = Field(description="The release under which the step shows it.")
    own_release: bool = Field(description="Whether that is the lesson's own release.")
    step: int = Field(description="The number of the step in the lesson's story.")
    told: Text = Field(description="What happens in the step, in one sentence.")
    picture: Annotated[object, reference(PictureDocument)]


class ClaimRead(Shape):
    """One claim of an article."""

    number: int = Field(description="Its number in the article, from 1.")
    claim: Text
    assessment: Assessment
    kafka: Text = Field(description="What Kafka does.")
    holds: list[bool] = Field(
        description="For each release of `versions`: whether the claim is correct."
    )
    holds_in: Text = Field(
        description="All releases in which the claim is correct, as ranges in words."
    )
    watch: list[WatchRead] = Field(description="The most instructive step first.")


class ArticleQuestionRead(Shape):
    """A question at the end of an article, with its answer."""

    question: Text
    answer: Text = Field(description="A short, correct answer.")
    watch: list[WatchRead]


class ArticleOriginRead(Shape):
    """What the text of an article says of its origin; null if it does not say so."""

    printed: str = Field(description="Its title as printed.")
    language: str = Field(description="The tag of its language (BCP 47).")
    site: str | None
    date: str | None
    book: str | None = Field(description="The book from which it takes its contents.")
    author: str | None = Field(description="The author; if there is a book, that of the book.")
    first_part: str | None = Field(description="The address of the article that it continues.")


class ArticleSummaryRead(Shape):
    """One article, as in the list of articles."""

    number: int = Field(description="Its index in the list, from 0.")
    title: Text
    origin: ArticleOriginRead
    about: Text
    claims: int
    assessments: dict[Assessment, int] = Field(
        description="The number of its claims with this assessment."
    )
    lessons: list[str] = Field(description="The ids of the lessons that show its claims.")


class ArticleListRead(Shape):
    """All articles, in the order of their numbers."""

    articles: list[ArticleSummaryRead]


class ArticleRead(Shape):
    """One article, with each claim in it."""

    article: ArticleSummaryRead
    versions: list[str] = Field(description="The releases on the menu, oldest first.")
    claims: list[ClaimRead]
    questions: list[ArticleQuestionRead]
