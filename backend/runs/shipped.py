"""A scenario under one release as a finished run, and the moments that its links show: a shipped
lesson, or a scenario that no service knows.

A link to a lesson names a step of the story and, if it shows a single message, the number of that
message in its step, from 1. It always names the release, so that it shows the same however the
lesson changes its own.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backend.frames.telling import telling_number
from backend.http.errors import NotFoundError
from backend.lessons.files import LessonRun
from backend.lessons.service import LessonRuns
from backend.runs.run import About, Run, Shown
from sim_engine.documents.runs import StoredFrame
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.version import WordsShown
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import StoryStepDocument

_MOST_KEPT = 16
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class PlayedRun(Run):
    """The run of a scenario under one release."""

    lesson: LessonRun

    def query_of(self, shown: Shown) -> str:
        """The query of a link that shows a moment of it."""
        place = shown.place
        message = "" if shown.whole_step is not None else f"&message={place.message}"
        return f"step={place.step}{message}&{self.about.query}"

    def replayed(self) -> Timeline:
        """The scenario, performed again."""
        scenario = read_scenario_document(self.lesson.scenario)
        timeline = Timeline(scenario, kafka=self.about.kafka, control=self.about.control)
        timeline.run_all()
        return timeline

    @cached_property
    def story(self) -> Sequence[StoryStepDocument]:
        """The scenario in steps."""
        return self.lesson.story

    @cached_property
    def words(self) -> WordsShown:
        """The author's words that the run shows."""
        return self.lesson.words

    def shown_at(self, step: int | None, message: int | None = None) -> Shown:
        """The end of this step, or one of its messages; without a step, the most important moment.

        Raises NotFoundError if the run has no such step or message.
        """
        if step is None:
            return self.shown_exactly()
        of_step = [entry["frame"] for entry in self.entries if entry["step"] == step]
        if not of_step:
            raise NotFoundError(
                f"Under Kafka {self.about.kafka}, this run has the steps 0 to "
                f"{self.story[-1].step}."
            )
        if message is None:
            return self.shown_exactly(of_step[-1])
        if not 1 <= message <= len(of_step):
            raise NotFoundError(f"Step {step} has the messages 1 to {len(of_step)}.")
        return self.shown_exactly(of_step[message - 1], is_message=True)

    def steps_between(self, first: int, last: int) -> Sequence[StoredFrame]:
        """The entries of an inclusive range of steps. Raises NotFoundError if it has none."""
        between = [entry for entry in self.entries if first <= entry["step"] <= last]
        if not between:
            raise NotFoundError(
                f"Under Kafka {self.about.kafka}, this run has the steps 0 to "
                f"{self.story[-1].step}."
            )
        return between

    def shown_on_page(self, query: Mapping[str, str]) -> Shown:
        """For a page: the last step and message up to those that it names, or the start."""
        step = min(_number_in(query, "step") or 0, self.story[-1].step)
        message = _number_in(query, "message")
        if message is not None:
            message = max(1, min(message, self.story[step].messages))
        return self.shown_at(step, message)


class ShippedRuns:
    """The runs of lessons, of which the latest ones are kept decoded."""

    def __init__(self, lessons: LessonRuns) -> None:
        self._lessons = lessons
        self._kept: OrderedDict[tuple[str, str | None], PlayedRun] = OrderedDict()

    async def get(self, lesson: str, kafka: str | None = None) -> PlayedRun:
        """A lesson by its id or alias under a release, by default under its own.

        Raises NotFoundError if there is no such lesson, and InvalidInputError if there is no such
        release or if the lesson's initial state is impossible in it.
        """
        run = self._kept.get((lesson, kafka))
        if run is None:
            run = shipped_run(await self._lessons.run(lesson, kafka))
            self._kept[lesson, kafka] = run
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end((lesson, kafka))
        return run


def shipped_run(lesson: LessonRun) -> PlayedRun:
    """The run of a lesson."""
    lesson_id = lesson.scenario["id"]
    return played_run(lesson, path=f"/lessons/{lesson_id}", name=f"lesson {lesson_id}")


def played_run(lesson: LessonRun, *, path: str = "", name: str | None = None) -> PlayedRun:
    """The run of a scenario. Without a path, it has no page."""
    scenario_id = lesson.scenario["id"]
    return PlayedRun(
        about=About(
            path=path,
            query=f"kafka={lesson.kafka}",
            counts="steps",
            name=name or f"scenario {scenario_id}",
            file_name=f"highwater-{scenario_id}-{lesson.kafka}",
            at_frame=_telling(lesson),
            scenario=lesson.scenario,
            kafka=lesson.kafka,
            control=lesson.control,
            engine=lesson.engine,
            title=lesson.words["title"],
        ),
        entries=lesson.frames,
        lesson=lesson,
    )


def _telling(lesson: LessonRun) -> FrameNumber:
    """The end of the step with the most important frame."""
    number = telling_number(
        ((frame["frame"], [event["kind"] for event in frame["events"]]) for frame in lesson.frames),
        {name: found["first_frame"] for name, found in lesson.frames[-1]["properties"].items()},
        last=lesson.frames[-1]["frame"],
    )
    step = next(step for step in lesson.story if step.first_frame <= number <= step.last_frame)
    return step.last_frame


def _number_in(query: Mapping[str, str], name: str) -> int | None:
    written = query.get(name, "")
    return int(written) if _NUMBER.fullmatch(written) else None
