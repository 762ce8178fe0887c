"""The steps of a run: which frames form one, its title for the timeline, and its summary, in every
language.

A run is a list of steps, each of which expands into its messages, the frames. The effect of one
entry of a scenario's `steps`, or of one user's step, is one step; consecutive equal steps without a
text between them are merged. A step that passes time may create any number of frames, so it is
split where something notable happens. A frame's place depends only on its ancestors: it does not
change when the run continues, and on a branch the numbers continue from the parent's.

A title names the step or, if time passed, its result. A summary is one sentence with the few most
important groups of events. It uses separate short texts instead of the sentences of frames: the
titles are next to the labels of steps (`narration/steps.ftl`), the others in `narration/story.ftl`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import chain, groupby, pairwise
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct

from sim_engine.actions import STEP_NAMED
from sim_engine.actions.base import name_of, specs_of
from sim_engine.actions.steps import Config, Detect, TimeStep
from sim_engine.events import mark_of, rank_of
from sim_engine.events.base import MARKS, Mark
from sim_engine.events.controller import (
    BrokerFenced,
    BrokerJoined,
    BrokerRegistered,
    BrokerUnfenced,
    LeaderElected,
    LeaderLost,
    SessionExpired,
)
from sim_engine.events.log import RecordLost
from sim_engine.events.run import ActionRefused, PropertyViolated
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import Document, JsonObject, JsonView, as_items, as_mapping
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, messages
from sim_engine.languages.fluent import Message, Pattern, Selection, Value
from sim_engine.languages.fluent import placeholders as placeholders_of
from sim_engine.narration import reason_text, settings_named, text_id, texts_in
from sim_engine.story.event_groups import (
    EventData,
    event_groups_of,
    in_hindsight,
    most_significant,
    overtaken,
)

NO_MARKS: frozenset[Mark] = frozenset()

_NEVER_DIVIDES: frozenset[Mark] = frozenset({"divergence"})
"""The kinds that do not divide a step that passes time: that two logs differ is told with what it
leads to.
"""

_ENDS_WITH: Mapping[Mark, Mark] = {"truncation": "isr"}
"""A kind, and the kind that does not divide a step after it: a follower that has truncated its log
and caught up joins the ISR. The step then still shows what the truncation removed.
"""

DIVIDED = frozenset(name_of(kind) for kind in get_args(TimeStep))
"""The steps that pass time, which may be split into several steps of the story."""

Case: TypeAlias = tuple[str, str | None]
"""The kind and the variant of an event, which stored frames have too."""


class Act(Struct, frozen=True, gc=False, kw_only=True):
    """A step of a scenario or of a user, as it was performed in the run.

    `number` counts the acts of the run, `step` is its form in a scenario file, and `item` its entry
    in the scenario's steps, null for a user's step. `title` is its title by language if it has no
    form in a scenario file; otherwise null.
    """

    number: int
    step: JsonView
    item: int | None
    title: Mapping[str, str] | None = None

    @property
    def kind(self) -> str:
        """The name of the step in a scenario file."""
        return next(iter(self.step))


class Place(Struct, frozen=True, gc=False, kw_only=True):
    """The place of a frame: the number of its step, the act that created it, and the notable events
    of the step so far. Frame 0 is step 0 and has no act.
    """

    step: int
    act: Act | None
    noted: frozenset[Mark]


START = Place(step=0, act=None, noted=NO_MARKS)


def marks_of(cases: Iterable[Case]) -> frozenset[Mark]:
    """The notable kinds among a frame's events."""
    return frozenset(
        mark for kind, variant in cases for mark in (mark_of(kind, variant),) if mark is not None
    )


def place_after(before: Place, act: Act, marks: frozenset[Mark], said: Set[int]) -> Place:
    """The place of a frame that `act` created after a frame at `before`.

    `marks` are the notable kinds in it; `said` are the indexes in the scenario's steps of the notes
    and questions that are shown.
    """
    if before.act is None or not _goes_on(before.act, act, said):
        return Place(step=before.step + 1, act=act, noted=marks)
    dividing = before.noted - _NEVER_DIVIDES
    ends = {end for mark, end in _ENDS_WITH.items() if mark in dividing}
    if act.kind in DIVIDED and dividing and not marks - _NEVER_DIVIDES - ends <= dividing:
        return Place(step=before.step + 1, act=act, noted=marks)
    if act is before.act and marks <= before.noted:
        return before
    return Place(step=before.step, act=act, noted=before.noted | marks)


