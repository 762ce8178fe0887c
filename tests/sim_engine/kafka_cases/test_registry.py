"""Every case of Kafka's own tests exists exactly once; omitted parts are listed."""

import importlib
import re
from collections import Counter
from pathlib import Path

from tests.sim_engine.kafka_cases.flipping import calls_of

HERE = Path(__file__).parent

SECTIONS: dict[str, range] = {
    "A": range(1, 28), "B": range(1, 13), "C": range(1, 19), "D": range(1, 26),
    "E": range(1, 31), "F": range(1, 24), "G": range(1, 12),
}  # fmt: skip
ZOOKEEPER_ELECTIONS = range(1, 12)
KRAFT_ELECTIONS = range(20, 51)

CASES = [
    *(f"{section}{number:02}" for section, numbers in SECTIONS.items() for number in numbers),
    *(f"H{number:02}" for number in (*ZOOKEEPER_ELECTIONS, *KRAFT_ELECTIONS)),
]

EXPRESSED_IN_PART = {
    "E29": "asks for the end and the start; records have no timestamps to ask for",
    "F18": "the last of the three answers names an epoch that one real log can lead to",
    "F22": "what the follower finds in the batch stands in the answer as its error",
    "G06": "batches are not compressed",
    "H29": "the last known leader is always remembered, as in every release",
    "H31": "the last known leader is always remembered, as in every release",
    "H42": "a cluster runs one release: there is no AlterPartition v1 at a newer controller",
}
"""Cases of which a part has no counterpart here, with what is held instead."""


def ids_of_tests() -> Counter[str]:
    """The cases among the tests of this folder, from the tests' ids."""
    found: Counter[str] = Counter()
    for path in sorted(HERE.glob("test_[a-h][0-9_]*.py")):
        tests = vars(importlib.import_module(f"tests.sim_engine.kafka_cases.{path.stem}"))
        for name, test in tests.items():
            if name.startswith("test_"):
                assert {mark.name for mark in getattr(test, "pytestmark", ())} <= {"parametrize"}
                found.update(label for label, _ in calls_of(test) if label)
    return found


def test_all_188_cases_are_tests_each_once():
    found = ids_of_tests()

    assert len(CASES) == 188
    assert found == Counter(CASES)


def test_what_is_only_partly_expressed_is_a_case_with_a_reason():
    assert set(EXPRESSED_IN_PART) <= set(CASES)
    assert all(len(reason.split()) > 3 for reason in EXPRESSED_IN_PART.values())


def test_every_case_names_a_test_of_kafka():
    written = "".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
    named = re.findall(
        r'(?:case|row)\(\s*"([A-H]\d\d)",\s*(?:[a-z]+\(\s*)?"[A-Za-z_.]*[a-z][A-Za-z0-9_.]+"',
        written,
    )

    assert Counter(named) == Counter(CASES)
