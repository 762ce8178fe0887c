"""Spark sessions on clusters: without workers, and with workers without our packages."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.analytics.cluster import standalone_cluster

# In a separate process: a process has one session, and the other tests share one.
_PROGRAM = """
import sys
from analytics.errors import SparkFailedError
from analytics.spark import spark_session

try:
    with spark_session(sys.argv[1], executor_within_s=1):
        print("started")
except SparkFailedError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_master_without_workers_is_reported(repository: Path, tmp_path: Path) -> None:
    with standalone_cluster(tmp_path, workers=0) as cluster:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, cluster.master],
            cwd=repository, env=cluster.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert done.stdout.startswith(f"no worker of {cluster.master} accepted the job"), done.stderr


_RUN = """
from analytics.spark import spark_session

with spark_session("local[1]") as spark:
    spark.range(10).groupBy("id").count().collect()
    print(spark.conf.get("spark.sql.shuffle.partitions"), spark.sparkContext.uiWebUrl)
"""


@pytest.mark.spark
def test_a_user_can_look_at_a_job(repository: Path, tmp_path: Path) -> None:
    """As docs/explanation/campaigns.md describes it."""
    given = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": tmp_path.as_uri(),
        "spark.ui.enabled": "true",
        "spark.ui.port": "0",
        "spark.sql.shuffle.partitions": "7",
    }
    options = " ".join(f"--conf {name}={value}" for name, value in given.items())

    done = subprocess.run(
        [sys.executable, "-c", _RUN], cwd=repository, capture_output=True, text=True, check=False,
        env={**os.environ, "PYSPARK_SUBMIT_ARGS": f"{options} pyspark-shell"},
    )  # fmt: skip

    assert done.stdout.startswith("7 http://"), done.stderr
    assert any(file.is_file() for file in tmp_path.rglob("*"))


def test_no_page_is_served_unless_the_user_asks_for_it(spark: SparkSession) -> None:
    assert spark.sparkContext.uiWebUrl is None


_ASK = """
import sys
from analytics.spark import spark_session

def place(_):
    import only_in_archive
    return sys.executable + " " + only_in_archive.__file__

with spark_session(sys.argv[1]) as spark:
    print(spark.sparkContext.parallelize([1], 1).map(place).first())
"""


@pytest.mark.slow
@pytest.mark.spark
def test_workers_get_their_packages_from_an_archive(repository: Path, tmp_path: Path) -> None:
    """As docs/explanation/campaigns.md describes it."""
    (tmp_path / "only_in_archive.py").touch()
    with tarfile.open(tmp_path / "packages.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "only_in_archive.py", "only_in_archive.py")
    python = tmp_path / "python"
    python.symlink_to(sys._base_executable)  # type: ignore[attr-defined]
    with standalone_cluster(tmp_path, workers=1) as cluster:
        done = subprocess.run(
            [sys.executable, "-c", _ASK, cluster.master],
            cwd=repository, capture_output=True, text=True, check=False,
            env={
                **cluster.environment,
                "PYSPARK_PYTHON": str(python),
                "PYSPARK_SUBMIT_ARGS": f"--archives {tmp_path}/packages.tar.gz#packages"
                " --conf spark.executorEnv.PYTHONPATH=packages pyspark-shell",
            },
        )  # fmt: skip

    used, _, module = done.stdout.strip().partition(" ")
    assert used == str(python), done.stderr
    assert module.endswith("/packages/only_in_archive.py")