def _goes_on(last: Act, act: Act, said: Set[int]) -> bool:
    """Whether an act belongs to the same step as the previous one."""
    if act.number == last.number:
        return True
    if act.step != last.step:
        return False
    if act.item is None or last.item is None:
        return act.item is last.item
    return not any(last.item < place < act.item for place in said)


_AnyMark = TypeVar("_AnyMark", bound=str)
_Thing: TypeAlias = tuple[object, ...]

_BY_FRAME: Final = frozenset[Mark]({"fault"})
"""One action causes the fault, however many links it cuts or messages it drops."""
_OF_RECORDS: Final = frozenset[Mark]({"loss", "at_risk"})


def counts_by_mark(
    frames: Mapping[_AnyMark, Sequence[object]], events: Iterable[EventData]
) -> dict[_AnyMark, int]:
    """How many records, elections and so on the marks of a step stand for; `frames` are the frames
    of each mark, which are counted themselves for faults and an author's texts.

    An election mark may stand for none: a lost leader has the mark, but elects nobody.
    """
    happened: dict[str, set[_Thing]] = {}
    violated: dict[str, set[_Thing]] = {}
    for number, event in enumerate(events):
        # A violated property repeats what the other events of its mark report.
        found = violated if event.kind == PropertyViolated.__name__ else happened
        for mark in marks_of([(event.kind, event.variant)]) - _BY_FRAME:
            found.setdefault(mark, set()).update(_things_of(event, number, mark))
    counted = violated | happened
    return {
        mark: len(counted[mark]) if mark in counted else len(marked)
        for mark, marked in frames.items()
    }


def _things_of(event: EventData, number: int, mark: Mark) -> set[_Thing]:
    """What one event adds to the count of a mark; the same record is the same thing."""
    if event.kind == LeaderLost.__name__:
        return set()
    numbers = event.numbers
    partition = numbers.get("partition")
    if event.kind == RecordLost.__name__:
        return {(partition, numbers.get("offset"), numbers.get("value"))}
    if mark in _OF_RECORDS:
        offsets, values = as_items(numbers.get("offsets")), as_items(numbers.get("values"))
        return {(partition, *record) for record in zip(offsets, values, strict=False)}
    return {(number,)}


WordMark: TypeAlias = Literal["note", "question"]
_WORD_MARKS: tuple[WordMark, ...] = get_args(WordMark)

StoryMark: TypeAlias = Mark | WordMark
"""The kind of mark that a step has on the timeline."""

_FILE = "narration/story"
_STEPS = "narration/steps"

MOST_WORDS = 28
"""The largest number of English words in a summary; the least important facts are dropped."""
_MOST_VALUES = 3
"""A title with more records than this counts them instead of naming them."""
_MOST_NAMED = 4
"""A summary with more records than this names only the first and the last."""
_MS_A_SECOND = 1000
_DURATIONS = (("ms", "time"), ("checked_ms", "time"), ("elapsed_ms", "elapsed"))
"""The values in ms that a text names as a duration, and the names of their words."""
_OF_PARTITIONS = frozenset({"of_partitions", "to_partitions"})
"""The partitions of a clause in words, empty if the scenario has only one."""
_MADE_OF = {
    **dict.fromkeys(("subject", "owner"), "brokers"),
    **dict.fromkeys(_OF_PARTITIONS, "partitions"),
    "named_replicas": "replicas",
}
"""The words that are made of a list of an event, and the list."""
_NOTICED = frozenset(
    kind.__name__
    for kind in (SessionExpired, BrokerFenced, BrokerUnfenced, BrokerJoined, BrokerRegistered)
)
"""The events of a detection by the controller: the first one gives a `detect` step its title."""


class Setting(Struct, frozen=True):
    """The parts of a scenario that affect the texts of its steps.

    `brokers` and `partitions` are their numbers: a title names a broker or a partition only if
    there are several. `words` maps an entry of the scenario's steps to the author's texts after it;
    -1 is the start.
    """

    brokers: int
    partitions: int
    words: Mapping[int, Set[WordMark]]


class StoryFrame(Struct, frozen=True, gc=False):
    """The parts of a frame that the story needs."""

    frame: FrameNumber
    place: Place
    events: tuple[EventData, ...]


