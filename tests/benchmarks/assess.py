"""The assessment of a large cluster: 200 brokers, 20,000 partitions, settings of several kinds."""

import resource
import time
from random import Random

from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, Problems

BROKERS, TOPICS, PARTITIONS_A_TOPIC = 200, 400, 50
GOAL_S, GOAL_MB = 3.0, 500


def measure() -> None:
    """Prints the CPU time from the pasted text to the first table, and to the last cell."""
    text = described(Random(1))
    began = time.process_time()
    problems = Problems()
    assessment = Assessment(
        read_files([ClusterFile("paste", text)], problems), Changes(kafka="4.1")
    )
    page_document(assessment)
    first = time.process_time() - began
    for _ in assessment.compute():
        pass
    page_document(assessment)
    last = time.process_time() - began
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    count = len(assessment.printed.partitions)
    print(f"{count:,} partitions, {len(assessment.kinds)} kinds, {assessment.total} cells")
    print(f"first table  {first:6.2f} s of CPU time (goal: {GOAL_S:g})")
    print(f"last cell    {last:6.2f} s of CPU time")
    print(f"memory       {memory_mb:6.0f} MB (goal: {GOAL_MB})")


def described(random: Random) -> str:
    """The output of kafka-topics for a cluster in which some followers have left their ISRs."""
    return "".join(_topic(random, number) for number in range(TOPICS))


def _topic(random: Random, number: int) -> str:
    name = f"topic-{number}"
    settings = [f"min.insync.replicas={random.choice((1, 2, 2))}"]
    settings += ["unclean.leader.election.enable=true"] * (random.random() < 0.1)
    settings += ["flush.messages=1"] * (random.random() < 0.1)
    lines = [
        f"Topic: {name}\tTopicId: AAAAAAAAAAAAAAAAAAAAAA\tPartitionCount: {PARTITIONS_A_TOPIC}"
        f"\tReplicationFactor: 3\tConfigs: {','.join(settings)}"
    ]
    for partition in range(PARTITIONS_A_TOPIC):
        replicas = random.sample(range(1, BROKERS + 1), 3)
        isr = replicas[: random.choices((3, 2, 1), (90, 7, 3))[0]]
        leader = random.choices((isr[0], isr[-1]), (95, 5))[0]
        lines.append(
            f"\tTopic: {name}\tPartition: {partition}\tLeader: {leader}"
            f"\tReplicas: {_listed(replicas)}\tIsr: {_listed(isr)}\tElr: \tLastKnownElr: "
        )
    return "".join(f"{line}\n" for line in lines)


def _listed(brokers: list[int]) -> str:
    return ",".join(map(str, brokers))
