"""Which lines are parsed, the errors for the others, and the assumptions."""

import gzip
import struct

import pytest

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.source import MAX_BYTES
from sim_engine.scenario_reader.writer import scenario_document, scenario_text

DESCRIBED = """\
Topic: t\tTopicId: BPVKL7r0Q1WS1vdmTYTNsw\tPartitionCount: 1\tReplicationFactor: 2\tConfigs:
\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2
"""


def imported(*texts: str | tuple[str, str | bytes], kafka: str | None = "3.9") -> ImportedCluster:
    """Texts, with their names if they have one."""
    named = [("paste", one) if isinstance(one, str) else one for one in texts]
    return import_cluster([ClusterFile(*one) for one in named], kafka=kafka)


def logs(cluster: ImportedCluster) -> dict[str, dict[str, object]]:
    document = scenario_document(cluster.scenario)
    return document["topics"][0]["partitions"][0].get("logs", {})


def said(cluster: ImportedCluster) -> set[str]:
    return {statement.name for statement in cluster.unknown}


def problems_of(*texts: str | tuple[str, str | bytes]) -> list[str]:
    with pytest.raises(UnreadableError) as refused:
        imported(*texts)
    return [str(problem) for problem in refused.value.problems]


def checkpoint(*entries: str) -> str:
    return "\n".join(["0", str(len(entries)), *entries]) + "\n"


def test_each_line_that_is_not_understood_is_named():
    found = problems_of(DESCRIBED + "what = this\n\n\tLeader: 1\n")

    assert [line.split(": ")[0] for line in found] == ["paste:3:1", "paste:5:1"]
    assert "this line cannot be parsed" in found[0]
    assert "kafka-topics --describe" in found[0]


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: \tIsr: 1", "Replicas must be broker ids"),
        ("\tTopic: t\tPartition: x\tLeader: 1\tReplicas: 1\tIsr: 1", "Partition must be a number"),
        ("\tTopic: t\tPartition: 0\tLeader: two\tReplicas: 1\tIsr: 1", "a broker id or none"),
        ("\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1", "Isr is missing"),
        ("Topic: t", "PartitionCount is missing"),
    ],
)
def test_an_incomplete_line_of_kafka_topics_reports_what_is_missing(line, right):
    assert right in problems_of(line)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Hi all, we lost a machine and see this:", "What should we do? Broker 2 is dead (disk)."),
        ("kafka_2.11-1.1.0，broker 3 宕机后：", "请问会丢消息吗？"),
        ("Environment: 3 brokers, one rack", "command terminated with exit code 1"),
    ],
)
def test_sentences_around_what_a_tool_prints_are_listed_as_not_used(before: str, after: str):
    found = imported(f"{before}\n{DESCRIBED}{after}\nThanks!\n")

    last = len(DESCRIBED.splitlines()) + 2
    unused = [(one.name, one.line, one.last_line) for one in found.not_used]
    assert unused == [("not_used_prose", 1, 1), ("not_used_prose", last, last + 1)]
    assert "this line cannot be parsed" in problems_of(f"{before}\n{after}\n")[0]


@pytest.mark.parametrize(
    "prefix", ["kafka-ab12: ", "broker-1.internal:", "3:", "describe/today.txt:12:"]
)
def test_what_dsh_and_grep_print_before_each_line_is_removed(prefix: str):
    lines = "".join(f"{prefix}{line}\n" for line in DESCRIBED.splitlines())

    assert imported(lines).scenario.partitions == imported(DESCRIBED).scenario.partitions


def test_what_shells_and_loggers_print_is_passed_over():
    noise = [
        "$ kafka-topics.sh --describe --bootstrap-server localhost:9092",
        "SLF4J: Class path contains multiple SLF4J bindings.",
        "OpenJDK 64-Bit Server VM warning: Options were deprecated",
        "[2024-05-01 10:00:00,123] WARN something (kafka.Kafka)",
        "# a comment",
        "Mon Mar 11 10:23:41 UTC 2024",
        "",
    ]

    assert imported("\n".join(noise) + "\n" + DESCRIBED).scenario.broker_ids == (1, 2)


