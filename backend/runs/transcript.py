"""A run as text, with the page's sentences: its steps with the messages of each, and at the end
the fate of each acknowledged record and the properties."""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from backend.frames.narration import headline, sentence
from backend.runs.run import Run, Shown
from backend.runs.title_and_note import without_direction
from sim_engine.actions import WORD_NAMES
from sim_engine.documents.frames import ChangeDocument
from sim_engine.documents.runs import StoredFrame, StoredProperty, changes_of, read_frame
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import as_items, as_mapping
from sim_engine.languages import in_language as author_words
from sim_engine.languages import say as say_message
from sim_engine.narration import change_name, property_title, value_words
from sim_engine.narration import formula as event_formula
from sim_engine.scenario_reader.version import words_under

# Characters that are markup in Markdown.
_MARKED = re.compile(r"([\\`*_\[\]<>#|~])")


def in_language(words: object, lang: str) -> str:
    """A scenario's text in one language. The text is the same for all languages, or one for each.

    Direction marks are removed, so that a title cannot reorder the text around it.
    """
    if isinstance(words, Mapping):
        words = author_words(words, lang)
    return without_direction(str(words or ""))


def told(shown: Shown, lang: str) -> str:
    """What happened, in one sentence: the summary of a whole step, or the headline of a message."""
    step = shown.whole_step
    return headline(shown.frame, lang) if step is None else in_language(step.summary, lang)


def markdown(shown: Shown, lang: str, base_url: str) -> str:
    """The whole run as Markdown, in which what is shown is marked."""

    def say(name: str, **numbers: object) -> str:
        return say_message(lang, "service", name, **numbers)

    run, about = shown.run, shown.run.about
    frames = run.entries
    lines = [
        f"# {_plain(in_language(about.title, lang))}",
        "",
        f"Kafka {about.kafka} · {about.control} · Highwater {about.engine}",
        "",
    ]
    if about.parent is not None:
        lines += [f"{say('forkedFrom')} <{base_url}{about.parent}>", ""]
    if about.note is not None:
        lines += [f"> {_plain(line)}".rstrip() for line in about.note.split("\n")]
        lines.append("")
    summary = in_language(about.scenario.get("summary"), lang)
    if summary and run.words["summary"]:
        lines += [_plain(summary), ""]
    words = _author_words(run, lang)
    lines += words.get(None, ())
    shown_step = shown.whole_step
    messages = groupby(frames, key=lambda frame: frame["step"])
    for step, (_, made) in zip(run.story, messages, strict=True):
        title = in_language(step.title, lang)
        name = title if step.step == 0 else say("step", step=step.step, title=title)
        here = " ◀" if step is shown_step else ""
        lines += [f"## {_plain(name)}", "", _plain(in_language(step.summary, lang)) + here, ""]
        for frame in made:
            is_shown = shown_step is None and frame["frame"] == shown.frame["frame"]
            lines += _message(frame, lang, control=about.control, is_shown=is_shown)
            lines += words.get(frame["frame"], ())
        lines.append("")
    fates = list(_fates(run, lang))
    if fates:
        lines += [f"## {say('records')}", "", *fates, ""]
    lines += [f"## {say('properties')}", ""]
    step_of = _steps_by_frame(run)
    for name, found in frames[-1]["properties"].items():
        title = property_title(name, lang, violated=False)
        told = say("property", title=title, status=_standing(found, step_of, lang))
        lines.append(f"- {_plain(told)}")
    return "\n".join(lines) + "\n"


def _message(frame: StoredFrame, lang: str, *, control: str, is_shown: bool) -> Iterator[str]:
    """A frame as text: its headline, then its other events and its changes."""
    for number, event in enumerate(frame["events"]):
        formula = event_formula(event["kind"], event.get("variant"), event["numbers"], lang)
        parts = [
            "-" if number == 0 else "  -",
            _plain(sentence(event, lang)),
            *([] if formula is None else [f"`{formula}`"]),
            *(["◀"] if is_shown and number == 0 else []),
        ]
        yield " ".join(parts)
    if not frame["events"]:
        yield f"-{' ◀' if is_shown else ''}"
    for change in changes_of(frame):
        yield f"  - {_change(change, lang, control)}"


