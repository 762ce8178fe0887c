"""Measures and prints; nothing here fails on a number, because machines differ.

python -m tests.benchmarks            everything
python -m tests.benchmarks step       only what is named: engine, step, size, summarize
"""

import argparse
from collections.abc import Callable

from tests.benchmarks import engine, size, step, summarize

MEASUREMENTS: dict[str, Callable[[], None]] = {
    "engine": engine.measure,
    "step": step.measure,
    "size": size.measure,
    "summarize": summarize.measure,
}

parser = argparse.ArgumentParser(description="Measure Highwater beside its peers.")
parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
names = parser.parse_args().names
if unknown := sorted(set(names) - set(MEASUREMENTS)):
    parser.error(f"there is no measurement {unknown[0]}; they are {', '.join(MEASUREMENTS)}")
for name in names or MEASUREMENTS:
    print(f"--- {name}")
    MEASUREMENTS[name]()
