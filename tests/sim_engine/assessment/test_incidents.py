"""Incidents, each with the verdicts that Kafka's rules give: crash, power loss, disk loss, a leader
cut off from its controller, an administrator's unclean election.
"""

import pytest

from tests.sim_engine.assessment.clusters import TWELVE, assessed, described, line, verdicts

KEEPS = "keeps keeps keeps keeps keeps"
OLD, KRAFT, ELR = "2.3", "3.5", "4.1"


@pytest.mark.parametrize("kafka", ["0.8.2", "0.10", "0.11", "1.1", OLD, "2.8", KRAFT, "3.9", ELR])
def test_three_of_three_keep_everything_whatever_fails(kafka: str) -> None:
    assert verdicts(described(min_isr=2), kafka) == KEEPS


@pytest.mark.parametrize("kafka", ["0.10", "1.1", OLD, KRAFT, "3.9", ELR])
def test_two_of_three_with_min_isr_2_have_none_to_spare(kafka: str) -> None:
    stops = "writes_stop writes_stop writes_stop writes_stop keeps"

    assert verdicts(described(isr="1,2", min_isr=2), kafka, down=[3]) == stops


@pytest.mark.parametrize("kafka", ["0.11", "1.1", OLD, "2.8", KRAFT, "3.9", ELR])
def test_the_last_copy_is_one_power_loss_away_and_its_disk_is_the_only_one(kafka: str) -> None:
    """Nobody else may be elected. After a power loss, the last member of the ISR leads again
    without what was not flushed (last replica standing).
    """
    last = described(isr="1")

    assert verdicts(last, kafka, down=[2, 3]) == "unavailable can_lose lost unavailable keeps"


@pytest.mark.parametrize("kafka", ["0.8.2", "0.9", "0.10"])
def test_up_to_0_10_another_replica_is_elected_uncleanly_by_default(kafka: str) -> None:
    """unclean.leader.election.enable is true by default: whoever returns first leads."""
    last = described(isr="1")

    assert verdicts(last, kafka, down=[2, 3]) == "can_lose can_lose lost can_lose keeps"


@pytest.mark.parametrize(
    ("kafka", "crash"),
    [("2.8", "can_lose"), ("3.5", "unavailable"), ("3.8", "unavailable"), ("3.9", "can_lose")],
)
def test_kraft_reads_the_unclean_setting_from_3_9_on(kafka: str, crash: str) -> None:
    last = described(isr="1")
    unclean = {"unclean.leader.election.enable": "true"}

    found = verdicts(last, kafka, down=[2, 3], settings=unclean)

    assert found == f"{crash} can_lose lost {crash} keeps"


def test_a_release_with_both_controllers_reads_the_unclean_setting_under_zookeeper() -> None:
    last = described(isr="1")
    unclean = {"unclean.leader.election.enable": "true", "control": "zookeeper"}

    found = verdicts(last, "3.5", down=[2, 3], settings=unclean)

    assert found == "can_lose can_lose lost can_lose keeps"


def test_a_live_replica_outside_the_isr_is_elected_uncleanly_for_certain() -> None:
    """Broker 2 runs, because it leads u-0: it is elected as soon as 1 is fenced."""
    text = described(isr="1", replicas="1,2") + described(2, "2", "2").replace(": t", ": u")
    unclean = {"unclean.leader.election.enable": "true"}

    last = assessed(text, "3.9", settings=unclean).kinds[0]

    assert line(last) == "lost lost lost can_lose keeps"


def test_below_min_isr_the_records_are_older_than_the_last_shrink() -> None:
    """Another replica has them, but nothing says which: its disk is not the only one."""
    last = described(isr="1", min_isr=2)

    assert verdicts(last, KRAFT, down=[2, 3]) == "unavailable can_lose can_lose unavailable keeps"


@pytest.mark.parametrize(
    ("kafka", "by_hand"),
    [("1.1", "lost"), (OLD, "lost"), ("2.4", "lost"), (KRAFT, "lost"), ("3.9", "lost")],
)
def test_without_a_leader_an_unclean_election_loses_for_certain(kafka: str, by_hand: str) -> None:
    """Broker 1, the last member of the ISR, is down, and 2 and 3 may be up."""
    gone = described("none", isr="1")

    found = verdicts(gone, kafka, down=[1])

    assert found == f"unavailable can_lose lost – {by_hand}"


