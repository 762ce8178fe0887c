"""The shapes of the articles and their claims."""

from typing import Annotated, Literal

from pydantic import Field

from backend.http.answers import Shape, Text, reference
from sim_engine import PictureDocument

Verdict = Literal["right", "nearly", "wrong"]


class WatchRead(Shape):
    """A step of a lesson that shows something."""

    lesson: str
    title: Text = Field(description="The lesson's title.")
    kafka: str = Field(description="The release under which the step shows it.")
    step: int = Field(description="The number of the step in the story of the lesson.")
    told: Text = Field(description="What happens in the step, in one sentence.")
    picture: Annotated[object, reference(PictureDocument)]


class ClaimRead(Shape):
    """One claim, in the article's own order."""

    number: int = Field(description="From 1 on.")
    claim: Text
    verdict: Verdict
    kafka: Text = Field(description="What Kafka does.")
    holds: list[bool] = Field(
        description="For each release of `versions`, whether it is as the article says."
    )
    watch: list[WatchRead] = Field(description="The best place first.")


class ArticleQuestionRead(Shape):
    question: Text
    answer: Text = Field(description="A short answer that is right.")
    watch: list[WatchRead]


class ArticleSummaryRead(Shape):
    number: int = Field(description="Its place in the list, from 0 on.")
    title: Text
    about: Text
    claims: int
    verdicts: dict[Verdict, int] = Field(description="How many of its claims are so.")
    lessons: list[str] = Field(description="The lessons that show its claims, by their ids.")


class ArticleListRead(Shape):
    articles: list[ArticleSummaryRead]


class ArticleRead(Shape):
    article: ArticleSummaryRead
    versions: list[str] = Field(description="The releases of the menu, oldest first.")
    claims: list[ClaimRead]
    questions: list[ArticleQuestionRead]
