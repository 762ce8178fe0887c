"""Which initial states a release can be in: those to which some history of it leads.

What a controller writes whenever a broker comes or goes excludes the others. Each function names
the place in the document and the rule.
"""

from collections.abc import Iterator

from sim_engine.configs import effective_configs
from sim_engine.error_texts.wording import Wording, error
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.scenario_reader.document import PartitionSpec, Scenario, TopicSpec
from sim_engine.versions import Profile

Impossible = tuple[str, Wording]
"""The JSON Pointer of a value, and why no history leads to it."""


def find_impossible(scenario: Scenario, profile: Profile) -> Iterator[Impossible]:
    """The parts of the initial state to which no history of the release leads.

    The scenario must be valid otherwise: brokers exist, and the ISR contains the leader.
    """
    if profile.control == "zookeeper":
        for broker in scenario.brokers:
            if broker.state == "fenced":
                yield f"/brokers/{broker.id}/state", error("start_fences_no_broker")
    states = scenario.broker_states
    active = {broker for broker, state in states.items() if state == "running"}
    for number, topic in enumerate(scenario.topics):
        least = _min_isr(scenario, topic, profile)
        for index, partition in enumerate(topic.partitions):
            for key, reason in _of_partition(partition, active, profile, least):
                yield f"/topics/{number}/partitions/{index}/{key}", reason


def _min_isr(scenario: Scenario, topic: TopicSpec, profile: Profile) -> int:
    """min.insync.replicas. Kafka limits it to the number of replicas, but a reassignment may have
    changed that number since the ELR was written.
    """
    configs = effective_configs(profile.kafka, profile.control, scenario.configs, topic.configs)
    least = configs["min.insync.replicas"]
    assert isinstance(least, int), "the reader checked the type"
    return least


def _of_partition(
    partition: PartitionSpec, active: set[BrokerId], profile: Profile, min_isr: int
) -> Iterator[Impossible]:
    if partition.first_leader == NO_LEADER:
        yield from _without_leader(partition, active, profile)
    else:
        yield from _with_leader(partition, active, profile)
    yield from _eligible(partition, profile, min_isr)
    yield from _reassigned(partition)


def _with_leader(
    partition: PartitionSpec, active: set[BrokerId], profile: Profile
) -> Iterator[Impossible]:
    """The controller takes the leadership of a broker whose session has ended and, from KIP-841
    on, no such broker returns to an ISR.
    """
    leader, rules = partition.first_leader, profile.rules
    elects_dead = rules.eligible_leader_replicas and not rules.dead_last_known_leader_waits
    if leader not in active and not elects_dead:
        yield "leader", error("start_leader_not_active", broker=leader)
    if rules.fenced_brokers_stay_out:
        for member in partition.in_sync:
            if member not in active and member != leader:
                yield "isr", error("start_isr_member_not_active", broker=member)


def _without_leader(
    partition: PartitionSpec, active: set[BrokerId], profile: Profile
) -> Iterator[Impossible]:
    """An active member of the ISR would be elected, and so would an active eligible leader replica
    if the ISR is empty. The last member stays in the ISR, and only that one, unless there are
    eligible leader replicas or, up to 1.0, unclean election was possible. With them, a cancelled
    reassignment may leave members without sessions.
    """
    isr, rules = partition.in_sync, profile.rules
    for member in isr:
        # One that is being added is elected only when the controller looks next.
        if member in active and member in partition.replicas and member not in partition.adding:
            yield "leader", error("start_would_be_elected", broker=member)
            return
    for member in () if isr else partition.elr:
        if member in active and member in partition.replicas:
            yield "leader", error("start_elr_would_be_elected", broker=member)
            return
    if rules.eligible_leader_replicas:
        return
    if len(isr) > 1:
        yield "isr", error("start_isr_of_several", count=len(isr))
    elif not isr and (profile.control == "kraft" or rules.last_isr_member_always_stays):
        yield "isr", error("start_isr_empty", kafka=profile.kafka)


def _eligible(partition: PartitionSpec, profile: Profile, min_isr: int) -> Iterator[Impossible]:
    """KIP-966: the eligible leader replicas have left an ISR that is smaller than
    min.insync.replicas.
    """
    named = {"elr": partition.elr, "last_known_elr": partition.last_known_elr}
    if not profile.rules.eligible_leader_replicas:
        for key, brokers in named.items():
            if brokers:
                yield key, error("start_without_elr", kafka=profile.kafka)
        return
    for member in partition.elr:
        if member in partition.in_sync:
            yield "elr", error("start_elr_in_isr", broker=member)
    count = len(partition.in_sync)
    if partition.elr and count >= min_isr:
        yield "elr", error("start_elr_with_whole_isr", count=count, least=min_isr)
    if len(partition.last_known_elr) > 1:
        yield "last_known_elr", error("start_last_known_is_one")
    if partition.last_known_elr and partition.first_leader != NO_LEADER:
        yield "last_known_elr", error("start_last_known_with_leader")


def _reassigned(partition: PartitionSpec) -> Iterator[Impossible]:
    if partition.replicas and {*partition.replicas} == {*partition.removing}:
        yield "removing", error("start_removes_all")
