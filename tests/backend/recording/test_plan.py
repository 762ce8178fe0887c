"""What real brokers have to do for a scenario, and which steps they cannot be made to do."""

from collections.abc import Sequence

import pytest

from backend.recording.plan import THE_LEADER, NotRecordableError, Plan, Retry, plan
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import VERBS
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.versions import Control

ONE, TWO, CONTROLLER = BrokerId(1), BrokerId(2), BrokerId(100)
NAMES: dict[type[object], str] = {kind: name for name, kind in VERBS.items()}


def planned(
    steps: Sequence[object],
    *,
    control: Control = "kraft",
    release: str | None = None,
    **more: object,
) -> Plan:
    release = release or ("3.9.1" if control == "kraft" else "0.11.0.3")
    document = {
        "scenario": 1,
        "id": "a",
        "kafka": release,
        "brokers": [1, 2],
        "topics": [{"name": "t", "partitions": [{"replicas": [2, 1]}, {"replicas": [1, 2]}]}],
        "steps": steps,
        **more,
    }
    return plan(read_scenario_document(document), release, control)


def verbs_of(made: Plan) -> list[verbs.Verb | Retry]:
    """The verbs after the topic is created and every fetch between the brokers is held."""
    first, *holds = [one.verb for one in made.steps[:3]]
    assert isinstance(first, verbs.CreateTopic)
    assert all(isinstance(one, verbs.Network) and one.hold == "request" for one in holds)
    return [one.verb for one in made.steps[3:]]


def names(steps: Sequence[object], control: Control = "kraft") -> list[str]:
    return [NAMES[type(one)] for one in verbs_of(planned(steps, control=control))]


def test_the_lesson_of_kip_101_keeps_the_controller_from_noticing_the_restart() -> None:
    made = plan(load_shipped("kip-101-data-loss"), "0.10.2.2", "zookeeper")

    assert [NAMES[type(one)] for one in verbs_of(made)] == [
        "produce", "fetch", "fetch", "produce", "fetch", "fetch", "network", "wait",
        "freeze", "kill", "start", "thaw", "reassign", "wait", "kill", "session_end", "start",
        "fetch",
    ]  # fmt: skip
    assert made.configs["replica.high.watermark.checkpoint.interval.ms"] == 100
    assert made.configs["zookeeper.session.timeout.ms"] == 120_000


def test_a_crash_is_noticed_by_the_step_that_says_so() -> None:
    steps = [{"crash": {"broker": 1}}, {"detect": {"broker": 1}}, {"start": {"broker": 1}}]

    assert names(steps) == ["kill", "wait", "start"]
    assert names(steps, "zookeeper") == ["kill", "session_end", "start"]
    assert verbs_of(planned(steps))[1] == verbs.Wait(until=verbs.Until(fenced=[ONE]))


def test_a_session_of_kraft_is_longer_than_a_busy_machine_halts_a_broker() -> None:
    crash = [{"crash": {"broker": 1}}, {"detect": {"broker": 1}}]
    long = [*crash, {"advance": {"ms": 10_000}}]

    assert planned(crash).configs["broker.session.timeout.ms"] == 20_000
    assert "broker.session.timeout.ms" not in planned(crash, control="zookeeper").configs
    assert "broker.session.timeout.ms" not in planned(long).configs


def test_a_held_response_stays_held_while_everything_else_settles() -> None:
    message = {"from": 2, "to": 1, "partition": "t-0"}
    request = {"from": 1, "to": 2, "partition": "t-0"}
    steps = [
        {"deliver": {"kind": "fetch_request", **request}},
        {"hold": {"kind": "fetch_response", **message}},
        {"settle": {}},
        {"release": {"kind": "fetch_response", **message}},
        {"deliver": {"kind": "fetch_response", **message}},
    ]

    fetch, *others = verbs_of(planned(steps))

    assert fetch == verbs.Fetch(broker=ONE, from_=TWO, rounds=1, response="held")
    released = [one for one in others if isinstance(one, verbs.Network) and one.release]
    assert [(one.release, one.from_, one.to) for one in released] == [
        ("request", 2, 1), ("response", 1, 2),
    ]  # fmt: skip


