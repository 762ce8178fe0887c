"""The words of a shipped lesson are true in every version that shows them.

Where the run of such a version is in another state than the lesson's own, only a reader can tell
whether the words hold in both. `reviewed_words.json` has what was read: for each lesson the
beginnings of such words, each with the digest of their text and of the differences, and the reason
why they are true all the same. Words that are not, need a `kafka:` or `control:` condition.
"""

import json
from pathlib import Path

from msgspec import structs

from sim_engine.actions import Note
from sim_engine.scenario_reader.reader import list_shipped, load_shipped
from tests.sim_engine.documents.words_by_version import Differences, differences_of, versions
from tests.sim_engine.lesson_runs import lesson_runs
from tests.tables import for_each

REVIEWED: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("reviewed_words.json").read_text(encoding="utf-8")
)
"""lesson → beginning of the words → digest and reason."""


@for_each("lesson", lambda: [one.id for one in list_shipped()])
def test_words_about_what_differs_between_versions_were_reviewed(lesson: str) -> None:
    reviewed = REVIEWED.get(lesson, {})
    found = {one.name: one for one in lesson_runs()[lesson].words}

    unread = [one for one in found.values() if one.digest not in reviewed.get(one.name, "")]
    assert not unread, "\n\n".join(map(report, unread))
    assert reviewed.keys() == found.keys(), "no version differs any more: remove the entry"


def report(one: Differences) -> str:
    """What to read, and the entry of `reviewed_words.json` if it is true in all these versions."""
    changes = "\n".join(f"  from {version}: {unlike}" for version, unlike in one.changes)
    return f"{one.text}\n{changes}\n  {json.dumps(one.name)}: {json.dumps(f'{one.digest} …')}"


def test_every_review_has_a_lesson_and_a_reason() -> None:
    assert REVIEWED.keys() <= {one.id for one in list_shipped()}
    for entries in REVIEWED.values():
        assert all(len(entry.split()) > 2 for entry in entries.values())


def test_words_without_their_condition_are_found() -> None:
    lesson = load_shipped("retry-duplicates")
    told = "Sequence 0 of p2 was already in the log"
    steps = tuple(
        structs.replace(entry, step=Note(text=entry.step.text))
        if isinstance(entry.step, Note) and told in entry.step.text["en"]
        else entry
        for entry in lesson.steps
    )
    changed = structs.replace(lesson, steps=steps)

    before, after = (
        next(one for one in differences_of(each) if told in one.text) for each in (lesson, changed)
    )

    assert before.digest != after.digest
    assert after.changes[0][0] == "0.8.2.0 zookeeper"
    assert "/replicas/t-0/1/log m1 i1 m1 → m1 m1" in after.changes[0][1]


def test_every_behaviour_has_a_version() -> None:
    played = {str(version) for version in versions()}

    assert {"0.8.2.0 zookeeper", "2.0.1 zookeeper", "2.8.0 kraft", "4.0.1 kraft"} <= played
