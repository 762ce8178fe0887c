"""The differences between the two kinds of controller."""

from typing import get_args

import pytest

from sim_engine.protocol.controller.kind import controller_kind
from sim_engine.protocol.controller.state import ControllerTask
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, PARTITION, cluster


@pytest.mark.parametrize(
    ("kafka", "control", "epochs"),
    [("2.1", "zookeeper", (-1, -1)), ("2.2", "zookeeper", (1, 2)), ("3.9", "kraft", (1, 2))],
)
def test_a_broker_begins_with_an_epoch_where_its_controller_gives_epochs(kafka, control, epochs):
    profile = resolve_profile(kafka, control=control)

    controller = controller_kind(profile).first_state((B1, B2), (), profile.rules)

    assert tuple(broker.broker_epoch for broker in controller.brokers) == epochs


@pytest.mark.parametrize(
    ("kafka", "control", "overlooks"),
    [("2.1", "zookeeper", True), ("2.2", "zookeeper", False), ("2.8", "kraft", False)],
)
def test_a_restart_inside_the_session_is_overlooked_by_a_controller_that_compares_ids(
    kafka, control, overlooks
):
    profile = resolve_profile(kafka, control=control)

    assert controller_kind(profile).overlooks_restarts(profile.rules) is overlooks


@pytest.mark.parametrize(
    ("kafka", "control", "issues"),
    [
        ("2.8", "zookeeper", [None, None, None]),
        ("2.8", "kraft", ["KAFKA-13162", "KAFKA-12803", "KAFKA-13682"]),
        ("3.1", "kraft", [None, None, "KAFKA-13682"]),
        ("3.2", "kraft", [None, None, None]),
    ],
)
def test_the_first_releases_with_kraft_name_the_issue_of_what_they_cannot_do(
    kafka, control, issues
):
    profile = resolve_profile(kafka, control=control)
    kind = controller_kind(profile)

    named = [kind.why_unsupported(task, profile.rules) for task in get_args(ControllerTask)]

    assert named == issues


@pytest.mark.parametrize(("kafka", "changes"), [("2.8", True), ("3.9", False)])
def test_a_broker_notices_a_new_controller_only_where_one_broker_is_the_controller(kafka, changes):
    state = cluster(kafka=kafka)

    outcome = state.controller_kind.take_over(state.situation())

    assert (outcome is not None) is changes


@pytest.mark.parametrize(("kafka", "written"), [("2.8", False), ("3.9", False), ("4.1", True)])
def test_only_a_controller_with_eligible_leader_replicas_clears_them(kafka, written):
    state = cluster(kafka=kafka)

    outcome = state.controller_kind.min_isr_changed(state.situation(), PARTITION.rpartition("-")[0])

    assert (outcome is not None) is written