def test_tabs_may_be_spaces_as_in_text_copied_from_a_terminal():
    assert imported(DESCRIBED.replace("\t", "    ")).scenario.topics[0].partitions[0].isr == (1, 2)


@pytest.mark.parametrize(
    "head",
    [
        "# broker 2\n",
        "==> broker-2/replication-offset-checkpoint <==\n",
        "$ cat /var/lib/kafka-2/replication-offset-checkpoint\n",
    ],
)
def test_a_checkpoint_file_is_of_the_broker_that_a_line_above_it_names(head):
    name = "replication-offset-checkpoint" if head.startswith("# ") else "paste"

    cluster = imported(DESCRIBED, (name, head + checkpoint("t 0 3")))

    assert logs(cluster)["2"]["checkpoint"] == {"high_watermark": 3}


def test_a_checkpoint_file_without_a_broker_is_rejected_with_a_question():
    found = problems_of(DESCRIBED, ("replication-offset-checkpoint", checkpoint("t 0 3")))

    assert found == [
        "replication-offset-checkpoint:1:1: which broker is this from? write it on a line above: "
        "# broker 1"
    ]


def test_a_checkpoint_file_without_a_name_asks_which_it_is():
    assert "its name is missing" in problems_of(DESCRIBED, "# broker 1\n" + checkpoint("t 0 3"))[0]


def test_an_epoch_file_without_its_partition_asks_for_it():
    assert "partition is missing" in problems_of(DESCRIBED, "# broker 1\n" + checkpoint("0 0"))[0]


def test_a_checkpoint_file_that_lacks_entries_is_refused_at_its_end():
    text = "0\n2\nt 0 3\n"

    found = problems_of(DESCRIBED, ("b1/replication-offset-checkpoint", text))

    assert found[0].startswith("b1/replication-offset-checkpoint:4:1: ")
    assert "2 entries, and this is entry 2" in found[0]


def test_a_checkpoint_file_that_was_just_created_is_empty():
    assert "logs_empty" in said(imported(DESCRIBED, ("b1/replication-offset-checkpoint", "")))


def test_placeholders_replace_records_that_were_not_dumped():
    epochs = ("b1/t-0/leader-epoch-checkpoint", checkpoint("0 0", "2 3"))
    marks = ("b1/replication-offset-checkpoint", checkpoint("t 0 5"))

    cluster = imported(DESCRIBED, epochs, marks)

    assert logs(cluster)["1"]["log"] == "o0/0 o*2/0 o3/2 o4/2"
    assert logs(cluster)["1"]["epochs"] == [[0, 0], [2, 3]]
    assert cluster.scenario.topics[0].partitions[0].leader_epoch == 2
    assert {"stand_ins", "log_end", "log_unknown"} <= said(cluster)


def test_a_member_of_the_isr_has_what_a_high_watermark_covers():
    cluster = imported(DESCRIBED, ("b1/replication-offset-checkpoint", checkpoint("t 0 4")))

    assert [str(log["log"]).count("o") for log in logs(cluster).values()] == [2, 2]  # o0 and o*3
    assert logs(cluster)["2"]["log"] == logs(cluster)["1"]["log"]


def test_a_long_log_keeps_what_matters():
    marks = ("b1/replication-offset-checkpoint", checkpoint("t 0 800000"))
    behind = ("b2/replication-offset-checkpoint", checkpoint("t 0 799990"))

    cluster = imported(DESCRIBED.replace("Isr: 1,2", "Isr: 1"), marks, behind)

    first = logs(cluster)["1"]
    assert first["log_start"] == 799985
    assert logs(cluster)["2"]["log_start"] == 799985
    assert "window" in said(cluster)


