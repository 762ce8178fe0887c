"""The order of an ISR that a leader proposes.

The hash orders are those that the set classes of Scala 2.13 print for the same operations; 1, 2 and
3 were also recorded, on 4.1.1, 4.2.1, 4.3.1 and 4.4.0.
"""

import pytest

from sim_engine.identifiers import BrokerId, Offset, TimeMs
from sim_engine.protocol.leader.isr import maybe_expand_isr, maybe_shrink_isr
from sim_engine.protocol.replica import RemoteReplica
from tests.sim_engine.protocol.replica_builders import NOW, leader, settings


def proposed(kafka, isr, *, joins=None, leave=(), control=None):
    """The ISR that its first member, as the leader, proposes."""
    now = TimeMs(NOW)
    remotes = [
        RemoteReplica(
            broker_id=BrokerId(one),
            log_end_offset=Offset(0 if one in leave else 1),
            last_fetch_time_ms=TimeMs(0) if one in leave else now,
            last_caught_up_time_ms=TimeMs(0) if one in leave else now,
        )
        for one in (*isr, joins)
        if one is not None
    ]
    replica = leader(1, *remotes, isr=isr)
    if joins is None:
        change = maybe_shrink_isr(replica, settings=settings(kafka, control=control), now_ms=now)
        assert change is not None
        return list(change.isr)
    change, _ = maybe_expand_isr(
        replica,
        BrokerId(joins),
        settings=settings(kafka, control=control),
        eligible=frozenset((*isr, joins)),
    )
    assert change is not None
    return list(change.isr)


@pytest.mark.parametrize(
    ("isr", "joins", "expected"),
    [
        ((2, 3), 1, [1, 2, 3]),
        ((3, 1), 9, [1, 9, 3]),
        ((3, 1), 8, [8, 1, 3]),
        ((9, 7), 8, [8, 9, 7]),
        ((5, 4, 3, 2), 1, [1, 2, 3, 4, 5]),
        ((5, 4, 3, 2, 1), 9, [1, 2, 3, 4, 5, 9]),
        ((20, 3, 16, 1, 8), 9, [16, 1, 3, 20, 8, 9]),
    ],
)
@pytest.mark.parametrize("kafka", ["4.2", "4.4"])
def test_from_4_2_an_expansion_puts_the_whole_isr_in_the_order_of_a_hash_table(
    kafka, isr, joins, expected
):
    assert proposed(kafka, isr, joins=joins) == expected


@pytest.mark.parametrize(
    ("isr", "leaves", "expected"),
    [((3, 1, 2), 2, [1, 3]), ((9, 8, 1, 2), 2, [1, 8, 9]), ((17, 9, 8, 1, 2), 2, [1, 17, 8, 9])],
)
def test_from_4_2_a_shrink_uses_a_table_of_16_places(isr, leaves, expected):
    assert proposed("4.2", isr, leave={leaves}) == expected


@pytest.mark.parametrize(
    ("kafka", "control"), [("0.8.2", None), ("2.8", "zookeeper"), ("3.9", "kraft"), ("4.1", None)]
)
@pytest.mark.parametrize(
    ("isr", "joins", "leave", "expected"),
    [
        ((2, 3), 1, (), [2, 3, 1]),
        ((4, 3, 2), 1, (), [4, 3, 2, 1]),
        ((4, 3, 2, 1), None, {3}, [4, 2, 1]),
        ((1, 2, 3, 4), 5, (), [5, 1, 2, 3, 4]),
        ((4, 3, 2, 1), 5, (), [5, 1, 2, 3, 4]),
        ((5, 1, 2, 3, 4), 6, (), [5, 1, 6, 2, 3, 4]),
        ((1, 2, 3, 4, 5, 6, 7, 8), 9, (), [5, 1, 6, 9, 2, 7, 3, 8, 4]),
        ((1, 2, 3, 4, 5), None, {3}, [5, 1, 2, 4]),
        # Two of them share the first five bits of their hashes.
        ((1, 2, 3, 4, 33, 65), 97, (), [1, 33, 2, 3, 4, 65, 97]),
        (
            (46, 78, 123, 210, 300, 450, 620, 999),
            1000,
            (),
            [1000, 123, 450, 210, 46, 78, 300, 999, 620],
        ),
    ],
)
def test_up_to_4_1_the_joiner_comes_last_until_there_are_five(
    kafka, control, isr, joins, leave, expected
):
    assert proposed(kafka, isr, joins=joins, leave=leave, control=control) == expected
