"""The guarantees of compose.yaml, of the image, and of the images that both build upon."""

import ipaddress
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from backend.settings import read_settings


@pytest.fixture
def services(repository: Path) -> dict[str, Any]:
    document = yaml.safe_load((repository / "compose.yaml").read_text())
    found: dict[str, Any] = document["services"]
    return found


def test_every_service_has_an_init_process_and_bounds(services: dict[str, Any]):
    for name, service in services.items():
        assert service["init"] is True, name
        assert {"mem_limit", "cpus", "pids_limit"} <= set(service), name


def test_no_proxy_outside_the_container_is_trusted_unless_it_is_named(
    services: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    given = services["highwater"]["environment"]["HIGHWATER_TRUSTED_PROXIES"]
    passed_on = re.fullmatch(r"\$\{HIGHWATER_TRUSTED_PROXIES:-(.*)\}", given)
    assert passed_on is not None
    monkeypatch.setenv("HIGHWATER_TRUSTED_PROXIES", passed_on[1])

    trusted = read_settings().trusted_proxies.split(",")

    assert all(ipaddress.ip_network(address).is_loopback for address in trusted), trusted


def test_a_worker_writes_where_its_user_may(services: dict[str, Any]):
    command = services["spark-worker"]["command"]

    assert command[command.index("--work-dir") + 1].startswith("/tmp/")


def test_a_migration_that_failed_is_not_started_again(services: dict[str, Any]):
    assert services["migrate"]["restart"] == "no"


def test_summaries_are_kept_current(services: dict[str, Any]):
    command = services["summarize"]["command"]

    assert command[command.index("--every") + 1] == "1h"
    assert services["summarize"]["restart"] == "unless-stopped"


@pytest.mark.parametrize(
    "file", ["Dockerfile", "compose.yaml", "deploy/helm/highwater/values.yaml"]
)
def test_images_of_others_are_pinned_by_digest(repository: Path, file: str):
    """Images that are built here have no tag, so the pattern does not match them."""
    text = (repository / file).read_text()

    images = re.findall(r"(?:_IMAGE=|\bimage: )([a-z/-]+:\S+)", text)

    assert images
    for image in images:
        assert re.fullmatch(r"[a-z/-]+:[\w.-]+@sha256:[0-9a-f]{64}", image), image


def test_the_image_has_the_engine_that_a_page_runs(repository: Path):
    """Of the same packages as in `make run`, for the same Python."""
    image = (repository / "Dockerfile").read_text()
    script = (repository / "scripts/ensure-frontend").read_text()
    packages = re.compile(r"--(?:platform|python-version|implementation) \S+")

    assert len(packages.findall(image)) == 3
    assert packages.findall(image) == packages.findall(script)
    built = image.index("RUN node build-engine.js /page/msgspec-*.whl /page/yaml dist/engine")
    assert built < image.index("COPY --from=pages /app/frontend/dist/ frontend/dist/")


def test_the_build_context_has_everything_that_the_image_copies(repository: Path):
    ignored = (repository / ".dockerignore").read_text().splitlines()
    sent = [line[1:].rstrip("/") for line in ignored if line.startswith("!")]
    copies = re.findall(r"^COPY (?!--from)(.+) \S+$", (repository / "Dockerfile").read_text(), re.M)
    copied = [source.rstrip("/") for copy in copies for source in copy.split()]

    assert copied
    for source in copied:
        assert (repository / source).exists(), source
        assert any(source == path or source.startswith(f"{path}/") for path in sent), source
