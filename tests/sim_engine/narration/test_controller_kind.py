"""No text names what a cluster of this kind does not have, or the controller where it is ZooKeeper.

Brokers have their sessions with ZooKeeper: it receives their heartbeats, keeps their znodes and
takes their notifications. Under KRaft there is no ZooKeeper, and under ZooKeeper no metadata log.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, get_args

import pytest

from sim_engine.actions.steps import CONTROLLER_TIMER_KINDS, TimerKind
from sim_engine.events.base import Event
from sim_engine.events.run import ActionRefused
from sim_engine.languages import messages
from sim_engine.narration import sentence_of
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.exploration.walks import schedules
from tests.sim_engine.narration.test_claims import played
from tests.sim_engine.played import VERSIONS
from tests.sim_engine.runs import SETTLE, run
from tests.tables import for_each

KRAFT_ALONE = re.compile("KRaft|metadata log|元数据日志|unfence")
ZOOKEEPER_ALONE = re.compile("ZooKeeper|znode")

ABOUT_SESSIONS = {"HeartbeatReceived", "SessionExpired", "BrokerJoined", "IsrChangesTold"}
"""The events of a broker's session with ZooKeeper, and of what it writes there."""

NAMES_THE_OTHER_KIND = {"no_metadata_log", "controller_is_a_quorum", "level_of_other_control"}
"""Refusals because the cluster is of the other kind."""

OF_KRAFT = re.compile("A KRaft controller|A KRaft broker")
OF_ZOOKEEPER = re.compile("A ZooKeeper controller")


def everything_in_turn(kafka: str, control: str) -> Timeline:
    """Each timer of a broker, while it reaches the controller and while it does not."""
    timers: list[dict[str, Any]] = [
        {"timer": {"kind": kind, **({} if kind in CONTROLLER_TIMER_KINDS else {"broker": 1})}}
        for kind in get_args(TimerKind)
        if kind != "unclean_leader_check"
    ]
    return run(
        {"produce": {"to": "t-0", "values": ["m1"]}},
        {"isolate": {"broker": 2, "from": "brokers"}},
        {"advance": {"ms": 20_000}},
        *timers,
        {"isolate": {"broker": 1, "from": "controller"}},
        *timers,
        {"heal": {"broker": 1}},
        SETTLE,
        kafka=kafka,
        control=control,
        brokers=(1, 2),
    )


@cache
def events_of(kafka: str, control: str) -> Sequence[Event]:
    walks = [played(scenario) for scenario in schedules(kafka, control, range(7_000, 7_002))]
    return [
        happened
        for timeline in (everything_in_turn(kafka, control), *walks)
        for frame in timeline.frames[1:]
        for happened in frame.events
    ]


@for_each("kafka, control", VERSIONS)
def test_a_sentence_names_nothing_of_the_other_kind(kafka: str, control: str) -> None:
    foreign = KRAFT_ALONE if control == "zookeeper" else ZOOKEEPER_ALONE
    found = set()
    for happened in events_of(kafka, control):
        if isinstance(happened, ActionRefused) and happened.variant in NAMES_THE_OTHER_KIND:
            continue
        for lang in ("en", "zh"):
            said = sentence_of(happened, lang)
            if foreign.search(said):
                found.add((happened.kind, happened.variant, said))

    assert found == set()


@for_each("kafka, control", lambda: [one for one in VERSIONS if one[1] == "zookeeper"])
def test_under_zookeeper_a_session_is_with_zookeeper(kafka: str, control: str) -> None:
    sessions = [
        happened
        for happened in events_of(kafka, control)
        if happened.kind in ABOUT_SESSIONS
        or (isinstance(happened, ActionRefused) and happened.variant.startswith("cannot_reach"))
    ]

    assert {"HeartbeatReceived", "ActionRefused"} <= {happened.kind for happened in sessions}
    for happened in sessions:
        for lang in ("en", "zh"):
            assert "ZooKeeper" in sentence_of(happened, lang), sentence_of(happened, lang)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_summaries_of_a_session_do_not_name_the_controller(lang: str) -> None:
    """A summary names ZooKeeper or nobody."""
    texts = messages(lang, "narration/story")
    for kind in ABOUT_SESSIONS:
        said = repr(texts.get(f"{kind}-zookeeper", texts.get(kind)))
        assert "ZooKeeper" in said or "controller" not in said.lower(), said


@for_each("kafka, control", VERSIONS)
def test_an_event_of_one_kind_does_not_happen_under_the_other(kafka: str, control: str) -> None:
    """An event's docstring says whose it is."""
    foreign = OF_KRAFT if control == "zookeeper" else OF_ZOOKEEPER
    found = {
        happened.kind
        for happened in events_of(kafka, control)
        if foreign.match(type(happened).__doc__ or "")
    }

    assert found == set()
