"""A share in words: one sentence a step, as the page says them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from backend.frames.narration import sentence
from backend.frames.packing import StoredFrame
from backend.shares.service import Share
from sim_engine import in_language as author_words
from sim_engine import say_message, words_under

# What Markdown would read as its own.
_MARKED = re.compile(r"([\\`*_\[\]<>#|~])")
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_STATUSES = {"holds": "holds", "violated": "violated", "not_exercised": "notExercised"}
"""The message of `service.ftl` for a property's status."""


def headline(frame: StoredFrame, lang: str) -> str:
    """The one sentence of a frame, where there is room for one.

    Frames stored before they named their headline have it first.
    """
    events: Sequence[Mapping[str, Any]] = frame["events"]
    return sentence(events[frame.get("headline", 0)], lang) if events else ""


def in_language(words: object, lang: str) -> str:
    """A text of a scenario: the same in all languages, or one for each.

    Without the marks that turn the direction of what follows: a title must not reorder the name
    of the site beside it.
    """
    if isinstance(words, Mapping):
        words = author_words(words, lang)
    return _DIRECTION.sub("", unicodedata.normalize("NFC", str(words or "")))


def markdown(share: Share, lang: str) -> str:
    """The whole share as a document."""

    def say(name: str, **numbers: object) -> str:
        return say_message(lang, "service", name, **numbers)

    frames = share.entries
    lines = [
        f"# {_plain(in_language(share.title, lang))}",
        "",
        f"Kafka {share.kafka} · {share.control} · Highwater {share.engine}",
        "",
    ]
    summary = in_language(share.scenario.get("summary"), lang)
    if summary and words_under(share.scenario, share.kafka, share.control)["summary"]:
        lines += [_plain(summary), ""]
    for frame in frames:
        depth = frame["depth"]
        name = say("start") if depth == 0 else say("step", step=depth)
        marker = " ◀" if frame["frame"] == share.at else ""
        lines += [f"## {name}{marker}", ""]
        lines += [f"- {_plain(sentence(event, lang))}" for event in frame["events"]]
        lines.append("")
    lines += [f"## {say('properties')}", ""]
    lines += [
        f"- {name}: {say(_STATUSES[found['status']])}"
        for name, found in frames[-1]["properties"].items()
    ]
    return "\n".join(lines) + "\n"


def _plain(words: str) -> str:
    one_line = " ".join(words.split())
    return _MARKED.sub(r"\\\1", one_line)
