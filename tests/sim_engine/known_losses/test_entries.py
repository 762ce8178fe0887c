"""The known ways to lose records of a printed partition: each film loses, and each closing keeps.

The films and proofs are documents, and are played here as the page plays them.
"""

import re
from typing import Any

import pytest

from sim_engine.actions import STEPS
from sim_engine.actions.base import name_of
from sim_engine.documents.assessment import KnownLoss
from sim_engine.identifiers import Acks
from sim_engine.known_losses.catalogue import WAYS
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.known_losses.printed import (
    DOWN,
    EVERY_STATE,
    LAST_KNOWN_IS_UP,
    NAME,
    NO_LEADER,
    ONE_COPY,
    ONLY_LAST_KNOWN,
    WRITES_HAVE_STOPPED,
    WRITES_HAVE_STOPPED_EARLIER,
    entry,
    healthy,
    losses,
    printed,
)

FAILURES = {name_of(kind) for kind in STEPS if kind.affects is not None}


def played(document: Any) -> Timeline:
    timeline = Timeline(read_scenario_document(document))
    timeline.run_all()
    return timeline


def lost_in_each_frame(timeline: Timeline, acks: Acks) -> list[bool]:
    return [
        any(
            one.fate == "lost" and one.acks in ("all", acks)
            for one in frame.cluster.clients.produced
        )
        for frame in timeline.frames
    ]


@pytest.mark.parametrize("name", EVERY_STATE)
def test_a_film_starts_in_the_printed_state_and_its_last_step_loses(name: str) -> None:
    scenario, acks = EVERY_STATE[name]
    (spec,) = scenario.topics[0].partitions
    for one in losses(scenario, acks).entries:
        timeline = played(one.film)

        start = timeline.frames[0].cluster
        (partition,) = [
            p for p in start.controller.partitions if p.partition in scenario.partitions
        ]
        assert partition.replicas == spec.replicas, one.id
        assert (partition.leader, partition.isr) == (spec.first_leader, spec.in_sync), one.id
        assert (partition.elr, partition.last_known_elr) == (spec.elr, spec.last_known_elr), one.id
        assert start.profile.kafka == scenario.kafka
        assert not any(done.refused for done in timeline.played_steps), one.id
        lost = lost_in_each_frame(timeline, acks)
        first = timeline.frames[lost.index(True)]
        assert first.item == len(one.film["steps"]) - 1, one.id


@pytest.mark.parametrize("name", EVERY_STATE)
def test_what_closes_a_way_keeps_every_record_although_all_failures_happen(name: str) -> None:
    scenario, acks = EVERY_STATE[name]
    for one in losses(scenario, acks).entries:
        for closing in one.closed_by:
            timeline = played(closing.run)

            told = f"{one.id}: {closing.text['en']}"
            counted = "all" if one.id in RACES else acks
            assert not any(lost_in_each_frame(timeline, counted)), told
            last = timeline.frames[-1].cluster.clients.produced
            assert {p.fate for p in last if p.acks in ("all", counted)} <= {"safe", None}, told
            assert failures_of(one.film) <= taken_in(timeline) | SPARED.get(closing.id, set()), told


RACES = {way.id for way in WAYS if way.is_race}
SPARED = {"separate-power": {"power_loss"}}
"""A procedure that consists in a failure not happening, to one of the brokers."""


def failures_of(film: Any) -> set[str]:
    return {name for step in film["steps"] for name in step} & FAILURES


def taken_in(timeline: Timeline) -> set[str]:
    return {name for done in timeline.played_steps if not done.refused for name in done.step}


def told(one: KnownLoss) -> tuple[str, str, list[tuple[str, str]]]:
    closed = [(c.text["en"], c.result["en"]) for c in one.closed_by]
    return one.likelihood, one.why["en"], closed


def test_a_killed_replica_is_about_to_be_lost() -> None:
    one = losses(LAST_KNOWN_IS_UP).entries[0]

    assert one.id == "killed-replica-not-trusted"
    assert told(one) == (
        "now",
        "Nothing more has to fail: it happens when broker 1 comes back.",
        [
            (
                "Stop broker 3 (the other partitions that it leads need another leader), "
                "start broker 1, and have it elected by hand",
                "keeps m2",
            )
        ],
    )
    assert (one.since, one.until) == ("4.1", None)
    rows = {row.broker: [(cell.value, cell.kind) for cell in row.cells] for row in one.figure.rows}
    assert rows == {3: [("m1", "committed")], 1: [("m1", "committed"), ("m2", "lost")]}
    assert [row.broker for row in one.figure.rows if row.leads] == [3]


@pytest.mark.parametrize("scenario", [LAST_KNOWN_IS_UP, ONLY_LAST_KNOWN, WRITES_HAVE_STOPPED])
def test_only_a_broker_that_is_down_is_to_be_kept_stopped_now(scenario: Scenario) -> None:
    down = {broker for broker, state in scenario.broker_states.items() if state == "stopped"}
    for one in losses(scenario).entries:
        for closing in one.closed_by:
            kept = re.match(r"Keep broker (\d+) stopped", closing.text["en"])
            assert kept is None or int(kept[1]) in down, (one.id, closing.text)


