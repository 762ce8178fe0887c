"""`summarize` over 1,000 and over 10,000 shares. Goal: at most ten times the time.

Each runs in its own process, as a user starts it. Starting Spark takes the same time for both, so
the ratio is also given without it.
"""

import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.analytics.shares import generated_shares, insert_shares, migrate

FEWER, MORE = 1_000, 10_000
GOAL = MORE // FEWER


@dataclass(frozen=True)
class Timing:
    whole_seconds: float
    starting_spark_seconds: float

    @property
    def work_seconds(self) -> float:
        return self.whole_seconds - self.starting_spark_seconds


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        fewer, more = (summarize(Path(folder), count) for count in (FEWER, MORE))
    for count, timing in ((FEWER, fewer), (MORE, more)):
        print(
            f"{count:>6,} shares {timing.whole_seconds:6.1f} s, "
            f"{timing.work_seconds:5.1f} s of them after Spark has started"
        )
    print(
        f"ratio of the times: {more.whole_seconds / fewer.whole_seconds:.2f}, without Spark's "
        f"start {more.work_seconds / fewer.work_seconds:.2f} (goal: {GOAL})"
    )


def summarize(folder: Path, count: int) -> Timing:
    url = f"sqlite:///{folder / str(count)}.db"
    migrate(url)
    insert_shares(url, generated_shares(count))
    started = time.perf_counter()
    said = subprocess.run(
        [sys.executable, "-m", "analytics", "summarize", "--database", url],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ).stderr  # fmt: skip
    whole = time.perf_counter() - started
    starting = re.search(r"started Spark .*\(([\d.]+) s\)", said)
    assert starting is not None, said
    return Timing(whole, float(starting[1]))
