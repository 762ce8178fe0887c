"""The state that is described is the state that the scenario starts with."""

import pytest
from msgspec import structs

from sim_engine.cluster.start import start_cluster
from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.command_line import main
from sim_engine.command_line.run import describe_topics
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import TopicPartition
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.version import profile_for
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.versions import PROFILE_NAMES, controls_of
from tests.sim_engine.runs import SETTLE, play
from tests.sim_engine.starts import start_of


def imported(text: str, kafka: str | None = None) -> ImportedCluster:
    return import_cluster([ClusterFile("pasted.txt", text)], kafka=kafka)


def described(scenario: Scenario) -> str:
    return describe_topics(start_cluster(scenario, profile_for(scenario)))


LEADERLESS = "Topic: a\tTopicId: AAA\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"
LAST_MEMBER = "\tTopic: a\tPartition: 0\tLeader: none\tReplicas: 1,2\tIsr: 2\n"


@pytest.mark.parametrize("kafka", PROFILE_NAMES)
def test_what_a_controller_has_written_is_described_imported_and_described_again(
    kafka: str,
) -> None:
    seen: set[str] = set()
    for control in controls_of(kafka):
        for seed in range(5):
            timeline = play(random_schedule(seed, kafka=kafka, control=control))
            for frame in timeline.frames:
                text = describe_topics(frame.cluster)
                if text in seen or start_of(timeline, frame.cluster) is None:
                    continue
                seen.add(text)
                found = imported(text, kafka)
                assert found.differences == ()
                assert described(found.scenario) == text
    assert len(seen) > 5


def test_a_partition_without_a_leader_keeps_its_last_member_where_releases_did() -> None:
    found = imported(LEADERLESS + LAST_MEMBER)

    (partition,) = found.scenario.topics[0].partitions
    assert (partition.leader, partition.isr, partition.elr) == (-1, (2,), ())
    assert (found.release.oldest, found.release.newest, found.scenario.kafka) == (
        "2.8",
        "4.0",
        "4.0",
    )
    assert {statement.name for statement in found.release.why} == {
        "since_topic_id",
        "until_last_isr_member",
    }


def test_a_release_with_eligible_leader_replicas_has_them_off_then() -> None:
    found = imported(LEADERLESS + LAST_MEMBER, "4.3")

    assert found.scenario.rules == {"KIP-966": False}
    assert found.scenario.partitions[TopicPartition("a-0")].isr == (2,)
    assert "elr_off" in {statement.name for statement in found.unknown}


def test_an_elr_shows_that_min_insync_replicas_is_higher_than_the_isr() -> None:
    found = imported(
        "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1\tElr: 2\tLastKnownElr: \n"
    )

    assert found.scenario.configs["min.insync.replicas"] == 2
    assert found.scenario.partitions[TopicPartition("a-0")].elr == (2,)


def test_what_no_history_leads_to_is_an_error_at_its_line() -> None:
    with pytest.raises(UnreadableError) as caught:
        imported(
            "\tTopic: a\tPartition: 1\tLeader: 2\tReplicas: 2,1\tIsr: 2,1\n"
            "\tTopic: a\tPartition: 0\tLeader: 2\tReplicas: 2,1\tIsr: 2\tElr: 2\n"
        )

    problem, *_ = caught.value.problems
    assert str(problem).startswith("pasted.txt:2:1: a-0 cannot be as it is described: broker 2 is")


LEADS_ANOTHER = "\tTopic: a\tPartition: 1\tLeader: 2\tReplicas: 2,1\tIsr: 2,1\n"
WAITS_FOR_IT = "\tTopic: a\tPartition: 0\tLeader: none\tReplicas: 2\tIsr: 2\n"


