"""Runs in which broker 1 learns late that another broker was leader in between."""

from tests.sim_engine.runs import Run, Step, run

LOG_OF_1 = {"kind": "metadata", "to": 1}
COMMAND_TO_1 = {"kind": "leader_and_isr", "from": "controller", "to": 1}

M1_AT_1_AND_3: tuple[Step, ...] = (
    {"produce": {"to": "t-0", "values": ["m0"]}},
    *({"fetch": {"broker": broker}} for broker in (2, 3, 2, 3)),
    {"produce": {"to": "t-0", "values": ["m1"]}},
    {"fetch": {"broker": 3}},
    {"fetch": {"broker": 3}},
)
"""Leader 1 has m1 unanswered; 3 has it too and has asked for what comes after it, 2 has not."""

LED_BY_2_MEANWHILE: tuple[Step, ...] = (
    {"elect": {"partition": "t-0", "kind": "preferred", "leader": 2}},
    {"fetch": {"broker": 3}},
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
)
"""Epoch 1 led by 2, behind whom 3 cuts m1; epoch 2 led by 1, with the ISR 1, 3."""


def ran(*steps: Step, kafka: str = "3.9", control: str = "kraft") -> Run:
    """A run of t-0 on brokers 1 to 3, led by 1 while 2 is preferred."""
    timeline = run(
        kafka=kafka,
        control=control,
        configs={"min.insync.replicas": 2, "unclean.leader.election.enable": False},
        replicas=[2, 1, 3],
        partition={"leader": 1},
    )
    timeline.do(*steps)
    return timeline


def deposed_unread(kafka: str = "3.9") -> Run:
    """Broker 1 was deposed and is leader again, and has read neither."""
    return ran(*M1_AT_1_AND_3, {"hold": LOG_OF_1}, *LED_BY_2_MEANWHILE, kafka=kafka)


def outcome_of(timeline: Run, value: str) -> tuple[str, str | None]:
    produced = next(one for one in timeline.cluster.clients.produced if one.value == value)
    return produced.outcome, produced.error


def two_commands_queued(kafka: str = "2.8") -> Run:
    """Two LeaderAndIsr wait for broker 1: 2 leads in epoch 1, 1 leads in epoch 2."""
    return ran(
        *M1_AT_1_AND_3,
        {"timer": {"kind": "preferred_leader_check"}},
        {"hold": COMMAND_TO_1},
        {"deliver": {**COMMAND_TO_1, "to": 2}},
        {"deliver": {**COMMAND_TO_1, "to": 3}},
        *LED_BY_2_MEANWHILE[1:],
        kafka=kafka,
        control="zookeeper",
    )
