"""A run for the embed's player: on the embed's page, and as a file that plays offline.

The page has an outline of the whole run, and its frames in parts. A part is a block of frames with
all of its texts in one language: the first frame has its complete state, the others have patches.
The outline needs only a few bytes for each step, so a page stays small however long the run is. A
frame contains only what the player draws; the rest is in the run's own documents.

The file is opened from a disk, without a service. It therefore contains its script, its style and
all frames, and its content security policy forbids loading anything.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import PurePosixPath
from typing import Literal

import msgspec
from msgspec import Struct

from backend.frames.packing import whole
from backend.html.frontend_build import (
    FrontendBuild,
    json_island,
    text,
    with_content,
    with_head,
    with_language,
)
from backend.http.errors import UNTIL_MENDED_S, UnavailableError
from backend.limit_table import EMBED_FRAMES
from backend.runs import transcript
from backend.runs.pictures import hash_source
from backend.runs.run import Run, Shown
from backend.runs.title_and_note import paragraphs
from backend.runs.transcript import in_language
from sim_engine.documents.runs import StoredFrame, headline_of
from sim_engine.json_types import JsonObject, PublishedJson
from sim_engine.narration import catalogue
from sim_engine.story.steps import StoryMark

BLOCK = 16
"""Parts begin and end at multiples of this number of frames."""
LARGEST_PART = EMBED_FRAMES.number
"""The most frames in one part: whole blocks."""
_FRAME = ("frame", "step", "headline", "state", "patch")
_EVENT = ("kind", "variant", "numbers", "subject")
_PROPERTY = ("status", "first_frame", "until_frame", "evidence")
SHOWN_PROPERTIES = ("NoAckedRecordLost", "LogMatching", "ConsistentRead", "AckedRecordAtRisk")
"""The properties that the player's header may mention."""


class PlayerStep(Struct, frozen=True):
    """The title of a step and a summary of its events, in the part's language."""

    step: int
    title: str
    summary: str


class PlayerPart(Struct, frozen=True, rename={"start": "from"}):
    """Consecutive frames of an embed's branch."""

    start: int
    """The position of its first frame."""
    frames: list[PublishedJson]
    """The keys of a `FrameEntry` that the player draws."""
    steps: list[PlayerStep]
    """Each step with a frame in the part, and the next step."""
    texts: PublishedJson
    """The texts of the catalogue that the part's sentences need: `events`, `properties` and
    `values`."""


class PlayerOutline(Struct, frozen=True):
    """An embed's run as the player's track shows it, without texts."""

    total: int
    """The number of frames."""
    numbers: list[tuple[int, int]]
    """The frame numbers of the branch, as ranges: the first of each, and how many it has."""
    lengths: list[int]
    """The number of frames of each step, from the start."""
    telling: dict[int, int]
    """By step: the position in it of its most important frame, if that is not its last."""
    marks: dict[int, list[StoryMark]]
    """By step: its timeline marks, the most important first."""


class PlayerRun(Struct, frozen=True):
    """The data in an embed's page: enough for the first picture, and to request the rest."""

    path: str
    """The path of the run's page: that of its embed is the same, with `/e/v1` before it. Empty if
    the run has no page."""
    query: str
    """The query that the path needs to mean this run; empty for a share."""
    counts: Literal["frames", "steps"]
    """What a link to one of its moments counts: frames by their numbers, or the steps of the
    story."""
    at: int
    """The position on the branch at which it opens."""
    level: Literal["story", "message"]
    """The step size when it is opened."""
    title: str
    kafka: str
    outline: PlayerOutline
    block: int
    """Parts begin and end at multiples of this number."""
    largest: int
    """The most frames in one part."""
    part: PlayerPart
    link: str | None
    """The address of the run's page, for a file that is opened offline; null on the embed page
    itself, and if the run has no page."""


def run_for_page(shown: Shown, lang: str) -> PlayerRun:
    """The run opened at one of its frames, with the frames around that frame's step."""
    run = shown.run
    numbers = [entry["frame"] for entry in run.entries]
    at = numbers.index(shown.frame["frame"])
    return PlayerRun(
        path=run.about.path,
        query=run.about.query,
        counts=run.about.counts,
        at=at,
        level="message" if shown.is_message else "story",
        title=in_language(run.about.title, lang),
        kafka=run.about.kafka,
        outline=_outline(run, numbers),
        block=BLOCK,
        largest=LARGEST_PART,
        part=part_of(run, *_around_step(run.entries, at), lang),
        link=None,
    )


def whole_run(shown: Shown, lang: str) -> PlayerRun:
    """The same with all frames, for a page that can request nothing."""
    total = len(shown.run.entries)
    run = run_for_page(shown, lang)
    part = part_of(shown.run, 0, total, lang)
    return msgspec.structs.replace(run, part=part, largest=max(run.largest, total))


def part_of(run: Run, start: int, end: int, lang: str) -> PlayerPart:
    """The frames from one position up to, but excluding, another; at least one."""
    first = whole(run.entries, start)
    entries = run.entries[start:end]
    frames = [_drawn(first), *(_drawn(entry) for entry in entries[1:])]
    following = run.entries[end]["step"] if end < len(run.entries) else None
    told = {entry["step"] for entry in entries} | {following}
    return PlayerPart(
        start=start,
        frames=frames,
        steps=[
            PlayerStep(step.step, in_language(step.title, lang), in_language(step.summary, lang))
            for step in run.story
            if step.step in told
        ],
        texts=_texts(entries, lang),
    )


