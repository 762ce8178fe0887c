"""`summarize` over 1,000, 10,000 and 100,000 shares: the first time, again, and with a few more.

Each runs in its own process, as a user starts it. Starting Spark takes the same time for all, so
the times are also given without it. Goal: ten times the shares take at most ten times as long.
"""

import re
import sys
import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from tests.analytics.shares import generated_shares, insert_shares, migrate
from tests.benchmarks.process_tree import Measured, measured

SIZES = (1_000, 10_000, 100_000)
MORE = 100


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = [_measure(Path(folder), size) for size in SIZES]
    for fewer, more in pairwise(work):
        print(f"ten times the shares: {more / fewer:.2f} times as long without Spark's start")


def _measure(folder: Path, size: int) -> float:
    """Print the times for a number of shares; return the first one's, without Spark's start."""
    url = f"sqlite:///{folder / str(size)}.db"
    migrate(url)
    shares = generated_shares(size + MORE)
    insert_shares(url, shares[:size])
    first = _summarize(url)
    _print(f"{size:>7,} shares", first)
    _print("        again, nothing new", _summarize(url))
    # With ids of their own: they are among the others, and not behind them.
    insert_shares(url, [replace(share, digest=share.sid) for share in shares[size:]])
    _print(f"        with {MORE} more", _summarize(url))
    return _without_start(first)


def _summarize(url: str) -> Measured:
    return measured([sys.executable, "-m", "analytics", "summarize", "--database", url])


def _without_start(run: Measured) -> float:
    starting = re.search(r"started Spark .*\(([\d.]+) s\)", run.said)
    return run.seconds - (float(starting[1]) if starting else 0.0)


def _print(what: str, run: Measured) -> None:
    reading = re.search(r"^found .*\(([\d.]+) s\)", run.said, re.MULTILINE)
    assert reading is not None, run.said
    work = re.search(r": ([\d,]+) new or changed", run.said)
    print(
        f"{what:<28} {run.seconds:6.1f} s, {_without_start(run):5.1f} s without Spark's start, "
        f"{reading[1]} s of them reading shares; {run.peak_mib:,.0f} MiB; rows read: "
        f"{work[1] if work else 0} new shares"
    )
