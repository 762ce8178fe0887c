"""Cut, mixed, oversized and malformed input is read or refused with its place, nothing else."""

import json
import random
import time
from collections.abc import Iterator

import pytest

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError

BATCH = (
    "baseOffset: 0 lastOffset: 1 count: 2 baseSequence: 0 lastSequence: 0 producerId: 2000 "
    "producerEpoch: 0 partitionLeaderEpoch: 3 isTransactional: true isControl: false position: 0 "
    "CreateTime: 1 size: 9 magic: 2 compresscodec: none crc: 1 isvalid: true\n"
)
SAMPLES: dict[str, str] = {
    "kafka-topics": (
        "Topic: t\tTopicId: AAA\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: "
        "min.insync.replicas=1,segment.bytes=1\n"
        "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\tElr: \tLastKnownElr: \n"
        "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,1\tIsr: 2\tElr: N/A\tLastKnownElr: N/A\n"
    ),
    "kafka-topics, old": (
        "Topic:t\tPartitionCount:1\tReplicationFactor:2\tConfigs:\n"
        "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    ),
    "kafka-configs": (
        "Dynamic configs for broker 1 are:\n  log.cleaner.threads=2 sensitive=false "
        "synonyms={DYNAMIC_BROKER_CONFIG:log.cleaner.threads=2}\n"
    ),
    "kafka-features": (
        "Feature: metadata.version\tSupportedMinVersion: 3.3-IV3\tSupportedMaxVersion: 3.9-IV0\t"
        "FinalizedVersionLevel: 3.9-IV0\tEpoch: 33\n"
    ),
    "kafka-get-offsets": "t:0:12\nt:1:4\n",
    "kafka-log-dirs": (
        "Querying brokers for log directories information\n"
        '{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/d","error":null,"partitions":'
        '[{"partition":"t-0","size":1,"offsetLag":3,"isFuture":false}]}]}]}\n'
    ),
    "kcat": (
        "Metadata for all topics (from broker 1: h:9092/1):\n 1 brokers:\n  broker 1 at h:9092\n"
        ' 1 topics:\n  topic "t" with 1 partitions:\n'
        "    partition 0, leader 1, replicas: 1,2, isrs: 1\n"
    ),
    "kcat in JSON": (
        '{"brokers":[{"id":1}],"topics":[{"topic":"t","partitions":[{"partition":0,"leader":1,'
        '"replicas":[{"id":1},{"id":2}],"isrs":[{"id":1}]}]}]}\n'
    ),
    "ZooKeeper": (
        'get /brokers/topics/t/partitions/0/state\n{"controller_epoch":3,"leader":2,"version":1,'
        '"leader_epoch":4,"isr":[2]}\ncZxid = 0x1f\ndataVersion = 9\nget /brokers/topics/t\n'
        '{"version":2,"partitions":{"0":[2,1]}}\nls /brokers/ids\n[2]\nget /brokers/ids/2\n'
        '{"endpoints":[],"rack":"a","jmx_port":1,"host":"h"}\n'
    ),
    "metadata shell": (
        '>> cat /topics/t/0/data\n{\n  "partitionId" : 0,\n  "topicId" : "AAA",\n  "replicas" : '
        '[ 1, 2 ],\n  "isr" : [ 1 ],\n  "leader" : 1,\n  "leaderEpoch" : 4\n}\n'
    ),
    "metadata log": (
        "Dumping /d/__cluster_metadata-0/00000000000000000000.log\n" + BATCH + "| offset: 0 "
        'keySize: -1 valueSize: 9 headerKeys: [] payload: {"type":"PARTITION_RECORD","data":'
        '{"partitionId":0,"topicId":"AAA","replicas":[1,2],"isr":[1],"leader":1,"leaderEpoch":1,'
        '"partitionEpoch":1}}\n'
    ),
    "dump": (
        "Dumping /broker-1/t-0/00000000000000000000.log\nLog starting offset: 0\n"
        + BATCH
        + "| offset: 0 CreateTime: 1 keySize: 1 valueSize: 2 headerKeys: [] payload: m1\n"
    ),
    "checkpoints": (
        "==> broker-1/t-0/leader-epoch-checkpoint <==\n0\n2\n0 0\n3 4\n"
        "==> broker-1/replication-offset-checkpoint <==\n0\n1\nt 0 5\n"
    ),
    "meta.properties": "$ cat /d-1/meta.properties\nversion=1\nnode.id=1\ncluster.id=x\n",
    "server.properties": "broker.id=1\nlog.dirs=/d\nmin.insync.replicas=1\n\n# done\n",
    "quorum": (
        "ClusterId: x\nLeaderId: 1\nHighWatermark: 4\nCurrentVoters: [1]\nCurrentObservers: [2]\n"
        "NodeId\tLogEndOffset\tLag\tLastFetchTimestamp\tLastCaughtUpTimestamp\tStatus\n"
        "1\t4\t0\t1\t1\tLeader\n2\t4\t0\t1\t1\tObserver\n"
    ),
    "reassignments": (
        "Current partition reassignments:\nt-0: replicas: 1,2. adding: 2.\nStatus of partition "
        "reassignment:\nReassignment of partition t-0 is still in progress.\n"
        "Current partition replica assignment\n"
        '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,2]}]}\n'
    ),
    "election": "Successfully completed leader election (PREFERRED) for partitions t-0, t-1\n",
    "log": (
        "[2024-03-11 10:23:41,882] INFO [Partition t-0 broker=1] Shrinking ISR from 1,2 to 1. "
        "Leader: (highWatermark: 7, endOffset: 9). Out of sync replicas: (brokerId: 2, "
        "endOffset: 5). (kafka.cluster.Partition)\njava.io.IOException: no\n\tat a.b(C.java:1)\n"
        "[2024-03-11 10:23:42,000] INFO [QuorumController id=9] partition change for t-0 with "
        "topic ID A: isr: [1, 2] -> [1], leader: 2 -> 1, leaderEpoch: 3 -> 4 (x)\n"
    ),
    "Strimzi": (
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata:\n  name: t\nspec:\n"
        "  partitions: 1\n  replicas: 2\n  config:\n    min.insync.replicas: 1\n---\n"
    ),
}


def imported(text: str | bytes) -> ImportedCluster | list[str]:
    """The result, or the problems. Any other exception fails a test."""
    try:
        return import_cluster([ClusterFile("pasted.txt", text)])
    except UnreadableError as refused:
        return [f"{one.line}: {one.message}" for one in refused.problems]


def result(text: str | bytes) -> object:
    found = imported(text)
    return found if isinstance(found, list) else (found.scenario, found.unknown)


@pytest.mark.parametrize("sample", SAMPLES)
def test_line_ends_and_marks_of_the_byte_order_change_nothing(sample: str) -> None:
    text = SAMPLES[sample]
    expected = result(text)

    for changed in (
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        "\ufeff" + text,
        text.rstrip("\n"),
        text.encode(),
        b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    ):
        assert result(changed) == expected


@pytest.mark.parametrize("sample", SAMPLES)
def test_input_that_is_cut_off_is_read_or_refused(sample: str) -> None:
    text = SAMPLES[sample]

    for end in range(len(text)):
        imported(text[:end])
        imported(text[end:])


def test_all_forms_are_read_in_whatever_order_they_are_pasted() -> None:
    names = list(SAMPLES)
    draw = random.Random(1)
    for _ in range(150):
        imported("".join(SAMPLES[name] for name in draw.sample(names, 4)))
        lines = [
            line
            for name in draw.sample(names, 3)
            for line in SAMPLES[name].splitlines(keepends=True)
        ]
        draw.shuffle(lines)
        imported("".join(lines))


VALUES = ("null", "-1", "true", '"x"', "[]", "{}", "1e400", "9" * 40, "[null]", '{"a":1}')


def malformed(document: object) -> Iterator[str]:
    """The document with each of its values replaced by each of `VALUES`, and each key left out."""
    if isinstance(document, dict):
        for key, value in document.items():
            rest = {name: one for name, one in document.items() if name != key}
            yield json.dumps(rest)
            for replaced in (*VALUES, *malformed(value)):
                rest_text = json.dumps(rest)[1:-1]
                yield "{" + f"{json.dumps(key)}: {replaced}" + (f", {rest_text}" * bool(rest)) + "}"
    elif isinstance(document, list) and document:
        yield from (f"[{one}]" for one in (*VALUES, *malformed(document[0])))


def test_documents_with_wrong_types_are_read_or_refused() -> None:
    for sample, text in SAMPLES.items():
        before = ""
        for line in text.splitlines():
            payload = line.partition("payload: ")[2] or line
            if payload.startswith("{") and payload.endswith("}"):
                for wrong in malformed(json.loads(payload)):
                    imported(before + line.replace(payload, wrong) + "\n")
                assert sample
            else:
                before += line + "\n"


def test_numbers_that_are_too_large_are_read_or_refused() -> None:
    for text in SAMPLES.values():
        for digit in "0123":
            for number in ("99999999999999999999999999", "2147483648", "-1"):
                imported(text.replace(digit, number))


LONG = 100_000
MOST_S = 8
"""Of processor time for such an input. Each takes less than 2 s where it grows with its length, and
minutes where it grows with the square of that.
"""


@pytest.mark.parametrize(
    "line",
    [
        "a", " ", "$ a", "$ /", "# broker ", "{", "[", '{"a":', '"', "1", "1 ", "=", "a=", "a=b,",
        "Topic: ", "Topic: a\tIsr: ", "Leader (from broker ", "Metadata for (from broker ", "(",
        "[2024-03-11 10:23:41,882] INFO Partition ", "[Partition ", "a-", "> ", "kafka-1 | ", "- ",
        "0\n", "a=b\n", "#\n", "\n", "{\n", "}\n", "a: ", "/brokers/", "/a", "offset: 1 ",
        "| offset: 0 payload: ", "isr: [1] -> [", "1\tLeader", "a sensitive=true ", "\x1b[",
    ],
)  # fmt: skip
def test_long_input_is_read_or_refused_in_time(line: str) -> None:
    before = time.process_time()
    imported(line * (LONG // len(line)))
    imported((line * (4_000 // len(line)) + "\n") * 20)
    imported(SAMPLES["kafka-topics"] + line * (LONG // len(line)))
    assert time.process_time() - before < MOST_S
