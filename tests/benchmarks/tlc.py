"""Runs TLC, the model checker of TLA+, on the public specification of Kafka's replication.

Neither is part of this repository. `tla2tools.jar` comes from the releases of tlaplus/tlaplus, the
specification from hachikuji/kafka-specification.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.verdicts import Checked, Specification

_VIOLATED = re.compile(r"^Error: Invariant (\w+) is violated", re.MULTILINE)
_STATES = re.compile(r"([\d,]+) distinct states found, [\d,]+ states left on queue")
_DEPTH = re.compile(r"The depth of the complete state graph search is (\d+)")
_COMPLETED = "Model checking completed. No error has been found."
_MODULE_ENDS = re.compile(r"^={4,}", re.MULTILINE)


class Cost(NamedTuple):
    """The output of a program, and what it took: seconds of all its threads, and of the clock."""

    output: str
    cpu_seconds: float
    wall_seconds: float
    status: int


def run(command: Sequence[str], folder: Path) -> Cost:
    """Run a program in a folder to its end. What it prints to standard error is discarded."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode()
    return Cost(text, used.ru_utime + used.ru_stime, wall, process.returncode)


def check(specified: Specification, jar: Path, modules: Path) -> tuple[Checked, str]:
    """Check a specification with one worker; the result, and TLC's version.

    With one worker, a violation is one of the shortest and the counts are the same in every run.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for module in modules.glob("*.tla"):
            text = module.read_text()
            if module.stem == specified.module:
                ends = next(_MODULE_ENDS.finditer(text)).start()
                text = f"{text[:ends]}{specified.definition}\n{text[ends:]}"
            (folder / module.name).write_text(text)
        (folder / "question.cfg").write_text(specified.configuration())
        cost = run(
            [
                *("java", "-XX:+UseParallelGC", "-cp", str(jar.resolve()), "tlc2.TLC"),
                *("-workers", "1", "-config", "question.cfg", specified.module),
            ],
            folder,
        )
    return read_result(cost), cost.output.partition("\n")[0]


def read_result(cost: Cost) -> Checked:
    """Read what TLC printed. Raises `ValueError` with its output if it neither found a violation
    nor completed.
    """
    violated, states = _VIOLATED.search(cost.output), _STATES.findall(cost.output)
    depth = _DEPTH.search(cost.output)
    if depth is None or not states or not (violated or _COMPLETED in cost.output):
        raise ValueError(f"TLC did not finish:\n{cost.output}")
    return Checked(
        violated=violated[1] if violated else None,
        depth=int(depth[1]) - 1,  # TLC counts states, of which the first is the initial one
        states=int(states[-1].replace(",", "")),
        cpu_seconds=round(cost.cpu_seconds, 2),
        wall_seconds=round(cost.wall_seconds, 2),
    )
