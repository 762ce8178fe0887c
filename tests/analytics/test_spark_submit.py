"""Jobs on the Spark that a team has: `spark-submit`, its settings, and a standalone cluster."""

import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pyspark
import pytest

from tests.analytics import reference_summary
from tests.analytics.cluster import standalone_cluster
from tests.analytics.shares import generated_shares, insert_shares
from tests.analytics.summaries import stored_summaries

SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"

_SETTINGS = """
from analytics.spark import spark_session

with spark_session() as spark:
    names = ("spark.master", "spark.app.name", "spark.submit.deployMode",
             "spark.sql.shuffle.partitions", "spark.ui.showConsoleProgress")
    options = spark.conf.get("spark.driver.extraJavaOptions").split()
    print(*(spark.conf.get(name, "unset") for name in names), "-Dtheirs=1" in options, sep="|")
"""


@pytest.mark.spark
def test_a_submitted_job_changes_no_setting_of_the_submitter(
    repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "job.py").write_text(_SETTINGS)

    done = subprocess.run(
        [
            SUBMIT, "--master", "local[1]", "--name", "theirs",
            "--conf", "spark.sql.shuffle.partitions=7", "--conf", "spark.ui.enabled=false",
            "--driver-java-options", "-Dtheirs=1", str(tmp_path / "job.py"),
        ],
        cwd=tmp_path, env=environment(PYTHONPATH=str(repository)), capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert done.stdout == "local[1]|theirs|client|7|unset|True\n", done.stderr


@pytest.mark.spark
def test_a_job_of_our_own_java_uses_the_configuration_of_spark(
    repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.master local[1]\n"
        "spark.sql.shuffle.partitions 7\n"
        "spark.driver.extraJavaOptions -Dtheirs=1\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", _SETTINGS], cwd=repository, capture_output=True, text=True,
        env=environment(SPARK_CONF_DIR=str(tmp_path)), check=False,
    )  # fmt: skip

    assert done.stdout == "local[1]|highwater|client|7|false|True\n", done.stderr


@pytest.mark.spark
def test_a_master_after_the_jobs_name_is_refused_if_spark_submit_has_one(
    repository: Path, sqlite_url: str, tmp_path: Path
) -> None:
    job = job_file(tmp_path)

    done = subprocess.run(
        [
            SUBMIT, "--master", "local[1]", str(job), "summarize", "--master", "local[2]",
            "--database", sqlite_url,
        ],
        cwd=tmp_path, env=environment(PYTHONPATH=str(repository)), capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert done.returncode == 2, done.stderr
    # spark-submit prints what Python writes to standard error on standard output.
    assert "leave it out after the job's name" in done.stdout
    assert stored_summaries(sqlite_url) == []


@pytest.mark.slow
@pytest.mark.spark
def test_a_packaged_job_runs_on_a_standalone_cluster(
    repository: Path, database_url: str, tmp_path: Path
) -> None:
    """As docs/how-to/run-on-a-spark-cluster.md describes it, with the wheel."""
    wheel = wheel_of(repository, tmp_path)
    shares = generated_shares(3_000)
    insert_shares(database_url, shares)
    kept = tmp_path / "kept"

    with standalone_cluster(tmp_path) as cluster:
        done = subprocess.run(
            [
                SUBMIT, "--master", cluster.master, "--py-files", str(wheel),
                "--conf", "spark.executor.memory=512m",
                "--conf", f"spark.executorEnv.PYTHONPATH={wheel.name}/highwater_kafka/parts",
                str(job_file(tmp_path)), "summarize", "--keep-parquet", kept.as_uri(), "--json",
            ],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env=environment(
                HIGHWATER_DATABASE_URL=database_url, PYSPARK_PYTHON=sys.executable,
                SPARK_LOCAL_IP="127.0.0.1",
            ),
        )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert f"started Spark on {cluster.master}" in done.stdout
    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == len(reference_summary.living(shares))
    assert (kept / "shares.parquet" / "_SUCCESS").exists()


@pytest.mark.slow
@pytest.mark.spark
def test_a_job_that_is_killed_at_any_stage_leaves_the_old_summary(
    repository: Path, database_url: str
) -> None:
    command = [sys.executable, "-m", "analytics", "summarize", "--master", "local[1]"]
    shares = generated_shares(400)
    insert_shares(database_url, shares[:200])
    variables = environment(HIGHWATER_DATABASE_URL=database_url)
    subprocess.run(command, cwd=repository, env=variables, capture_output=True, check=True)
    (before,) = stored_summaries(database_url)
    insert_shares(database_url, shares[200:])

    for stage in ("found", "started Spark", "counted", "counted losses", "counted 8 kinds"):
        with subprocess.Popen(
            command, cwd=repository, env=variables, stderr=subprocess.PIPE, text=True
        ) as job:
            assert job.stderr is not None
            said = next((line for line in job.stderr if line.startswith(stage)), None)
            job.send_signal(signal.SIGKILL)

        assert said is not None, f"the job said nothing of {stage}"
        assert stored_summaries(database_url) == [before]

    subprocess.run(command, cwd=repository, env=variables, capture_output=True, check=True)
    _, after = stored_summaries(database_url)
    assert after.head["shares_read"] > before.head["shares_read"]


def environment(**variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "PYSPARK_PYTHON": sys.executable, **variables}


def job_file(folder: Path) -> Path:
    file = folder / "highwater_job.py"
    file.write_text(
        "import sys\nfrom highwater_kafka.__main__ import spark_job\nsys.exit(spark_job())\n"
    )
    return file


def wheel_of(repository: Path, folder: Path) -> Path:
    """What a job needs of the wheel, with the wheel's folders."""
    wheel = folder / "highwater_kafka-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for root, target in (
            ("highwater_kafka", ""),
            ("analytics", "highwater_kafka/parts/"),
            ("sim_engine", "highwater_kafka/parts/"),
        ):
            for file in (repository / root).rglob("*"):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, f"{target}{file.relative_to(repository)}")
    return wheel
