"""Says the steps of a run in every language: a title for the timeline, and a summary.

A title names what was done; where time passed, what came of it. A summary is one sentence of the
few facts that tell most. Its words are short ones of their own, not the sentences of frames: titles
stand beside the labels of steps (`narration/steps.ftl`), the others in `narration/story.ftl`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import groupby
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from sim_engine.actions import STEP_NAMED, Config, Detect, name_of
from sim_engine.actions.fields import specs_of
from sim_engine.events.controller import (
    BrokerFenced,
    BrokerJoined,
    BrokerRegistered,
    BrokerUnfenced,
    SessionExpired,
)
from sim_engine.events.election import LeaderElected
from sim_engine.events.run import ActionRefused
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject, JsonView
from sim_engine.languages import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    Message,
    Pattern,
    Selection,
    Value,
    messages,
)
from sim_engine.languages import placeholders as placeholders_of
from sim_engine.narration import reason_text, text_id, texts_in
from sim_engine.story.facts import Fact, Happened, facts_of, most_telling
from sim_engine.story.significance import rank_of
from sim_engine.story.steps import DIVIDED, MARKS, Act, Mark, Place, marks_of

WordMark: TypeAlias = Literal["note", "question"]
_WORD_MARKS: tuple[WordMark, ...] = get_args(WordMark)

_FILE = "narration/story"
_STEPS = "narration/steps"

MOST_WORDS = 28
"""A summary drops what tells least until it has no more English words than this."""
_MOST_VALUES = 3
"""A title counts the records that it would not have room to name."""
_MOST_NAMED = 4
"""A summary names the first and the last of more records than this."""
_MS_A_SECOND = 1000
_NOTICED = frozenset(
    kind.__name__
    for kind in (SessionExpired, BrokerFenced, BrokerUnfenced, BrokerJoined, BrokerRegistered)
)
"""What the controller may notice of a broker: the first of it is what a `detect` is called."""


class Setting(Struct, frozen=True):
    """What of a scenario decides how its steps are called: how many brokers and partitions there
    are to tell apart. `words` is what the author adds after an entry of the scenario's steps, with
    -1 for the start."""

    brokers: int
    partitions: int
    words: Mapping[int, Set[WordMark]]


class ToldFrame(Struct, frozen=True, gc=False):
    """A frame, as far as the story reads it."""

    frame: FrameNumber
    place: Place
    events: tuple[Happened, ...]


class StoryStep(Struct, frozen=True, gc=False, kw_only=True):
    """One step of a run as it is told: texts by language, and the frames that it opens into.

    `repeated` is how many equal acts it is, `messages` how many frames, and `telling_frame` the one
    in which that happened which tells most.
    """

    step: int
    title: Mapping[str, str]
    summary: Mapping[str, str]
    first_frame: FrameNumber
    last_frame: FrameNumber
    telling_frame: FrameNumber
    messages: int
    repeated: int
    marks: tuple[Mark | WordMark, ...]


def tell(frames: Iterable[ToldFrame], setting: Setting) -> Iterator[StoryStep]:
    """The steps that some frames of one branch belong to, in order."""
    for _, group in groupby(frames, key=lambda frame: frame.place.step):
        yield _told(tuple(group), setting)


def _told(frames: Sequence[ToldFrame], setting: Setting) -> StoryStep:
    acts = {frame.place.act.number: frame.place.act for frame in frames if frame.place.act}
    happened = [event for frame in frames for event in frame.events]
    marks = marks_of((event.kind, event.variant) for event in happened)
    told = [event for event in happened if _clause(event, DEFAULT_LANGUAGE) is not None]
    facts = [_in_setting(fact, setting) for fact in facts_of(told, _spoken_of)]
    chosen = _fitting(most_telling(facts))
    author = {mark for item in _items(acts.values()) for mark in setting.words.get(item, ())}
    done = list(acts.values())
    return StoryStep(
        step=frames[0].place.step,
        title={lang: _title(done, facts, marks, setting, lang) for lang in LANGUAGES},
        summary={lang: _sentence(chosen, lang) for lang in LANGUAGES},
        first_frame=frames[0].frame,
        last_frame=frames[-1].frame,
        telling_frame=_telling(frames).frame,
        messages=len(frames),
        repeated=max(1, len(acts)),
        marks=(
            *(mark for mark in MARKS if mark in marks),
            *(mark for mark in _WORD_MARKS if mark in author),
        ),
    )


def _telling(frames: Sequence[ToldFrame]) -> ToldFrame:
    """The frame with the event that tells most, the last of equal ones; without events the last."""
    ranked = [
        (min(rank_of(event.kind, event.variant) for event in frame.events), -position)
        for position, frame in enumerate(frames)
        if frame.events
    ]
    return frames[-min(ranked)[1]] if ranked else frames[-1]


def _items(acts: Iterable[Act]) -> Set[int]:
    """The entries of the scenario that a step is; the start, where nothing was done, is -1."""
    items = {act.item for act in acts}
    return {item for item in items if item is not None} if items else {-1}


# --- titles --------------------------------------------------------------------------------------


def _title(
    acts: Sequence[Act], facts: Sequence[Fact], marks: Set[Mark], setting: Setting, lang: str
) -> str:
    """What a step is called: a line or two on a timeline."""
    if not acts:
        return _say("beginning", {}, lang)
    if acts[0].title is not None:
        return acts[0].title[lang]
    kind = acts[0].kind
    title = None
    if kind in DIVIDED and marks:
        title = _first_title(sorted(facts, key=lambda fact: fact.rank), lang)
    elif kind == name_of(Detect):
        title = _first_title([fact for fact in facts if fact.kind in _NOTICED], lang)
    if title is None:
        words = messages(lang, _STEPS)[kind].attributes["title"]
        title = texts_in(lang).fill(words, _arguments(acts[0], facts, setting, lang))
    if any(fact.kind == ActionRefused.__name__ for fact in facts):
        title = _say("refused", {"title": title}, lang)
    if len(acts) > 1:
        title = _say("repeated", {"title": title, "count": len(acts)}, lang)
    return title


def _first_title(facts: Iterable[Fact], lang: str) -> str | None:
    """The title of the first of some facts that has one."""
    for fact in facts:
        clause = _clause(fact, lang)
        if clause is not None and "title" in clause.attributes:
            return texts_in(lang).fill(clause.attributes["title"], _numbers(fact, lang))
    return None


def _arguments(act: Act, facts: Sequence[Fact], setting: Setting, lang: str) -> JsonObject:
    """What a title is made of: the step's arguments, null where they were not given.

    `who` and `where` are broker and partition, where there are several to tell apart; `many` is how
    many values there are, where they are too many to be named.
    """
    given = act.step[act.kind] or {}
    kind = STEP_NAMED[act.kind]
    if kind is Config:
        return {"settings": {name: value for name, value in given.items() if name != "topic"}}
    arguments = {**{spec.written: None for spec in specs_of(kind)}, **given}
    partition = given.get("partition", given.get("to"))
    values = given.get("values", ())
    arguments["who"] = given.get("broker") if setting.brokers > 2 else None
    arguments["where"] = partition if setting.partitions > 1 else None
    arguments["many"] = len(values) if len(values) > _MOST_VALUES else None
    if "ms" in given:
        arguments["time"] = _time(given["ms"], lang)
    if arguments.get("leader") is None:
        elected = [fact.numbers for fact in facts if fact.kind == LeaderElected.__name__]
        arguments["leader"] = elected[-1]["leader"] if elected else None
    return arguments


# --- summaries -----------------------------------------------------------------------------------


def _fitting(facts: Sequence[Fact]) -> Sequence[Fact]:
    """As many of some facts as there is room for, in every language the same."""
    while len(facts) > 1 and len(_sentence(facts, DEFAULT_LANGUAGE).split()) > MOST_WORDS:
        least = max(facts, key=lambda fact: fact.rank)
        facts = [fact for fact in facts if fact is not least]
    return facts


def _sentence(facts: Sequence[Fact], lang: str) -> str:
    if not facts:
        return _say("summary-nothing", {}, lang)
    clauses: dict[str, str] = {}
    last_brokers = None
    for name, fact in zip(("first", "second", "third"), facts, strict=False):
        clause = _clause(fact, lang)
        assert clause is not None, "facts without words were left out"
        assert clause.text is not None, "it has words"
        brokers = fact.numbers.get("brokers")
        again = brokers is not None and brokers == last_brokers
        clauses[name] = texts_in(lang).fill(clause.text, _numbers(fact, lang, again=again)).strip()
        if name == "first" and _begins_with_words(clause.text):
            clauses[name] = clauses[name][:1].upper() + clauses[name][1:]
        last_brokers = brokers if _is_about_brokers(clause.text) else None
    return _say(f"summary-{len(clauses)}", clauses, lang)


def _numbers(fact: Fact, lang: str, *, again: bool = False) -> JsonObject:
    """What a clause is made of: the fact's numbers, its brokers as subject, a reason in words."""
    numbers = dict(fact.numbers)
    values = numbers.get("values") or []
    if len(values) > _MOST_NAMED:
        numbers["values"] = [values[0], f"… {values[-1]}"]
    if "brokers" in numbers:
        suffix = "-again" if again else ""
        for name in ("subject", "owner"):
            numbers[name] = _say(f"{name}{suffix}", {"brokers": numbers["brokers"]}, lang)
    if "ms" in numbers:
        numbers["time"] = _time(numbers["ms"], lang)
    if fact.kind == ActionRefused.__name__ and fact.variant is not None:
        numbers["reason"] = reason_text(fact.variant, numbers, lang)
    return numbers