def test_a_partition_that_waits_for_a_broker_which_runs_is_set_aside_with_its_reasons() -> None:
    found = imported(LEADS_ANOTHER + WAITS_FOR_IT)

    (difference,) = found.differences
    assert (difference.name, difference.file, difference.line) == ("set_aside", "pasted.txt", 2)
    assert "a-0 is not in the scenario" in difference.text()
    assert "kafka-log-dirs" in difference.text()
    (partition,) = found.scenario.topics[0].partitions
    assert partition.leader == 2
    # Alone, it starts without that broker.
    (alone,) = imported(WAITS_FOR_IT).scenario.topics[0].partitions
    assert (alone.leader, alone.isr) == (-1, (2,))


def test_a_reassignment_in_progress_is_the_start_and_goes_on() -> None:
    found = imported(
        "\tTopic: p\tPartition: 0\tLeader: 1\tReplicas: 3,4,1,2\tIsr: 1,2"
        "\tAdding Replicas: 3,4\tRemoving Replicas: 1,2\n",
        "3.9",
    )

    partition = found.scenario.partitions[TopicPartition("p-0")]
    assert (partition.adding, partition.removing) == ((3, 4), (1, 2))
    assert "ReplicationFactor: 2\t" in described(found.scenario)  # without those being added
    document = {**scenario_document(found.scenario), "steps": [SETTLE]}
    ended = play(read_scenario_document(document))
    assert ended.registration("p-0").replicas == (3, 4)


@pytest.mark.parametrize(
    "before", ["> ", "kafka-1  | ", "[2024-03-11 10:23:41,882] ", "2024-03-11T10:23:41.882Z ", "* "]
)
def test_what_stands_before_a_copied_line_is_no_part_of_it(before: str) -> None:
    line = "Topic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1"

    assert imported(f"{before}{line}\n").scenario == imported(f"{line}\n").scenario


@pytest.mark.parametrize(
    "prompt",
    [
        "$ bin/kafka-topics.sh --describe",
        "user@host:~$ kafka-topics --describe",
        "[root@host dir]# kafka-topics.sh --describe",
        "root@a:/# kafka-topics.sh --describe",
        "I have no name!@pod:/$ kafka-topics.sh --describe",
        "[root@host ~]# grep orders /var/log/kafka/server.log",
        "root@a:/# grep orders server.log",
        "{noformat}",
        "```",
    ],
)
def test_prompts_and_fences_say_nothing_of_the_cluster(prompt: str) -> None:
    line = "Topic: a\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"

    found = imported(f"{prompt}\n{line}")

    assert found.scenario == imported(line).scenario
    assert found.not_used == ()


def test_a_line_that_is_not_used_is_listed_once_with_its_kind() -> None:
    line = "Topic: a\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
    log = "[2024-03-11 10:23:41,882] INFO [Partition a-0 broker=1] Expanding ISR (kafka.X)\n"

    found = imported(f"SLF4J: nothing\n{line}{log}{log}")

    assert [(one.name, one.line, one.last_line) for one in found.not_used] == [
        ("not_used_message", 1, 1),
        ("not_used_broker_log", 3, 4),
    ]


def test_a_start_that_is_not_what_was_described_is_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "sim_engine.cluster_import.assembly.start_cluster",
        lambda scenario, profile: start_cluster(
            structs.replace(
                scenario,
                topics=tuple(
                    structs.replace(
                        topic,
                        partitions=tuple(
                            structs.replace(one, isr=(1,)) for one in topic.partitions
                        ),
                    )
                    for topic in scenario.topics
                ),
            ),
            profile,
        ),
    )

    found = imported("Topic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n")

    assert [one.text() for one in found.differences] == [
        "a-0: Isr is 1,2 in the input, and 1 in the scenario."
    ]


def test_the_command_describes_a_step_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "two-rounds", "--step", "0"]) == 0
    assert capsys.readouterr().out.startswith("Topic: t\tTopicId: ")
    assert main(["describe", "two-rounds", "--step", "99"]) == 2
    assert "--step must be from 0 to" in capsys.readouterr().err
