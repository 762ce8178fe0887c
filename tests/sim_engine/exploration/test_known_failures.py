"""From an empty cluster, the search finds the known ways in which replication has failed.

Each is found by itself within the bounds of its row: a budget, a grain and a number of states.

Some start with another leader than the preferred one: its return is then an election.
"""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from sim_engine.exploration.alphabet import Grain
from sim_engine.exploration.search import SearchOptions, search
from sim_engine.identifiers import Acks
from tests.sim_engine.runs import run


class Known(Struct, frozen=True):
    """A failure of a release, and the bounds within which it is found."""

    kafka: str
    brokers: int
    property: str
    grain: Grain
    budget: Mapping[str, int]
    states: int
    acks: Acks = "all"
    unclean: bool = False
    """Whether unclean elections are allowed."""
    min_isr: int = 1
    replicas: tuple[int, ...] | None = None
    """The replicas, if broker 1 leads and is not the preferred leader."""
    partitions: tuple[dict[str, Any], ...] | None = None
    """The partitions, if there are several: one that stays keeps a fetcher thread alive."""


QUICKLY: Mapping[str, Known] = {
    "a leader flap truncates to the high watermark": Known(
        "0.10.2",
        2,
        "StrongIsr",
        "exchange",
        {"produce": 1, "drop": 1, "elect": 2, "election": 2},
        2_000,
    ),
    "a leader counts a member of its ISR that has truncated": Known(
        "0.10.2",
        2,
        "WeakIsr",
        "exchange",
        {"produce": 1, "drop": 1, "elect": 2, "election": 2},
        2_000,
    ),
    "a restart truncates to the high watermark (KIP-101, scenario 1)": Known(
        "0.10.2",
        2,
        "NoAckedRecordLost",
        "step",
        {"produce": 1, "drop": 1, "crash": 2},
        1_000,
        unclean=True,
    ),
    "the last replica of the ISR loses its power (KIP-966)": Known(
        "3.9",
        3,
        "NoAckedRecordLost",
        "step",
        {"produce": 1, "crash": 2, "power_loss": 1, "election": 1},
        4_000,
    ),
    "an unclean election": Known(
        "2.1",
        2,
        "NoAckedRecordLost",
        "step",
        {"produce": 1, "crash": 2, "unclean": 1},
        2_000,
        unclean=True,
    ),
    "two replicas lose their power": Known(
        "4.1", 2, "NoAckedRecordLost", "step", {"produce": 1, "power_loss": 2}, 200
    ),
    "all replicas of three lose their power": Known(
        "4.1", 3, "NoAckedRecordLost", "step", {"produce": 1, "power_loss": 3}, 3_000
    ),
    "a response of an earlier epoch, two brokers (KAFKA-18991)": Known(
        "3.9.0",
        2,
        "StrongIsr",
        "step",
        {"produce": 1, "late": 1, "elect": 2, "epoch": 3},
        5_000,
        partitions=({"replicas": [1, 2], "leader": 2}, {"replicas": [1, 2]}),
    ),
    "a leader acknowledges before it replicates": Known(
        "4.1", 2, "NoAckedRecordLost", "step", {"produce": 1, "crash": 1}, 200, acks=1
    ),
}

SLOWLY: Mapping[str, Known] = {
    "a leader flap loses what was acknowledged": Known(
        "0.10.2",
        2,
        "NoAckedRecordLost",
        "exchange",
        {"produce": 1, "drop": 1, "elect": 2, "crash": 1, "election": 3},
        100_000,
    ),
    "logs diverge below the high watermark (KIP-101, scenario 2)": Known(
        "0.10.2",
        2,
        "LogMatching",
        "exchange",
        {"produce": 2, "crash": 1, "power_loss": 1, "unclean": 1, "election": 1, "epoch": 4},
        200_000,
        unclean=True,
    ),
    "logs diverge after a fast failover (KIP-279)": Known(
        "1.1",
        2,
        "LogMatching",
        "exchange",
        {"produce": 3, "crash": 2, "unclean": 1, "election": 2, "epoch": 3},
        100_000,
        acks=1,
        unclean=True,
    ),
    "a consumer silently skips records (KIP-320)": Known(
        "1.1",
        2,
        "ConsistentRead",
        "step",
        {"produce": 3, "consume": 2, "crash": 2, "unclean": 1, "election": 1, "epoch": 3},
        150_000,
        unclean=True,
    ),
    "a controller does not notice a restart (KIP-380)": Known(
        "0.10.2",
        2,
        "LeaderCompleteness",
        "exchange",
        {"produce": 1, "drop": 1, "crash": 2, "reassign": 1, "election": 1, "epoch": 2},
        50_000,
    ),
    "an undefined epoch truncates to the high watermark (KIP-279)": Known(
        "1.1",
        2,
        "StrongIsr",
        "exchange",
        {"produce": 2, "crash": 1, "elect": 2, "epoch": 2},
        20_000,
    ),
    "a replica joins the ISR below the epoch start (KAFKA-7128)": Known(
        "1.1",
        3,
        "StrongIsr",
        "exchange",
        {"produce": 1, "crash": 1, "epoch": 2},
        60_000,
        replicas=(2, 1, 3),
    ),
    "a fetch of an older epoch counts (KIP-320)": Known(
        "2.0.1",
        3,
        "StrongIsr",
        "exchange",
        {"produce": 1, "crash": 1, "epoch": 2},
        60_000,
        replicas=(2, 1, 3),
    ),
    "a leader misses its deposition": Known(
        "3.9",
        3,
        "StrongIsr",
        "step",
        {"produce": 1, "hold": 1, "elect": 2, "epoch": 2},
        40_000,
        min_isr=2,
    ),
    "a response of an earlier epoch (KAFKA-18991)": Known(
        "3.9.0",
        3,
        "StrongIsr",
        "step",
        {"produce": 1, "late": 1, "elect": 2, "epoch": 3},
        60_000,
        min_isr=2,
        partitions=({"replicas": [1, 2, 3], "leader": 3}, {"replicas": [1, 3]}),
    ),
    "a follower serves what was never committed (KAFKA-14704)": Known(
        "3.4.0",
        2,
        "ConsistentRead",
        "step",
        {"produce": 3, "consume": 2, "late": 1, "crash": 1, "epoch": 1},
        30_000,
    ),
    "the same, found by exchanges": Known(
        "3.4.0",
        2,
        "ConsistentRead",
        "exchange",
        {"produce": 3, "consume": 2, "crash": 1, "epoch": 1},
        60_000,
    ),
}
"""What needs too many states for the everyday tests."""


def is_found(known: Known) -> bool:
    brokers = tuple(range(1, known.brokers + 1))
    partitions = known.partitions or ({"replicas": known.replicas or brokers, "leader": 1},)
    start = run(
        kafka=known.kafka,
        brokers=brokers,
        topics=[
            {"name": topic, "partitions": [{**one, "replicas": list(one["replicas"])}]}
            for topic, one in zip("tu", partitions, strict=False)
        ],
        configs={
            "unclean.leader.election.enable": known.unclean,
            "min.insync.replicas": known.min_isr,
        },
    )
    options = SearchOptions(
        property=known.property,
        grain=known.grain,
        max_depth=40,
        max_states=known.states,
        budget=known.budget,
        acks=known.acks,
    )
    return search(start.frame, options).verdict == "violated"


@pytest.mark.parametrize("name", QUICKLY)
def test_a_known_failure_is_found(name: str) -> None:
    assert is_found(QUICKLY[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOWLY)
def test_a_known_failure_is_found_with_more_states(name: str) -> None:
    assert is_found(SLOWLY[name])