def test_the_metadata_of_a_broker_is_held_at_the_controller() -> None:
    steps = [{"hold": {"kind": "metadata", "to": 1}}, {"release": {"kind": "metadata", "to": 1}}]

    hold, release, _ = verbs_of(planned(steps))

    assert hold == verbs.Network(api="Fetch", from_=ONE, to=CONTROLLER, hold="request")
    assert release == verbs.Network(api="Fetch", from_=ONE, to=CONTROLLER, release="request")


def test_after_a_release_all_metadata_arrives_in_the_one_delivery_that_follows() -> None:
    release = {"release": {"kind": "metadata", "to": 1}}
    deliver = {"deliver": {"kind": "metadata", "to": 1, "records": 2}}

    assert names([release, deliver]) == names([release])
    with pytest.raises(NotRecordableError, match="step 3, deliver: the metadata log is held"):
        planned([release, {"settle": {}}, deliver])


def test_the_controller_fences_a_live_broker_that_sends_no_heartbeats() -> None:
    fenced = verbs.Wait(until=verbs.Until(fenced=[TWO]))
    detect = {"detect": {"broker": 2}}

    for fault in ({"pause": {"broker": 2}}, {"isolate": {"broker": 2, "from": "controller"}}):
        assert verbs_of(planned([fault, detect]))[-1] == fenced
    assert names([{"pause": {"broker": 2}}, detect], "zookeeper") == ["freeze"]
    assert names([detect]) == []


def test_a_reassignment_that_the_controller_rejects_is_requested_all_the_same() -> None:
    cancel = {"reassign": {"partition": "t-0", "replicas": None, "refused": True}}

    assert names([cancel]) == ["reassign"]
    assert names([{"crash": {"broker": 1, "refused": True}}]) == []


def test_links_are_cut_one_by_one_and_what_is_on_its_way_is_lost() -> None:
    message = {"kind": "fetch_response", "from": 2, "to": 1}
    steps = [
        {"isolate": {"broker": 1, "from": "all"}},
        {"heal": {"broker": 1}},
        {"deliver": {"kind": "fetch_request", "from": 1, "to": 2}},
        {"cut": {"from": 2, "to": 1}},
    ]

    assert names(steps) == [
        "cut_off", "cut_link", "cut_link", "heal_link", "heal_link", "reconnect", "fetch",
        "cut_link",
    ]  # fmt: skip
    assert verbs_of(planned(steps))[-1] == verbs.CutLink(from_=TWO, to=ONE)
    partly_healed = [steps[0], {"heal": {"broker": 2}}, steps[0]]
    assert names(partly_healed)[-4:] == ["heal_link", "heal_link", "cut_link", "cut_link"]
    with pytest.raises(NotRecordableError, match="no response of that broker is in flight"):
        planned([*steps, {"deliver": message}])


def test_clients_do_what_only_the_cluster_can_complete() -> None:
    begin, end = ({"transaction": {"as": "p", "do": do}} for do in ("begin", "commit"))
    send = {"produce": {"to": "t-0", "values": ["a"], "as": "p"}}
    read = {"consume": {"partition": "t-0", "as": "c", "isolation": "read_committed"}}
    made = planned([begin, send, {"retry": {"as": "p"}}, end, send, read])

    begun, sent, again, ended, plain, reading = made.steps[3:]
    assert begun.verb == verbs.Transaction(add_partition=True)
    assert isinstance(sent.verb, verbs.Produce)
    assert (sent.verb.transactional, sent.client) == (True, "p")
    assert again.verb == Retry(producer="p")
    assert ended.verb == verbs.Transaction(end="commit")
    assert isinstance(plain.verb, verbs.Produce)
    assert not plain.verb.transactional
    consume = verbs.Consume(broker=THE_LEADER, offset=Offset(0), isolation="read_committed")
    assert (reading.verb, reading.client) == (consume, "c")
    assert made.coordinator == 2
    assert planned([begin], control="kraft", brokers=[1, 2, 3]).coordinator == 3
    assert planned([send]).coordinator is None