def _outline(run: Run, numbers: Sequence[int]) -> PlayerOutline:
    lengths = [len(list(frames)) for _, frames in groupby(e["step"] for e in run.entries)]
    place = {number: position for position, number in enumerate(numbers)}
    telling = {
        step.step: place[step.telling_frame] - place[step.first_frame]
        for step in run.story
        if step.telling_frame in place and step.telling_frame != step.last_frame
    }
    return PlayerOutline(
        total=len(numbers),
        numbers=list(_in_runs(numbers)),
        lengths=lengths,
        telling=telling,
        marks={step.step: list(step.marks) for step in run.story if step.marks},
    )


def _in_runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    breaks = [at for at, (one, next_) in enumerate(pairwise(numbers), 1) if next_ != one + 1]
    for start, end in pairwise([0, *breaks, len(numbers)]):
        yield numbers[start], end - start


def _around_step(entries: Sequence[StoredFrame], at: int) -> tuple[int, int]:
    """Whole blocks around the step of the frame at `at` and the frame before it.

    If the step is longer than the largest part, the blocks around the frame.
    """
    step = entries[at]["step"]
    of_step = [position for position, entry in enumerate(entries) if entry["step"] == step]
    start = _block_start(max(0, of_step[0] - 1))
    end = _block_start(of_step[-1]) + BLOCK
    if end - start > LARGEST_PART:
        start = _block_start(max(0, at - BLOCK))
        end = start + LARGEST_PART
    return start, min(end, len(entries))


def _block_start(position: int) -> int:
    return position - position % BLOCK


def _drawn(entry: StoredFrame) -> dict[str, object]:
    """The parts of a frame that the player draws."""
    return {
        **_only(entry, _FRAME),
        "events": [_only(event, _EVENT) for event in entry["events"]],
        "properties": {
            name: _only(entry["properties"][name], _PROPERTY)
            for name in SHOWN_PROPERTIES
            if name in entry["properties"]
        },
    }


def _only(document: Mapping[str, object], names: Iterable[str]) -> dict[str, object]:
    return {name: document[name] for name in names if name in document}


def _texts(entries: Sequence[StoredFrame], lang: str) -> JsonObject:
    """The sentences of the frames' headlines, and the texts for the values in them."""
    texts = catalogue((lang,))["languages"][lang]
    told = [event for entry in entries if (event := headline_of(entry)) is not None]
    events = {}
    for event in told:
        names = (f"{event['kind']}-{event.get('variant')}".replace(".", "-"), event["kind"])
        name = next((name for name in names if name in texts["events"]), None)
        if name is not None:
            events[name] = {"text": texts["events"][name]["text"], "formula": None}
    values = {name for event in told for name in event["numbers"]}
    return {
        "events": events,
        "properties": {name: texts["properties"][name] for name in SHOWN_PROPERTIES},
        "values": {name: text for name, text in texts["values"].items() if name in values},
    }


_SCRIPT = re.compile(r'<script\b[^>]*\bsrc="/assets/([^"]+)"[^>]*></script>')
_SHEET = re.compile(r'<link rel="stylesheet"[^>]*\bhref="/assets/([^"]+)"[^>]*>')
# Text that would close the script element early, or hide its end.
_ENDS = re.compile(r"<(?=/script|!--)", re.IGNORECASE)


def offline_page(
    frontend: FrontendBuild,
    shown: Shown,
    picture: str,
    lang: str,
    base_url: str,
    *,
    theme: str | None = None,
) -> str:
    """The page, which opens at what is shown, with a picture of it for readers without scripts.

    Without a theme it follows the reader's setting. Raises UnavailableError if the frontend is not
    built.
    """
    about = shown.run.about
    page = frontend.page("embed.html")
    found = (_SCRIPT.search(page), _SHEET.search(page))
    if found[0] is None or found[1] is None:
        raise _not_built()
    script = _ENDS.sub(r"\\x3c", _asset(frontend, found[0][1]))
    sheet = _asset(frontend, found[1][1])
    page = _SHEET.sub("", _SCRIPT.sub("", page))
    title = in_language(about.title, lang)
    page = with_head(
        page,
        title=f"{title} · Highwater",
        description=transcript.told(shown, lang),
        elements=f"{_policy(script)}\n    <style>{sheet}</style>",
    )
    link = f"{base_url}{about.address}" if about.path else None
    caption = text(title) if link is None else f'<a href="{text(link)}">{text(title)}</a>'
    note = "" if about.note is None else paragraphs(about.note)
    still = f'<figure class="still">{picture}<figcaption>{caption}{note}</figcaption></figure>'
    page = with_content(page, element="embed", content=still)
    run = msgspec.structs.replace(whole_run(shown, lang), link=link)
    island = json_island("highwater-run", msgspec.json.encode(run))
    ending = f"{island}\n    <script>{script}</script>\n  </body>"
    head, _, tail = page.rpartition("</body>")
    return with_language(f"{head}{ending}{tail}", lang, theme=theme)


def _asset(frontend: FrontendBuild, name: str) -> str:
    path = frontend.file("assets", PurePosixPath(name).as_posix())
    if path is None:
        raise _not_built()
    return path.read_text(encoding="utf-8")


def _not_built() -> UnavailableError:
    return UnavailableError(
        "Pages need the frontend, which is not built here.",
        code="frontend_not_built",
        retry_after_s=UNTIL_MENDED_S,
    )


def _policy(script: str) -> str:
    source = hash_source(script)
    policy = f"default-src 'none'; script-src {source}; style-src 'unsafe-inline'"
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