def test_of_replicas_that_are_not_trusted_any_one_may_have_the_record() -> None:
    found = {one.id: one for one in losses(ONLY_LAST_KNOWN).entries}

    assert found["killed-replica-not-trusted"].likelihood == "now"
    assert found["last-in-sync-loses-power"].likelihood == "one_failure"
    assert found["unclean-by-hand"].likelihood == "one_failure"


def test_one_copy_is_one_power_loss_from_losing_and_is_closed_by_refusing_the_record() -> None:
    one = losses(ONE_COPY).entries[0]

    assert one.id == "last-in-sync-loses-power"
    assert told(one) == (
        "one_failure",
        "One failure is enough: broker 6 loses power.",
        [
            ("Set min.insync.replicas to 2", "m2 is refused"),
            ("Set log.flush.interval.messages to 1", "keeps m2"),
        ],
    )
    assert (one.since, one.until) == (None, None)


def test_an_upgrade_closes_what_eligible_leader_replicas_close() -> None:
    earlier = entry(WRITES_HAVE_STOPPED_EARLIER, "surviving-copy-truncated")

    assert told(earlier)[:2] == ("one_failure", "One failure is enough: broker 5 loses power.")
    assert earlier.until == "4.0"
    assert ("Upgrade to Kafka 4.1", "keeps m2") in told(earlier)[2]
    later = entry(WRITES_HAVE_STOPPED, "killed-replica-not-trusted")
    assert (later.likelihood, later.failures) == ("rare", 2)


def test_a_replica_that_is_down_can_be_started_instead_of_electing_another() -> None:
    one = entry(NO_LEADER, "unclean-by-hand")

    assert told(one)[:2] == (
        "one_failure",
        "No failure is needed: it is enough that broker 2 is elected by hand.",
    )
    assert [closing.id for closing in one.closed_by] == ["start-member"]
    every_one_down = printed("3.9", {1: DOWN, 2: DOWN}, leader=-1, isr=[1])
    assert entry(every_one_down, "unclean-by-hand").why["en"] == (
        "No failure is needed: it is enough that broker 2 starts first and is elected by hand."
    )


@pytest.mark.parametrize(
    ("racks", "likelihood", "why"),
    [
        ((None, None, None), "depends", "brokers 1, 2, 3 share their power"),
        (("a", None, "b"), "depends", "not all named"),
        (("a", "a", "a"), "one_failure", "all in rack a"),
        (("a", "b", "b"), "rare", "different racks (a, b)"),
    ],
)
def test_a_common_power_loss_is_judged_by_the_racks(
    racks: tuple[str | None, ...], likelihood: str, why: str
) -> None:
    brokers: dict[int, Any] = {
        place: {} if rack is None else {"rack": rack} for place, rack in enumerate(racks, 1)
    }

    one = entry(printed("3.9", brokers, min_isr=2), "all-lose-power")

    assert one.likelihood == likelihood
    assert why in one.why["en"]


def test_every_way_is_an_entry_or_left_out_with_a_reason() -> None:
    for scenario, acks in EVERY_STATE.values():
        found = losses(scenario, acks)

        names = [*(one.id for one in found.entries), *(one.id for one in found.left_out)]
        assert sorted(names) == sorted(way.id for way in WAYS)
        assert all(one.why["en"] and one.why["zh"] for one in found.left_out)


def test_the_reason_of_what_is_left_out_is_the_first_that_holds() -> None:
    why = {one.id: one.why["en"] for one in losses(healthy("3.9", min_isr=2)).left_out}

    assert why["leader-cut-off"] == "It needs producers that use acks=1."
    assert why["stale-command"] == "Not in Kafka 3.9 with KRaft."
    assert "not in a state" in why["last-in-sync-loses-power"]
    flushed = healthy("3.9", min_isr=2, configs={"log.flush.interval.messages": 1})
    kept = {one.id: one.why["en"] for one in losses(flushed).left_out}
    assert "it loses nothing" in kept["all-lose-power"]


def test_the_likeliest_come_first() -> None:
    ranks = {"now": 0, "one_failure": 1, "depends": 2, "rare": 3}
    for scenario, acks in EVERY_STATE.values():
        found = [ranks[one.likelihood] for one in losses(scenario, acks).entries]

        assert found == sorted(found)


def test_settings_of_the_topic_count_and_are_changed_by_what_closes() -> None:
    base = healthy("3.9", 2)
    document = base.topics[0]
    scenario = Scenario(
        **{
            **{name: getattr(base, name) for name in base.__struct_fields__},
            "topics": (
                type(document)(
                    name=document.name,
                    configs={"unclean.leader.election.enable": True, "min.insync.replicas": 1},
                    partitions=document.partitions,
                ),
            ),
        }
    )

    one = entry(scenario, "unclean-by-setting")

    assert [closing.id for closing in one.closed_by] == ["clean-only"]
    run = one.closed_by[0].run
    assert run is not None
    assert "unclean.leader.election.enable" not in run["topics"][0]["configs"]


def test_a_film_names_its_partition_as_the_reader_does() -> None:
    assert all(one.partitions == (NAME,) for one in losses(ONE_COPY).entries)
