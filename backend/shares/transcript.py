"""A share in words, as the page says them: its steps, and the messages of each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from backend.frames.narration import sentence
from backend.frames.packing import StoredFrame
from backend.shares.shown import Share
from backend.shares.words import without_direction
from sim_engine import (
    JsonView,
    change_name,
    event_formula,
    say_message,
    value_words,
    words_under,
)
from sim_engine import in_language as author_words

# What Markdown would read as its own.
_MARKED = re.compile(r"([\\`*_\[\]<>#|~])")
_SAID = frozenset({"note", "ask", "expect"})
"""The entries of a scenario's steps that make no frame."""
_STATUSES = {"holds": "holds", "violated": "violated", "not_exercised": "notExercised"}
"""The message of `service.ftl` for a property's status."""


def headline(frame: StoredFrame, lang: str) -> str:
    """The one sentence of a frame, where there is room for one.

    Frames stored before they named their headline have it first.
    """
    events: Sequence[JsonView] = frame["events"]
    return sentence(events[frame.get("headline", 0)], lang) if events else ""


def in_language(words: object, lang: str) -> str:
    """A text of a scenario: the same in all languages, or one for each.

    Without the marks that turn the direction of what follows: a title must not reorder the name
    of the site beside it.
    """
    if isinstance(words, Mapping):
        words = author_words(words, lang)
    return without_direction(str(words or ""))


def markdown(share: Share, lang: str, link: str) -> str:
    """The whole share as a document. `link` is its address."""

    def say(name: str, **numbers: object) -> str:
        return say_message(lang, "service", name, **numbers)

    frames = share.entries
    lines = [
        f"# {_plain(in_language(share.title, lang))}",
        "",
        f"Kafka {share.kafka} · {share.control} · Highwater {share.engine}",
        "",
    ]
    if share.parent is not None:
        parent = link.removesuffix(share.sid) + share.parent
        lines += [f"{say('forkedFrom')} <{parent}>", ""]
    if share.note is not None:
        lines += [f"> {_plain(line)}".rstrip() for line in share.note.split("\n")]
        lines.append("")
    summary = in_language(share.scenario.get("summary"), lang)
    if summary and words_under(share.scenario, share.kafka, share.control)["summary"]:
        lines += [_plain(summary), ""]
    words = _author_words(share, lang)
    lines += words.get(None, ())
    messages = groupby(frames, key=lambda frame: frame["step"])
    for step, (_, made) in zip(share.story, messages, strict=True):
        title = in_language(step.title, lang)
        name = title if step.step == 0 else say("step", step=step.step, title=title)
        lines += [f"## {_plain(name)}", "", _plain(in_language(step.summary, lang)), ""]
        for frame in made:
            lines += _message(frame, lang, is_shown=frame["frame"] == share.at)
            lines += words.get(frame["frame"], ())
        lines.append("")
    lines += [f"## {say('properties')}", ""]
    lines += [
        f"- {name}: {say(_standing(found))}" for name, found in frames[-1]["properties"].items()
    ]
    return "\n".join(lines) + "\n"


def _message(frame: StoredFrame, lang: str, *, is_shown: bool) -> Iterator[str]:
    """A frame in words: what happened first, below it what that led to, and what it changed."""
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
    for change in frame.get("changes", ()):
        yield f"  - {_change(change, lang)}"


def _change(change: JsonView, lang: str) -> str:
    """One value before and after: `broker 1, t-0: HW 1 → **2**`."""
    whose = [] if change["broker"] is None else [f"broker {change['broker']}"]
    if change["partition"] is not None:
        whose.append(change["partition"])
    what = change["what"]
    name = change_name(what, change["subject"], lang)
    before, after = (
        _plain(value_words(what, change[when], lang)) or "–" for when in ("before", "after")
    )
    owner = f"{', '.join(whose)}: " if whose else ""
    return f"{_plain(owner + name)} {before} → **{after}**"


def _author_words(share: Share, lang: str) -> dict[int | None, list[str]]:
    """The notes and questions that apply, by the frame that they belong to: the last one of the
    step before them, and none where they stand before the first."""
    steps: Sequence[JsonView] = share.scenario["steps"]  # type: ignore[assignment]
    last = {frame["item"]: frame["frame"] for frame in share.entries if frame["item"] is not None}
    told: dict[int | None, list[str]] = {}
    for place in words_under(share.scenario, share.kafka, share.control)["steps"]:
        ((kind, words),) = steps[place].items()
        before = next(
            (at for at in range(place - 1, -1, -1) if not steps[at].keys() <= _SAID), None
        )
        if before is not None and before not in last:
            continue
        said = told.setdefault(None if before is None else last[before], [])
        said += ["", f"> {_plain(in_language(words, lang))}"]
        if kind == "ask":
            said += [">", *_answers(words, lang)]
        said.append("")
    return told


def _answers(question: JsonView, lang: str) -> Iterator[str]:
    for number, answer in enumerate(question["answers"]):
        right = " ✓" if number == question["correct"] else ""
        yield f"> {number + 1}. {_plain(in_language(answer, lang))}{right}"


def _standing(found: JsonView) -> str:
    """The message for a property: what was violated may be in order again."""
    was_violated = found["first_frame"] is not None and found.get("until_frame") is not None
    return "wasViolated" if was_violated else _STATUSES[found["status"]]


def _plain(words: str) -> str:
    one_line = " ".join(words.split())
    return _MARKED.sub(r"\\\1", one_line)