def test_one_producer_has_an_id() -> None:
    begin = {"transaction": {"as": "p", "do": "begin"}}
    other = {"produce": {"to": "t-0", "values": ["a"], "as": "q", "idempotent": True}}
    with pytest.raises(NotRecordableError, match="step 2, produce: one producer has an id"):
        planned([begin, other])
    send = {"produce": {"to": "t-0", "values": ["a"], "as": "p"}}
    with pytest.raises(NotRecordableError, match="step 2, transaction: that producer has no open"):
        planned([send, {"transaction": {"as": "p", "do": "abort"}}])
    with pytest.raises(NotRecordableError, match="step 2, shutdown: this broker leads the log"):
        planned([begin, {"shutdown": {"broker": 2}}])
    with pytest.raises(NotRecordableError, match="no idempotent producers"):
        planned([other], control="zookeeper", release="0.10.2.2")


def test_no_replica_lags_because_reading_takes_time() -> None:
    lag = "replica.lag.time.max.ms"

    short = planned([{"run": {"ms": 9_000}}]).configs
    assert (short[lag], short["replica.socket.timeout.ms"]) == (300_000, 300_000)
    produce = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}
    for ms, timeout_ms in ((9_000, 300_000), (10_000, 60_000)):
        (sent, _) = [one.verb for one in planned([produce, {"advance": {"ms": ms}}]).steps[3:]]
        assert isinstance(sent, verbs.Produce)
        assert sent.timeout_ms == timeout_ms
    assert lag not in planned([{"run": {"ms": 9_000}}, {"advance": {"ms": 1_000}}]).configs
    assert planned([], configs={lag: 5_000}).configs[lag] == 5_000


def test_with_a_short_lag_time_a_step_is_read_when_the_time_after_it_has_passed() -> None:
    lag = {"replica.lag.time.max.ms": 3_000}
    produce = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}
    steps = [produce, {"advance": {"ms": 6_000}}, {"settle": {}}, {"advance": {"ms": 6_000}}]

    made = planned([*steps, {"advance": {"ms": 7_000}}], configs=lag)

    sent, released, again = [one for one in made.steps if one.reads][1:]
    assert isinstance(sent.verb, verbs.Produce)
    assert (sent.verb.timeout_ms, sent.read_after_ms) == (900_000, 6_000)
    assert (released.verb, released.read_after_ms) == (verbs.Wait(ms=700), 6_000)
    assert (again.verb, again.read_after_ms) == (verbs.Wait(ms=7_000), None)
    # After the fetches of the settle are held again, as much time passes.
    held, waited, _ = made.steps[-3:]
    assert isinstance(held.verb, verbs.Network)
    assert (held.verb.hold, waited.verb, waited.reads) == (
        "request", verbs.Wait(ms=6_000), False
    )  # fmt: skip


def test_with_a_short_lag_time_nothing_else_ends_by_itself() -> None:
    lag = {"replica.lag.time.max.ms": 3_000}
    long = [{"advance": {"ms": 6_000}}] * 20

    of_kraft, of_zookeeper = (
        planned(long, configs=lag),
        planned(long, control="zookeeper", configs=lag),
    )

    assert of_kraft.configs["replica.lag.time.max.ms"] == 3_000
    assert of_kraft.configs["replica.socket.timeout.ms"] == 900_000
    assert of_zookeeper.configs["zookeeper.session.timeout.ms"] == 900_000


