"""Invalid scenarios: those of `testdata/wrong.txt`, and those that are too large for it.

`pytest tests/sim_engine/scenario_reader --rewrite` writes the errors as they are now. Review that.
"""

from pathlib import Path
from typing import Any

import yaml

from tests.sim_engine.scenario_reader.documents import (
    document,
    with_log,
    with_partition,
    with_steps,
)

FILE = Path(__file__).parent / "testdata/wrong.txt"
FORMS = {
    "file": lambda given: given,
    "document": lambda given: document(**given),
    "partition": lambda given: with_partition(**given),
    "log": lambda given: with_log(**given),
    "step": with_steps,
}


def wrong_scenario(line: str) -> Any:
    """The scenario of a line: one of the forms, and the data for it as YAML."""
    form, _, given = line.partition(" ")
    return FORMS[form](yaml.safe_load(given))


LINES = [
    line
    for line in FILE.read_text(encoding="utf-8").splitlines()
    if not line.startswith((" ", "#"))
]

TOO_LARGE: list[tuple[Any, str]] = [
    (document(title="👩‍👩‍👧‍👦" * 100), "/title: the title may have at most 120 characters"),
    (
        document(topics=[{"name": "t", "partitions": [{"replicas": [1]}] * 17}]),
        "/topics/0/partitions: partitions must have at most 16 entries, not 17",
    ),
    (
        document(
            topics=[{"name": name, "partitions": [{"replicas": [1]}] * 9} for name in ("a", "b")]
        ),
        "/topics: a scenario may have at most 16 partitions in total, not 18",
    ),
    (document(steps=[{}] * 10_001), "/steps: a scenario may have at most 10000 steps, not 10001"),
    (with_steps({"note": "x" * 2001}), "/steps/0/note: a note may have at most 2000 characters"),
    (
        with_steps(
            {"ask": {"en": "?", "answers": ["a", "b"], "correct": 1, "reasons": ["c", "d" * 601]}}
        ),
        "a reason may have at most 600 characters",
    ),
]

WRONG_SCENARIOS: list[Any] = [*map(wrong_scenario, LINES), *(wrong for wrong, _ in TOO_LARGE)]
