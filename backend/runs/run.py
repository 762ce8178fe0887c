"""A finished run: its frames with their steps, and what a link shows of it.

A run is read, never changed: it is a stored share, or a shipped lesson under one release. All forms
of a run (pictures, texts, the player) are made from this class alone.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Literal

from backend.frames.packing import whole
from backend.http.errors import NotFoundError, invalid
from sim_engine.documents.author_words import words_on_path
from sim_engine.documents.runs import StoredAct, StoredEvent, StoredFrame, stored_story
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import ScenarioJson
from sim_engine.scenario_reader.version import WordsShown, words_under
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import StoryStepDocument

_MOST_WHOLE = 4
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a run is, apart from its frames."""

    path: str
    """The path of its page. Its files have the same path with an extension, and its embed with
    `/e/v1` before it. Empty if it has no page, because no service knows the run."""
    query: str = ""
    """The query that the path needs to mean this run; of a lesson, its release."""
    counts: Literal["frames", "steps"] = "frames"
    """What its links count: frames by their numbers, or the steps of the story."""
    name: str
    """The word for its kind, and its id."""
    file_name: str
    """The name of its files, without an extension."""
    at_frame: FrameNumber
    """The frame at which it opens."""
    scenario: ScenarioJson
    kafka: str
    control: str
    engine: str
    title: Mapping[str, str]
    digest: str | None = None
    """Of its frames, if they are stored."""
    acts: Sequence[StoredAct] = ()
    """The played steps that created the frames, if the story is not stored."""
    note: str | None = None
    parent: str | None = None
    """The path of the share that it was forked from."""

    @property
    def address(self) -> str:
        """The path of its page, with the query that it needs."""
        return f"{self.path}?{self.query}" if self.query else self.path


@dataclass(frozen=True)
class Run(ABC):
    """A finished run. Its frames are as they are stored: all metadata of each frame, and the
    complete state of some.
    """

    about: About
    entries: list[StoredFrame]
    others: list[StoredFrame] = field(default_factory=list, kw_only=True)
    """The frames of all other branches, if it has them: together with the branch they are the whole
    run.
    """

    @abstractmethod
    def query_of(self, shown: "Shown") -> str:
        """The query of a link that shows a moment of it."""

    @abstractmethod
    def replayed(self) -> Timeline:
        """The branch, performed again by this engine. Raises NotReplayableError."""

    @cached_property
    def story(self) -> Sequence[StoryStepDocument]:
        """The branch in steps."""
        return self.story_of(self.entries, self.about.acts)

    @cached_property
    def frame_at(self) -> Callable[[int], StoredFrame]:
        """The function that gives the complete frame at a position of the branch. The latest ones
        are kept, so nobody may change them.
        """
        return lru_cache(maxsize=_MOST_WHOLE)(partial(whole, self.entries))

    @cached_property
    def words(self) -> WordsShown:
        """The author's words that the link shows."""
        about = self.about
        words = words_under(about.scenario, about.kafka, about.control)
        return {**words, "title": dict(about.title)}

    def scenario_on(self, path: Iterable[FrameNumber]) -> ScenarioJson:
        """The scenario with the author's words that belong to the branch with these frames."""
        in_order = sorted((one["frame"], one["item"]) for one in (*self.entries, *self.others))
        return words_on_path(self.about.scenario, in_order, path)

    def story_of(
        self, entries: list[StoredFrame], acts: Sequence[StoredAct]
    ) -> Sequence[StoryStepDocument]:
        """The steps of a branch: of its frames, and of the played steps that created them."""
        return stored_story(
            entries,
            acts,
            scenario=self.scenario_on(one["frame"] for one in entries),
            kafka=self.about.kafka,
            control=self.about.control,
        )

    def shown_exactly(self, number: int | None = None, *, is_message: bool = False) -> "Shown":
        """Exactly this frame, or the one at which the run opens. Raises NotFoundError if the run
        does not have it.
        """
        wanted = self.about.at_frame if number is None else number
        for position, entry in enumerate(self.entries):
            if entry["frame"] == wanted:
                return Shown(self, self.frame_at(position), is_message)
        raise NotFoundError("This run has no such frame.")

    def frames_between(self, numbers: str | None) -> Sequence[StoredFrame] | None:
        """The entries in an inclusive range of frames such as `3-12`; null without a range.

        Raises InvalidInputError for an invalid range, and NotFoundError if the branch has no frame
        in it.
        """
        if numbers is None:
            return None
        found = _RANGE.fullmatch(numbers)
        if found is None or int(found[1]) > int(found[2]):
            raise invalid("/range", "must be two frame numbers, the first not larger: 3-12")
        first, last = int(found[1]), int(found[2])
        between = [entry for entry in self.entries if first <= entry["frame"] <= last]
        if not between:
            raise NotFoundError("This run has no such frames.")
        return between


@dataclass(frozen=True, slots=True)
class PlaceInStory:
    """The position of what a link shows: its step, the number of steps, and its message within the
    step; 1 of 1 for a whole step.
    """

    step: int
    steps: int
    message: int
    messages: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture of a frame shows, and the complete frame that it is compared with."""

    frame: StoredFrame
    previous: StoredFrame | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a link shows of a run: the whole step that a frame ends, or a single message."""

    run: Run
    frame: StoredFrame
    """Complete."""
    is_message: bool = False
    """Whether the frame is shown as a single message, although it may end a step."""

    @property
    def query(self) -> str:
        """The query of the link."""
        return self.run.query_of(self)

    @property
    def whole_step(self) -> StoryStepDocument | None:
        """The step that is shown as a whole, as on the page; None for a single message."""
        last = self._positions()[-1]
        if self.is_message or self.run.entries[last]["frame"] != self.frame["frame"]:
            return None
        return next(step for step in self.run.story if step.step == self.frame["step"])

    @property
    def place(self) -> PlaceInStory:
        """Its position in the run's story."""
        step, steps = self.frame["step"], self.run.story[-1].step
        if self.whole_step is not None:
            return PlaceInStory(step, steps, message=1, messages=1)
        together = [self.run.entries[position]["frame"] for position in self._positions()]
        message = together.index(self.frame["frame"]) + 1
        return PlaceInStory(step, steps, message, len(together))

    def scene(self) -> Scene:
        """What its picture shows: of a whole step its end, with all of its events, compared with
        the state before it.
        """
        step = self.whole_step
        if step is None:
            return Scene(self.frame, None)
        positions = self._positions()
        events: list[StoredEvent] = []
        headline = 0
        for at in positions:
            entry = self.run.entries[at]
            if entry["frame"] == step.telling_frame:
                headline = len(events) + entry["headline"]
            events += entry["events"]
        merged: StoredFrame = {**self.frame, "events": events, "headline": headline}
        merged.pop("cause", None)  # an index in the events of one frame
        before = positions[0] - 1
        return Scene(merged, None if before < 0 else self.run.frame_at(before))

    def _positions(self) -> list[int]:
        step = self.frame["step"]
        return [at for at, entry in enumerate(self.run.entries) if entry["step"] == step]