def test_no_other_broker_stops_while_metadata_is_held() -> None:
    hold = {"hold": {"kind": "metadata", "to": 1}}
    release = {"release": {"kind": "metadata", "to": 1}}
    stop = {"shutdown": {"broker": 2}}
    with pytest.raises(NotRecordableError, match="step 2, shutdown: the controller lets a broker"):
        planned([hold, stop])

    assert names([hold, release, stop])[-1] == "stop"
    assert names([hold, {"shutdown": {"broker": 1}}])[-1] == "stop"
    assert names([hold, {"crash": {"broker": 1}}, stop])[-1] == "stop"
    with pytest.raises(NotRecordableError, match="step 3, start: a broker does not start before"):
        planned([hold, {"crash": {"broker": 1}}, {"start": {"broker": 1}}])


def test_an_administrator_needs_a_broker_that_reaches_the_controller() -> None:
    reason = "step 3, reassign: no broker runs and reaches the controller"
    asks = {"reassign": {"partition": "t-0", "replicas": [1]}}
    away = [{"pause": {"broker": 1}}, {"isolate": {"broker": 2, "from": "controller"}}]

    with pytest.raises(NotRecordableError, match=reason):
        planned([*away, asks])
    assert names([away[0], asks])[-1] == "reassign"
    assert names([*away, {"heal": {"broker": 2}}, asks])[-1] == "reassign"
    down = [{"crash": {"broker": 1}}, {"crash": {"broker": 2}}, asks]
    assert names(down, "zookeeper")[-1] == "reassign"


def test_a_broker_that_cannot_register_is_started_while_its_session_lives() -> None:
    boot = {"boot": {"broker": 1, "session": "kept"}}
    crash, detect = {"crash": {"broker": 1}}, {"detect": {"broker": 1}}

    assert names([crash, boot, detect], "zookeeper") == ["kill", "start", "session_end"]
    with pytest.raises(NotRecordableError, match="step 3, boot: the controller has noticed"):
        planned([crash, detect, boot], control="zookeeper")


FETCH = {"kind": "fetch_request", "from": 1, "to": 2}
RESPONSE = {"kind": "fetch_response", "from": 2, "to": 1}
REFUSED: list[tuple[dict[str, object], Control, str]] = [
    ({"produce": {"to": "t-1", "values": ["a"], "as": "p"}}, "kraft", "only t-0 is recorded"),
    ({"fetch": {"broker": 1, "records": 1}}, "kraft", "cannot be chosen"),
    ({"fetch": {"broker": 1, "only": "truncation"}}, "kraft", "cannot be separated"),
    ({"drop": FETCH}, "kraft", "only responses can be dropped"),
    ({"drop": RESPONSE}, "kraft", "no response of that broker is in flight"),
    ({"hold": RESPONSE}, "kraft", "no response of that broker is in flight"),
    ({"deliver": RESPONSE}, "kraft", "no response of that broker is in flight"),
    ({"deliver": {**FETCH, "nth": 1}}, "kraft", "the message is the oldest one"),
    ({"deliver": {"kind": "leader_and_isr", "to": 1}}, "zookeeper", "one by one"),
    ({"hold": {"kind": "metadata", "to": 1}}, "zookeeper", "no metadata log"),
    ({"deliver": {"kind": "metadata", "to": 1, "records": 1}}, "kraft", "as a whole"),
    ({"power_loss": {"broker": 1}}, "kraft", "name with keep"),
    ({"cut": {"from": 1, "to": "controller"}}, "kraft", "use isolate"),
    ({"heal": {"from": "controller", "to": 2}}, "kraft", "use isolate"),
    ({"heal": {"from": 1, "to": 2}}, "kraft", "that link is not cut"),
    ({"slow": {"broker": 1, "ms": 5}}, "kraft", "the format of recordings has no such step"),
    ({"boot": {"broker": 1, "session": "kept"}}, "kraft", "when its old session has ended"),
    ({"isolate": {"broker": 1, "from": "controller"}}, "zookeeper", "to ZooKeeper cannot be cut"),
    ({"isolate": {"broker": 1, "from": "all"}}, "zookeeper", "to ZooKeeper cannot be cut"),
    ({"shutdown": {"broker": 1, "only": "begin"}}, "kraft", "arrive at once"),
    ({"elect": {"partition": "t-0", "kind": "clean", "only": "controller"}}, "kraft", "at once"),
    ({"reassign": {"partition": "t-0", "replicas": None}}, "zookeeper", "is not cancelled"),
    ({"config": {"topic": "t", "min.insync.replicas": 2}}, "zookeeper", "are not changed"),
    ({"config": {"metadata_version": "3.9-IV0"}}, "kraft", "level is not changed"),
    ({"fail_controller": {}}, "zookeeper", "the format of recordings has no such step"),
    ({"timer": {"broker": 1, "kind": "flush"}}, "kraft", "cannot be fired"),
    ({"advance": {"ms": 200_000}}, "kraft", "waits of more than"),
    ({"consume": {"partition": "t-1"}}, "kraft", "only t-0 is recorded"),
    ({"consume": {"partition": "t-0", "rack": "a"}}, "kraft", "without a rack"),
    ({"consume": {"partition": "t-0", "max": 1}}, "kraft", "everything that it is sent"),
    ({"fail_controller": {"only": "controller"}}, "zookeeper", "no such step"),
]