def test_many_partitions_with_replicas_that_lag_fit_in_the_file_of_a_scenario():
    lines = [
        f"\tTopic: t\tPartition: {number}\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2"
        for number in range(16)
    ]
    logs_of_brokers = [
        f"[2024-03-11 10:23:41,882] INFO [Partition t-{number} broker=1] Shrinking ISR from 1,2,3 "
        "to 1,2. Leader: (highWatermark: 884213, endOffset: 884221). Out of sync replicas: "
        "(brokerId: 3, endOffset: 1)."
        for number in range(16)
    ]

    cluster = imported("\n".join([*lines, *logs_of_brokers]))

    assert len(scenario_text(cluster.scenario)) < MAX_BYTES
    records = [len(str(log["log"]).split()) for log in logs(cluster).values()]
    assert records[0] == 333
    assert records[2] == 0


def test_offsets_beyond_those_of_scenarios_are_counted_from_a_later_one():
    marks = ("b1/replication-offset-checkpoint", checkpoint("t 0 34245135000"))

    cluster = imported(DESCRIBED, marks)

    assert "log_start" not in logs(cluster)["1"] or logs(cluster)["1"]["log_start"] == 0
    assert "rebased" in said(cluster)
    assert logs(cluster)["1"]["checkpoint"] == {"high_watermark": 5}


def test_an_id_beyond_those_of_scenarios_gets_a_free_one():
    cluster = imported(DESCRIBED.replace("1,2", "1001,2").replace("Leader: 1", "Leader: 1001"))

    assert cluster.scenario.broker_ids == (1, 2)
    assert cluster.scenario.topics[0].partitions[0].leader == 1
    assert "renamed_broker" in said(cluster)


def test_partitions_that_do_not_fit_are_omitted_and_reported():
    lines = [
        f"\tTopic: t\tPartition: {number}\tLeader: 1\tReplicas: 1,2\tIsr: "
        + ("1" if number == 90 else "1,2")
        for number in range(100)
    ]

    cluster = imported("\n".join(lines))

    partitions = cluster.scenario.topics[0].partitions
    assert len(partitions) == 16
    assert (1,) in {partition.isr for partition in partitions}  # invalid values stay unchanged
    assert "partitions_left_out" in said(cluster)
    assert "t-90" in cluster.scenario.partitions


def test_nothing_is_said_of_single_partitions_that_do_not_fit():
    lines = [
        f"[2024-03-11 10:23:41,882] INFO [Partition t-{number} broker=1] ISR updated to 1 and "
        "version updated to 4"
        for number in range(100)
    ]

    cluster = imported("\n".join(lines))

    about_single = [one for one in cluster.unknown if one.name == "described_by_log"]
    assert len(about_single) == 16


def test_only_the_topics_asked_for_are_kept():
    files = [ClusterFile("paste", DESCRIBED + DESCRIBED.replace("Topic: t", "Topic: other"))]

    assert [t.name for t in import_cluster(files, topics=["other"]).scenario.topics] == ["other"]
    with pytest.raises(UnreadableError, match="there is no topic nope; topics are other, t"):
        import_cluster(files, topics=["nope"])


def test_kafkas_own_topics_are_left_out():
    own = DESCRIBED.replace("Topic: t", "Topic: __consumer_offsets")

    assert [topic.name for topic in imported(DESCRIBED + own).scenario.topics] == ["t"]
    assert [topic.name for topic in imported(own).scenario.topics] == ["__consumer_offsets"]


@pytest.mark.parametrize(
    ("text", "configs"),
    [
        ("Configs for topic 't' are min.insync.replicas=2,cleanup.policy=compact", 2),
        (
            "Dynamic configs for topic t are:\n  min.insync.replicas=2 sensitive=false "
            "synonyms={DYNAMIC_TOPIC_CONFIG:min.insync.replicas=2}",
            2,
        ),
        (
            "All configs for topic t are:\n  min.insync.replicas=1 sensitive=false "
            "synonyms={DEFAULT_CONFIG:min.insync.replicas=1}",
            None,
        ),
    ],
)
def test_the_imported_settings_of_a_topic_are_those_that_were_set(text, configs):
    cluster = imported(DESCRIBED, text)

    assert cluster.scenario.topics[0].configs.get("min.insync.replicas") == configs


