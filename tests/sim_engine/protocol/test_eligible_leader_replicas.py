"""KIP-966 at the controller: which replicas stay eligible, are removed, or are elected."""

from collections.abc import Sequence
from typing import Any

import pytest

from sim_engine.actions import Crash, Detect, Notice
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.controller import BrokerRegistered
from sim_engine.events.election import EligibleLeaderReplicasChanged, LeaderElected
from sim_engine.identifiers import FrameNumber, TopicPartition
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.choices import list_choices
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.working_copy import RefusedError
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, B3, PARTITION
from tests.sim_engine.steps import step_of

ELR_IN_4_0 = {"KIP-966": True}
UNCLEAN = {"unclean.leader.election.enable": True}


class Run:
    """A cluster with one partition, and steps performed on it."""

    def __init__(
        self,
        kafka: str = "4.1",
        *,
        replicas: Sequence[int] = (0, 1, 2, 3),
        min_isr: int = 3,
        configs: dict[str, Any] | None = None,
        rules: dict[str, bool] | None = None,
    ) -> None:
        self.scenario = read_scenario_document(
            {
                "id": "built",
                "kafka": kafka,
                "brokers": sorted(replicas),
                "configs": {"min.insync.replicas": min_isr} | (configs or {}),
                "topics": [{"name": "t", "partitions": [{"replicas": list(replicas)}]}],
                "steps": [],
            }
        )
        profile = resolve_profile(kafka, control="kraft", rules=rules)
        self.execution = StepExecution(
            start_cluster(self.scenario, profile), FrameNumber(1), 10_000
        )

    @property
    def cluster(self) -> ClusterState:
        return self.execution.cluster

    @property
    def partition(self) -> PartitionRegistration:
        return self.cluster.controller.partition(PARTITION)

    def led(self) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Leader, ISR, ELR and the last known leader."""
        now = self.partition
        return now.leader, now.isr, now.elr, now.last_known_elr

    def do(self, step: str, **arguments: Any) -> list[Event]:
        before = len(self.execution.executed)
        execute_step(self.execution, step_of(step, **arguments))
        return [
            one
            for executed in self.execution.executed[before:]
            for one in executed.transition.events
        ]

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


def said(events: list[Event], kind: type[Event]) -> list[str | None]:
    return [one.variant for one in events if isinstance(one, kind)]


def test_h36_a_proposed_isr_makes_eligible_and_clears():
    run = Run(replicas=(0, 1, 2), min_isr=2, configs={"replica.lag.time.max.ms": 1_000})
    run.do("settle")
    for broker in (1, 2):
        run.do("cut", **{"from": broker, "to": 0})
    run.do("produce", to="t-0", values=["m1"], acks=1, **{"as": "p1"})
    run.do("run", ms=3_000)

    assert run.led() == (0, (0,), (1, 2), ())

    run.do("heal", broker=1)
    run.do("settle")

    assert run.led() == (0, (0, 1), (), ())


def test_h37_fencing_makes_eligible_and_unfencing_rejoins_nothing():
    run = Run()

    run.cut_off(2, 3)
    assert run.led() == (0, (0, 1), (3,), ())
    run.cut_off(1)
    assert run.led() == (0, (0,), (1, 3), ())
    for broker in (1, 2, 3):
        run.back(broker)
    assert run.led() == (0, (0,), (1, 3), ())


def test_h38_min_insync_replicas_counts_no_further_than_the_replicas():
    run = Run(replicas=(0, 1, 2), min_isr=5)

    assert run.cluster.situation().policies[PARTITION].effective_min_insync_replicas == 3
    run.cut_off(2)
    assert run.led() == (0, (0, 1), (2,), ())


@pytest.mark.parametrize(("of_partition_0", "eligible"), [((0, 1), ()), ((0, 1, 2), (2,))])
def test_min_insync_replicas_counts_no_further_than_partition_0_has_replicas(
    of_partition_0, eligible
):
    partitions = [{"replicas": list(of_partition_0)}, {"replicas": [0, 1, 2]}]
    scenario = read_scenario_document(
        {
            "id": "built",
            "kafka": "4.1",
            "brokers": [0, 1, 2],
            "configs": {"min.insync.replicas": 3},
            "topics": [{"name": "t", "partitions": partitions}],
            "steps": [],
        }
    )
    execution = StepExecution(start_cluster(scenario, resolve_profile("4.1")), FrameNumber(1), 100)

    execution.act(Crash(broker=B2))
    execute_step(execution, Detect(broker=B2))

    other = execution.cluster.controller.partition(TopicPartition("t-1"))
    assert (other.isr, other.elr) == ((0, 1), eligible)


def test_h39_a_clean_election_takes_one_of_the_elr_and_leaves_the_others():
    run = Run()
    run.cut_off(1, 2, 3)
    assert run.led() == (0, (0,), (2, 3), ())
    run.back(2)
    run.cut_off(0)

    assert run.led() == (2, (2,), (0, 3), ())
    assert run.partition.leader_recovery_state == "RECOVERED"


def test_h40_unclean_shutdowns_leave_the_elr_and_the_isr():
    run = Run()
    run.crash(1, 2, 3)
    assert run.led() == (0, (0,), (2, 3), ())

    events = run.do("start", broker=3)
    assert run.led() == (0, (0,), (2,), ())
    assert said(events, BrokerRegistered) == ["unclean_shutdown"]
    assert said(events, EligibleLeaderReplicasChanged) == ["unclean_shutdown"]

    run.do("crash", broker=0)
    run.do("start", broker=0)
    assert run.led() == (-1, (), (2,), (0,))


def test_a_clean_shutdown_is_detected_by_the_broker_epoch_in_its_marker():
    run = Run(min_isr=4)
    epoch = run.cluster.controller.broker(B3).broker_epoch

    run.do("shutdown", broker=3)
    stopped = run.cluster.broker(B3)
    events = run.do("start", broker=3)

    assert (stopped.clean_shutdown, stopped.clean_shutdown_epoch) == (True, epoch)
    assert said(events, BrokerRegistered) == ["clean_shutdown"]
    assert run.led() == (0, (0, 1, 2), (3,), ())


def test_the_file_of_a_clean_stop_is_good_for_one_start():
    run = Run(min_isr=4)
    run.do("shutdown", broker=3)
    run.do("boot", broker=3)
    run.do("crash", broker=3)

    events = run.do("start", broker=3)

    assert said(events, BrokerRegistered) == ["unclean_shutdown"]
    assert run.led() == (0, (0, 1, 2), (), ())


def test_a_process_that_never_registered_names_no_epoch_as_it_stops():
    run = Run(min_isr=4)
    run.do("crash", broker=3)
    run.do("detect", broker=3)
    run.do("isolate", broker=3, **{"from": "controller"})
    run.do("boot", broker=3)
    run.do("shutdown", broker=3)

    assert run.cluster.broker(B3).clean_shutdown_epoch == -1


def test_a_member_of_the_elr_that_returns_is_elected_and_cleanly():
    run = Run(replicas=(1, 2, 3), min_isr=2)
    run.cut_off(2, 3, 1)
    assert run.led() == (-1, (), (1, 3), (1,))

    run.back(2)
    assert run.led()[0] == -1
    events = run.back(3)

    assert run.led() == (3, (3,), (1,), ())
    assert said(events, LeaderElected) == ["elr"]
    assert not any(executed.transition.unclean_election for executed in run.execution.executed)


def test_without_elr_the_last_member_stays_in_the_isr_and_leads_again():
    run = Run("4.0", replicas=(1, 2, 3), min_isr=2)
    run.crash(2, 3, 1)

    run.do("start", broker=1)

    assert run.led() == (1, (1,), (), ())


def test_the_last_known_leader_is_elected_once_it_is_back():
    run = Run(replicas=(1, 2, 3), min_isr=2)
    run.crash(2, 3, 1)
    run.do("start", broker=2)
    run.do("start", broker=3)
    assert run.led() == (-1, (), (1,), (1,))

    events = run.do("start", broker=1)

    assert run.led() == (1, (1,), (), ())
    assert said(events, LeaderElected) == ["last_known_leader"]
    assert run.partition.leader_recovery_state == "RECOVERING"


@pytest.mark.parametrize(("dead_waits", "leader"), [(True, -1), (False, 1)])
def test_4_0_elects_the_last_known_leader_while_it_is_dead(dead_waits, leader):
    rules = {**ELR_IN_4_0, "KAFKA-19522": dead_waits}
    run = Run("4.0", replicas=(1, 2, 3), min_isr=2, rules=rules)
    run.crash(2, 3, 1)
    run.do("start", broker=3)
    assert run.led() == (-1, (), (1,), (1,))
    run.do("boot", broker=1)

    run.execution.act(Notice(broker=B1))

    assert run.cluster.controller.broker(B1).fenced
    assert run.led()[0] == leader


def test_another_min_insync_replicas_clears_elr_and_last_known_leader():
    run = Run(replicas=(1, 2, 3), min_isr=2)
    run.cut_off(2, 3, 1)
    before = run.partition.partition_epoch

    events = run.do("config", **{"min.insync.replicas": 1}, topic="t")

    assert run.led() == (-1, (), (), ())
    assert run.partition.partition_epoch == before
    assert said(events, EligibleLeaderReplicasChanged) == ["config"]


def test_min_insync_replicas_of_another_topic_clears_nothing():
    run = Run(replicas=(1, 2, 3), min_isr=2)
    run.cut_off(2, 3)

    run.do("config", **{"min.insync.replicas": 1}, topic="u")

    assert run.led() == (1, (1,), (3,), ())


def test_another_setting_clears_nothing():
    run = Run(replicas=(1, 2, 3), min_isr=2)
    run.cut_off(2, 3)

    run.do("config", **{"replica.lag.time.max.ms": 1_000})

    assert run.led() == (1, (1,), (3,), ())


def leaderless_with_unclean_allowed(kafka: str) -> Run:
    """Broker 1, the last of the ISR, is away; broker 2 is back; then the setting is switched on."""
    run = Run(kafka, replicas=(1, 2), min_isr=1)
    run.crash(2, 1)
    run.do("start", broker=2)
    run.do("config", **UNCLEAN, topic="t")
    return run


@pytest.mark.parametrize("kafka", ["3.9", "4.0", "4.1"])
def test_h50_the_periodic_pass_elects_uncleanly_where_that_is_allowed(kafka):
    run = leaderless_with_unclean_allowed(kafka)
    assert run.led()[0] == -1
    offered = {"timer": {"kind": "unclean_leader_check"}}
    assert offered in [one.step for one in list_choices(run.cluster) if one.enabled]

    events = run.do("timer", kind="unclean_leader_check")

    assert run.led() == (2, (2,), (), ())
    assert said(events, LeaderElected) == ["unclean"]


def test_h50_the_periodic_pass_leaves_partitions_that_do_not_allow_it():
    run = leaderless_with_unclean_allowed("4.1")
    run.do("config", **{"unclean.leader.election.enable": False}, topic="t")

    run.do("timer", kind="unclean_leader_check")

    assert run.led()[0] == -1


def test_before_3_9_there_is_no_periodic_pass():
    run = leaderless_with_unclean_allowed("3.7")

    with pytest.raises(RefusedError) as refused:
        run.do("timer", kind="unclean_leader_check")

    assert (refused.value.code, refused.value.rule) == ("unknown_to_version", "KAFKA-12670")


def test_a_preferred_leader_comes_back_from_the_elr_only_through_the_isr():
    run = Run(replicas=(1, 2, 3), min_isr=2)
    run.cut_off(1, 3)
    assert run.led() == (2, (2,), (3,), ())
    run.back(1)

    with pytest.raises(RefusedError) as refused:
        run.do("elect", partition="t-0", kind="preferred")

    assert refused.value.code == "preferred_not_eligible"