class StoryStepDocument(Document, frozen=True, kw_only=True):
    """One step of a run: the effect of one entry of the scenario's steps, or of one step by a user.

    Consecutive equal steps are merged. A step that lets time pass is split where something notable
    happens. A frame's step never changes. On a branch, the numbers continue from the parent's.
    """

    step: int
    """Its number on its branch; 0 is the start."""
    title: Mapping[str, str]
    """Its short name on the timeline, by language."""
    summary: Mapping[str, str]
    """A sentence about what happened in it, by language."""
    first_frame: FrameNumber
    last_frame: FrameNumber
    """Its last frame so far. An equal step that follows extends it."""
    telling_frame: FrameNumber
    """Its most important frame."""
    messages: int
    """The number of its frames on this branch."""
    repeated: int
    """The number of equal steps that were merged into it."""
    marks: tuple[StoryMark, ...]
    """The notable events in it, most important first."""
    mark_frames: Mapping[StoryMark, tuple[FrameNumber, ...]]
    """The frames of each mark."""
    mark_counts: Mapping[StoryMark, int]
    """How many records, elections and so on each mark stands for. 0 for an election mark if the
    step only loses a leader."""


def story_steps(frames: Iterable[StoryFrame], setting: Setting) -> Iterator[StoryStepDocument]:
    """The steps of some frames of one branch, in order."""
    grouped = (tuple(group) for _, group in groupby(frames, key=lambda frame: frame.place.step))
    none: tuple[StoryFrame, ...] = ()
    for group, following in pairwise(chain(grouped, (none,))):
        yield _step_of(group, following[0] if following else None, setting)


def _step_of(
    frames: Sequence[StoryFrame], following: StoryFrame | None, setting: Setting
) -> StoryStepDocument:
    """The step with these frames, before the frame `following`; None if none follows."""
    acts = {frame.place.act.number: frame.place.act for frame in frames if frame.place.act}
    happened = [event for frame in frames for event in frame.events]
    with_text = [event for event in happened if _clause(event, DEFAULT_LANGUAGE) is not None]
    told = event_groups_of(in_hindsight(with_text), _spoken_of)
    groups = [_in_setting(group, setting) for group in told]
    chosen = _fitting(most_significant(groups))
    marked = _frames_by_mark(frames, following, setting)
    notable = any(mark in MARKS for mark in marked)
    done = list(acts.values())
    return StoryStepDocument(
        step=frames[0].place.step,
        title={lang: _title(done, groups, notable, setting, lang) for lang in LANGUAGES},
        summary={lang: _sentence(chosen, lang) for lang in LANGUAGES},
        first_frame=frames[0].frame,
        last_frame=frames[-1].frame,
        telling_frame=_most_important(frames).frame,
        messages=len(frames),
        repeated=max(1, len(acts)),
        marks=tuple(marked),
        mark_frames=marked,
        mark_counts=counts_by_mark(marked, happened),
    )


def _frames_by_mark(
    frames: Sequence[StoryFrame], following: StoryFrame | None, setting: Setting
) -> dict[StoryMark, tuple[FrameNumber, ...]]:
    """The marks of a step, the most important first and the author's last, with their frames."""
    found: dict[StoryMark, list[FrameNumber]] = {}
    for frame, next_frame in pairwise((*frames, following)):
        assert frame is not None, "only the last one may be None"
        marks: set[StoryMark] = {*marks_of((event.kind, event.variant) for event in frame.events)}
        entry = _entry_of(frame)
        if entry is not None and (next_frame is None or _entry_of(next_frame) != entry):
            marks |= setting.words.get(entry, frozenset())
        for mark in marks:
            found.setdefault(mark, []).append(frame.frame)
    ordered: tuple[StoryMark, ...] = (*MARKS, *_WORD_MARKS)
    return {mark: tuple(found[mark]) for mark in ordered if mark in found}


def _most_important(frames: Sequence[StoryFrame]) -> StoryFrame:
    """The frame with the most important event, the last of equal ones; without events, the last
    frame. One with an event that the same step overtakes comes after all others.
    """
    gone = overtaken([event for frame in frames for event in frame.events])
    ranked: list[tuple[bool, int, int]] = []
    place = 0
    for position, frame in enumerate(frames):
        if frame.events:
            late = not gone.isdisjoint(range(place, place + len(frame.events)))
            rank = min(rank_of(event.kind, event.variant) for event in frame.events)
            ranked.append((late, rank, -position))
        place += len(frame.events)
    return frames[-min(ranked)[-1]] if ranked else frames[-1]


