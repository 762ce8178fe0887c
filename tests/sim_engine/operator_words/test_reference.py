"""The catalogue of metrics and log lines: its texts, and the lessons that show each entry."""

from sim_engine.curriculum import words_seen
from sim_engine.documents.operator_words import frame_words, operator_reference
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import LANGUAGES, messages
from sim_engine.operator_words.log_lines import LINES
from sim_engine.operator_words.metrics import METRICS
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.operator_words.test_log_lines import UNSEEN, played
from tests.tables import for_each

NEVER_TELLING = {
    "OfflineReplicaCount": "a broker here has one log directory, and ends with it",
    "OfflineLogDirectoryCount": "a broker here has one log directory, and ends with it",
    "ActiveControllerCount": "it is 1 in every state",
    "ActiveBrokerCount": "it is not 0 in any state",
}
"""The metrics that show trouble in no lesson, and why."""


def test_every_entry_has_a_lesson_or_a_reason():
    assert {*METRICS, *LINES} - words_seen().keys() == UNSEEN.keys() | NEVER_TELLING.keys()


@for_each("name", lambda: words_seen().keys())
def test_the_step_of_a_lesson_shows_what_leads_to_it(name: str):
    seen = words_seen()[name]
    timeline = played(seen.lesson, seen.kafka)

    words = frame_words(timeline, last_frame(timeline, seen.step))

    if name in METRICS:
        assert {one.says for one in words.metrics if one.name == name} == {"shows"}
    else:
        assert name in {line.id for line in words.lines}


def last_frame(timeline: Timeline, step: int) -> FrameNumber:
    path = timeline.path(timeline.head)
    return [number for number in path if timeline.frames[number].place.step == step][-1]


def test_every_entry_has_its_meaning_in_every_language_and_no_text_is_left_over():
    own = {*METRICS, *LINES}
    for lang in LANGUAGES:
        texts = messages(lang, "operator_words").keys()
        assert own <= texts
        assert {name for name in texts - own if not name.startswith(("note-", "on-"))} == {
            "value-separator"
        }


def test_releases_are_in_words_and_the_newest_form_is_first():
    reference = operator_reference()

    (line,) = (one for one in reference.lines if one.id == "broker-fenced")
    (metric,) = (one for one in reference.metrics if one.name == "UnderMinIsrPartitionCount")

    assert [form.releases["en"] for form in line.forms] == ["from 4.0", "2.8 to 3.9"]
    assert (line.control, line.look_for) == ("kraft", "Fencing broker … session has timed out")
    assert metric.releases["en"] == "from 1.0"
    assert metric.seen is not None
