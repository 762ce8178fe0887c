"""What a search decides from a cluster as it is: the questions of the page's presets, asked in each
frame of the run that Build opens with.

Each question has budgets, from small to large. They are searched in turn, by whole steps, until a
violation is found or the time is used up, as `in-turn.ts` does it: if nothing could be violated
with some number of records to send, more faults change nothing.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct, to_builtins

from sim_engine.assessment.searching import PHASES, QUESTIONS
from sim_engine.command_line.run import play
from sim_engine.documents.frames import frame_document
from sim_engine.exploration.search import SearchOptions, SearchResult, search
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

FILE = "frontend/src/search/decided.json"
_ROOT = Path(__file__).parents[3]
_BUILD = _ROOT / "frontend/src/new-run/scenario-text.ts"
SECONDS = 10
"""The limit of processor time of all searches of a question: the share of whole steps, if the page
searches for twice as long.
"""
_DEPTH = 40


class Decided(Struct, frozen=True, kw_only=True):
    """A search that was decided: it found a violation, or it is complete and was exercised.

    `state` is the digest of the frame's state, and `budget` the place of its budget in the
    question. `cpu_seconds` includes the searches of the same question before it.
    """

    state: str
    preset: str
    budget: int
    violated: bool
    depth: int
    states: int
    cpu_seconds: float


def decided_document(told: Callable[[str], None]) -> dict[str, object]:
    """Search everything, and return the document of the file; `told` is called with each result."""
    found = []
    for one in decided():
        told(f"{one}")
        found.append(one)
    return {
        "questions": to_builtins(QUESTIONS),
        "phases": to_builtins(PHASES),
        "decided": to_builtins(found),
    }


def decided() -> Iterator[Decided]:
    """What is decided within the limit, from every frame."""
    timeline = build_timeline()
    for frame, state in enumerate(digests(timeline)):
        for preset, question in QUESTIONS.items():
            used = 0.0
            idle: set[int] = set()
            for place, budget in enumerate(question.budgets):
                if budget.get("produce", 0) in idle:
                    continue
                began = time.process_time()
                result = asked(timeline, frame, preset, place, SECONDS - used)
                used += time.process_time() - began
                violated = result.verdict == "violated"
                if not violated and not result.complete:
                    break
                if not result.exercised:
                    idle.add(budget.get("produce", 0))
                else:
                    yield Decided(
                        state=state,
                        preset=preset,
                        budget=place,
                        violated=violated,
                        depth=result.depth,
                        states=result.states,
                        cpu_seconds=round(used, 1),
                    )
                if violated:
                    break


def build_timeline() -> Timeline:
    """The run of the scenario that Build opens with."""
    found = re.search(r"export const SMALL_CLUSTER = `\\\n(.*?)`", _BUILD.read_text(), re.DOTALL)
    assert found is not None, f"{_BUILD} contains it"
    return play(read_scenario_document(yaml.safe_load(found[1])), None, None, name="Build")


def digests(timeline: Timeline) -> list[str]:
    """The digest of each frame's release and state, as `state-digest.ts` computes it."""
    kafka = timeline.profile.kafka
    return [
        digest({"kafka": kafka, "rules": {}, "state": frame_document(timeline, frame.frame).state})
        for frame in timeline.frames
    ]


def digest(document: object) -> str:
    """FNV-1a of a JSON document with sorted keys: eight hexadecimal digits. Integers are as precise
    as in JavaScript.
    """
    plain = json.loads(
        msgspec.json.encode(document), parse_int=lambda digits: int(Decimal(repr(float(digits))))
    )
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    hashed = 0x811C9DC5
    for byte in text.encode():
        hashed = (hashed ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{hashed:08x}"


def asked(
    timeline: Timeline, frame: int, preset: str, place: int, seconds: float | None
) -> SearchResult:
    """The result of one search from a frame."""
    question = QUESTIONS[preset]
    options = SearchOptions(
        property=NO_ACKED_RECORD_LOST,
        grain="step",
        max_depth=_DEPTH,
        budget=question.budgets[place],
        seconds=seconds,
        acks=question.acks,
    )
    return search(timeline.frames[frame], options, time.process_time)
