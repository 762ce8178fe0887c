"""KIP-966 at the controller: which replicas stay eligible, are removed, or are elected."""

from collections.abc import Sequence
from typing import Any

import pytest

from sim_engine.actions.steps import Notice
from sim_engine.events.base import Event
from sim_engine.events.controller import (
    BrokerRegistered,
    EligibleLeaderReplicasChanged,
    LeaderElected,
)
from sim_engine.identifiers import FrameNumber
from sim_engine.narration import RefusedError
from sim_engine.simulation.choices import list_choices
from sim_engine.simulation.transition import perform
from tests.sim_engine.builders import B1, B3
from tests.sim_engine.kafka_cases.world import World
from tests.sim_engine.runs import down, run

UNCLEAN = {"unclean.leader.election.enable": True}


class Controlled(World):
    """A KRaft cluster whose brokers go away and come back."""

    def __init__(
        self,
        kafka: str = "4.1",
        *,
        replicas: Sequence[int] = (1, 2, 3),
        min_isr: int = 2,
        **more: Any,
    ) -> None:
        configs = {"min.insync.replicas": min_isr}
        about: dict[str, Any] = {"control": "kraft", "replicas": list(replicas), "configs": configs}
        super().__init__(kafka, **about, **more)

    def led(self) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Leader, ISR, ELR and the last known leader."""
        now = self.registration()
        return now.leader, now.isr, now.elr, now.last_known_elr

    def cut_off(self, *brokers: int) -> None:
        """The brokers hang, and the controller fences them."""
        for broker in brokers:
            self.do("pause", broker=broker)
            self.do("detect", broker=broker)

    def back(self, broker: int) -> list[Event]:
        """The broker resumes, and the controller unfences it."""
        return [*self.do("resume", broker=broker), *self.do("detect", broker=broker)]

    def crash(self, *brokers: int) -> None:
        for broker in brokers:
            self.do("crash", broker=broker)
            self.do("detect", broker=broker)


FOUR: dict[str, Any] = {"replicas": (0, 1, 2, 3), "min_isr": 4}


def said(events: Sequence[Event], kind: type[Event]) -> list[str | None]:
    return [one.variant for one in events if isinstance(one, kind)]


@pytest.mark.parametrize(("of_partition_0", "eligible"), [((0, 1), ()), ((0, 1, 2), (2,))])
def test_min_insync_replicas_counts_no_further_than_partition_0_has_replicas(
    of_partition_0, eligible
):
    partitions = [{"replicas": list(of_partition_0)}, {"replicas": [0, 1, 2]}]
    topics = [{"name": "t", "partitions": partitions}]

    timeline = run(
        *down(2), kafka="4.1", brokers=(0, 1, 2), configs={"min.insync.replicas": 3}, topics=topics
    )

    other = timeline.registration("t-1")
    assert (other.isr, other.elr) == ((0, 1), eligible)


def test_a_clean_shutdown_is_detected_by_the_broker_epoch_in_its_marker():
    world = Controlled(**FOUR)
    epoch = world.cluster.controller.broker(B3).broker_epoch

    world.do("shutdown", broker=3)
    stopped = world.cluster.broker(B3)
    events = world.do("start", broker=3)

    assert (stopped.clean_shutdown, stopped.clean_shutdown_epoch) == (True, epoch)
    assert said(events, BrokerRegistered) == ["clean_shutdown"]
    assert world.led() == (0, (0, 1, 2), (3,), ())


def test_the_file_of_a_clean_stop_is_good_for_one_start():
    world = Controlled(**FOUR)
    world.do("shutdown", broker=3)
    world.do("boot", broker=3)
    world.do("crash", broker=3)

    events = world.do("start", broker=3)

    assert said(events, BrokerRegistered) == ["unclean_shutdown"]
    assert world.led() == (0, (0, 1, 2), (), ())


def test_a_process_that_never_registered_names_no_epoch_as_it_stops():
    world = Controlled(**FOUR)
    world.do("crash", broker=3)
    world.do("detect", broker=3)
    world.do("isolate", broker=3, from_="controller")
    world.do("boot", broker=3)
    world.do("shutdown", broker=3)

    assert world.cluster.broker(B3).clean_shutdown_epoch == -1


def test_a_member_of_the_elr_that_returns_is_elected_and_cleanly():
    world = Controlled()
    world.cut_off(2, 3, 1)
    assert world.led() == (-1, (), (1, 3), (1,))

    world.back(2)
    assert world.led()[0] == -1
    events = world.back(3)

    assert world.led() == (3, (3,), (1,), ())
    assert said(events, LeaderElected) == ["elr"]
    assert world.registration().leader_recovery_state == "RECOVERED"


def test_without_elr_the_last_member_stays_in_the_isr_and_leads_again():
    world = Controlled("4.0")
    world.crash(2, 3, 1)

    world.do("start", broker=1)

    assert world.led() == (1, (1,), (), ())


def test_the_last_known_leader_is_elected_once_it_is_back():
    world = Controlled()
    world.crash(2, 3, 1)
    world.do("start", broker=2)
    world.do("start", broker=3)
    assert world.led() == (-1, (), (1,), (1,))

    events = world.do("start", broker=1)

    assert world.led() == (1, (1,), (), ())
    assert said(events, LeaderElected) == ["last_known_leader"]
    assert world.registration().leader_recovery_state == "RECOVERING"


@pytest.mark.parametrize(("dead_waits", "leader"), [(True, -1), (False, 1)])
def test_4_0_elects_the_last_known_leader_while_it_is_dead(dead_waits, leader):
    rules = {"KIP-966": True, "KAFKA-19522": dead_waits}
    world = Controlled("4.0", rules=rules)
    world.crash(2, 3, 1)
    world.do("start", broker=3)
    assert world.led() == (-1, (), (1,), (1,))
    world.do("boot", broker=1)

    world.cluster = perform(world.cluster, Notice(broker=B1), FrameNumber(1)).cluster

    assert world.cluster.controller.broker(B1).fenced
    assert world.led()[0] == leader


def test_another_min_insync_replicas_clears_elr_and_last_known_leader():
    world = Controlled()
    world.cut_off(2, 3, 1)
    before = world.registration().partition_epoch

    events = world.do("config", **{"min.insync.replicas": 1}, topic="t")

    assert world.led() == (-1, (), (), ())
    assert world.registration().partition_epoch == before
    assert said(events, EligibleLeaderReplicasChanged) == ["config"]


def test_min_insync_replicas_of_another_topic_clears_nothing():
    topics = [{"name": name, "partitions": [{"replicas": [1, 2, 3]}]} for name in ("t", "u")]
    world = Controlled(topics=topics)
    world.cut_off(2, 3)

    world.do("config", **{"min.insync.replicas": 1}, topic="u")

    assert world.led() == (1, (1,), (3,), ())


def test_another_setting_clears_nothing():
    world = Controlled()
    world.cut_off(2, 3)

    world.do("config", **{"replica.lag.time.max.ms": 1_000})

    assert world.led() == (1, (1,), (3,), ())


def leaderless_with_unclean_allowed(kafka: str) -> Controlled:
    """Broker 1, the last of the ISR, is away; broker 2 is back; then the setting is switched on."""
    world = Controlled(kafka, replicas=(1, 2), min_isr=1)
    world.crash(2, 1)
    world.do("start", broker=2)
    world.do("config", **UNCLEAN, topic="t")
    return world


@pytest.mark.parametrize("kafka", ["3.9", "4.0", "4.1"])
def test_the_periodic_pass_elects_uncleanly_where_that_is_allowed(kafka):
    world = leaderless_with_unclean_allowed(kafka)
    assert world.led()[0] == -1
    offered = {"timer": {"kind": "unclean_leader_check"}}
    assert offered in [one.step for one in list_choices(world.cluster) if one.enabled]

    events = world.do("timer", kind="unclean_leader_check")

    assert world.led() == (2, (2,), (), ())
    assert said(events, LeaderElected) == ["unclean"]


def test_the_periodic_pass_leaves_partitions_that_do_not_allow_it():
    world = leaderless_with_unclean_allowed("4.1")
    world.do("config", **{"unclean.leader.election.enable": False}, topic="t")

    world.do("timer", kind="unclean_leader_check")

    assert world.led()[0] == -1


def test_before_3_9_there_is_no_periodic_pass():
    world = leaderless_with_unclean_allowed("3.7")

    with pytest.raises(RefusedError) as refused:
        world.do("timer", kind="unclean_leader_check")

    assert (refused.value.code, refused.value.rule) == ("unknown_to_version", "KAFKA-12670")


def test_a_preferred_leader_comes_back_from_the_elr_only_through_the_isr():
    world = Controlled()
    world.cut_off(1, 3)
    assert world.led() == (2, (2,), (3,), ())
    world.back(1)

    with pytest.raises(RefusedError) as refused:
        world.do("elect", partition="t-0", kind="preferred")

    assert refused.value.code == "preferred_not_eligible"
