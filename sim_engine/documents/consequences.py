"""The consequences of the state in which a run starts, in words: a card next to the form."""

from collections.abc import Iterator
from itertools import groupby

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.languages import LANGUAGES, say
from sim_engine.protocol.messages import PartitionRegistration

TEXTS = "consequences"
MOST_PARTITIONS = 2
"""The partitions that are described; the others are counted."""


def initial_consequences(cluster: ClusterState) -> list[dict[str, str]]:
    """Sentences about each partition, each in every language: its high watermark with the
    arithmetic (`Partition.maybeIncrementLeaderHW`), the records that are not committed and the
    brokers that they wait for, and how many brokers may leave the ISR before acks=all fails
    (`Partition.appendRecordsToLeader`).
    """
    partitions = cluster.controller.partitions
    sentences = [
        sentence
        for partition in partitions[:MOST_PARTITIONS]
        for sentence in _of(cluster, partition)
    ]
    if len(partitions) > MOST_PARTITIONS:
        sentences.append(_said("more", count=len(partitions) - MOST_PARTITIONS))
    return sentences


def _of(cluster: ClusterState, partition: PartitionRegistration) -> Iterator[dict[str, str]]:
    name, leader = partition.partition, partition.leader
    settings = cluster.settings_at(leader, name)
    required = settings.effective_min_insync_replicas
    isr = len(partition.isr)
    ends = {broker: cluster.replica(broker, name).log_end_offset for broker in partition.isr}
    now, low = cluster.replica(leader, name).high_watermark, min(ends.values())
    gated = isr < required and settings.profile.rules.min_isr_gates_high_watermark

    if now > low:
        text = "high-watermark-ahead"
    elif now < low:
        text = "high-watermark-gated" if gated else "high-watermark-behind"
    else:
        text = "high-watermark"
    yield _said(text, partition=name, leader=leader, now=now, low=low, ends=list(ends.values()))
    if not gated:
        for records, brokers in _uncommitted(cluster, partition, ends):
            yield _said(
                "waits",
                records=records,
                brokers=brokers,
                seconds=f"{settings.replica_lag_time_max_ms / 1000:g}",
            )

    spare = isr - required
    text = "spare" if spare > 0 else "tight" if spare == 0 else "few"
    yield _said(text, required=required, isr=isr, count=spare)


def _uncommitted(
    cluster: ClusterState, partition: PartitionRegistration, ends: dict[BrokerId, Offset]
) -> Iterator[tuple[list[str], list[BrokerId]]]:
    """The leader's records above the high watermark that a broker of the ISR lacks: runs of records
    that the same brokers lack, with these brokers.
    """
    replica = cluster.replica(partition.leader, partition.partition)
    lacking = [
        (record.value, [broker for broker, end in ends.items() if end <= record.offset])
        for record in replica.log.records
        if record.offset >= max(replica.high_watermark, min(ends.values()))
    ]
    for brokers, group in groupby(lacking, key=lambda entry: entry[1]):
        yield [value for value, _ in group], brokers


def _said(text: str, **numbers: object) -> dict[str, str]:
    return {lang: say(lang, TEXTS, text, **numbers) for lang in LANGUAGES}
