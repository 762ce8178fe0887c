"""Measures and prints. No number makes it fail, because machines differ.

python -m tests.benchmarks            everything
python -m tests.benchmarks step       only these: engine, hostile, step, page, embed, size,
                                      summarize, campaign, followers
"""

import argparse
from collections.abc import Callable

from tests.benchmarks import (
    campaign,
    embed,
    engine,
    followers,
    hostile,
    page,
    size,
    step,
    summarize,
)

MEASUREMENTS: dict[str, Callable[[], None]] = {
    "engine": engine.measure,
    "hostile": hostile.measure,
    "step": step.measure,
    "page": page.measure,
    "embed": embed.measure,
    "followers": followers.run,
    "size": size.measure,
    "summarize": summarize.measure,
    "campaign": campaign.measure,
}

parser = argparse.ArgumentParser(description="Measure Highwater against baselines.")
parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
names = parser.parse_args().names
if unknown := sorted(set(names) - set(MEASUREMENTS)):
    parser.error(f"unknown measurement {unknown[0]}; choose from {', '.join(MEASUREMENTS)}")
for name in names or MEASUREMENTS:
    print(f"--- {name}")
    MEASUREMENTS[name]()
