"""Real clusters, and what is read from them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from backend.cli import run
from backend.recording.releases import NoKafkaError
from sim_engine.cluster_import.context import Context
from sim_engine.cluster_import.parsed_state import ParsedState, Problems
from sim_engine.cluster_import.tool_output import read_topics
from tests.kafka_cluster import KafkaCluster

OLD = "2.8.2"
OLDER = "1.1.1"
NEWEST = "4.4.0"


@contextmanager
def cluster_or_skip(release: str, **options: object) -> Iterator[KafkaCluster]:
    """A running cluster; skips the test if none can be started here."""
    try:
        with KafkaCluster.started(release, **options) as cluster:  # type: ignore[arg-type]
            yield cluster
    except NoKafkaError as reason:
        pytest.skip(str(reason))


def as_described(printed: str) -> ParsedState:
    """What `kafka-topics --describe` prints, as `highwater import` reads it."""
    problems = Problems()
    context = Context("", printed.strip().splitlines(), {}, ParsedState(), problems)
    assert read_topics(context)
    problems.stop()
    return context.parsed


def without_ids(printed: str) -> str:
    """The lines without the ids of topics, which a scenario does not have."""
    return re.sub(r"TopicId: \S+", "TopicId: …", printed).strip()


Printed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def highwater(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Runs the program; its status, output and errors."""

    def program(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        output, errors = capsys.readouterr()
        return status, output, errors

    return program