def test_an_unclean_election_needs_a_live_replica() -> None:
    gone = described("none", isr="1")

    assert verdicts(gone, KRAFT, down=[1, 2, 3]).split()[-1] == "unavailable"


def test_up_to_2_3_an_allowed_unclean_election_waits_for_the_next_replica() -> None:
    """It is a setting of the topic and no request: whoever returns first leads."""
    gone = described("none", isr="1")

    assert verdicts(gone, OLD, down=[1, 2, 3]).split()[-1] == "can_lose"


@pytest.mark.parametrize("kafka", ["0.10", OLD, KRAFT, ELR])
def test_with_acks_1_every_failure_of_the_leader_can_lose(kafka: str) -> None:
    found = verdicts(described(min_isr=2), kafka, settings={"acks": "1"})

    assert found == "can_lose can_lose can_lose can_lose keeps"


def test_with_acks_1_writes_do_not_stop() -> None:
    found = verdicts(described(isr="1,2", min_isr=3), KRAFT, settings={"acks": "1"}, down=[3])

    assert "writes_stop" not in found


@pytest.mark.parametrize("kafka", ["0.10", OLD, KRAFT, ELR])
def test_one_replica_has_the_only_copy(kafka: str) -> None:
    one = described(replicas="1", isr="1")

    assert verdicts(one, kafka) == "unavailable can_lose lost unavailable keeps"


def test_flushing_every_record_closes_the_power_loss() -> None:
    one = described(replicas="1", isr="1")

    found = verdicts(one, KRAFT, settings={"flush.messages": "1"})

    assert found == "unavailable unavailable lost unavailable keeps"


@pytest.mark.parametrize(
    ("kafka", "power"), [("1.1", "can_lose"), ("2.1", "can_lose"), ("2.2", "keeps")]
)
def test_before_kip_380_a_controller_may_overlook_a_restart(kafka: str, power: str) -> None:
    """Broker 1 is not the leader, but preferred: it lost its unflushed records, has kept its place
    in the ISR, and the leader rebalance elects it.
    """
    balanced_away = described(leader=2, min_isr=2)

    assert verdicts(balanced_away, kafka).split()[1] == power


def test_a_member_of_the_isr_that_just_died_counts_as_one_failure_already() -> None:
    two = described(isr="1,2", min_isr=1)

    assert verdicts(two, KRAFT, down=[1]).split()[:3] == ["unavailable", "can_lose", "can_lose"]


def test_an_eligible_replica_leads_next_and_without_elr_nobody_does() -> None:
    """Broker 2 is up and in the ELR; the ISR is {1}."""
    others = described(2, "2", "2", elr="").replace(": t", ": u")
    text = described(isr="1", min_isr=2, elr="2") + others

    on, off = (
        {str(kind.example.name): line(kind) for kind in assessed(text, ELR, **way).kinds}["t-0"]
        for way in ({"down": [3]}, {"down": [3], "settings": {"elr": "off"}})
    )

    assert on == "writes_stop writes_stop writes_stop writes_stop keeps"
    assert off == "unavailable can_lose can_lose unavailable keeps"


def test_the_twelve_partitions_of_a_cluster_with_eligible_leader_replicas() -> None:
    """Broker 1 was killed: it leaves the ELR when it returns, and the last known leader, 3, is
    elected. So payments-3 can lose records without any failure, and also after any crash.
    """
    assessment = assessed(TWELVE, "4.1", down=[1])

    found = {str(kind.example.name): line(kind) for kind in assessment.worst_first()}

    stops = "writes_stop writes_stop writes_stop writes_stop keeps"
    assert found == {
        "payments-3": "can_lose can_lose can_lose – can_lose",
        "audit-1": "unavailable can_lose lost unavailable keeps",
        "payments-1": stops,
        "orders-0": stops,
        "audit-0": KEEPS,
        "orders-1": KEEPS,
    }
    assert list(found)[:2] == ["payments-3", "audit-1"]
    assert assessment.kinds[0].by_itself is not None
    assert assessment.kinds[0].by_itself.verdict == "can_lose"


def test_the_last_known_leader_of_a_partition_without_one_is_down() -> None:
    """The controller would elect it if it was up (KIP-966)."""
    text = described("none", "1,2", "", elr="", last_known="2")

    (kind,) = assessed(text, ELR).kinds

    assert kind.kind.standings == ("unknown", "down")
