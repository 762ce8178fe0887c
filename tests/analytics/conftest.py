"""One Spark session for the whole run, and a migrated database of each kind."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from analytics.spark import spark_session
from tests.analytics.shares import migrate
from tests.postgres import PostgresServer

# Halves the time to start; their cost in a long job does not matter here.
QUICK_START = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    with spark_session("local[2]", java_options=QUICK_START) as session:
        yield session


@pytest.fixture
def elsewhere(spark: SparkSession, tmp_path: Path) -> str:
    """The address of a folder in a file system that is none of this machine: `open` fails there."""
    real = tmp_path / "elsewhere"
    real.mkdir()
    assert spark.sparkContext._jsc is not None
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    name = f"highwater{uuid.uuid4().hex}"
    hadoop.set(f"fs.viewfs.mounttable.{name}.link./data", real.as_uri())
    return f"viewfs://{name}/data"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of a new, empty SQLite file with the service's schema."""
    url = f"sqlite:///{tmp_path / 'highwater.db'}"
    migrate(url)
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a new, empty database of each kind with the service's schema."""
    if request.param == "sqlite":
        url: str = request.getfixturevalue("sqlite_url")
        return url
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.new_database()
    migrate(url)
    return url
