"""The questions of `verdicts.toml`: each by the command `highwater search`, next to TLC.

With `--tla2tools` and `--specification`, TLC runs directly after each search. Without them, its
stored results are printed. `--record` stores the results for the page docs/explanation/verdicts.md.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from msgspec.structs import replace

from tests.benchmarks import tlc
from tests.benchmarks.verdicts import (
    Checked,
    Question,
    Recorded,
    Searched,
    read_questions,
    read_record,
    read_searched,
    write_record,
)

_MIB = 2**20


def measure(
    tla2tools: Path | None = None,
    specification: Path | None = None,
    only: Collection[str] = (),
    record: bool = False,
) -> None:
    """Print a row for each question, or for those named in `only`, and store them on request."""
    asked, stored = read_questions(), read_record()
    ids = [question.id for question in asked.questions]
    known: dict[str, Checked] = {}
    print(f"{machine()}; the goal is a multiple of TLC's CPU seconds, or a number of CPU seconds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in asked.clusters.items():
            (folder / file).write_text(text)
        for question in asked.questions:
            if only and question.id not in only:
                continue
            searched = _search(question, folder)
            earlier = stored.results.get(question.id)
            checked = earlier.tlc if earlier else None
            if tla2tools and specification and question.specification:
                asks = question.specification.module + question.specification.configuration()
                if asks not in known:
                    known[asks], version = tlc.check(
                        question.specification, tla2tools, specification
                    )
                    host = f"{machine()}, {java()}"
                    stored = replace(stored, tlc_version=version, tlc_machine=host)
                checked = known[asks]
            results = {**stored.results, question.id: Recorded(search=searched, tlc=checked)}
            stored = replace(
                stored,
                machine=f"{machine()}, {_python()}",
                results={one: results[one] for one in ids if one in results},
            )
            _print(question, searched, checked)
            if record:
                write_record(stored)


def _search(question: Question, folder: Path) -> Searched:
    highwater = Path(sys.executable).with_name("highwater")
    cost = tlc.run([str(highwater), *question.arguments(question.cluster), "--json"], folder)
    if cost.status not in (0, 1):
        raise ValueError(f"{question.id}: the search ended with {cost.status}")
    return read_searched(
        json.loads(cost.output), cpu_seconds=cost.cpu_seconds, wall_seconds=cost.wall_seconds
    )


def _print(question: Question, searched: Searched, checked: Checked | None) -> None:
    verdict = "complete" if searched.complete else searched.verdict
    row = (
        f"{question.id:<22} {question.grain:<8} {verdict:<17} depth {searched.depth:>2} "
        f"{searched.states:>8,} states {searched.cpu_seconds:>6.2f} CPU s "
        f"{searched.wall_seconds:>6.2f} s"
    )
    if checked is None:
        print(f"{row} | goal {question.most:g} CPU s", flush=True)
        return
    print(
        f"{row} | TLC {checked.violated or 'holds':<11} depth {checked.depth:>2} "
        f"{checked.states:>6,} states {checked.cpu_seconds:>6.2f} CPU s "
        f"{checked.wall_seconds:>6.2f} s | {searched.cpu_seconds / checked.cpu_seconds:.2f} "
        f"times the CPU (goal {question.most:g}), "
        f"{searched.wall_seconds / checked.wall_seconds:.2f} times the time",
        flush=True,
    )


def machine() -> str:
    """The kind of machine: processor, cores, memory."""
    model = platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _MIB / 1024
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB"


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def java() -> str:
    """The version of Java."""
    said = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr
    return f"Java {said.partition(chr(34))[2].partition(chr(34))[0]}"