def _entry_of(frame: StoryFrame) -> int | None:
    """The entry of the scenario that created a frame; -1 for the start, None for a user's step."""
    return -1 if frame.place.act is None else frame.place.act.item


# --- titles --------------------------------------------------------------------------------------


def _title(
    acts: Sequence[Act], groups: Sequence[EventData], notable: bool, setting: Setting, lang: str
) -> str:
    """The title of a step: one or two lines on a timeline. `notable`: an event in it has a mark."""
    if not acts:
        return _say("beginning", {}, lang)
    if acts[0].title is not None:
        return acts[0].title[lang]
    kind = acts[0].kind
    title = None
    if kind in DIVIDED and notable:
        title = _first_title(sorted(groups, key=lambda group: group.rank), lang)
    elif kind == name_of(Detect):
        title = _first_title([group for group in groups if group.kind in _NOTICED], lang)
    if title is None:
        words = messages(lang, _STEPS)[kind].attributes["title"]
        title = texts_in(lang).fill(words, _arguments(acts[0], groups, setting, lang))
    if any(group.kind == ActionRefused.__name__ for group in groups):
        title = _say("refused", {"title": title}, lang)
    if len(acts) > 1:
        title = _say("repeated", {"title": title, "count": len(acts)}, lang)
    return title


def _first_title(groups: Iterable[EventData], lang: str) -> str | None:
    """The title of the first of some groups that has one."""
    for group in groups:
        clause = _clause(group, lang)
        if clause is not None and "title" in clause.attributes:
            return texts_in(lang).fill(clause.attributes["title"], _numbers(group, lang)).strip()
    return None


def _arguments(act: Act, groups: Sequence[EventData], setting: Setting, lang: str) -> JsonObject:
    """The values for a title: the step's arguments, null if they were not given.

    `who` and `where` are broker and partition, if there are several to distinguish; `many` is the
    number of values, if they are too many to be named.
    """
    given = as_mapping(act.step[act.kind])
    kind = STEP_NAMED[act.kind]
    if kind is Config:
        return {"settings": settings_named(given)}
    arguments: JsonObject = {**{spec.written: None for spec in specs_of(kind)}, **given}
    partition = given.get("partition", given.get("to"))
    values = as_items(given.get("values"))
    arguments["who"] = given.get("broker") if setting.brokers > 2 else None
    arguments["where"] = partition if setting.partitions > 1 else None
    arguments["many"] = len(values) if len(values) > _MOST_VALUES else None
    if "ms" in given:
        arguments["time"] = _time(given["ms"], lang)
    if arguments.get("leader") is None:
        elected = [group.numbers for group in groups if group.kind == LeaderElected.__name__]
        arguments["leader"] = elected[-1]["leader"] if elected else None
    return arguments


# --- summaries -----------------------------------------------------------------------------------


def _fitting(groups: Sequence[EventData]) -> Sequence[EventData]:
    """As many groups as fit, the same in every language. Names of partitions do not count."""
    while len(groups) > 1 and _words_in(groups) > MOST_WORDS:
        groups = most_significant(groups, len(groups) - 1)
    return groups


def _words_in(groups: Sequence[EventData]) -> int:
    unplaced = [_with_partitions(group, ()) for group in groups]
    return len(_sentence(unplaced, DEFAULT_LANGUAGE).split())


def _sentence(groups: Sequence[EventData], lang: str) -> str:
    if not groups:
        return _say("summary-nothing", {}, lang)
    clauses: dict[str, str] = {}
    last_brokers: Set[object] = frozenset()
    last_begins: str | None = None
    last_partitions: object = None
    for name, group in zip(("first", "second", "third"), groups, strict=False):
        clause = _clause(group, lang)
        assert clause is not None, "groups without a text are omitted"
        assert clause.text is not None, "the clause has a text"
        brokers = frozenset(as_items(group.numbers.get("brokers")))
        after = last_begins if brokers and brokers == last_brokers else None
        if "partitions" in _spoken_of(group.kind, group.variant):
            partitions = group.numbers["partitions"]
            if partitions == last_partitions:
                # A clause is about the partitions that the clause before it named.
                group = _with_partitions(group, ())
            last_partitions = partitions
        clauses[name] = texts_in(lang).fill(clause.text, _numbers(group, lang, after=after)).strip()
        if name == "first" and _begins_with_words(clause.text):
            clauses[name] = clauses[name][:1].upper() + clauses[name][1:]
        last_brokers, last_begins = brokers, _begins_with_brokers(clause.text)
    return _say(f"summary-{len(clauses)}", clauses, lang)


