"""Nothing but the answer tells which answer is right, counted over the questions of all lessons.

A reader who knows nothing chooses by position, by length, by a word that only one answer has, or by
the words of the title and of the notes before. Whatever a reader goes by, it finds the right answer
as often as chance does. The page also shuffles the answers (`question-order.ts`); the files and the
transcripts have them in the author's order.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from math import sqrt

from msgspec import Struct

from sim_engine.actions import Ask, Note
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import list_shipped
from tests.tables import for_each

ROOM = 1.6
"""The longest answer of a question in lengths of the shortest."""

SHORT = 12
"""In columns. Answers that differ by less are alike, such as “3” and “Nowhere”."""

DEVIATIONS = 2.0
"""How far from chance the right answer may be, in standard deviations."""


class Question(Struct, frozen=True):
    """A question of a lesson, in one language."""

    lesson: str
    text: str
    answers: tuple[str, ...]
    reasons: tuple[str, ...]
    correct: int
    before: str
    """The title of the lesson, and its notes before the question."""


@cache
def questions(language: str) -> tuple[Question, ...]:
    return tuple(_questions(language))


def _questions(language: str) -> Iterator[Question]:
    for scenario in list_shipped():
        before = [scenario.title[language]]
        for item in scenario.steps:
            match item.step:
                case Note(text=text):
                    before.append(text[language])
                case Ask(text=text) as ask:
                    before.append(text[language])
                    yield Question(
                        lesson=scenario.id,
                        text=text[language],
                        answers=tuple(one[language] for one in ask.answers),
                        reasons=tuple(one[language] for one in ask.reasons or ()),
                        correct=ask.correct,
                        before=" ".join(before),
                    )


def width(text: str) -> int:
    """The columns of a text: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


@for_each("language", LANGUAGES)
def test_a_question_has_three_or_four_answers_and_a_reason_for_each(language: str):
    wrong = [
        question.text
        for question in questions(language)
        if len(question.answers) not in (3, 4)
        or len(set(question.answers)) != len(question.answers)
        or len(question.reasons) != len(question.answers)
        or not all(question.reasons)
    ]

    assert questions(language)
    assert wrong == []


@for_each("language", LANGUAGES)
def test_the_answers_of_a_question_are_of_like_length(language: str):
    unlike = {}
    for question in questions(language):
        widths = [width(answer) for answer in question.answers]
        if max(widths) > max(ROOM * min(widths), min(widths) + SHORT):
            unlike[question.lesson, question.text] = dict(
                zip(question.answers, widths, strict=True)
            )

    assert unlike == {}


Strategy = Callable[[Question], set[int]]
"""The answers among which a reader chooses who goes by this alone."""


def most(value: Callable[[Question, str], float]) -> Strategy:
    def chosen(question: Question) -> set[int]:
        values = [value(question, answer) for answer in question.answers]
        return {at for at, one in enumerate(values) if one == max(values)}

    return chosen


def with_words(pattern: str) -> Strategy:
    words = re.compile(pattern, re.IGNORECASE)
    return most(lambda _, answer: words.search(answer) is not None)


def at_place(place: int) -> Strategy:
    return lambda question: {place} if place < len(question.answers) else set()


def words_of(text: str) -> set[str]:
    """Latin words and pairs of Chinese characters."""
    chinese = re.findall(r"[\u4e00-\u9fff]+", text)
    pairs = {run[at : at + 2] for run in chinese for at in range(len(run) - 1)}
    return {word.casefold() for word in re.findall(r"[A-Za-z]{3,}|\d[\d.]*", text)} | pairs


def shared_with_before(question: Question, answer: str) -> int:
    return len(words_of(answer) & words_of(question.before))


STRATEGIES: dict[str, Strategy] = {
    **{f"place {place + 1}": at_place(place) for place in range(4)},
    "the longest": most(lambda _, answer: width(answer)),
    "the shortest": most(lambda _, answer: -width(answer)),
    "a release": with_words(r"\d\.\d+"),
    "a number": with_words(r"\d"),
    "an exception": with_words(r"\b(only|but|except|unless)\b|只|但|除非"),
    "something absolute": with_words(
        r"\b(all|always|never|every|any|no|none|both|neither|nothing)\b|都|从不|总|任何|每"
    ),
    "a cause": with_words(r"\b(since|because|as|for)\b|因为|所以|它"),
    "a pause": with_words(r"[,:;，：；]"),
    "yes": with_words(r"^(yes)\b|^(是|会|可以|有|够|安全|同步|提交了)"),
    "no": with_words(r"^(no)\b|^(不|没有)"),
    "the words before": most(shared_with_before),
    "words that are not before": most(
        lambda question, answer: -shared_with_before(question, answer)
    ),
}


@for_each("language", LANGUAGES)
def test_no_strategy_finds_the_right_answer_more_often_than_chance(language: str):
    telling = {}
    for name, chosen in STRATEGIES.items():
        found = expected = variance = 0.0
        for question in questions(language):
            answers = chosen(question)
            if not 0 < len(answers) < len(question.answers):
                continue
            chance = len(answers) / len(question.answers)
            found += question.correct in answers
            expected += chance
            variance += chance * (1 - chance)
        if abs(found - expected) > DEVIATIONS * sqrt(variance):
            telling[name] = f"{found:.0f}, by chance {expected:.1f} ± {sqrt(variance):.1f}"

    assert telling == {}
