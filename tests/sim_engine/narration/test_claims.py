"""Random schedules of every release: what a sentence gives as its reason is true of the state.

`claims` has a check for each event whose sentence claims something about the state, and the others
are listed in `CLAIMS_NO_STATE`. `test_truth` has more claims, in every shipped lesson.
"""

from collections.abc import Iterator

import pytest

from sim_engine.actions import Words
from sim_engine.events import EVENTS
from sim_engine.events.controller import ControllerElected
from sim_engine.events.isr import IsrChecked
from sim_engine.exploration.schedules import repair_steps
from sim_engine.narration import RefusedError, rule_text, sentence_of, texts_in
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.exploration.directed import DIRECTED
from tests.sim_engine.exploration.walks import schedules
from tests.sim_engine.narration.claims import check_of
from tests.sim_engine.narration.claims.states import CHECKS
from tests.sim_engine.played import VERSIONS
from tests.sim_engine.runs import SETTLE, down, run
from tests.tables import for_each

SCHEDULES = 2


def played(scenario: Scenario) -> Timeline:
    timeline = Timeline(scenario)
    try:
        for item, said in enumerate(scenario.steps):
            if not isinstance(said.step, Words):
                timeline.run_step(item, said.step)
        for repair in repair_steps(timeline):
            try:
                timeline.perform(timeline.head, repair)
            except RefusedError:
                continue
    except LimitReachedError:
        pass
    return timeline


def falsehoods(timeline: Timeline) -> Iterator[str]:
    for frame in timeline.frames[1:]:
        assert frame.parent is not None
        before = timeline.frames[frame.parent].cluster
        for happened in frame.events:
            check = check_of(happened.kind, happened.variant)
            if check is not None and not check(happened, before, frame.cluster):
                where = f"{timeline.scenario.id}, frame {frame.frame}"
                yield f"{where}: not so ({check.__name__}): {sentence_of(happened, 'en')}"


@for_each("kafka, control", VERSIONS)
def test_what_a_sentence_gives_as_its_reason_is_so(kafka: str, control: str) -> None:
    found = [
        falsehood
        for scenario in schedules(kafka, control, range(5_000, 5_000 + SCHEDULES))
        for falsehood in falsehoods(played(scenario))
    ]

    assert found == []


@pytest.mark.parametrize("name", DIRECTED)
def test_it_is_so_where_random_schedules_rarely_come(name: str) -> None:
    assert list(falsehoods(played(DIRECTED[name]))) == []


def test_each_check_is_for_a_text() -> None:
    events = texts_in("en").events

    assert set(CHECKS) <= set(events) | set(EVENTS)


# fmt: off
CLAIMS_NO_STATE = frozenset((
    "ActionRefused", "BackoffEnded", "BecameLeader", "BrokerBooted", "BrokerJoined",
    "BrokerPaused", "BrokerResumed", "BrokerSlowed", "BrokerStopped", "BrokerUnfenced",
    "ClientMetadataRefreshed", "CommandSkipped", "ConfigChanged", "ConsumerPassedOver",
    "DepositionMissed", "DidNotSettle", "DiskLost", "DivergenceHeard", "EpochsDropped",
    "FetchApplied", "FetchErrorReceived", "FetchSent", "FetchedEpochForgotten",
    "FollowerEndForgotten", "HeartbeatReceived", "HighWatermarkCheckpointed", "IsrChangesTaken",
    "IsrCommitted", "LateResponseDiscarded", "LeaderStateReset", "LinkCut", "LinkHealed",
    "ListOffsetsAnswered", "ListOffsetsSent", "LogFlushed", "MarkerWritten", "MessageHeld",
    "MessageReleased", "MetadataCacheUpdated", "MetadataRecordsWritten", "PartitionFailed",
    "PowerLost", "PreferredLeadersChecked", "ProduceUnanswered", "PropertyViolated",
    "ProtocolLevelChanged", "ReadReplaced", "ReassignmentCancelled", "ReassignmentCompleted",
    "ReassignmentRepeated", "ReassignmentStarted", "RecordProduced", "RecordedStepUnseen",
    "RecoveryPointCheckpointed", "ReplicaDeleted", "ReplicasReordered", "SessionExpired",
    "Settled", "ShutdownStarted", "Started", "StatesPassedOver", "TimeAdvanced",
    "TransactionBegun", "TransactionEnded", "UncleanLeadersChecked",
))
# fmt: on
"""Their sentences repeat the event's own numbers, or `test_truth` has their claims."""


def test_every_event_is_checked_or_claims_nothing_about_the_state() -> None:
    checked = {name.partition("-")[0] for name in CHECKS}

    assert checked | CLAIMS_NO_STATE == set(EVENTS)
    assert not checked & CLAIMS_NO_STATE


ISR_CHECK = {"timer": {"broker": 1, "kind": "isr_expiration"}}


def test_an_isr_check_says_that_a_change_is_pending() -> None:
    timeline = run({"fetch": {"broker": 2}}, ISR_CHECK, brokers=(1, 2), partition={"isr": [1]})

    (check,) = timeline.told(IsrChecked)

    assert (check.variant, check.numbers()["proposed"]) == ("pending", [1, 2])


def test_a_member_stays_because_the_write_to_zookeeper_is_pending() -> None:
    """KAFKA-2729: it lags for twice replica.lag.time.max.ms."""
    timeline = run(
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        SETTLE,
        {"isolate": {"broker": 1, "from": "controller"}},
        {"detect": {"broker": 1}},
        {"run": {"ms": 500}},
        {"produce": {"to": "t-0", "values": ["z1"], "acks": 1, "broker": 1, "as": "p2"}},
        {"advance": {"ms": 20_000}},
        kafka="0.10.2",
    )

    late = [check for check in timeline.told(IsrChecked) if check.numbers()["checked_ms"] == 20_000]

    assert [check.variant for check in late] == ["pending_behind", "pending_behind"]
    assert list(falsehoods(timeline)) == []


def test_a_controller_takes_over_from_brokers_that_are_all_down() -> None:
    timeline = run(*down(1, 2), {"fail_controller": {}}, kafka="2.4", brokers=(1, 2))

    (elected,) = timeline.told(ControllerElected)

    assert elected.numbers()["live"] == []
    assert "considers alive: none" in sentence_of(elected, "en")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("kafka", "has_elr"), [("0.10.2", False), ("3.9", False), ("4.1", True)])
def test_the_rule_of_an_election_is_that_of_the_release(
    kafka: str, has_elr: bool, lang: str
) -> None:
    events = run(*down(1), kafka=kafka, brokers=(1, 2)).events()

    rules = {happened.rule for happened in events if happened.rule is not None}
    assert any("ELR" in rule_text(rule, lang) for rule in rules) == has_elr