def _time(ms: int, lang: str) -> str:
    """A stretch of time, in seconds where it has some."""
    if ms < _MS_A_SECOND:
        return _say("milliseconds", {"amount": ms}, lang)
    return _say("seconds", {"amount": f"{ms / _MS_A_SECOND:g}"}, lang)


def _in_setting(fact: Fact, setting: Setting) -> Fact:
    """A fact that names no partition where there is one alone."""
    if setting.partitions > 1:
        return fact
    return Fact(fact.kind, fact.variant, {**fact.numbers, "partitions": []})


def _begins_with_words(pattern: Pattern) -> bool:
    """Whether a clause begins with words, and not with the name of a record or a client."""
    first = pattern[0]
    if isinstance(first, Selection):
        return _begins_with_words(first.variants[first.default])
    return isinstance(first, str) or _is_about_brokers(pattern)


def _is_about_brokers(pattern: Pattern) -> bool:
    return pattern[0] in (Value("subject"), Value("owner"))


def _clause(event: Happened | Fact, lang: str) -> Message | None:
    """The words for an event: by its kind and variant, else by its kind; null where it has none."""
    words = messages(lang, _FILE)
    if event.variant is not None:
        found = words.get(text_id(event.kind, event.variant))
        if found is not None:
            return found
    return words.get(event.kind)


@cache
def _spoken_of(kind: str, variant: str | None) -> Set[str]:
    """The numbers that the words for an event speak of."""
    clause = _clause(Happened(kind, variant, {}), DEFAULT_LANGUAGE)
    if clause is None or clause.text is None:
        return frozenset()
    names = placeholders_of(clause.text)
    return names | {"brokers"} if names & {"subject", "owner"} else names


def _say(name: str, numbers: JsonView, lang: str) -> str:
    text = messages(lang, _FILE)[name].text
    assert text is not None, name
    return texts_in(lang).fill(text, numbers)