def _numbers(group: EventData, lang: str, *, after: str | None = None) -> JsonObject:
    """The values for a clause: the group's numbers, its brokers as the subject, its partitions and
    a reason in words. `after`: how the previous clause begins with the same brokers,
    see `_begins_with_brokers`; None if it does not.
    """
    numbers = dict(group.numbers)
    values = as_items(numbers.get("values"))
    if len(values) > _MOST_NAMED:
        numbers["values"] = [values[0], f"… {values[-1]}"]
    if "brokers" in numbers:
        brokers = sorted(int(str(one)) for one in as_items(numbers["brokers"]))
        numbers["named"] = _named(brokers, lang)
        # For languages without a category for one.
        numbers["broker_count"] = len(brokers)
        suffix = "" if after is None else "-again"
        for name in ("subject", "owner"):
            numbers[name] = _say(f"{name}{suffix}", numbers, lang)
        if after == "owner":
            numbers["subject"] = _say("subject-after-owner", numbers, lang)
    if numbers.get("replicas"):
        replicas = sorted(int(str(one)) for one in as_items(numbers["replicas"]))
        numbers["named_replicas"] = _named(replicas, lang)
    for name in _OF_PARTITIONS:
        numbers[name] = _say(name.replace("_", "-"), {"partitions": numbers["partitions"]}, lang)
    for name, words in _DURATIONS:
        if name in numbers:
            numbers[words] = _time(numbers[name], lang)
    if group.kind == ActionRefused.__name__ and group.variant is not None:
        numbers["reason"] = reason_text(group.variant, numbers, lang)
    return numbers


def _named(brokers: Sequence[int], lang: str) -> str:
    """Brokers in a sentence: "2 and 3"."""
    named = str(brokers[0])
    for broker in brokers[1:-1]:
        named = _say("named-next", {"named": named, "broker": broker}, lang)
    if len(brokers) == 1:
        return named
    return _say("named-last", {"named": named, "broker": brokers[-1]}, lang)


def _time(ms: object, lang: str) -> str:
    """A duration in ms as text, in seconds if it is at least one second."""
    assert isinstance(ms, int), "a duration is a number of ms"
    if ms < _MS_A_SECOND:
        return _say("milliseconds", {"amount": ms}, lang)
    return _say("seconds", {"amount": f"{ms / _MS_A_SECOND:g}"}, lang)


def _in_setting(group: EventData, setting: Setting) -> EventData:
    """The group with its partitions in order; without them if there is only one."""
    several = setting.partitions > 1
    named = map(str, as_items(group.numbers["partitions"]))
    return _with_partitions(group, sorted(named) if several else ())


def _with_partitions(group: EventData, partitions: Sequence[str]) -> EventData:
    return EventData(group.kind, group.variant, {**group.numbers, "partitions": [*partitions]})


def _begins_with_words(pattern: Pattern) -> bool:
    """Whether a clause begins with a word instead of the name of a record or a client."""
    first = pattern[0]
    if isinstance(first, Selection):
        return _begins_with_words(first.variants[first.default])
    return isinstance(first, str) or _begins_with_brokers(pattern) is not None


def _begins_with_brokers(pattern: Pattern) -> str | None:
    """Whether a clause begins with brokers, as its `subject` or as the `owner` of its subject."""
    return next((name for name in ("subject", "owner") if pattern[0] == Value(name)), None)


def _clause(event: EventData, lang: str) -> Message | None:
    """The text for an event: by kind and variant, otherwise by kind; None if there is none."""
    words = messages(lang, _FILE)
    if event.variant is not None:
        found = words.get(text_id(event.kind, event.variant))
        if found is not None:
            return found
    return words.get(event.kind)


@cache
def _spoken_of(kind: str, variant: str | None) -> Set[str]:
    """The names of the values in an event's text."""
    clause = _clause(EventData(kind, variant, {}), DEFAULT_LANGUAGE)
    if clause is None or clause.text is None:
        return frozenset()
    names = placeholders_of(clause.text)
    return names | {_MADE_OF[name] for name in names & _MADE_OF.keys()}


def _say(name: str, numbers: JsonView, lang: str) -> str:
    text = messages(lang, _FILE)[name].text
    assert text is not None, name
    return texts_in(lang).fill(text, numbers)
