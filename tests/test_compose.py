"""The guarantees of compose.yaml."""

from pathlib import Path
from typing import Any

import pytest
import yaml


@pytest.fixture
def services(repository: Path) -> dict[str, Any]:
    document = yaml.safe_load((repository / "compose.yaml").read_text())
    found: dict[str, Any] = document["services"]
    return found


def test_every_service_has_an_init_process_and_bounds(services: dict[str, Any]):
    for name, service in services.items():
        assert service["init"] is True, name
        assert {"mem_limit", "cpus", "pids_limit"} <= set(service), name


def test_a_worker_writes_where_its_user_may(services: dict[str, Any]):
    command = services["spark-worker"]["command"]

    assert command[command.index("--work-dir") + 1].startswith("/tmp/")


def test_a_migration_that_failed_is_not_started_again(services: dict[str, Any]):
    assert services["migrate"]["restart"] == "no"


def test_summaries_are_kept_current(services: dict[str, Any]):
    command = services["summarize"]["command"]

    assert command[command.index("--every") + 1] == "1h"
    assert services["summarize"]["restart"] == "unless-stopped"