def test_a_value_that_a_scenario_cannot_write_is_written_otherwise():
    dump = (
        "Dumping b1/t-0/00000000000000000000.log\n"
        "Log starting offset: 0\n"
        "baseOffset: 0 lastOffset: 0 count: 1 partitionLeaderEpoch: 0 isControl: false x: 1\n"
        "| offset: 0 CreateTime: 1 keySize: -1 valueSize: 22 sequence: -1 headerKeys: [] "
        'payload: {"path": "a/b",\n'
        '"n": 1}\n'
        "baseOffset: 1 lastOffset: 1 count: 1 partitionLeaderEpoch: 0 isControl: true x: 1\n"
        "| offset: 1 CreateTime: 1 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] "
        "endTxnMarker: COMMIT coordinatorEpoch: 0\n"
    )

    cluster = imported(DESCRIBED, dump)

    assert logs(cluster)["1"]["log"] == '{"path":_"a_b",/0 commit/0'
    assert {"changed_values", "control_records"} <= said(cluster)


def test_an_epoch_file_that_does_not_match_its_log_gives_way():
    dump = (
        "Dumping b1/t-0/00000000000000000000.log\n"
        "baseOffset: 0 lastOffset: 3 count: 4 partitionLeaderEpoch: 0 isControl: false x: 1\n"
    )

    cluster = imported(DESCRIBED, dump, ("b1/t-0/leader-epoch-checkpoint", checkpoint("1 2")))

    assert "epochs" not in logs(cluster)["1"]
    assert "epochs_disagree" in said(cluster)


def test_a_compressed_segment_has_its_offsets_and_epochs():
    record = bytes([16, 0, 0, 0, 1, 4]) + b"m1" + bytes([0])  # length 8, value "m1"
    head = (0, 2, 0, 0, 0, -1, -1, -1, 1)  # CRC, codec snappy, …, one record

    def segment(codec: int, payload: bytes, epoch: int) -> bytes:
        body = struct.pack(">ihiqqqhii", *head[:1], codec, *head[2:]) + payload
        return struct.pack(">qiib", 0, len(body) + 5, epoch, 2) + body

    for codec, payload, expected in (
        (0, record, "m1/3"),
        (1, gzip.compress(record), "m1/3"),
        (2, b"not read", "o0/3"),
    ):
        name = "b1/t-0/00000000000000000000.log"
        cluster = imported(DESCRIBED, (name, segment(codec, payload, 3)))

        assert logs(cluster)["1"]["log"] == expected


def test_a_segment_shows_an_open_transaction() -> None:
    def batch(offset: int, attributes: int) -> bytes:
        record = bytes([16, 0, 0, 0, 1, 4]) + b"m1" + bytes([0])
        body = struct.pack(">ihiqqqhii", 0, attributes, 0, 0, 0, 2000, 0, 0, 1) + record
        return struct.pack(">qiib", offset, len(body) + 5, 3, 2) + body

    def said_of(*batches: bytes) -> list[str]:
        segment = ("b1/t-0/00000000000000000000.log", b"".join(batches))
        cluster = imported(DESCRIBED, segment)
        return [one.text() for one in cluster.unknown if one.name == "open_transaction"]

    (said,) = said_of(batch(0, 0x10))
    assert "producer 2000 from offset 0" in said
    assert said_of(batch(0, 0x10), batch(1, 0x30)) == []


@pytest.mark.parametrize("content", [b"this is a text, not a segment", b"\xff" * 40])
def test_bytes_that_are_no_segment_are_refused(content):
    found = problems_of(DESCRIBED, ("b1/t-0/00000000000000000000.log", content))

    assert "this is not a log segment" in found[0]


def test_nothing_is_not_enough():
    assert "no partition is described" in problems_of("# nothing\n")[0]


def test_every_statement_has_a_text_in_every_language():
    cluster = imported(DESCRIBED, ("b1/replication-offset-checkpoint", checkpoint("t 0 4")))

    for statement in (*cluster.unknown, *cluster.understood):
        assert set(statement.texts()) == set(LANGUAGES)
        assert "{" not in statement.text("zh").replace("{}", "")
