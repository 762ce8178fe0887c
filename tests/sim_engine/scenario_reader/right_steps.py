"""Valid steps, and the result of reading each."""

from typing import Any

from tests.sim_engine.scenario_reader.documents import in_every_language

RIGHT_STEPS: list[tuple[Any, Any]] = [
    ({"settle": {}}, {}),
    ({"consume": {"partition": "t-0"}}, {"partition": "t-0", "as": "c1"}),
    (
        {"consume": {"partition": "t-0", "broker": 2, "isolation": "read_committed"}},
        {"partition": "t-0", "as": "c1", "broker": 2, "isolation": "read_committed"},
    ),
    (
        {"produce": {"to": "t-0", "values": ["m"], "idempotent": True, "sequence": 4}},
        {
            "to": "t-0",
            "values": ["m"],
            "acks": "all",
            "as": "p1",
            "idempotent": True,
            "sequence": 4,
        },
    ),
    ({"transaction": {"as": "p1", "do": "begin"}}, {"as": "p1", "do": "begin"}),
    ({"fetch": {"broker": 2, "records": 2, "drop": "response"}}, None),
    ({"deliver": {"kind": "heartbeat", "from": 1, "to": "controller"}}, None),
    (
        {"deliver": {"kind": "metadata", "to": 1, "records": 2}},
        {"kind": "metadata_record", "from": "controller", "to": 1, "records": 2},
    ),
    ({"deliver": {"kind": "metadata_record", "from": "controller", "to": 1, "records": 2}}, None),
    (
        {"deliver": {"kind": "leader_and_isr", "to": 1, "skip": True}},
        {"kind": "leader_and_isr", "from": "controller", "to": 1, "skip": True},
    ),
    (
        {"hold": {"kind": "metadata", "to": 1}},
        {"kind": "metadata_record", "from": "controller", "to": 1},
    ),
    (
        {"release": {"kind": "metadata", "from": "controller", "to": 1}},
        {"kind": "metadata_record", "from": "controller", "to": 1},
    ),
    ({"timer": {"kind": "preferred_leader_check"}}, None),
    ({"timer": {"broker": "controller", "kind": "preferred_leader_check"}}, None),
    ({"power_loss": {"broker": 1, "keep": {"t-0": 1}}}, None),
    ({"cut": {"from": "controller", "to": 1}}, None),
    ({"heal": {"broker": 1}}, None),
    ({"heal": {"from": 1, "to": 2}}, None),
    ({"isolate": {"broker": 3, "from": "all"}}, None),
    ({"reassign": {"partition": "t-0", "replicas": [2, 1]}}, None),
    ({"reassign": {"partition": "t-0", "replicas": [3, 1]}}, None),
    ({"reassign": {"partition": "t-0", "replicas": None}}, None),
    ({"fail_controller": {}}, None),
    ({"config": {"min.insync.replicas": 2, "topic": "t"}}, None),
    ({"config": {"min.insync.replicas": 2, "topic": "t", "only": "controller"}}, None),
    ({"config": {"replica.lag.time.max.ms": 5000, "broker": 1, "only": "controller"}}, None),
    ({"advance": {"ms": 86_400_000}}, None),
    ({"note": "x"}, in_every_language("x", "x")),
    ({"note": {"zh": "x"}}, in_every_language("x", "x")),
    (
        {"ask": {"en": "?", "answers": ["a", {"en": "b", "zh": "乙"}], "correct": 1}},
        {
            **in_every_language("?", "?"),
            "answers": [in_every_language("a", "a"), in_every_language("b", "乙")],
            "correct": 1,
        },
    ),
    (
        {
            "ask": {
                "en": "?",
                "answers": ["a", "b"],
                "correct": 1,
                "reasons": ["c", {"en": "d", "zh": "丁"}],
            }
        },
        {
            **in_every_language("?", "?"),
            "answers": [in_every_language("a", "a"), in_every_language("b", "b")],
            "correct": 1,
            "reasons": [in_every_language("c", "c"), in_every_language("d", "丁")],
        },
    ),
    (
        {"expect": {"leader": -1, "elr": [], "replicas": {1: {"log": "", "hw": None}}}},
        {"leader": -1, "elr": [], "replicas": {"1": {"log": "", "hw": None}}},
    ),
]
