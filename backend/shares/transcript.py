"""A share in words: one sentence a step, as the page says them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from backend.frames.narration import sentence
from backend.frames.packing import StoredFrame
from backend.shares.service import Share
from sim_engine import words_under

# What Markdown would read as its own.
_MARKED = re.compile(r"([\\`*_\[\]<>#|~])")
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TITLES = {
    "en": ("Step", "Start", "What holds in the end", "holds", "violated", "not exercised"),
    "zh": ("步骤", "起点", "最终成立的性质", "成立", "被违反", "未检验"),
}


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
        words = words.get(lang) or words.get("en")
    return _DIRECTION.sub("", unicodedata.normalize("NFC", str(words or "")))


def markdown(share: Share, lang: str) -> str:
    """The whole share as a document."""
    step_word, start_word, properties_word, *statuses = _TITLES[lang]
    status_words = dict(zip(("holds", "violated", "not_exercised"), statuses, strict=True))
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
        name = start_word if frame["depth"] == 0 else f"{step_word} {frame['depth']}"
        marker = " ◀" if frame["frame"] == share.at else ""
        lines += [f"## {name}{marker}", ""]
        lines += [f"- {_plain(sentence(event, lang))}" for event in frame["events"]]
        lines.append("")
    lines += [f"## {properties_word}", ""]
    lines += [
        f"- {name}: {status_words.get(found['status'], found['status'])}"
        for name, found in frames[-1]["properties"].items()
    ]
    return "\n".join(lines) + "\n"


def _plain(words: str) -> str:
    one_line = " ".join(words.split())
    return _MARKED.sub(r"\\\1", one_line)
