"""The level of the protocol: metadata.version and inter.broker.protocol.version."""

import pytest

from sim_engine.events.controller import ProtocolLevelChanged
from sim_engine.events.isr import IsrShrinkProposed, IsrShrunk
from tests.sim_engine.builders import B1
from tests.sim_engine.runs import down, run


def leader_epoch(timeline):
    return timeline.registration().leader_epoch


@pytest.mark.parametrize(
    ("level", "epoch"), [(None, 0), ("3.6-IV0", 0), ("3.5", 1), ("3.3-IV3", 1)]
)
def test_3_9_brokers_at_an_older_metadata_version_bump_the_epoch_on_a_shrink(level, epoch):
    about = {} if level is None else {"metadata_version": level}

    assert leader_epoch(run(*down(3), **about)) == epoch


def test_raising_metadata_version_while_running_ends_the_bump():
    timeline = run({"config": {"metadata_version": "3.9"}}, *down(3), metadata_version="3.5")

    assert leader_epoch(timeline) == 0
    changed = timeline.frames[1]
    assert isinstance(changed.events[0], ProtocolLevelChanged)
    assert changed.events[0].opened == ("KAFKA-15021",)
    assert changed.events[1].numbers()["records"] == [
        {"record": "FeatureLevelRecord", "name": "metadata.version", "feature_level": 21}
    ]
    assert changed.cluster.profile.metadata_version == "3.9-IV0"


def test_the_level_may_be_spelled_as_kafka_spells_it():
    timeline = run({"config": {"metadata.version": "3.9"}}, metadata_version="3.5")

    assert timeline.frames[1].cluster.profile.level == "3.9-IV0"


@pytest.mark.parametrize(
    ("start", "wanted", "reason"),
    [
        ("3.9", "3.5", "level_cannot_go_back"),
        ("3.9", "4.0", "level_not_spoken"),
        ("3.9", "3.9", "level_spoken_already"),
        ("3.6-IV0", "3.5-IV2", None),
        ("3.9", "3.7-IV2", None),
    ],
)
def test_metadata_version_goes_back_only_where_no_level_between_brought_records(
    start, wanted, reason
):
    timeline = run(metadata_version=start)
    step = {"config": {"metadata_version": wanted}}

    if reason is None:
        timeline.do(step)
        assert timeline.frames[1].events[0].variant in ("lowered", "lowered_only")
    else:
        assert timeline.refused(step).code == reason


def test_a_cluster_under_zookeeper_has_the_other_level():
    timeline = run(kafka="2.8", inter_broker_protocol_version="2.6")
    profile = timeline.profile

    assert (profile.inter_broker_protocol_version, profile.metadata_version) == ("2.6-IV0", None)
    refused = timeline.refused({"config": {"metadata_version": "3.0"}})
    assert refused.code == "level_of_other_control"
    timeline.do({"config": {"inter_broker_protocol_version": "2.7-IV2"}})
    assert timeline.frames[1].cluster.profile.rules.alter_partition


def test_at_an_older_inter_broker_protocol_the_leader_writes_the_znode_itself():
    fetched = run(
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"settle": {}},
        {"pause": {"broker": 3}},
        {"run": {"ms": 60_000}},
        kafka="2.8",
        inter_broker_protocol_version="2.6",
    )

    assert IsrShrinkProposed not in fetched.kinds()
    assert IsrShrunk in fetched.kinds()


@pytest.mark.parametrize(
    ("under", "level"),
    [("3.9", "3.5-IV2"), ("3.5", "3.5-IV2"), ("3.4.1", "3.4-IV0"), ("2.8", "2.8-IV1")],
)
def test_under_another_release_the_level_holds_where_that_release_speaks_it(under, level):
    assert run(under=under, metadata_version="3.5").profile.level == level


def test_below_3_3_iv3_a_controlled_shutdown_is_not_registered():
    for level, registered in (("3.3-IV2", False), ("3.3-IV3", True)):
        timeline = run({"shutdown": {"broker": 1}}, metadata_version=level)
        shutting = any(
            frame.cluster.controller.broker(B1).in_controlled_shutdown for frame in timeline.frames
        )
        assert shutting is registered
        assert timeline.leader == 2
