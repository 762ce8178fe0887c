"""Runs a command and samples the memory of its processes, of which Spark's Java is one."""

import os
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_EVERY_SECONDS = 0.25


@dataclass(frozen=True)
class Measured:
    """The result of a command: its standard error, and its peak memory."""

    seconds: float
    peak_mib: float
    said: str


def measured(command: Sequence[str]) -> Measured:
    """Run a command to its end. Raises CalledProcessError if it fails."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        ended = threading.Event()
        peaks = [0.0]

        def sample() -> None:
            while not ended.wait(_EVERY_SECONDS):
                peaks.append(_resident_mib(process.pid))

        sampler = threading.Thread(target=sample, daemon=True)
        sampler.start()
        _, said = process.communicate()
        ended.set()
        sampler.join()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=said)
    return Measured(time.perf_counter() - began, max(peaks), said)


def cpu_seconds() -> float:
    """Of this process and all descendants, including those that have ended."""
    return sum(_cpu_ticks(pid) for pid in _tree(os.getpid())) / os.sysconf("SC_CLK_TCK")


def _cpu_ticks(pid: int) -> int:
    try:
        # The command's name is in parentheses and may contain any characters.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0  # it has ended
    return sum(int(ticks) for ticks in fields[11:15])


def _resident_mib(root: int) -> float:
    """Of a process and all descendants. Shared pages count in each."""
    total = 0.0
    for pid in _tree(root):
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except OSError:
            continue  # it has ended
        total += pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return total


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        children[int(parent)].append(int(stat.parent.name))
    found = [root]
    for pid in found:
        found += children[pid]
    return found
