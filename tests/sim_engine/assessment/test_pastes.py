"""Pastes as people send them, with prompts, quotes and log lines around them."""

import pytest

from tests.sim_engine.assessment.clusters import PASTES, assessed, line

KEEPS = "keeps keeps keeps keeps keeps"
STOPS = "writes_stop writes_stop writes_stop writes_stop keeps"
LAST = "unavailable can_lose lost unavailable keeps"
GONE = "unavailable can_lose lost – lost"


@pytest.mark.parametrize(
    ("paste", "expected"),
    [
        ("leaderless-isr2", {"a-0": GONE}),
        ("kcat-L", {"payments-1": GONE, "payments-0": KEEPS}),
        ("reassigning", {"payments-0": KEEPS}),
        ("leaderless-but-alive", {"a-0": f"{GONE[:-4]}unavailable", "a-1": KEEPS}),
        ("kafka-15608", {"foo-0": LAST}),
        ("quoted-part", {"a-0": LAST, "b-0": LAST}),
        ("topics-and-log", {"payments-0": STOPS}),
    ],
)
def test_a_paste_has_a_verdict(paste: str, expected: dict[str, str]) -> None:
    text = (PASTES / f"{paste}.txt").read_text(encoding="utf-8")

    assessment = assessed(text)

    found = {
        str(partition.name): line(kind)
        for kind in assessment.worst_first()
        for partition in kind.kind.partitions
    }
    assert found == expected


def test_an_offline_replica_waits_although_its_broker_leads_elsewhere() -> None:
    """Broker 2 runs and leads a-1; its replica of a-0 would be elected if its log directory was
    online.
    """
    text = (PASTES / "leaderless-but-alive.txt").read_text(encoding="utf-8")

    worst = assessed(text).worst_first()[0]

    assert (str(worst.example.name), worst.kind.standings) == ("a-0", ("down",))
