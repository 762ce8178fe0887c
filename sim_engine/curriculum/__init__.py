"""What is known of the shipped scenarios before any of them runs: how each ends in every release,
what goes wrong in it, and how its picture looks.

`scripts/write-scenarios` runs them all and writes `index.json` beside this file; a test holds it
against the runs.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from msgspec import Struct, convert, json

from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.source_text import read_source

Outcome = Literal["lost", "fails", "holds"]
"""An acknowledged record is lost; another property fails; all hold."""

Mishap = Literal["lost", "diverged", "leaderless", "went_back", "shrank"]
"""What goes wrong: an acknowledged record is lost, logs diverge, a partition has no leader, a
consumer reads something else than before, the ISR shrinks."""
MISHAPS: tuple[Mishap, ...] = get_args(Mishap)

PATH = (
    "two-rounds",
    "slowest-replica-decides",
    "shrink-releases-high-watermark",
    "not-enough-replicas",
    "uncommitted-tail",
    "kip-101-data-loss",
    "follower-bounce-with-epochs",
    "epoch-lookup-table",
    "zombie-leader",
    "unclean-election",
    "surviving-copy-destroyed",
    "eligible-replica-rescues",
)
"""A short selection of lessons: from the first record to a lost one, and how Kafka fixed it."""


class LessonEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One lesson. `outcomes` are by the releases of the menu under which it is checked."""

    outcomes: Mapping[str, Outcome]
    mishaps: tuple[Mishap, ...]
    rules: tuple[str, ...]
    """The rules of its events, under its own release."""
    errors: tuple[str, ...]
    """The errors that responses carry in it."""
    steps: int
    minutes: int
    """The reading time, in minutes."""
    picture: JsonObject
    """A `PictureDocument` of the step in which it is decided."""


@cache
def lesson_index() -> Mapping[str, LessonEntry]:
    """Every shipped scenario by its id."""
    text = files("sim_engine.curriculum").joinpath("index.json").read_bytes()
    return json.decode(text, type=dict[str, LessonEntry])


@cache
def lines_to_remember() -> Mapping[str, Mapping[str, str]]:
    """The one line to remember of each lesson, by its id and the language."""
    text = files("sim_engine.curriculum").joinpath("remember.yaml").read_text(encoding="utf-8")
    return convert(read_source(text).document, dict[str, dict[str, str]])


def next_lesson(lesson: str, order: tuple[str, ...]) -> str | None:
    """The lesson after one: along the path from a lesson of the path, else in the given order."""
    along = PATH if lesson in PATH[:-1] else order
    if lesson not in along[:-1]:
        return None
    return along[along.index(lesson) + 1]