@pytest.mark.parametrize(("step", "control", "reason"), REFUSED)
def test_a_step_that_real_brokers_cannot_do_is_refused_by_name(
    step: dict[str, object], control: Control, reason: str
) -> None:
    with pytest.raises(NotRecordableError) as refused:
        planned([{"settle": {}}, step], control=control)

    (name,) = step
    assert f"\nstep 2, {name}: " in str(refused.value)
    assert reason in str(refused.value)
    assert str(refused.value).count("\n") == 1


def test_a_cluster_that_does_not_begin_empty_is_refused() -> None:
    with pytest.raises(NotRecordableError, match="a new cluster is empty"):
        plan(load_shipped("late-answer-of-an-old-epoch"), "3.9.0", "kraft")
    with pytest.raises(NotRecordableError, match="without a rack"):
        planned([], brokers={"1": {"rack": "a"}, "2": {}})
    uneven = [{"name": "t", "partitions": [{"replicas": [2, 1]}, {"replicas": [1]}]}]
    with pytest.raises(NotRecordableError, match="as many replicas in each"):
        planned([], topics=uneven)
    with pytest.raises(NotRecordableError, match="cannot be switched"):
        planned([], rules={"KAFKA-14372": False})


def test_a_step_that_the_release_is_expected_to_refuse_is_left_out() -> None:
    assert names([{"shutdown": {"broker": 1, "refused": ">=3.9"}}]) == []
    assert names([{"shutdown": {"broker": 1, "refused": "<3.9"}}]) == ["stop"]


def test_every_plan_is_a_recording_that_can_be_replayed() -> None:
    """But for what only a cluster knows: here, the leader that a follower fetches from."""
    made = planned(
        [{"produce": {"to": "t-0", "values": ["a"], "as": "p"}}, {"settle": {}},
         {"shutdown": {"broker": 1}}, {"start": {"broker": 1}}, {"pause": {"broker": 1}},
         {"resume": {"broker": 1}}, {"crash": {"broker": 1}},
         {"elect": {"partition": "t-0", "kind": "unclean"}},
         {"isolate": {"broker": 2, "from": "controller"}}, {"heal": {"broker": 2}},
         {"config": {"topic": "t", "min.insync.replicas": 2}},
         {"power_loss": {"broker": 1, "keep": {"t-0": 0}}}]
    )  # fmt: skip
    from backend.recording.arguments import arguments_of

    document = {
        "conformance": 1, "id": "a", "kafka": "3.9.1", "control": "kraft", "brokers": [1, 2],
        "configs": made.configs, "topic": {"name": "t", "partitions": [{"replicas": [2, 1]}]},
        "steps": [{"do": {NAMES[type(one.verb)]: arguments_of(one.verb)}} for one in made.steps],
    }  # fmt: skip

    assert len(read_recording(document).steps) == len(made.steps)


