"""Where events happen, compared with their sentences in every shipped scenario."""

import re

from sim_engine.documents.frames import event_document
from sim_engine.events import place_of, process
from sim_engine.identifiers import BrokerId
from sim_engine.narration import sentence_of
from sim_engine.scenario_reader.reader import list_shipped
from tests.sim_engine.runs import play

_BROKER = re.compile(r"Broker (\d+)\b")


def test_the_acts_of_the_controller_and_of_processes_happen_where_their_sentences_say():
    wrong: set[str] = set()
    for scenario in list_shipped()[::4]:
        timeline = play(scenario)
        for frame in timeline.frames:
            for event in frame.events:
                told = sentence_of(event, "en")
                document = event_document(event)
                place = place_of(
                    document.kind,
                    document.variant or None,
                    document.numbers,
                    document.subject.replicas or (),
                )
                if told.startswith("The controller ") and place != "controller":
                    wrong.add(f"{document.kind} at {place}: {told}")
                named = _BROKER.match(told)
                is_of_process = type(event).__module__ == process.__name__
                if is_of_process and (named is None or place != int(named[1])):
                    wrong.add(f"{document.kind} at {place}: {told}")

    assert sorted(wrong) == []


def test_an_event_of_no_process_has_no_place():
    assert place_of("LinkCut", None, {"from": 1, "to": 2}, ()) is None
    assert place_of("ConsumeFailed", None, {"broker": -1}, (BrokerId(-1),)) is None
    assert place_of("OfAnOlderRelease", None, {}, (BrokerId(2),)) == 2
