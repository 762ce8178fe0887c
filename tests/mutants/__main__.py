"""Prints the test that detects each mutant, and fails if no test does.

python -m tests.mutants                 all of them
python -m tests.mutants KIP-101 fenced  mutants whose name contains one of these

The protocol tests run against each mutant until one fails: that is its killer. Tests that only list
the rules of a profile are excluded, because they would detect every flag and prove nothing. The
tests are collected once; then every mutant runs in its own process.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import pytest

from tests.mutants.mutations import MUTANTS

ROOT = Path(__file__).resolve().parent.parent.parent
SUITES = (
    "tests/sim_engine/protocol",
    "tests/sim_engine/kafka_cases",
    "tests/sim_engine/simulation",
    "tests/sim_engine/story/test_order_of_events.py",
    "tests/sim_engine/exploration/test_found.py",
    "tests/conformance",
    "tests/sim_engine/test_worked_examples.py",
    "tests/sim_engine/narration/test_runs.py",
)
"""Fastest first: the first test that fails is the killer."""


class Hunt:
    """Runs the collected tests once for each mutant, in place of pytest's single run."""

    def __init__(self, mutants: list[str]) -> None:
        self.survivors: list[str] = []
        self._mutants = mutants
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        assert session.items, "there are tests to run"
        width = max(len(name) for name in self._mutants)
        for name in self._mutants:
            began = time.monotonic()
            killer = self._killer_of(name, session)
            if not killer:
                self.survivors.append(name)
            seconds = time.monotonic() - began
            print(f"{name:<{width}}  {seconds:5.1f} s  {killer or 'SURVIVES'}", flush=True)
        return True

    def _killer_of(self, mutant: str, session: pytest.Session) -> str:
        """The test that detects a mutant; empty if none does."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            MUTANTS[mutant]()
            os.write(writing, self._first_to_fail(session).encode())
            os._exit(0)
        os.close(writing)
        with open(reading, "rb") as answer:
            name = answer.read().decode()
        os.waitpid(child, 0)
        return name

    def _first_to_fail(self, session: pytest.Session) -> str:
        for index, item in enumerate(session.items):
            following = session.items[index + 1] if index + 1 < len(session.items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                return item.nodeid
        return ""


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Break each rule and print the test that detects it."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="part of a mutant's name")
    wanted = parser.parse_args().names
    chosen = [name for name in MUTANTS if not wanted or any(part in name for part in wanted)]
    if not chosen:
        parser.error("no mutant name contains that")
    os.chdir(ROOT)
    hunt = Hunt(chosen)
    without = ["cacheprovider", "playwright", "terminal"]
    options = [option for name in without for option in ("-p", f"no:{name}")]
    options += ["-s", "-m", "not slow", "-o", "addopts=--import-mode=importlib"]
    status = pytest.main([*options, *SUITES], plugins=[hunt])
    print(f"{len(chosen)} mutants, {len(hunt.survivors)} survive")
    return 1 if hunt.survivors or status else 0


if __name__ == "__main__":
    sys.exit(main())
