"""What changed between two readings of a cluster, in words."""

from collections.abc import Mapping

from sim_engine.cluster_import.logs import changes_between
from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState, Partition
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset


def ids(*brokers: int) -> tuple[BrokerId, ...]:
    return tuple(map(BrokerId, brokers))


def partition(leader: int = 1, isr: tuple[int, ...] = (1, 2, 3), epoch: int = 4) -> ParsedPartition:
    return ParsedPartition(
        replicas=ids(1, 2, 3),
        leader=BrokerId(leader),
        isr=ids(*isr),
        leader_epoch=LeaderEpoch(epoch),
    )


def state(
    partitions: Mapping[int, ParsedPartition] | None = None, live: tuple[int, ...] = (1, 2, 3)
) -> ParsedState:
    named = {Partition("t", number): about for number, about in (partitions or {}).items()}
    return ParsedState(partitions=named, live={*ids(*live)})


def said(before: ParsedState, after: ParsedState) -> list[str]:
    return [one.text() for one in changes_between(before, after)]


def test_what_happens_to_a_partition_is_a_sentence() -> None:
    before = state({0: partition(), 1: partition(), 2: partition(NO_LEADER), 3: partition()})
    after = state(
        {0: partition(2, (2, 3), 5), 1: partition(NO_LEADER, (1,)), 2: partition(), 4: partition()}
    )
    after.partitions[Partition("t", 1)].elr = ids(2)

    assert said(before, after) == [
        "t-0: the leader is now 2, it was 1",
        "t-0: 1 left the ISR",
        "t-1: no leader any more, it was 1",
        "t-1: 2, 3 left the ISR",
        "t-1: 2 joined the ELR",
        "t-2: 1 is the leader, there was none",
        "t-3: deleted",
        "t-4: new",
    ]


def test_partitions_to_which_the_same_happened_share_a_sentence() -> None:
    before = state({number: partition() for number in range(12)})
    after = state({number: partition(isr=(1, 2)) for number in range(12)}, live=(1, 2))

    gone, left = said(before, after)

    assert gone == "Broker 3 is no longer running"
    assert left.startswith("t-0, t-1, ")
    assert left.endswith(", … +4: 3 left the ISR")


def test_offsets_are_no_change_and_settings_and_refusals_are() -> None:
    before, after = state({0: partition()}), state({0: partition()})
    after.high_watermarks[Partition("t", 0)] = Offset(9)
    assert said(before, after) == []

    before.topic_configs["t"] = {"min.insync.replicas": "1"}
    after.topic_configs["t"] = {"min.insync.replicas": "2"}
    after.assume("unreachable", broker=2, reason="refused")
    after.assume("memory")

    assert said(before, after) == [
        "Topic t: min.insync.replicas is now 2, it was 1",
        "Broker 2 was not reached: refused. Where its logs end is not known.",
    ]
    assert said(after, after) == []


def test_a_new_epoch_a_reassignment_and_very_many_changes() -> None:
    moving = partition(epoch=6)
    moving.adding = ids(4)
    elected = said(state({0: partition()}), state({0: moving}))
    ended = said(state({0: moving}), state({0: partition(epoch=6)}))
    many = {number: partition(epoch=number) for number in range(60)}

    assert elected == [
        "t-0: the leader epoch is now 6, it was 4",
        "t-0: reassignment, adding 4, removing –",
    ]
    assert ended == ["t-0: the reassignment has ended"]
    assert said(state(dict.fromkeys(many, partition(epoch=99))), state(many))[-1] == (
        "20 more changes"
    )
