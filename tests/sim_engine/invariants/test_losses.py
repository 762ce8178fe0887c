"""Why acknowledged records are lost."""

from sim_engine.events.base import Event
from sim_engine.events.controller import LeaderElected
from sim_engine.events.log import LogTruncated, RecordLost, UnflushedRecordsLost
from sim_engine.identifiers import Acks, BrokerId, FrameNumber, LeaderEpoch, Offset, TopicPartition
from sim_engine.invariants.fates import Losses

HERE, THERE = TopicPartition("t-0"), TopicPartition("t-1")
B1, B2 = BrokerId(1), BrokerId(2)


def lost(*, acks: Acks = "all") -> RecordLost:
    return RecordLost(
        variant="acked",
        partition=HERE,
        value="m1",
        offset=Offset(0),
        acks=acks,
        acked_frame=FrameNumber(1),
        instead=None,
    )


def elected_uncleanly(partition: TopicPartition) -> LeaderElected:
    return LeaderElected(
        variant="unclean",
        broker=B1,
        partition=partition,
        leader=B1,
        previous_leader=B2,
        leader_epoch=LeaderEpoch(1),
        isr=(B1,),
        elr=(),
    )


def power_lost(partition: TopicPartition, value: str) -> UnflushedRecordsLost:
    return UnflushedRecordsLost(
        broker=B1, partition=partition, kept=Offset(0), before=Offset(1), values=(value,)
    )


def truncated() -> LogTruncated:
    return LogTruncated(
        variant="high_watermark",
        rule="HW-TRUNCATION",
        broker=B1,
        partition=HERE,
        to=Offset(0),
        high_watermark=Offset(0),
        before=Offset(1),
        values=("m1",),
    )


def losses_of(*events: Event) -> Losses:
    losses = Losses()
    for happened in events:
        losses.see(happened)
    return losses


def test_the_first_cause_that_applies_is_the_cause():
    both = losses_of(elected_uncleanly(HERE), power_lost(HERE, "m1"), lost(acks=1))
    other_record = losses_of(elected_uncleanly(HERE), power_lost(HERE, "m2"), lost(acks=1))
    neither = losses_of(truncated(), lost())

    assert both.cause == "power_loss"
    assert other_record.cause == "unclean_election"
    assert losses_of(lost(acks=1)).cause == "leader_only"
    assert (neither.cause, neither.rule) == ("protocol_rule", "HW-TRUNCATION")


def test_what_happened_to_another_partition_is_not_the_cause():
    elsewhere = losses_of(elected_uncleanly(THERE), power_lost(THERE, "m1"), lost())

    assert elsewhere.cause == "protocol_rule"


def test_only_the_first_loss_counts():
    losses = losses_of(lost(acks=1), elected_uncleanly(HERE), lost())

    assert losses.cause == "leader_only"
