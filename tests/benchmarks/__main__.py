"""Measures and prints. No number makes it fail, because machines differ.

python -m tests.benchmarks            everything
python -m tests.benchmarks step       only these: engine, hostile, step, page, in-page, reading,
                                      embed, size, summarize, campaign, cluster, followers,
                                      search, assess, soak
python -m tests.benchmarks soak --minutes 1 --database sqlite --processes 2
python -m tests.benchmarks search --tla2tools tla2tools.jar --specification FOLDER --record
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.benchmarks import (
    assess,
    campaign,
    embed,
    engine,
    followers,
    hostile,
    in_page,
    page,
    reading,
    search,
    size,
    step,
    summarize,
)
from tests.benchmarks.soak import run as soak

parser = argparse.ArgumentParser(description="Measure Highwater against baselines.")
parser.add_argument(
    "--minutes", type=float, default=soak.MINUTES, help="how long each soak is under attack"
)
parser.add_argument(
    "--database", action="append", choices=soak.KINDS, help="of the soak; without it, both"
)
parser.add_argument(
    "--processes",
    action="append",
    type=int,
    choices=soak.PROCESSES,
    help="how many share the soak's database; without it, one and then two",
)
parser.add_argument("--tla2tools", type=Path, help="the search runs TLC of this JAR as well")
parser.add_argument(
    "--specification", type=Path, help="the folder with the modules of kafka-specification"
)
parser.add_argument("--question", action="append", help="of the search; without it, all")
parser.add_argument("--record", action="store_true", help="store the results of the search")
parser.add_argument("names", nargs="*", metavar="NAME", help="which; without any, everything")
options = parser.parse_args()

MEASUREMENTS: dict[str, Callable[[], None]] = {
    "engine": engine.measure,
    "hostile": hostile.measure,
    "step": step.measure,
    "page": page.measure,
    "in-page": in_page.measure,
    "reading": reading.measure,
    "embed": embed.measure,
    "followers": followers.run,
    "size": size.measure,
    "summarize": summarize.measure,
    "campaign": campaign.measure,
    "cluster": campaign.measure_cluster,
    "assess": assess.measure,
    "search": partial(
        search.measure,
        options.tla2tools,
        options.specification,
        options.question or (),
        options.record,
    ),
    "soak": partial(
        soak.measure,
        options.minutes,
        options.database or soak.KINDS,
        options.processes or soak.PROCESSES,
    ),
}
if unknown := sorted(set(options.names) - set(MEASUREMENTS)):
    parser.error(f"unknown measurement {unknown[0]}; choose from {', '.join(MEASUREMENTS)}")
for name in options.names or MEASUREMENTS:
    print(f"--- {name}", flush=True)
    MEASUREMENTS[name]()
