"""Runs of the campaign from the cases of an assessment: one failure at the start, then whatever
time, the network, a producer and returning brokers make of it.

Nothing here uses what an assessment computes with: the continuation is the campaign's player, and a
record's fate is read from the logs at the end.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import Happening, Produce, Run
from sim_engine.assessment.cases import NAME, Case, Strike, cases_of
from sim_engine.assessment.printed import Changes, PrintedCluster
from sim_engine.campaign.grid import Cell, Workload
from sim_engine.campaign.play import Fault, Plan, PlannedAction, Player, RunKey, draw_plan
from sim_engine.cluster.state import ClusterState
from sim_engine.cluster_import.parsed_state import UnreadableError
from sim_engine.documents.assessment import FailureName
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, Acks, BrokerId
from sim_engine.narration import RefusedError
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step
from tests.sim_engine.assessment.clusters import described, parsed

RELEASES = (
    *("0.8.2", "0.9", "0.10", "0.10.2", "0.11", "1.0", "1.1", "2.0", "2.1", "2.2", "2.4", "2.7"),
    *("2.8", "3.0", "3.2", "3.3", "3.5", "3.6", "3.7", "3.9", "4.0", "4.1", "4.2", "4.3", "4.4"),
)
BOTH_CONTROLLERS = RELEASES[RELEASES.index("2.8") : RELEASES.index("4.0")]
HORIZON_MS = 45_000
"""Longer than the session of a broker and the times after which an ISR shrinks."""
_KINDS: dict[FailureName, str] = {
    "crash": "crash",
    "power_loss": "power_loss",
    "disk_loss": "disk_loss",
    "isolated_leader": "isolate",
}
_WORKLOAD = Workload(
    steps=9, step_ms=HORIZON_MS // 9, produce_every=1, consume_every=0, in_flight_ms=0
)


class Described(Struct, frozen=True, kw_only=True):
    """A random printed state: the cases of its only partition."""

    cases: list[list[Case]]
    acks: Acks
    about: str

    @property
    def every_case(self) -> list[Case]:
        return [case for of in self.cases for case in of]


class Ended(Struct, frozen=True, kw_only=True):
    """The end of one run."""

    lost: bool
    """Whether an acknowledged record is lost: of the printed state, or of the run."""
    lost_first: bool
    """Whether one of the printed state is lost."""
    takes_writes: bool
    """Whether a producer that connects at the end gets a record acknowledged."""
    steps: tuple[Happening, ...]


def random_description(random: Random) -> Described | None:
    """The cases of a random printed state; None if no history of its release leads to it."""
    kafka = random.choice(RELEASES)
    replicas = random.sample((1, 2, 3), random.choice((1, 2, 2, 3, 3)))
    isr = random.sample(replicas, random.randint(1, len(replicas)))
    leader: int | str = random.choice((*map(str, isr), *map(str, isr), "none"))
    elr, last_known = None, ""
    if kafka >= "4" and random.random() < 0.6:
        rest = [one for one in replicas if one not in isr]
        elr = ",".join(map(str, rest[: random.randint(0, 1)]))
        if leader == "none":
            elr, isr = ",".join(map(str, isr[:1])), []
            if random.random() < 0.3:
                elr, last_known = "", str(random.choice(replicas))
    down = [one for one in replicas if random.random() < 0.4]
    if leader != "none" and random.random() < 0.9:
        down = [one for one in down if one not in isr]
    settings = {"acks": random.choice(("all", "all", "all", "1"))}
    if random.random() < 0.3:
        settings["unclean.leader.election.enable"] = random.choice(("true", "false"))
    if random.random() < 0.2:
        settings["log.flush.interval.messages"] = "1"
    if kafka in BOTH_CONTROLLERS:
        settings["control"] = random.choice(("zookeeper", "kraft"))
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
    about = f"Kafka {kafka} {settings} down {down}\n{text}"
    cases = cases_of(printed, printed.kinds[0])
    return Described(cases=cases, acks=printed.acks, about=about) if cases else None


def run_on(
    case: Case,
    acks: Acks,
    failure: FailureName,
    struck: BrokerId | None,
    strike: Strike,
    random: Random,
    *,
    returns: bool = True,
    in_flight: bool = False,
) -> Ended | None:
    """Play a failure and what the campaign makes of it; None if the engine refuses the failure.

    With `returns`, brokers that are down come back at random times, and the run ends when it has
    settled. Without, it ends after `HORIZON_MS`, and nothing comes back. `in_flight`: records are
    sent immediately before the failure.
    """
    cluster = case.cluster
    cell = Cell(
        number=0,
        settings=(),
        kafka=cluster.profile.kafka,
        control=cluster.profile.control,
        acks=acks,
        replication_factor=len(cluster.brokers),
        faults=(),
        workload=_WORKLOAD,
    )
    plan = draw_plan(cell, RunKey(campaign=1, cell=0, run=random.randrange(2**30)))
    if failure == "unclean_election" or struck is None:
        struck_cluster = _after(cluster, strike)
        if struck_cluster is None:
            return None
        cluster = struck_cluster
    else:
        plan = _with_failure(plan, failure, struck, random, returns=returns, in_flight=in_flight)
    down = [one.broker_id for one in cluster.brokers if not one.alive and one.broker_id != struck]
    back = {one: random.randrange(HORIZON_MS) for one in down if random.random() < 0.7}
    # Records of the run have other ids than those of the case.
    cluster = replace(cluster, clients=replace(cluster.clients, next_record=100))
    player = Player(cell, plan, cluster, lambda _: None, returns=back if returns else None)
    try:
        player.play(lambda: not returns and player.now_ms >= HORIZON_MS)
    except LimitReachedError:
        return None
    end = player.cluster
    first = any(_is_lost(end, offset, of) for offset, of in case.acked)
    own = any(
        one.outcome == "acked" and one.offset is not None and _is_lost(end, one.offset, one.id)
        for one in end.clients.produced
    )
    return Ended(
        lost=first or own,
        lost_first=first,
        takes_writes=_takes_writes(end, acks),
        steps=tuple(player.steps),
    )


def _with_failure(
    plan: Plan,
    failure: FailureName,
    struck: BrokerId,
    random: Random,
    *,
    returns: bool,
    in_flight: bool,
) -> Plan:
    """The plan with its only fault, at the start of the run."""
    duration_ms = (
        random.choice((500, 3_000, 12_000, 30_000, 40_000)) if returns else 10 * HORIZON_MS
    )
    at_ms = random.choice((1, 2, 4, 8)) if in_flight else 0
    fault = Fault(
        number=0,
        kind=_KINDS[failure],
        at_ms=at_ms,
        duration_ms=duration_ms,
        brokers=(struck,),
        choice=0,  # `isolate`: from the controller
    )
    entries = [*plan.planned, PlannedAction(at_ms, 3, 0, "begin")]
    if returns:
        entries.append(PlannedAction(at_ms + duration_ms, 0, 0, "end"))
    if in_flight:
        entries.append(PlannedAction(0, 1, 99, "produce"))
    return replace(plan, planned=tuple(sorted(entries)), faults=(fault,))


def _takes_writes(cluster: ClusterState, acks: Acks) -> bool:
    produce = Produce(to=NAME, values=("late",), acks=acks, as_="late")
    after = _after(cluster, (produce, Run(ms=HORIZON_MS)))
    return after is not None and any(
        one.producer == "late" and one.outcome == "acked" for one in after.clients.produced
    )


def _after(cluster: ClusterState, strike: Sequence[Happening]) -> ClusterState | None:
    execution = StepExecution(cluster, FIRST_FRAME, 6_000)
    try:
        for step in strike:
            execute_step(execution, step)
    except RefusedError:
        return None
    return execution.cluster


def _is_lost(cluster: ClusterState, offset: int, record_id: str | None) -> bool:
    """Whether the leader lacks a record or, without a leader, every replica."""
    logs = dict(_logs(cluster))
    leader = cluster.controller.partition(NAME).leader
    if leader != NO_LEADER:
        logs = {leader: logs[leader]}
    return not any((offset, record_id) in log for log in logs.values())


def _logs(cluster: ClusterState) -> Iterator[tuple[BrokerId, set[tuple[int, str]]]]:
    for broker in cluster.brokers:
        replica = broker.replica(NAME)
        if replica is not None:
            yield broker.broker_id, {(one.offset, one.id) for one in replica.log.records}