BEGIN = {"transaction": {"as": "p1", "do": "begin"}}


@pytest.mark.parametrize(
    ("steps", "producer"),
    [
        ([{"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}], None),
        ([{"produce": {"to": "t-0", "values": ["m1"], "as": "p1", "idempotent": True}}],
         "idempotent"),
        ([BEGIN], "transactional"),
    ],
)  # fmt: skip
def test_a_producer_with_an_id_is_known_before_the_first_step(
    steps: list[object], producer: str | None
) -> None:
    assert planned(steps).producer == producer


@pytest.mark.parametrize("fault", ["crash", "pause"])
def test_a_transaction_needs_its_coordinator(fault: str) -> None:
    with pytest.raises(NotRecordableError, match="the log of transactions does not respond"):
        planned([{fault: {"broker": 2}}, BEGIN])
    assert planned([{fault: {"broker": 1}}, BEGIN]).coordinator == TWO
    assert planned([{fault: {"broker": 2}}, BEGIN], control="zookeeper").steps


def test_a_transaction_needs_the_links_and_the_disk_of_its_coordinator() -> None:
    cut = {"cut": {"from": 2, "to": 1}}
    hold = {"hold": {"kind": "metadata", "to": 2}}
    alone = {"isolate": {"broker": 2, "from": "controller"}}
    for fault in (cut, hold, alone):
        with pytest.raises(NotRecordableError, match="does not reach every leader"):
            planned([BEGIN, fault, {"transaction": {"as": "p1", "do": "abort"}}])
    heal = {"heal": {"from": 2, "to": 1}}
    assert planned([cut, heal, BEGIN]).coordinator == TWO
    with pytest.raises(NotRecordableError, match="which would be lost too"):
        planned([{"disk_loss": {"broker": 2}}, BEGIN])


def test_a_broker_without_the_controller_is_not_shut_down() -> None:
    with pytest.raises(NotRecordableError, match="step 2, shutdown: a broker that the controller"):
        planned([{"isolate": {"broker": 2, "from": "controller"}}, {"shutdown": {"broker": 2}}])


def test_the_fetches_of_a_broker_that_a_reassignment_adds_are_held_too() -> None:
    steps = [{"reassign": {"partition": "t-0", "replicas": [2, 1, 3]}}]

    routes = {
        (one.verb.from_, one.verb.to)
        for one in planned(steps, brokers=[1, 2, 3, 4]).steps
        if isinstance(one.verb, verbs.Network)
    }

    assert {(3, 1), (3, 2), (1, 3), (2, 3)} < routes
    assert not any(4 in route for route in routes)


def test_an_unclean_election_is_a_request_from_2_4() -> None:
    unclean = [{"elect": {"partition": "t-0", "kind": "unclean"}}]

    assert planned(unclean, control="zookeeper", release="2.4.1").steps
    with pytest.raises(NotRecordableError, match="cannot ask for an unclean election"):
        planned(unclean, control="zookeeper", release="2.3.1")


def test_a_round_begins_after_the_response_to_the_one_before() -> None:
    deliver = {"deliver": {"kind": "fetch_request", "from": 1, "to": 2}}
    fetch = {"fetch": {"broker": 1}}

    with pytest.raises(NotRecordableError, match="step 2, fetch: the response to the request"):
        planned([deliver, fetch])
    assert names([deliver, {"deliver": {"kind": "fetch_response", "from": 2, "to": 1}}, fetch])
