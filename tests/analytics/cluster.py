"""A standalone Spark cluster of two workers with one core each, on this machine."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark

REPOSITORY = Path(__file__).parents[2]
WORKERS = 2
_START_SECONDS = 120.0
_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
_EXECUTOR = "CoarseGrainedExecutorBackend"


@dataclass(frozen=True)
class Cluster:
    """A running cluster; `master` is its address."""

    master: str
    environment: dict[str, str]
    workers: tuple[int, ...]

    def executors(self) -> list[int]:
        """The process ids of the executors that its workers have started."""
        found: list[int] = []
        for process in Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            try:
                status = (process / "status").read_text()
                command = (process / "cmdline").read_bytes()
            except OSError:
                continue
            parent = re.search(r"^PPid:\s+(\d+)", status, re.MULTILINE)
            is_ours = parent is not None and int(parent[1]) in self.workers
            if is_ours and _EXECUTOR.encode() in command:
                found.append(int(process.name))
        return sorted(found)


@contextmanager
def standalone_cluster(folder: Path, workers: int = WORKERS) -> Iterator[Cluster]:
    """A cluster whose workers have this Python and this repository; stopped at the end."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPOSITORY),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
    }
    program = Path(pyspark.__file__).parent / "bin" / "spark-class"
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> Path:
        log = folder / f"{name}.log"
        with log.open("wb") as output:
            started.append(
                subprocess.Popen(
                    [str(program), *arguments], env=environment, stdout=output, stderr=output
                )
            )
        return log

    try:
        log = start("master", _MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        master = _wait_for(log, r"Starting Spark master at (spark://\S+)")
        logs = [
            start(
                f"worker-{number}", _WORKER, "--cores", "1", "--memory", "1g",
                "--webui-port", "0", "--work-dir", str(folder / f"work-{number}"), master,
            )
            for number in range(workers)
        ]  # fmt: skip
        for worker_log in logs:
            _wait_for(worker_log, "(Successfully registered with master)")
        yield Cluster(master, environment, tuple(process.pid for process in started[1:]))
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait()


def _wait_for(log: Path, pattern: str) -> str:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found:
            return found[1]
        time.sleep(0.5)
    raise TimeoutError(f"{log.name} says nothing like {pattern}:\n{log.read_text()[-2000:]}")