def _change(change: ChangeDocument, lang: str, control: str) -> str:
    """One value before and after: `broker 1, t-0: HW 1 → **2**`."""
    whose = []
    if change.broker is not None:
        whose.append(say_message(lang, "service", "ofBroker", broker=change.broker))
    if change.partition is not None:
        whose.append(change.partition)
    name = change_name(change.what, change.subject, lang, control=control)
    before, after = (
        _plain(value_words(change.what, value, lang)) or "–"
        for value in (change.before, change.after)
    )
    owner = f"{', '.join(whose)}: " if whose else ""
    return f"{_plain(owner + name)} {before} → **{after}**"


def _author_words(run: Run, lang: str) -> dict[int | None, list[str]]:
    """The notes and questions that apply, by frame: the last frame of the step before them, or None
    if they are before the first step.
    """
    scenario = run.scenario_on(frame["frame"] for frame in run.entries)
    steps = scenario["steps"]
    last = {frame["item"]: frame["frame"] for frame in run.entries if frame["item"] is not None}
    told: dict[int | None, list[str]] = {}
    for place in words_under(scenario, run.about.kafka, run.about.control)["steps"]:
        (words,) = steps[place].values()
        before = next(
            (at for at in range(place - 1, -1, -1) if not steps[at].keys() <= WORD_NAMES), None
        )
        if before is not None and before not in last:
            continue
        said = told.setdefault(None if before is None else last[before], [])
        said += ["", f"> {_plain(in_language(words, lang))}"]
        if "answers" in as_mapping(words):
            said += [">", *_answers(words, lang)]
        said.append("")
    return told


def _answers(question: Mapping[str, object], lang: str) -> Iterator[str]:
    """The answers, each followed by its reason if the author gives reasons."""
    reasons = as_items(question.get("reasons"))
    for number, answer in enumerate(as_items(question["answers"])):
        right = " ✓" if number == question["correct"] else ""
        yield f"> {number + 1}. {_plain(in_language(answer, lang))}{right}"
        for reason in reasons[number : number + 1]:
            yield f">    - {_plain(in_language(reason, lang))}"


def _fates(run: Run, lang: str) -> Iterator[str]:
    """The fate of each acknowledged record at the end of the branch. The retries of an idempotent
    producer are about one record.
    """
    step_of = _steps_by_frame(run)
    frame = read_frame(run.frame_at(len(run.entries) - 1))
    last = {
        (one.partition, one.id): one for one in frame.state.clients.produced if one.fate is not None
    }
    for one in last.values():
        said = say_message(
            lang,
            "service",
            "recordFate",
            value=one.value,
            acks=one.acks,
            offset=one.offset,
            partition=one.partition,
            fate=one.fate,
            since=None if one.fate_frame is None else step_of[one.fate_frame],
        )
        yield f"- {_plain(said)}"


def _standing(found: StoredProperty, step_of: Mapping[FrameNumber, int], lang: str) -> str:
    """The status of a property: violated now or only earlier, and the step of the first violation.
    Between it and the latest one the property may have held.
    """
    first, until = found["first_frame"], found["until_frame"]
    if first is None:
        name = "notExercised" if found["status"] == "not_exercised" else "holds"
        return say_message(lang, "service", name)
    since = step_of[first]
    if until is None:
        return say_message(lang, "service", "violated", since=since)
    ended = step_of[until]
    return say_message(
        lang, "service", "wasViolated", since=since, until=ended if ended > since else None
    )


def _steps_by_frame(run: Run) -> dict[FrameNumber, int]:
    return {frame["frame"]: frame["step"] for frame in run.entries}


def _plain(words: str) -> str:
    one_line = " ".join(words.split())
    return _MARKED.sub(r"\\\1", one_line)
