"""What follows a failure agrees with a plain enumeration, from random printed states."""

from collections.abc import Iterator
from random import Random

import pytest

from sim_engine.assessment.cases import NAME, Case, cases_of
from sim_engine.assessment.failures import FAILURES, Strike, strikes
from sim_engine.assessment.printed import Changes, PrintedCluster
from sim_engine.assessment.what_follows import Aftermath
from sim_engine.cluster_import.parsed_state import UnreadableError
from sim_engine.identifiers import BrokerId
from tests.sim_engine.assessment.brute_force import TooManyStatesError, truth_of
from tests.sim_engine.assessment.clusters import described, parsed

OLD = ("0.8.2", "0.10", "0.11", "1.1", "2.0", "2.1", "2.3", "2.8")
RELEASES = (*OLD, "3.2", "3.5", "3.9", "4.0", "4.1", "4.4")
MOST_STATES = 250


def random_case(random: Random) -> Case | None:
    """A case of a random printed state; None if no history leads to it."""
    kafka = random.choice(RELEASES)
    replicas = random.sample((1, 2, 3), random.choice((1, 2, 2, 3)))
    isr = random.sample(replicas, random.randint(1, len(replicas)))
    leader: int | str = random.choice((*map(str, isr), *map(str, isr), "none"))
    elr, last_known = None, ""
    if kafka >= "4" and random.random() < 0.6:
        rest = [one for one in replicas if one not in isr]
        elr = ",".join(map(str, rest[: random.randint(0, 1)]))
        if leader == "none":
            elr, isr = ",".join(map(str, isr[:1])), []
    down = [one for one in replicas if random.random() < 0.4]
    if leader != "none":
        down = [one for one in down if one not in isr]
    settings = {"acks": random.choice(("all", "all", "1"))}
    if random.random() < 0.3:
        settings["unclean.leader.election.enable"] = random.choice(("true", "false"))
    text = described(
        leader,
        ",".join(map(str, replicas)),
        ",".join(map(str, isr)),
        min_isr=random.randint(1, 2),
        elr=elr,
        last_known=last_known,
    )
    changes = Changes(kafka=kafka, settings=settings, down=frozenset(map(BrokerId, down)))
    try:
        printed = PrintedCluster(parsed(text), changes)
    except UnreadableError:
        return None
    cases = [case for of in cases_of(printed, printed.kinds[0]) for case in of]
    return random.choice(cases)


def ways_of(case: Case) -> Iterator[Strike]:
    yield ()
    for failure in FAILURES:
        for ways in strikes(case.cluster, NAME, failure).values():
            yield from ways


def agrees(seed: int) -> bool:
    """Compare one random failure of one random case. False if there was nothing to compare."""
    random = Random(seed)
    case = random_case(random)
    if case is None:
        return False
    way = random.choice(list(ways_of(case)))
    try:
        truth = truth_of(case, way, MOST_STATES)
    except TooManyStatesError:
        return False
    found = Aftermath(case.cluster, case.acked).follow(way)
    if truth is None or found is None:
        assert (truth is None) == (found is None)
        return False
    context = f"seed {seed}, Kafka {case.cluster.profile.kafka}, {way}"
    assert (found.loss is not None) == truth.loses, context
    assert not found.is_cut, context
    if found.loss is None or truth.survives is False:
        # Once both a loss and a survival are known, the rest is not tried.
        assert found.survives == truth.survives, context
    if not truth.loses:
        assert (found.leaderless is not None) == truth.leaderless, context
        assert (found.refuses is not None) == truth.refuses, context
    return True


def test_verdicts_agree_with_brute_force() -> None:
    assert sum(agrees(seed) for seed in range(40)) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 2_000, 50))
def test_many_verdicts_agree_with_brute_force(first: int) -> None:
    assert sum(agrees(seed) for seed in range(first, first + 50)) >= 15
